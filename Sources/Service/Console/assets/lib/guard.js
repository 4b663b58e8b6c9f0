// What is not saved, wherever it is edited; and the one question before any of it is left.

import { t } from './i18n.js';
import { kept } from './kept.js';
import { useEffect, useRef } from './ui.js';

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
   * @param {string} [question]
   */
  mayLeave(left = holders, question = t('There are unsaved changes. Leave without them?')) {
    const dirty = [...left].filter(({ isDirty }) => isDirty);
    if (dirty.length === 0) return true;
    if (!confirm(question)) return false;
    for (const holder of dirty) holder.drop();
    return true;
  },

  /**
   * Whether the operator may leave for good: what is kept of views that are not open would end as well.
   * @param {string} [question]
   */
  mayEnd(question) {
    const left = { get isDirty() { return kept.names().length > 0; }, drop: () => kept.forgetAll() };
    return this.mayLeave([...holders, left], question);
  },
};

/**
 * Watches over what a dialog has of its own.
 * @param {boolean} isDirty whether there is any
 * @param {() => void} onClose
 * @returns {{leave: () => void, drop: () => void}} what closes it once the operator may leave, and what gives it up
 */
export function useGuard(isDirty, onClose) {
  const held = useRef(/** @type {Holder & {isOver: boolean}} */ (/** @type {unknown} */ (null)));
  held.current ??= { isDirty: false, isOver: false, drop() { Object.assign(this, { isDirty: false, isOver: true }); } };
  const holder = held.current;
  holder.isDirty = isDirty && !holder.isOver;
  useEffect(() => guard.hold(holder), []);
  return { leave: () => { if (guard.mayLeave([holder])) onClose(); }, drop: () => holder.drop() };
}
