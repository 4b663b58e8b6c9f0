// The selected section's form: what was read, what the operator made of it, and how both meet what others saved.

import { Problem, get, put } from './api.js';
import { merge } from './merge.js';
import { t } from './i18n.js';
import { announce } from './ui.js';

const text = (value) => JSON.stringify(value);

/** The two resources of a section, each with an entity tag of its own. */
const parts = ['settings', 'content'];

export class Editor {
  constructor(model, id) {
    this.model = model;
    this.id = id;
    this.base = null;
    this.mine = null;
    this.tags = {};
    this.errors = [];
    this.isBehind = false;
    this.isSaving = false;
    this.failure = null;
  }

  get path() { return [...this.model.path, 'sections', this.id]; }
  get isDirty() { return this.mine !== null && parts.some((part) => this.#differs(part)); }
  get mayEdit() { return this.model.mayEdit; }
  get mayFill() { return this.model.rights.mayFill(this.model.page, this.id); }

  #differs(part) { return text(this.base[part]) !== text(this.mine[part]); }

  async #read() {
    const [settings, content] = await Promise.all([get(this.path), get([...this.path, 'content'])]);
    const { id, index, ...rest } = settings.value;
    return {
      values: { settings: rest, content: { items: [], slots: {}, ...content.value } },
      tags: { settings: settings.tag, content: content.tag },
    };
  }

  #take({ values, tags }) {
    this.base = values;
    this.mine = values;
    this.tags = tags;
    this.errors = [];
    this.isBehind = false;
    this.failure = null;
    this.model.change({});
  }

  async load() {
    try { this.#take(await this.#read()); } catch (error) {
      this.failure = error;
      this.model.change({});
    }
  }

  /** After somebody else's change: takes it when nothing is unsaved here, else only says so. */
  async refresh() {
    if (this.base === null) return;
    const read = await this.#read();
    if (parts.every((part) => read.tags[part] === this.tags[part])) return;
    if (!this.isDirty) return this.#take(read);
    this.isBehind = true;
    this.model.change({});
  }

  /** Sets the value at a path of settings or content. */
  set(part, value) {
    this.mine = { ...this.mine, [part]: value };
    this.errors = this.errors.filter((error) => error.part !== part);
    this.model.change({});
  }

  revert() {
    this.mine = this.base;
    this.errors = [];
    if (this.isBehind) this.load();
    this.model.change({});
  }

  /**
   * Saves what differs.
   * @returns {Promise<object|null>} the conflict that the operator must decide, or null
   */
  async save() {
    this.isSaving = true;
    this.errors = [];
    this.model.change({});
    try {
      for (const part of parts) if (this.#differs(part)) await this.#put(part);
      announce(t('Saved'));
      await this.model.reload();
      return null;
    } catch (error) {
      if (error instanceof Problem && error.isStale) return await this.#conflict(error);
      if (error instanceof Problem && error.errors.length > 0) {
        this.errors = error.errors.map((each) => ({ ...each, part: error.part }));
        announce(t('Not saved. Problems: {count}', { count: this.errors.length }));
        return null;
      }
      throw error;
    } finally {
      this.isSaving = false;
      this.model.change({});
    }
  }

  async #put(part) {
    const path = part === 'content' ? [...this.path, 'content'] : this.path;
    try {
      const { tag } = await put(path, trimmed(this.mine[part]), { ifMatch: this.tags[part] });
      this.tags = { ...this.tags, [part]: tag };
      this.base = { ...this.base, [part]: this.mine[part] };
    } catch (error) {
      error.part = part;
      throw error;
    }
  }

  async #conflict(error) {
    const theirs = await this.#read();
    return { by: error.body.changedBy, at: error.body.changedAt, theirs, merged: merge(this.base, this.mine, theirs.values) };
  }

  /** Goes on from what others saved, with the operator's choice on top. */
  async resolve(theirs, values) {
    this.base = theirs.values;
    this.tags = theirs.tags;
    this.mine = values;
    this.isBehind = false;
    if (this.isDirty) return this.save();
    await this.model.reload();
    return null;
  }
}

/** Content without the empty lists that the form keeps for itself. */
function trimmed(value) {
  // Anything can be typed as JSON; the server says what is wrong with it.
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const copy = { ...value };
  if (Array.isArray(copy.items) && copy.items.length === 0) delete copy.items;
  if (copy.slots && Object.keys(copy.slots).length === 0) delete copy.slots;
  return copy;
}
