// What is typed into a dialog that makes something.

import { t } from './i18n.js';
import { kept } from './kept.js';
import { isEqual } from './merge.js';
import { Once } from './once.js';
import { announce } from './ui.js';
import { Unsaved, guard, useUnsaved } from './unsaved.js';

/**
 * @template {Record<string, unknown>} [T=Record<string, unknown>]
 * @typedef {{values: T, tries?: Once['tries'], isLight?: boolean, at?: string}} Kept what is kept of a dialog
 */

/** @template {Record<string, unknown>} T */
class Typed extends Unsaved {
  close = () => {};
  #name;

  /**
   * @param {string} name
   * @param {T} begun what its fields begin with
   * @param {string[]} light the members that are kept with the others, and are no loss by themselves
   */
  constructor(name, begun, light) {
    super();
    this.#name = `typed ${name}`;
    this.light = light;
    this.begun = structuredClone(begun);
    /** What the light members begin with, whatever was used of them. */
    this.first = this.begun;
    const state = /** @type {Kept<T>|null} */ (this.found);
    /** @type {T} */
    this.values = { ...structuredClone(begun), ...state?.values };
    this.keptSince = state?.isLight ? null : state?.at ?? null;
    /** What the dialog does, once however often its button is pressed, over a reload too. */
    this.once = new Once(state?.tries);
    this.once.note = () => this.keep();
    if (this.isDirty) announce(t('What you had not saved is back.'));
  }

  get name() { return this.#name; }

  get isDirty() {
    const differs = Object.keys(this.values)
      .some((member) => !this.light.includes(member) && !isEqual(this.values[member], this.begun[member]));
    return this.once.isUnanswered || differs;
  }

  /** Whether there is something that is kept, although it is no loss. */
  get isLight() {
    return !this.isDirty && this.light.some((name) => !isEqual(this.values[name], this.first[name]));
  }

  get state() {
    const { values, once: { tries }, isDirty, isLight } = this;
    return isDirty ? { values, tries } : isLight ? { values, tries, isLight } : null;
  }

  /** Takes what some fields say. */
  set(/** @type {Partial<T>} */ patch) { this.edit({ values: { ...this.values, ...patch } }); }

  /** What is there was used: from now on only what is typed anew would be lost. */
  settle() {
    this.begun = structuredClone(this.values);
    this.once.clear();
    this.forget();
    this.change({ keptSince: null });
  }

  /** The dialog closes with it; one that stays open is as it was begun, and goes on being watched over. */
  drop() {
    this.values = structuredClone(this.begun);
    this.settle();
    this.close();
  }

  /** Closes the dialog once the operator may leave; tells whether it did. */
  leave = async () => {
    const mayLeave = await guard.mayLeave([this]);
    if (mayLeave) this.close();
    return mayLeave;
  };

  /** Closes the dialog when what it is for is done; once it was left, another may be open by then. */
  done() {
    this.end();
    this.close();
  }
}

/**
 * Keeps what is typed into a dialog for the tab, so that it is back when the dialog opens again; and watches over it.
 * @template {Record<string, unknown>} T
 * @param {string} name the dialog's, behind its place: `pages/home publish`
 * @param {T} begun what the fields begin with, which holds no secret
 * @param {() => void} onClose
 * @param {string[]} [light] the members that are kept with the others, and are no loss by themselves
 */
export function useTyped(name, begun, onClose, light = []) {
  const typed = useUnsaved(() => new Typed(name, begun, light), () => {
    // What was typed stays kept where the whole console gave way to a failure.
    if (!typed.isDirty && !typed.isLight) typed.end();
    typed.close = () => {};
  });
  typed.close = onClose;
  return typed;
}

/**
 * The dialogs of a place into which something was typed that is kept, each with what its fields say.
 * @param {string} place
 * @returns {{dialog: string, values: Record<string, unknown>}[]}
 */
export function typedIn(place) {
  const prefix = `typed ${place} `;
  return kept.names().filter((name) => name.startsWith(prefix))
    .map((name) => ({ dialog: name.slice(prefix.length), values: /** @type {Kept} */ (kept.read(name)).values }));
}
