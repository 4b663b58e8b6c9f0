// Edits that are not saved, kept in the tab's session storage: they outlive a reload and a crash, and end with the tab.
// They are the operator's alone, and end when the token does.

import { parse, serverNow } from './api.js';

const prefix = 'hearth.edits ';
/** How long a burst of keys may take before it is kept, in milliseconds. */
const pause = 100;

/** @type {Map<string, () => unknown>} what is yet to be kept, by its name */
const waiting = new Map();
/** @type {Map<string, () => unknown>} what gives the newest state of all that this tab keeps, by its name */
const latest = new Map();
let timer = 0;
let tellFailure = () => {};

/** @typedef {{who: string, until?: string}} Owner the name of a token, and the instant at which it ends */
/** @type {Owner|null} */
let owner = null;
let ending = 0;
/** The longest that a browser's timer waits, in milliseconds. */
const timerMax = 2_147_483_647;

const isOver = (/** @type {Owner} */ { until }) => until !== undefined && Date.parse(until) <= serverNow();
/** @returns {Owner & {state: any}|null} */
function entry(/** @type {string} */ key) {
  const text = sessionStorage.getItem(key);
  try { return text === null ? null : parse(text); } catch { return null; }
}
const keys = () => Object.keys(sessionStorage).filter((key) => key.startsWith(prefix));

function write(/** @type {string} */ name, /** @type {unknown} */ value) {
  try {
    if (value === null || value === undefined || !owner || isOver(owner)) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify({ ...owner, state: value }));
  } catch { tellFailure(); }
}

/** Forgets what is another's, or of a token that has ended. */
function sweep() {
  for (const key of keys()) {
    const found = entry(key);
    if (!found || isOver(found) || (owner && found.who !== owner.who)) sessionStorage.removeItem(key);
  }
}
sweep();

function flush() {
  clearTimeout(timer);
  timer = 0;
  for (const [name, state] of waiting) write(name, state());
  waiting.clear();
}
addEventListener('pagehide', flush);
addEventListener('visibilitychange', flush);

export const kept = {
  /**
   * Is called when the storage has no room.
   * @param {() => void} callback
   */
  onFailure(callback) { tellFailure = callback; },

  /**
   * Keeps what `state` gives, at the latest a moment from now; `null` forgets it.
   * @param {string} name
   * @param {() => unknown} state
   */
  keep(name, state) {
    waiting.set(name, state);
    latest.set(name, state);
    if (timer === 0) timer = setTimeout(flush, pause);
  },

  /** @param {string} name */
  read(name) {
    flush();
    return entry(prefix + name)?.state ?? null;
  },

  /** The names of all that is kept. */
  names() {
    flush();
    return keys().map((key) => key.slice(prefix.length));
  },

  /**
   * Says whose token the tab has from now on. What the same person left goes on with it, for as long as it is valid.
   * @param {Me} me
   */
  belongTo({ name, expiresAt }) {
    // What ended in the storage with the token that is over is still on the screen.
    if (owner?.who === name) latest.forEach((state, key) => waiting.set(key, state));
    else latest.clear();
    owner = { who: name, ...(expiresAt ? { until: expiresAt } : {}) };
    sweep();
    for (const key of keys()) write(key.slice(prefix.length), entry(key)?.state);
    flush();
    clearTimeout(ending);
    if (expiresAt) ending = setTimeout(sweep, Math.min(Date.parse(expiresAt) - serverNow(), timerMax));
  },

  /** @param {string} name */
  forget(name) {
    waiting.delete(name);
    latest.delete(name);
    write(name, null);
  },

  /** Everything, when the operator signs out. */
  forgetAll() {
    waiting.clear();
    latest.clear();
    for (const key of keys()) sessionStorage.removeItem(key);
  },
};
