// The selected section's form: its two resources, the texts that are no JSON yet, and how they meet what others saved.

import { Problem, get, put } from './api.js';
import { sideBySide, t } from './i18n.js';
import { itemTitle } from './item.js';
import { isEqual, placeKey } from './merge.js';
import { Once } from './once.js';
import { Part, saveOver } from './part.js';
import { formOf } from './past.js';
import { carriedTexts } from './place.js';
import { announce, toast } from './ui.js';

const names = ['settings', 'content'];

/** Content without the empty lists that the form keeps for itself. */
function trimmed(/** @type {any} */ value) {
  // Anything can be typed as JSON; the server says what is wrong with it.
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const copy = { ...value };
  if (Array.isArray(copy.items) && copy.items.length === 0) delete copy.items;
  if (copy.slots && Object.keys(copy.slots).length === 0) delete copy.slots;
  return copy;
}

/** The items of a list that differ, where all else is as it was; null where more does. */
function changedItems(/** @type {any} */ base, /** @type {any} */ mine) {
  /** @type {any[][]} */
  const [had, has] = [base.items ?? [], mine?.items];
  if (!Array.isArray(has) || has.length !== had.length || has.some((item, place) => item?.id !== had[place].id)
    || !isEqual({ ...base, items: null }, { ...mine, items: null })) return null;
  return Object.fromEntries(has.filter((item, place) => item !== had[place]).map(({ id, ...item }) => [id, item]));
}

export class Editor {
  /** @type {{part: string, pointer: string, detail: string}[]} */
  errors = [];
  /** What was typed as JSON or a number and is none yet, with the reason, by part and pointer. */
  /** @type {Map<string, {name: string, pointer: string, text: string, reason: string}>} */
  texts = new Map();
  /** Whether others changed what is changed here too. */
  isBehind = false;
  isSaving = false;
  /** The pictures for it that are being sent. */
  sending = new Set();
  /** Who deleted the section while it was edited: a name, or `true` when it is not known. */
  /** @type {string|true|null} */
  goneBy = null;
  /** Since when edits that were kept over a reload are here. */
  /** @type {string|null} */
  keptSince = null;
  /** @type {any} */
  failure = null;
  /** Whether something was typed since the save that is under way began. */
  #hasTypedOn = false;
  /** @type {Promise<any>} */
  #saving = Promise.resolve();
  /** @type {Set<string>} the lists of which it was told that others put something where some was put here */
  #toldOf = new Set();
  #parts;
  /** That it is put back. */
  #back = new Once();
  /** Where the section stood, for the case that it is put back. */
  /** @type {number|undefined} */
  index = undefined;

  constructor(/** @type {PageModel} */ model, /** @type {string} */ id) {
    this.model = model;
    this.id = id;
    const path = [...model.path, 'sections', id];
    /** @type {Record<string, Part>} */
    const parts = {
      settings: new Part('settings', path, { form: ({ id: _, index, ...rest }) => rest }),
      content: new Part('content', [...path, 'content'], {
        form: (value) => ({ items: [], slots: {}, ...value }), body: trimmed,
      }),
    };
    this.#parts = parts;
  }

