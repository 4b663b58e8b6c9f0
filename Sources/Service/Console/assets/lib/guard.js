// What is not saved, wherever it is edited; and the one question before any of it is left.

import { t } from './i18n.js';
import { kept } from './kept.js';
import { isEqual } from './merge.js';
import { Once } from './once.js';
import { announce, ask, useEffect, useRef, useState } from './ui.js';

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
  async mayLeave(left = holders, question = t('There are unsaved changes. Leave without them?')) {
    const dirty = [...left].filter(({ isDirty }) => isDirty);
    if (dirty.length === 0) return true;
    if (!await ask(question, t('Leave without them'))) return false;
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
 * What is typed into a dialog that makes something.
 * @template {Record<string, any>} T
 * @implements {Holder}
 */
class Typed {
  redraw = () => {};
  close = () => {};
  #isOver = false;

  /**
   * @param {string} name
   * @param {T} begun what its fields begin with
   * @param {string[]} light the members that are kept with the others, and are no loss by themselves
   */
  constructor(name, begun, light) {
    this.name = `typed ${name}`;
    this.light = light;
    this.begun = structuredClone(begun);
    /** What the light members begin with, whatever was used of them. */
    this.first = this.begun;
    const state = kept.read(this.name);
    /** @type {T} */
    this.values = { ...structuredClone(begun), ...state?.values };
    /** @type {string|null} */
    this.keptSince = state?.isLight ? null : state?.at ?? null;
    /** What the dialog does, once however often its button is pressed, over a reload too. */
    this.once = new Once(state?.tries);
    this.once.note = () => this.#keep();
    if (this.isDirty) announce(t('What you had not saved is back.'));
  }

  get isDirty() {
    const differs = Object.keys(this.values)
      .some((member) => !this.light.includes(member) && !isEqual(this.values[member], this.begun[member]));
    return !this.#isOver && (this.once.isUnanswered || differs);
  }

  /** Whether there is something that is kept, although it is no loss. */
  get isLight() {
    return !this.#isOver && !this.isDirty && this.light.some((name) => !isEqual(this.values[name], this.first[name]));
  }

  #keep() {
    if (this.#isOver) return;
    kept.keep(this.name, () => {
      const { values, once: { tries }, isDirty, isLight } = this;
      const state = { values, tries, at: new Date().toISOString() };
      return isDirty ? state : isLight ? { ...state, isLight } : null;
    });
  }

  /**
   * Takes what some fields say.
   * @param {Partial<T>} patch
   */
  set(patch) {
    this.values = { ...this.values, ...patch };
    if (this.#isOver) return;
    this.#keep();
    this.redraw();
  }

  /** What is there was used: from now on only what is typed anew would be lost. */
  settle() {
    this.begun = structuredClone(this.values);
    this.once.clear();
    this.keptSince = null;
    kept.forget(this.name);
    this.#keep();
    this.redraw();
  }

  /** The dialog closes with it; one that stays open is as it was begun, and goes on being watched over. */
  drop() {
    this.values = structuredClone(this.begun);
    this.settle();
    this.close();
  }

  /** From now on nothing is kept of it: its dialog is closed, or about to be. */
  end() {
    this.#isOver = true;
    kept.forget(this.name);
  }
}

/**
 * Keeps what is typed into a dialog for the tab, so that it is back when the dialog opens again; and watches over it.
 * @template {Record<string, any>} T
 * @param {string} name the dialog's, behind its place: `pages/home publish`
 * @param {T} begun what the fields begin with, which holds no secret
 * @param {() => void} onClose
 * @param {string[]} [light] the members that are kept with the others, and are no loss by themselves
 */
export function useTyped(name, begun, onClose, light = []) {
  const [, redraw] = useState(0);
  const held = useRef(/** @type {Typed<T>} */ (/** @type {unknown} */ (null)));
  held.current ??= new Typed(name, begun, light);
  const typed = held.current;
  typed.redraw = () => redraw((count) => count + 1);
  typed.close = onClose;
  useEffect(() => {
    const end = guard.hold(typed);
    return () => {
      end();
      // What was typed stays kept where the whole console gave way to a failure.
      if (!typed.isDirty && !typed.isLight) typed.end();
      typed.redraw = () => {};
      typed.close = () => {};
    };
  }, []);
  const { values, keptSince, once } = typed;
  return {
    values, keptSince, once,
    set: (/** @type {Partial<T>} */ patch) => typed.set(patch),
    settle: () => typed.settle(),
    /** Closes the dialog once the operator may leave. */
    leave: async () => { if (await guard.mayLeave([typed])) typed.close(); },
    /** Closes the dialog when what it is for is done; once it was left, another may be open by then. */
    done: () => {
      typed.end();
      typed.close();
    },
  };
}

/**
 * The dialogs of a place into which something was typed that is kept, each with what its fields say.
 * @param {string} place
 * @returns {{dialog: string, values: any}[]}
 */
export function typedIn(place) {
  const prefix = `typed ${place} `;
  return kept.names().filter((name) => name.startsWith(prefix))
    .map((name) => ({ dialog: name.slice(prefix.length), values: kept.read(name).values }));
}
