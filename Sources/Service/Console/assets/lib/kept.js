// Edits that are not saved, kept in the tab's session storage: they outlive a reload and a crash, and end with the tab.

import { parse } from './api.js';

const prefix = 'hearth.edits ';
/** How long a burst of keys may take before it is kept, in milliseconds. */
const pause = 100;

/** @type {Map<string, () => unknown>} what is yet to be kept, by its name */
const waiting = new Map();
let timer = 0;
let tellFailure = () => {};

function write(/** @type {string} */ name, /** @type {unknown} */ value) {
  try {
    if (value === null || value === undefined) sessionStorage.removeItem(prefix + name);
    else sessionStorage.setItem(prefix + name, JSON.stringify(value));
  } catch { tellFailure(); }
}

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
    if (timer === 0) timer = setTimeout(flush, pause);
  },

  /** @param {string} name */
  read(name) {
    const text = sessionStorage.getItem(prefix + name);
    try { return text === null ? null : parse(text); } catch { return null; }
  },

  /** @param {string} name */
  forget(name) {
    waiting.delete(name);
    write(name, null);
  },

  /** Everything, when the operator signs out. */
  forgetAll() {
    waiting.clear();
    for (const name of Object.keys(sessionStorage)) if (name.startsWith(prefix)) sessionStorage.removeItem(name);
  },
};