  get #all() { return names.map((name) => this.#parts[name]); }
  get isThere() { return this.#all.every(({ mine }) => mine !== null); }
  get mine() { return this.isThere ? this.values : null; }
  /** What the operator made of it, once it is there. */
  get values() { return { settings: this.#parts.settings.mine, content: this.#parts.content.mine }; }
  get base() {
    return this.isThere ? { settings: this.#parts.settings.base, content: this.#parts.content.base } : null;
  }
  get isDirty() { return this.isThere && (this.texts.size > 0 || this.#all.some(({ isDirty }) => isDirty)); }
  /** Whether a save got no answer, so that the next one finds out whether it was done. */
  get isUnanswered() { return this.#all.some(({ once }) => once.isUnanswered); }
  get maySave() { return this.isDirty && !this.goneBy && (!this.isSaving || this.#hasTypedOn); }
  get mayEdit() { return this.model.mayEdit; }
  get mayFill() { return this.model.rights.mayFill(this.model.page, this.id); }

  async load() {
    try {
      const reads = await Promise.all(this.#all.map((part) => part.read()));
      this.#all.forEach((part, number) => part.take(reads[number]));
      Object.assign(this, { errors: [], isBehind: false, keptSince: null, failure: null, goneBy: null });
      this.texts.clear();
    } catch (/** @type {any} */ error) { this.failure = error; }
    this.model.change({});
  }

  /** After somebody's change: takes it where nothing is unsaved, lays it together where both can be, else says so. */
  async refresh() {
    // What was saved without an answer is met once that is known.
    if (!this.isThere || this.isSaving || this.isUnanswered) return;
    const tags = this.model.draft.sectionTags[this.id];
    const isCurrent = (/** @type {Part} */ { name, tag }) => tag === tags[/** @type {'settings'|'content'} */ (name)];
    if (!this.goneBy && tags && this.#all.every(isCurrent)) return;
    /** @type {Awaited<ReturnType<Part['read']>>[]} */
    let reads;
    try { reads = await Promise.all(this.#all.map((part) => part.read())); } catch (/** @type {any} */ error) {
      if (error instanceof Problem && error.status === 404) return;
      throw error;
    }
    if (this.isSaving || reads.some(({ isOld }) => isOld())) return;
    this.goneBy = null;
    const isSame = this.#all.every((part, number) => part.tag === reads[number].tag);
    if (!isSame) this.isBehind = !this.#settle(reads);
    this.model.change({});
  }

  /** Lays what was read and what was typed together; false when the operator must choose. */
  #settle(/** @type {any} */ reads) {
    const isText = this.texts.size > 0;
    const meetings = this.#all.map((part, number) => part.meeting(reads[number].value));
    // A text that is no JSON yet was begun on what the form says now.
    if (isText || meetings.some(({ conflicts }) => conflicts.length > 0)) return false;
    this.#all.forEach((part, number) => part.settle(reads[number], meetings[number].value));
    for (const { path, items } of meetings.flatMap(({ shared }) => shared)) this.#tellShared(path, items);
    return true;
  }

  /** Tells of items that others put where some were put here: both stand there. A source does it again and again. */
  #tellShared(/** @type {import('./merge.js').Path} */ path, /** @type {any[]} */ items) {
    const place = placeKey(path);
    if (this.#toldOf.has(place)) return;
    this.#toldOf.add(place);
    const names = items.map((item) => itemTitle(item, this.model.draft.defaultLocale));
    toast(t('Somebody put something where you did. Both are kept, in this order: {list}', { list: sideBySide(names) }));
  }

  /** Sets the settings or the content. */
  set(/** @type {string} */ name, /** @type {any} */ value) { this.setAll(name, value); }

  /**
   * Sets the settings or the content, together with texts in it that are no values, or are none any more.
   * @param {string} name
   * @param {any} value
   * @param {Iterable<{pointer: string, text: string|null, reason?: string}>} [noted]
   */
  setAll(name, value, noted = []) {
    const part = this.#parts[name];
    const texts = [...this.texts.values()];
    const others = texts.filter((text) => text.name !== name);
    const carried = carriedTexts(part.mine, value, texts.filter((text) => text.name === name));
    this.texts = new Map([...others, ...carried].map((text) => [`${text.name} ${text.pointer}`, text]));
    part.mine = value;
    this.errors = this.errors.filter((error) => error.part !== name);
    for (const { pointer, text, reason = '' } of noted) {
      if (text === null) this.texts.delete(`${name} ${pointer}`);
      else this.texts.set(`${name} ${pointer}`, { name, pointer, text, reason });
    }
    this.#hasTypedOn = true;
    this.model.change({});
    // What others saved meanwhile waited for the texts.
    if (texts.length > 0 && this.isBehind && this.texts.size === 0) this.refresh().catch(() => {});
  }

  /**
   * Takes the section as it is given, to be saved. What was typed below a place and says nothing yet is gone then.
   * @param {any} section
   * @param {string} [pointer]
   */
  take(section, pointer = '') {
    const given = formOf(section);
    for (const [key, text] of this.texts) if (text.pointer.startsWith(pointer)) this.texts.delete(key);
    for (const name of /** @type {const} */ (['settings', 'content'])) {
      if (!isEqual(given[name], this.values[name])) this.set(name, given[name]);
    }
    this.model.change({});
    announce(t('It is back in the form. Save to keep it.'));
  }

  /**
   * Notes a text that is no JSON or number, or that there is none any more.
   * @param {string} name
   * @param {string} pointer
   * @param {string} text
   * @param {string} reason
   */
  setText(name, pointer, text, reason) {
    const key = `${name} ${pointer}`;
    const isMended = text === null && this.texts.delete(key);
    if (text !== null) this.texts.set(key, { name, pointer, text, reason });
    this.model.change({});
    // What others saved meanwhile waited for the text.
    if (isMended && this.isBehind && this.texts.size === 0) this.refresh().catch(() => {});
  }

  textAt(/** @type {string} */ name, /** @type {string} */ pointer) { return this.texts.get(`${name} ${pointer}`); }

  revert() {
    for (const part of this.#all) part.mine = part.base;
    this.texts.clear();
    this.sending.clear();
    this.errors = [];
    this.keptSince = null;
    if (this.isBehind || this.isUnanswered) this.load();
    this.model.change({});
  }

  /**
   * Saves what differs, after what is being saved already.
   * @returns {Promise<object|null>} the conflict that the operator must decide, or null
   */
  save() {
    this.#saving = this.#saving.catch(() => {}).then(() => this.#save());
    return this.#saving;
  }

  async #save() {
    if (!this.isDirty) return null;
    if (this.texts.size > 0) {
      const texts = [...this.texts.values()];
      this.#refuse(texts.map(({ name, pointer, reason }) => ({ part: name, pointer, detail: reason })));
      return null;
    }
    this.isSaving = true;
    this.#hasTypedOn = false;
    this.errors = [];
    this.model.change({});
    let name = '';
    /** @type {any} */
    let conflict = null;
    try {
      await saveOver(async () => {
        for (name of names) if (this.#parts[name].isDirty) while (!await this.#parts[name].save());
      }, async (problem) => {
        conflict = await this.#conflict(problem);
        return !conflict && !this.goneBy;
      });
      if (conflict || this.goneBy) return conflict;
      this.isBehind = false;
      this.keptSince = null;
      this.#toldOf.clear();
      announce(t('Saved'));
    } catch (/** @type {any} */ error) {
      if (!(error instanceof Problem) || error.errors.length === 0) throw error;
      this.#refuse(error.errors.map((each) => ({ ...each, part: name })));
      return null;
    } finally {
      this.isSaving = false;
      this.model.change({});
    }
    await this.model.reload();
    return null;
  }

  #refuse(/** @type {any} */ errors) {
    this.errors = errors;
    announce(t('Not saved. Problems: {count}', { count: errors.length }));
    this.model.change({});
  }

  /** What stands against the save: null where both could be laid together, or the section is gone. */
  async #conflict(/** @type {any} */ problem) {
    /** @type {Awaited<ReturnType<Part['read']>>[]} */
    let reads;
    try { reads = await Promise.all(this.#all.map((part) => part.read())); } catch (/** @type {any} */ error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      await this.noticeGone();
      return null;
    }
    if (this.#settle(reads)) {
      const { changedBy } = problem.body;
      if (changedBy) toast(t('What {name} changed is kept beside yours.', { name: changedBy }));
      return null;
    }
    return { by: problem.body.changedBy, at: problem.body.changedAt, reads, conflicts: this.conflicts(reads) };
  }

  /** The places at which both sides differ, each with its part. */
  conflicts(/** @type {any} */ reads) {
    return this.#all.flatMap((part, number) => {
      const theirs = reads[number].value;
      return part.meeting(theirs).conflicts.map((/** @type {any} */ conflict) =>
        ({ ...conflict, part: part.name, root: part.mine, theirRoot: theirs }));
    });
  }

  /**
   * Goes on from what others saved, with the operator's choices on top.
   * @param {Record<string, Map<string, 'mine'|'theirs'>>} choices by part
   */
  async resolve(/** @type {any} */ reads, choices) {
    this.#all.forEach((part, number) => {
      const { value } = part.meeting(reads[number].value, choices[part.name]);
      part.settle(reads[number], value);
    });
    this.isBehind = false;
    if (this.isDirty) return this.save();
    await this.model.reload();
    return null;
  }

  // Gone

  /** Somebody deleted the section: what is unsaved here stays, and can be put back. */
  async noticeGone() {
    if (this.goneBy) return;
    this.goneBy = true;
    this.isBehind = false;
    this.model.change({});
    if (this.model.isGone) return void announce(this.goneWords);
    const { value } = await get(['audit'], { page: this.model.page, action: 'section.delete', limit: 20 });
    const entry = value.entries.find((/** @type {{section: any}} */ { section }) => section === this.id);
    if (this.goneBy && entry) this.goneBy = entry.actor;
    announce(this.goneWords);
    this.model.change({});
  }

  get goneWords() {
    if (this.model.isGone) return t('This page was deleted. What you typed is still here, to be copied.');
    return typeof this.goneBy === 'string'
      ? t('{name} deleted this section. What you typed is still here.', { name: this.goneBy })
      : t('This section was deleted. What you typed is still here.');
  }

  /** What is not saved, as a preview takes it. */
  get unsaved() {
    if (!this.isThere) return {};
    const { settings, content } = this.#parts;
    const items = changedItems(content.base, content.mine);
    return {
      ...(settings.isDirty && { sections: { [this.id]: settings.mine } }),
      ...(!items ? { content: { [this.id]: content.body(content.mine) } }
        : Object.keys(items).length > 0 && { items: { [this.id]: items } }),
    };
  }

  /** What a preview refuses, at its place in the form. */
  placeOf(/** @type {any} */ { pointer, ...problem }) {
    const [member, id, ...names] = pointer.split('/').slice(1);
    if (id !== this.id) return null;
    const root = member === 'sections' ? this.values.settings : this.values.content;
    const index = member === 'items' && root.items?.findIndex((/** @type {Item} */ { id }) => id === names[0]);
    const place = member === 'items' ? ['items', index, ...names.slice(1)] : names;
    return { problem: { ...problem, pointer: ['', ...place].join('/') }, root };
  }

  /** The section as the form has it. */
  get section() { return { id: this.id, ...this.values.settings, ...trimmed(this.values.content) }; }

  /** The section as the form has it, as text. */
  get asText() {
    const texts = [...this.texts.values()].map(({ text }) => text);
    const { id, ...section } = this.section;
    return [JSON.stringify(section, null, 2), ...texts].join('\n\n');
  }

  /** Makes the section again, as the form has it; where an earlier try has, goes on from that. */
  async putBack() {
    const { settings, content } = this.#parts;
    const index = this.index === undefined ? {} : { index: this.index };
    const whole = { ...settings.mine, ...trimmed(content.mine), ...index };
    const { done: { body } } = await put(settings.path, whole, { ifNoneMatch: '*', once: this.#back });
    this.#back.clear();
    const { items, slots, index: _, ...rest } = body;
    settings.settle({ value: rest, tag: null }, settings.mine);
    content.settle({ value: content.form({ items, slots }), tag: null }, content.mine);
    await this.refresh();
    if (this.isDirty && !this.isBehind) await this.save();
    else await this.model.reload();
  }

  // Kept

  /** What to keep of it for a reload; null when there is nothing. */
  get kept() {
    if (!this.isDirty) return null;
    return {
      id: this.id, index: this.index, at: new Date().toISOString(), texts: [...this.texts],
      parts: Object.fromEntries(this.#all.map(({ name, base, mine, tag, once }) =>
        [name, { base, mine, tag, tries: once.tries }])),
    };
  }

  /** Takes up what was kept, and then meets what changed meanwhile. */
  async restore(/** @type {{index: number, at: any, texts: any, parts: any}} */ { index, at, texts, parts }) {
    for (const part of this.#all) {
      const { base, mine, tag, tries } = parts[part.name];
      part.settle({ value: base, tag }, mine);
      part.once = new Once(tries);
    }
    Object.assign(this, { index, keptSince: at, texts: new Map(texts) });
    this.model.change({});
    if (this.model.section(this.id)) await this.refresh(); else await this.noticeGone();
  }
}
