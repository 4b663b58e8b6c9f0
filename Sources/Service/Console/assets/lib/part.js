// One resource of the API that is being edited: what was read, what the operator made of it, and the tag that it had.
// Sections have two, every dialog over a resource has one (`Edits`).

import { Problem, get, put } from './api.js';
import { t } from './i18n.js';
import { objectOf } from './members.js';
import { isEqual, merge } from './merge.js';
import { Once } from './once.js';

/**
 * @template {Content} [Form=Content]
 * @typedef {{value: Form, tag: string|null}} Read what was read of a resource, as the form has it
 */

/** What a form has of a section: which one it is, and where it stands, is not its to say. */
export function withoutPlace(/** @type {Content} */ value) {
  const { id: _, index, ...rest } = objectOf(value);
  return rest;
}

/** @template {Content} [Form=Content] what the form has */
export class Part {
  /** @type {Form|null} what was read, or saved last */
  base = null;
  /** @type {Form|null} what the operator made of it */
  mine = null;
  /** @type {string|null} */
  tag = null;
  /** Whether there is none yet: the save makes it. */
  isNew = false;
  /** The save that is meant: one that is sent again is done once. */
  once = new Once();
  #saves = 0;
  /** @type {{mine: Content, base: Content, isDirty: boolean}|null} */
  #compared = null;

  /**
   * @param {string} name
   * @param {string[]} path
   * @param {object} as
   * @param {(value: Content) => Form} [as.form] how the form has what was read
   * @param {(value: Content) => Content} [as.body] what is sent of what the form has
   */
  constructor(name, path, { form = (value) => /** @type {Form} */ (value), body = (value) => value } = {}) {
    this.name = name;
    this.path = path;
    this.form = form;
    this.body = body;
  }

  /** Whether both differ, which many views ask at each key and each answer. */
  get isDirty() {
    const { mine, base } = this;
    let compared = this.#compared;
    if (!compared || compared.mine !== mine || compared.base !== base) {
      compared = this.#compared = { mine, base, isDirty: !isEqual(mine, base) };
    }
    return compared.isDirty;
  }

  /** Whether there is something to save, or to find out of a save that got no answer. */
  get isMeant() { return this.isNew || this.isDirty || this.once.isUnanswered; }

  /**
   * Reads it as it is now, changing nothing here; `isOld` says whether it was saved meanwhile.
   * @returns {Promise<Read<Form> & {isOld: () => boolean}>}
   */
  async read() {
    const saves = this.#saves;
    const { value, tag } = await get(this.path);
    return { value: this.form(value), tag, isOld: () => saves !== this.#saves };
  }

  /**
   * Begins anew with what was read.
   * @param {Read<Form>} read
   */
  take({ value, tag }) {
    this.settle({ value, tag }, value);
    this.once.clear();
  }

  /**
   * What somebody else made of it and what the operator did, laid together.
   * @param {Form} value
   * @param {Map<string, 'mine'|'theirs'>} [choices]
   */
  meeting(value, choices) { return merge(this.base, this.mine, value, choices); }

  /**
   * Goes on from what was read, with `mine` on top.
   * @param {Read<Form>} read
   * @param {Form|null} mine
   */
  settle({ value, tag }, mine) {
    this.base = value;
    this.mine = mine;
    this.tag = tag;
  }

  /**
   * Saves what it is now. What is typed meanwhile stays, on top of what the server made of what was sent.
   * @param {import('./api.js').Options} [options] of the request; its tag as a condition when left out, and its own key
   * @returns {Promise<boolean>} false where it turned out that an earlier try was saved: the rest is yet to be
   */
  async save(options = this.isNew ? { ifNoneMatch: '*' } : { ifMatch: this.tag }) {
    const sent = this.mine;
    this.#saves += 1;
    try {
      const { value, tag, done, isEarlier } = await put(this.path, this.body(sent), { once: this.once, ...options });
      this.once.clear();
      this.isNew = false;
      const body = /** @type {Content} */ (done.body);
      // Of contents that are sent again the server says only that they are saved.
      const [given, saved] = [isEarlier ? this.form(body) : sent, this.form(value ?? body)];
      this.settle({ value: saved, tag }, this.mine === given ? saved : merge(given, this.mine, saved).value);
      return !isEarlier;
    } finally { this.#saves += 1; }
  }

  /**
   * Saves it on top of what others have saved meanwhile.
   * @param {(read: Read<Form>, problem: Problem) => boolean} meet lays both together; false where somebody must choose
   */
  saveOver(meet) {
    return saveOver(async () => { while (!await this.save()); }, async (problem) => meet(await this.read(), problem));
  }
}

/**
 * Saves on top of what others have saved meanwhile, again for as long as both go together.
 * @param {() => Promise<unknown>} save
 * @param {(problem: Problem) => Promise<boolean>} meet lays both together; false where somebody must choose
 */
export async function saveOver(save, meet) {
  for (let attempts = 3; ; attempts -= 1) {
    try { return await save(); } catch (error) {
      if (!(error instanceof Problem) || ![404, 412].includes(error.status) || attempts === 0) throw error;
      if (!await meet(error)) return undefined;
    }
  }
}

/**
 * Makes a resource. What an earlier try made goes on from that, and what others did to it since stays.
 * @param {string[]} path
 * @param {Content} body
 * @param {Once} once
 */
export async function make(path, body, once) {
  /** @type {Part} */
  const part = new Part('', path, { form: withoutPlace });
  part.settle({ value: null, tag: null }, body);
  if (await part.save({ ifNoneMatch: '*', once })) return;
  await part.saveOver((read) => {
    const { value, conflicts } = part.meeting(read.value);
    if (conflicts.length > 0) throw new Problem(409, { detail: t('It was made, and somebody has changed it since.') });
    part.settle(read, value);
    return true;
  });
}
