// The selected section's form: its two resources, what others do to it meanwhile, and its end.

import { Problem, get, put } from './api.js';
import { Edits } from './edits.js';
import { sideBySide, t } from './i18n.js';
import { itemTitle } from './item.js';
import { isObject, objectOf } from './members.js';
import { isEqual, placeKey } from './merge.js';
import { Once } from './once.js';
import { Part, withoutPlace } from './part.js';
import { formOf } from './past.js';
import { announce, toast } from './ui.js';

/**
 * Content without the empty lists that the form keeps for itself.
 * @template {Content} Of
 * @param {Of} value
 * @returns {Of}
 */
function trimmed(value) {
  // Anything can be typed as JSON; the server says what is wrong with it.
  if (!isObject(value)) return value;
  const copy = { .../** @type {SectionContent} */ (value) };
  if (Array.isArray(copy.items) && copy.items.length === 0) delete copy.items;
  if (copy.slots && Object.keys(copy.slots).length === 0) delete copy.slots;
  return /** @type {Of} */ (copy);
}

/** The items of a list that differ, where all else is as it was; null where more does. */
function changedItems(/** @type {SectionContent|null} */ base, /** @type {SectionContent|null} */ mine) {
  const [had, has] = [base?.items ?? [], mine?.items];
  if (!Array.isArray(has) || has.length !== had.length || has.some((item, place) => item?.id !== had[place].id)
    || !isEqual({ ...base, items: null }, { ...mine, items: null })) return null;
  return Object.fromEntries(has.filter((item, place) => item !== had[place]).map(({ id, ...item }) => [id, item]));
}

/** @typedef {import('./edits.js').KeptEdits & {id: string, index?: number}} KeptSection */

export class Editor extends Edits {
  /** Whether others changed what is changed here too. */
  isBehind = false;
  /** Who deleted the section while it was edited: a name, or `true` when it is not known. */
  /** @type {string|true|null} */
  goneBy = null;
  /** @type {Set<string>} the lists of which it was told that others put something where some was put here */
  #toldOf = new Set();
  /** Whether there were texts that are no values yet. */
  #hadTexts = false;
  /** That it is put back. */
  #back = new Once();
  /** Where the section stood, for the case that it is put back. */
  /** @type {number|undefined} */
  index = undefined;

  constructor(/** @type {PageModel} */ model, /** @type {string} */ id) {
    const path = [...model.path, 'sections', id];
    const settings = /** @type {Part<SectionForm>} */ (new Part('settings', path, { form: withoutPlace }));
    const content = new Part('content', [...path, 'content'], {
      form: (value) => /** @type {SectionContent} */ ({ items: [], slots: {}, ...objectOf(value) }), body: trimmed,
    });
    super([settings, content]);
    this.model = model;
    this.id = id;
    this.settings = settings;
    this.content = content;
    this.redraw = () => model.change({});
  }

  get mine() { return this.isThere ? this.values : null; }
  /** What the operator made of it, once it is there. */
  get values() {
    return /** @type {{settings: SectionForm, content: SectionContent}} */ (
      { settings: this.settings.mine, content: this.content.mine });
  }
  get base() { return this.isThere ? { settings: this.settings.base, content: this.content.base } : null; }
  get maySave() { return super.maySave && !this.goneBy; }
  get mayEdit() { return this.model.mayEdit; }
  get mayFill() { return this.model.rights.mayFill(this.model.page, this.id); }

  begin(/** @type {import('./edits.js').Reads} */ reads) {
    super.begin(reads);
    Object.assign(this, { isBehind: false, goneBy: null });
  }

  /** After somebody's change: takes it where nothing is unsaved, lays it together where both can be, else says so. */
  async refresh() {
    // What was saved without an answer is met once that is known.
    if (!this.isThere || this.isSaving || this.isUnanswered) return;
    const tags = this.model.draft.sectionTags[this.id];
    const isCurrent = (/** @type {Part} */ { name, tag }) => tag === tags[/** @type {'settings'|'content'} */ (name)];
    if (!this.goneBy && tags && this.parts.every(isCurrent)) return;
    /** @type {import('./edits.js').Reads} */
    let reads;
    try { reads = await this.read(); } catch (error) {
      if (error instanceof Problem && error.status === 404) return;
      throw error;
    }
    if (this.isSaving || reads.some(({ isOld }) => isOld())) return;
    this.goneBy = null;
    const isSame = this.parts.every((part, number) => part.tag === reads[number].tag);
    if (!isSame) this.isBehind = !this.settle(reads);
    this.change();
  }

