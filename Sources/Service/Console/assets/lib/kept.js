// Edits that are not saved, kept in the tab's session storage: they outlive a reload and a crash, and end with the tab.
// They are the operator's alone, and end when the token does.
//
// Whose they are: the token's that they were typed with, which its selector tells. They go on with a token that was
// made of that one by renewing it, as the audit says; and with any of the same name while the page stays open, since
// they are on the screen then. Whoever signs in with another token of the same name is asked, and is shown nothing
// before. Nobody else gets them.

import { get, parse, serverNow } from './api.js';
import { timerMax } from './clock.js';
import { tabStorage } from './storage.js';

const prefix = 'hearth.edits ';
/** How long a burst of keys may take before it is kept, in milliseconds. */
const pauseMin = 100;
/** How much longer than the last writing took it is until the next: a section of thousands of items takes a while. */
const pauseTimes = 50;
let pause = pauseMin;

/** @type {Map<string, () => unknown>} what is yet to be kept, by its name */
const waiting = new Map();
/** @type {Map<string, () => unknown>} what gives the newest state of all that this tab keeps, by its name */
const latest = new Map();
let timer = 0;
let tellFailure = () => {};
/** Whether it was told that there is no room, since there was some. */
let isTold = false;

/** @typedef {{who: string, name: string, until?: string}} Owner a token by its selector, and when it ends */
/** @type {Owner|null} */
let owner = null;
let ending = 0;
let deciding = Promise.resolve();

const isOver = (/** @type {Owner} */ { until }) => until !== undefined && Date.parse(until) <= serverNow();
/** @typedef {Owner & {state: Record<string, unknown>}} Entry what is kept, with whose it is */
/** @returns {Entry|null} */
function entry(/** @type {string} */ key) {
  const text = tabStorage.get(key);
  try { return text === null ? null : /** @type {Entry} */ (parse(text)); } catch { return null; }
}
const keys = () => tabStorage.keys().filter((key) => key.startsWith(prefix));

function write(/** @type {string} */ name, /** @type {unknown} */ value) {
  if (value === null || value === undefined || !owner || isOver(owner)) {
    tabStorage.remove(prefix + name);
    return;
  }
  const isKept = tabStorage.set(prefix + name, JSON.stringify({ ...owner, state: value }));
  // At each key there is as little room as at the one before.
  if (!isKept && !isTold) tellFailure();
  isTold = !isKept;
}

/** Forgets what is another's, or of a token that has ended. */
function sweep() {
  for (const key of keys()) {
    const found = entry(key);
    if (!found || isOver(found) || (owner && found.who !== owner.who)) tabStorage.remove(key);
  }
}

/** Whether one token was made of another by renewing that, and that perhaps of another still. */
async function isRenewed(/** @type {string} */ old, /** @type {string} */ now) {
  const query = { action: 'token.rotate', limit: 500 };
  // Whoever may not read it is asked.
  const entries = await get(['audit'], query).then(({ value }) => value.entries, () => []);
  /** @type {Map<string, string>} by what was made, what it was made of */
  const before = new Map(entries.map(({ detail = '' }) =>
    /** @type {[string, string]} */ (detail.split(' to ').reverse())));
  let each = now;
  for (let steps = before.size; each !== old && before.has(each) && steps > 0; steps -= 1) {
    each = /** @type {string} */ (before.get(each));
  }
  return each === old;
}

sweep();

function flush() {
  clearTimeout(timer);
  timer = 0;
  const begun = performance.now();
  for (const [name, state] of waiting) write(name, state());
  if (waiting.size > 0) pause = Math.max(pauseMin, pauseTimes * (performance.now() - begun));
  waiting.clear();
}
addEventListener('pagehide', flush);
addEventListener('visibilitychange', flush);

/** @type {(me: Me, isTheirs: () => Promise<boolean>) => Promise<void>} */
async function decide({ selector: who, name, expiresAt }, isTheirs) {
  const isOpen = owner?.name === name;
  if (isOpen) {
    // What ended in the storage with the token that is over is still on the screen.
    latest.forEach((state, key) => waiting.set(key, state));
  } else {
    latest.clear();
    waiting.clear();
  }
  const found = isOpen ? [] : keys().flatMap((key) => entry(key) ?? []);
  const others = new Set(found.filter((each) => !isOver(each) && each.who !== who && each.name === name)
    .map((each) => each.who));
  const mine = new Set([who]);
  for (const other of others) if (await isRenewed(other, who)) mine.add(other);
  if ([...others].some((other) => !mine.has(other)) && await isTheirs()) others.forEach((other) => mine.add(other));
  const former = owner?.who;
  owner = { who, name, ...(expiresAt ? { until: expiresAt } : {}) };
  for (const key of keys()) {
    const each = entry(key);
    const isMine = each && !isOver(each) && (mine.has(each.who) || (isOpen && each.who === former));
    write(key.slice(prefix.length), isMine ? each.state : null);
  }
  flush();
  clearTimeout(ending);
  if (expiresAt) ending = setTimeout(sweep, Math.min(Date.parse(expiresAt) - serverNow(), timerMax));
}

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

  /** The names of all that is kept and would be a loss. */
  names() {
    flush();
    return keys().filter((key) => !entry(key)?.state?.isLight).map((key) => key.slice(prefix.length));
  },

  /**
   * Says whose token the tab has from now on, and finds out what of what is kept is theirs.
   * @param {Me} me
   * @param {() => Promise<boolean>} isTheirs asks whoever has another token of the same name
   */
  belongTo(me, isTheirs) {
    // What was being read when the token ended goes on as well, once somebody has signed in: nobody is asked twice.
    deciding = deciding.catch(() => {}).then(() => decide(me, isTheirs));
    return deciding;
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
    for (const key of keys()) tabStorage.remove(key);
  },
};
