// One resource of the API that is being edited: what was read, what the operator made of it, and the tag that it had.
// Sections have two, every dialog over a resource has one; all are saved the same way.

import { Unreachable, get, put } from './api.js';
import { isEqual, merge } from './merge.js';

/** @typedef {{value: any, tag: string|null}} Read what was read of a resource, as the form has it */
/** @typedef {(value: any) => any} Change */

export class Part {
  /** @type {any} what was read, or saved last */
  base = null;
  /** @type {any} what the operator made of it */
  mine = null;
  /** @type {string|null} */
  tag = null;
  /** @type {any} what was sent and never answered: it may have been saved, or not */
  #unanswered;
  #saves = 0;

  /**
   * @param {string} name
   * @param {string[]} path
   * @param {{form?: Change, body?: Change}} as how the form has what was read, and what is sent of it
   */
  constructor(name, path, { form = (value) => value, body = (value) => value } = {}) {
    this.name = name;
    this.path = path;
    this.form = form;
    this.body = body;
  }

  get isDirty() { return this.mine !== this.base && !isEqual(this.mine, this.base); }

  /**
   * Reads it as it is now, changing nothing here; `isOld` says whether it was saved meanwhile.
   * @returns {Promise<{value: any, tag: string|null, isOld: () => boolean}>}
   */
  async read() {
    const saves = this.#saves;
    const { value, tag } = await get(this.path);
    return { value: this.form(value), tag, isOld: () => saves !== this.#saves };
  }

  /**
   * Begins anew with what was read.
   * @param {Read} read
   */
  take({ value, tag }) {
    this.base = value;
    this.mine = value;
    this.tag = tag;
    this.#unanswered = undefined;
  }

  /**
   * What somebody else made of it and what the operator did, laid together.
   * @param {any} value
   * @param {Map<string, 'mine'|'theirs'>} [choices]
   */
  meeting(value, choices) {
    // What was sent and not answered is there: it was mine.
    const base = this.#unanswered !== undefined && isEqual(value, this.#unanswered) ? value : this.base;
    return merge(base, this.mine, value, choices);
  }

  /**
   * Goes on from what was read, with `mine` on top.
   * @param {Read} read
   * @param {any} mine
   */
  settle({ value, tag }, mine) {
    this.base = value;
    this.mine = mine;
    this.tag = tag;
    this.#unanswered = undefined;
  }

  /**
   * Saves what it is now. What is typed meanwhile stays, on top of what the server made of what was sent.
   * @param {import('./api.js').Options} [options] of the request; the tag as `If-Match` when left out
   */
  async save(options = { ifMatch: this.tag }) {
    const sent = this.mine;
    this.#saves += 1;
    try {
      const { value, tag } = await put(this.path, this.body(sent), options);
      const saved = this.form(value);
      this.settle({ value: saved, tag }, this.mine === sent ? saved : merge(sent, this.mine, saved).value);
    } catch (/** @type {any} */ error) {
      if (error instanceof Unreachable) this.#unanswered = sent;
      throw error;
    } finally { this.#saves += 1; }
  }
}
