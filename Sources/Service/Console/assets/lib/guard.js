// What is not saved, wherever it is edited; and the one question before any of it is left.

import { t } from './i18n.js';

/**
 * @typedef {object} Holder what can hold something unsaved
 * @property {boolean} isDirty
 * @property {() => void} drop gives it up, from the tab's storage too
 */

/** @type {Set<Holder>} */
const holders = new Set();

export const guard = {
  /**
   * Watches over a holder from now on.
   * @param {Holder} holder
   * @returns {() => void} ends it
   */
  hold(holder) {
    holders.add(holder);
    return () => { holders.delete(holder); };
  },

  get isDirty() { return [...holders].some(({ isDirty }) => isDirty); },

  /**
   * Whether the operator may leave what these hold: at once where nothing is unsaved, else by a yes, which drops it.
   * @param {Iterable<Holder>} [left] all of them when left out
   */
  mayLeave(left = holders) {
    const dirty = [...left].filter(({ isDirty }) => isDirty);
    if (dirty.length === 0) return true;
    if (!confirm(t('There are unsaved changes. Leave without them?'))) return false;
    for (const holder of dirty) holder.drop();
    return true;
  },
};
