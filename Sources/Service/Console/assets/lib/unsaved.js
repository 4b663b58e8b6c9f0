// What is not saved, wherever it is edited: one kind of it with one way to save it, the copy that outlives a reload,
// and the one question before any of it is left.

import { t } from './i18n.js';
import { kept } from './kept.js';
import { saveOver } from './part.js';
import { ask, useEffect, useRef, useState } from './ui.js';

/** @typedef {{mayBeLost: boolean, drop: () => void}} Holder what can hold something unsaved, and gives it up */

/**
 * What an operator made of one place and has not saved. The kinds of it say what it is, what is kept of it and how it
 * is sent: `Edits` of resources, the `Ordering` of a page, and what is `Typed` into a dialog that makes something.
 */
export class Unsaved {
  /** Since when what was kept over a reload is here. */
  /** @type {string|null} */
  keptSince = null;
  /** What others changed at the same places, until the operator has chosen. */
  /** @type {{by?: string, at?: string}|null} */
  conflict = null;
  isSaving = false;
  /** Draws what shows it. */
  redraw = () => {};
  /** Whether something was edited since the save that is under way began. */
  #isEditedOn = false;
  #isOver = false;
  /** @type {Promise<boolean>|null} the save that is under way */
  #saving = null;

  /** What it is kept by over a reload; `null` where another one keeps it, or nobody does. */
  get name() { return /** @type {string|null} */ (null); }

  /** Whether there is something to save. */
  get isDirty() { return false; }

  /** Whether leaving it would lose something. */
  get mayBeLost() { return this.isDirty && !this.#isOver; }

  get maySave() { return this.isDirty && (!this.isSaving || this.#isEditedOn); }

  /** What is kept of it; `null` when there is nothing. */
  get state() { return /** @type {Record<string, unknown>|null} */ (null); }

  /** What is kept of it now, and since when. */
  get kept() {
    const { state } = this;
    return state && { ...state, at: new Date().toISOString() };
  }

  /** What was kept of it before the tab was loaded anew. */
  get found() { return this.name === null ? null : kept.read(this.name); }

  keep() { if (this.name !== null && !this.#isOver) kept.keep(this.name, () => this.kept); }

  forget() { if (this.name !== null) kept.forget(this.name); }

  /** Takes note of what is another, and shows it. */
  change(patch = {}) {
    Object.assign(this, patch);
    this.keep();
    this.redraw();
  }

  /** Takes what the operator made of it. */
  edit(patch = {}) {
    this.#isEditedOn = true;
    this.change(patch);
  }

  /** Gives it up. */
  drop() {}

  /** From now on nothing is kept of it: where it was edited is closed, or about to be. */
  end() {
    this.#isOver = true;
    this.forget();
  }

  // Saving

  /**
   * Saves it. Who asks again meanwhile is answered with what comes of the first, unless something was edited since:
   * that is saved after it.
   * @returns {Promise<boolean>} whether it was saved
   */
  save() {
    if (this.#saving && !this.#isEditedOn) return this.#saving;
    const before = this.#saving ?? Promise.resolve();
    const saving = before.catch(() => {}).then(() => this.#save()).finally(() => {
      if (this.#saving === saving) this.#saving = null;
    });
    this.#saving = saving;
    return saving;
  }

  async #save() {
    this.#isEditedOn = false;
    if (!this.maySend()) return false;
    this.change({ isSaving: true });
    let isSaved = false;
    try {
      isSaved = await saveOver(() => this.send(), (problem) => this.meet(problem)) === true;
      if (isSaved) this.keptSince = null;
    } finally { this.change({ isSaving: false }); }
    if (isSaved) await this.saved();
    return isSaved;
  }

  /** Whether there is something that can be sent. */
  maySend() { return this.isDirty; }

  /** Sends what differs; false where it was refused, and the operator was told. */
  async send() { return true; }

  /**
   * Lays what others saved and what is to be saved together.
   * @param {import('./api.js').Problem} problem which refused it
   * @returns {Promise<boolean>} false where somebody must choose
   */
  async meet(problem) { throw problem; }

  /** Goes on once it is saved. */
  async saved() {}
}

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

  get isDirty() { return [...holders].some(({ mayBeLost }) => mayBeLost); },

  /**
   * Whether the operator may leave what these hold: at once where nothing is unsaved, else by a yes, which drops it.
   * @param {Iterable<Holder|null>} [left] all of them when left out
   * @param {string} [question]
   */
  async mayLeave(left = holders, question = t('There are unsaved changes. Leave without them?')) {
    const dirty = [...left].filter((holder) => holder?.mayBeLost);
    if (dirty.length === 0) return true;
    if (!await ask(question, t('Leave without them'))) return false;
    for (const holder of dirty) holder?.drop();
    return true;
  },

  /**
   * Whether the operator may leave for good: what is kept of views that are not open would end as well.
   * @param {string} [question]
   */
  mayEnd(question) {
    const left = { get mayBeLost() { return kept.names().length > 0; }, drop: () => kept.forgetAll() };
    return this.mayLeave([...holders, left], question);
  },
};

/**
 * What a dialog edits, watched over as long as it is open.
 * @template {Unsaved} Kind
 * @param {() => Kind} make
 * @param {() => void} onClose
 */
export function useUnsaved(make, onClose) {
  const [, redraw] = useState(0);
  const held = useRef(/** @type {Kind} */ (/** @type {unknown} */ (null)));
  held.current ??= make();
  const unsaved = held.current;
  unsaved.redraw = () => redraw((count) => count + 1);
  useEffect(() => {
    const end = guard.hold(unsaved);
    return () => {
      end();
      onClose();
      unsaved.redraw = () => {};
    };
  }, []);
  return unsaved;
}