  /** Each list is told of once: a source does it again and again. */
  tellShared(/** @type {import('./merge.js').Shared[]} */ shared) {
    for (const { path, items } of shared) {
      const key = placeKey(path);
      if (this.#toldOf.has(key)) continue;
      this.#toldOf.add(key);
      const list = sideBySide(items.map((item) => itemTitle(item, this.model.draft.defaultLocale)));
      toast(t('Somebody put something where you did. Both are kept, in this order: {list}', { list }));
    }
  }

  edit(patch = {}) {
    const hadTexts = this.#hadTexts;
    this.#hadTexts = this.texts.size > 0;
    super.edit(patch);
    // What others saved meanwhile waited for the texts.
    if (hadTexts && !this.#hadTexts && this.isBehind) this.refresh().catch(() => {});
  }

  /**
   * Takes the section as it is given, to be saved. What was typed below a place and says nothing yet is gone then.
   * @param {import('./past.js').Former} section
   * @param {string} [pointer]
   */
  take(section, pointer = '') {
    const given = formOf(section);
    for (const [key, text] of this.texts) if (text.pointer.startsWith(pointer)) this.texts.delete(key);
    for (const name of /** @type {const} */ (['settings', 'content'])) {
      if (!isEqual(given[name], this.values[name])) this.set(name, given[name]);
    }
    this.change();
    announce(t('It is back in the form. Save to keep it.'));
  }

  drop() {
    super.drop();
    if (this.isBehind || this.isUnanswered) this.load();
  }

  // Saving

  maySend() { return this.isDirty && super.maySend(); }

  refuse(/** @type {import('./edits.js').Refusal[]} */ errors) {
    super.refuse(errors);
    announce(t('Not saved. Problems: {count}', { count: errors.length }));
  }

  async meet(/** @type {Problem} */ problem) {
    try { return await super.meet(problem); } catch (error) {
      if (!(error instanceof Problem) || error.status !== 404) throw error;
      await this.noticeGone();
      return false;
    }
  }

  async saved() {
    this.#toldOf.clear();
    this.change({ isBehind: false });
    announce(t('Saved'));
    await this.model.reload();
  }

  // Gone

  /** Somebody deleted the section: what is unsaved here stays, and can be put back. */
  async noticeGone() {
    if (this.goneBy) return;
    this.goneBy = true;
    this.isBehind = false;
    this.change();
    if (this.model.isGone) return void announce(this.goneWords);
    const { value } = await get(['audit'], { page: this.model.page, action: 'section.delete', limit: 20 });
    const entry = value.entries.find(({ section }) => section === this.id);
    if (this.goneBy && entry) this.goneBy = entry.actor;
    announce(this.goneWords);
    this.change();
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
    const { settings, content } = this;
    const items = changedItems(content.base, content.mine);
    return {
      ...(settings.isDirty && { sections: { [this.id]: settings.mine } }),
      ...(!items ? { content: { [this.id]: content.body(content.mine) } }
        : Object.keys(items).length > 0 && { items: { [this.id]: items } }),
    };
  }

  /** What a preview refuses, at its place in the form. */
  placeOf(/** @type {Trouble} */ { pointer, ...problem }) {
    const [member, id, ...names] = pointer.split('/').slice(1);
    if (id !== this.id) return null;
    const { settings, content } = this.values;
    const root = member === 'sections' ? settings : content;
    const index = member === 'items' && content.items?.findIndex((item) => item.id === names[0]);
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
    const { settings, content } = this;
    const index = this.index === undefined ? {} : { index: this.index };
    const whole = { ...settings.mine, ...trimmed(content.mine), ...index };
    const { done: { body } } = await put(settings.path, whole, { ifNoneMatch: '*', once: this.#back });
    this.#back.clear();
    const { items, slots, index: _, ...rest } = /** @type {Omit<Section, 'id'>} */ (body);
    settings.settle({ value: rest, tag: null }, settings.mine);
    content.settle({ value: content.form({ items, slots }), tag: null }, content.mine);
    await this.refresh();
    if (this.isDirty && !this.isBehind) await this.save();
    else await this.model.reload();
  }

  // Kept

  get state() {
    const edits = super.state;
    return edits && { id: this.id, index: this.index, ...edits };
  }

  /** Takes up what was kept, and then meets what changed meanwhile. */
  async restore(/** @type {KeptSection} */ kept) {
    super.restore(kept);
    this.#hadTexts = this.texts.size > 0;
    this.change({ index: kept.index });
    if (this.model.section(this.id)) await this.refresh(); else await this.noticeGone();
  }
}
