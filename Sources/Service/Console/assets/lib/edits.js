// Edits of resources that are not saved, of the parts of a section or of what a dialog is about: what was typed,
// the texts that are no values yet, and how both meet what others saved.

import { Problem } from './api.js';
import { t } from './i18n.js';
import { placeKey } from './merge.js';
import { Once } from './once.js';
import { carriedTexts } from './place.js';
import { toast } from './ui.js';
import { Unsaved } from './unsaved.js';

/** @typedef {import('./part.js').Part} Part */
/** @typedef {Awaited<ReturnType<Part['read']>>[]} Reads what was read of each part */
/** @typedef {Trouble & {part: string}} Refusal */
/** @typedef {{name: string, pointer: string, text: string, reason: string}} Text */
/** @typedef {import('./merge.js').Conflict} Conflict */
/** @typedef {Conflict & {part: string, root: Content, theirRoot: Content, choice: 'mine'|'theirs'}} Contested */

/** @typedef {{base: Content, mine: Content, tag: string|null, tries?: Once['tries']}} KeptPart */
/** @typedef {KeptPart & {parts?: Record<string, KeptPart>, texts: [string, Text][], at: string}} KeptEdits */

const keyOf = (/** @type {string} */ name, /** @type {string} */ pointer) => `${name} ${pointer}`;

export class Edits extends Unsaved {
  /** @type {Refusal[]} what the server, or what was typed, says is wrong */
  errors = [];
  /** What was typed as JSON or a number and is none yet, with the reason, by part and pointer. */
  /** @type {Map<string, Text>} */
  texts = new Map();
  /** The pictures for it that are being sent. */
  sending = new Set();
  /** Why it could not be read. */
  /** @type {Failed|null} */
  failure = null;
  /** @type {{by?: string, at?: string, reads: Reads, conflicts: Contested[]}|null} */
  conflict = null;

  constructor(/** @type {Part[]} */ parts) {
    super();
    this.parts = parts;
  }

  part(/** @type {string} */ name) { return /** @type {Part} */ (this.parts.find((part) => part.name === name)); }

  get isThere() { return this.parts.every(({ mine }) => mine !== null); }
  get isDirty() { return this.isThere && (this.texts.size > 0 || this.parts.some(({ isDirty }) => isDirty)); }
  get mayBeLost() { return super.mayBeLost || this.sending.size > 0; }
  /** Whether a save got no answer, so that the next one finds out whether it was done. */
  get isUnanswered() { return this.parts.some(({ once }) => once.isUnanswered); }

  // Reading

  read() { return Promise.all(this.parts.map((part) => part.read())); }

  /** Begins with what is there; with what was kept of it, where something was. */
  async load() {
    try {
      const reads = await this.read();
      const { found } = this;
      if (found) this.restore(/** @type {KeptEdits} */ (found)); else this.begin(reads);
      // What was saved without an answer, and what a text that is none yet was begun on, is met by the next save.
      if (found && !this.isUnanswered && this.texts.size === 0) this.lay(reads, {});
      this.change({ errors: [], failure: null });
    } catch (failure) {
      // Somebody deleted it meanwhile: what was typed can still be put back, or copied.
      const found = failure instanceof Problem && failure.status === 404 && !this.isThere ? this.found : null;
      if (found) this.restore(/** @type {KeptEdits} */ (found));
      this.change({ failure: found ? null : failure });
    }
  }

  begin(/** @type {Reads} */ reads) {
    this.parts.forEach((part, number) => part.take(reads[number]));
    this.texts.clear();
    Object.assign(this, { conflict: null, keptSince: null });
  }

  // Editing

  /**
   * Sets a part, together with texts in it that are no values, or are none any more.
   * @param {string} name
   * @param {Content} value
   * @param {Iterable<{pointer: string, text: string|null, reason?: string}>} [noted]
   */
  set(name, value, noted = []) {
    const part = this.part(name);
    const texts = [...this.texts.values()];
    const others = texts.filter((text) => text.name !== name);
    const carried = carriedTexts(part.mine, value, texts.filter((text) => text.name === name));
    this.texts = new Map([...others, ...carried].map((text) => [keyOf(text.name, text.pointer), text]));
    part.mine = value;
    for (const { pointer, text, reason = '' } of noted) this.#note(name, pointer, text, reason);
    this.edit({ errors: this.errors.filter((error) => error.part !== name) });
  }

  /**
   * Notes a text that is no JSON or number, or that there is none any more.
   * @param {string} name
   * @param {string} pointer
   * @param {string|null} text
   * @param {string} [reason]
   */
  setText(name, pointer, text, reason = '') {
    this.#note(name, pointer, text, reason);
    this.edit();
  }

  /** @type {(name: string, pointer: string, text: string|null, reason: string) => void} */
  #note(name, pointer, text, reason) {
    if (text === null) this.texts.delete(keyOf(name, pointer));
    else this.texts.set(keyOf(name, pointer), { name, pointer, text, reason });
  }

  textAt(/** @type {string} */ name, /** @type {string} */ pointer) { return this.texts.get(keyOf(name, pointer)); }

  /** What fields ask of the texts in a part. */
  textsOf(/** @type {string} */ name) {
    return /** @type {Texts} */ ({
      at: (pointer) => this.textAt(name, pointer),
      set: (pointer, text, reason) => this.setText(name, pointer, text, reason),
    });
  }

  drop() {
    for (const part of this.parts) part.mine = part.base;
    this.texts.clear();
    this.sending.clear();
    // Where it was edited may stay open.
    this.change({ errors: [], conflict: null, keptSince: null });
    this.forget();
  }

  // Saving

  maySend() {
    const texts = [...this.texts.values()];
    this.errors = [];
    if (texts.length === 0) return true;
    this.refuse(texts.map(({ name, pointer, reason }) => ({ part: name, pointer, detail: reason })));
    return false;
  }

  refuse(/** @type {Refusal[]} */ errors) { this.change({ errors }); }

  async send() {
    this.#decide();
    for (const part of this.parts) {
      try { while (part.isMeant && !await part.save()); } catch (error) {
        if (!(error instanceof Problem) || error.errors.length === 0) throw error;
        this.refuse(error.errors.map((each) => ({ ...each, part: part.name })));
        return false;
      }
    }
    return true;
  }

  async meet(/** @type {Problem} */ problem) {
    const { changedBy } = problem.body;
    const isMet = this.lay(await this.read(), problem.body);
    if (isMet && changedBy) toast(t('What {name} changed is kept beside yours.', { name: changedBy }));
    return isMet;
  }

  /**
   * Lays what was read and what was typed together, or has the operator choose.
   * @param {Reads} reads
   * @param {{changedBy?: string, changedAt?: string}} change
   */
  lay(reads, { changedBy: by, changedAt: at }) {
    if (this.settle(reads)) return true;
    const conflicts = this.parts.flatMap((part, number) => {
      const { value: theirRoot } = reads[number];
      return part.meeting(theirRoot).conflicts.map((each) =>
        ({ ...each, part: part.name, root: part.mine, theirRoot, choice: 'mine' }));
    });
    this.change({ conflict: { by, at, reads, conflicts } });
    return false;
  }

  /** Lays what was read and what was typed together; false when the operator must choose. */
  settle(/** @type {Reads} */ reads) {
    const meetings = this.parts.map((part, number) => part.meeting(reads[number].value));
    // A text that is no JSON yet was begun on what the form says now.
    if (this.texts.size > 0 || meetings.some(({ conflicts }) => conflicts.length > 0)) return false;
    this.parts.forEach((part, number) => part.settle(reads[number], meetings[number].value));
    this.tellShared(meetings.flatMap(({ shared }) => shared));
    return true;
  }

  /** Tells of what others put where something was put here: both stand there. */
  tellShared(/** @type {import('./merge.js').Shared[]} */ _) {}

  choose(/** @type {Contested} */ contested, /** @type {'mine'|'theirs'} */ choice) {
    contested.choice = choice;
    this.change();
  }

  /** Goes on from what others saved, with the operator's choices on top. */
  #decide() {
    if (!this.conflict) return;
    const { reads, conflicts } = this.conflict;
    this.parts.forEach((part, number) => {
      const own = conflicts.filter((each) => each.part === part.name);
      const choices = new Map(own.map(({ path, choice }) => [placeKey(path), choice]));
      part.settle(reads[number], part.meeting(reads[number].value, choices).value);
    });
    this.change({ conflict: null });
  }

  // Kept

  /** What was typed, as text. */
  get asText() {
    return [...this.parts.map(({ mine }) => JSON.stringify(mine, null, 2)),
      ...[...this.texts.values()].map(({ text }) => text)].join('\n\n');
  }

  get state() {
    if (!this.isDirty) return null;
    const parts = this.parts.map(({ name, base, mine, tag, once: { tries } }) => [name, { base, mine, tag, tries }]);
    return { texts: [...this.texts], parts: Object.fromEntries(parts) };
  }

  /** Takes up what was kept; of one part alone, an earlier console kept it as the whole. */
  restore(/** @type {KeptEdits} */ { parts, texts, at, ...only }) {
    for (const part of this.parts) {
      const { base, mine, tag, tries } = parts?.[part.name] ?? only;
      part.settle({ value: base, tag }, mine);
      part.once = new Once(tries);
    }
    this.keptSince = at;
    this.texts = new Map(texts.map(([, { name = '', ...text }]) => [keyOf(name, text.pointer), { name, ...text }]));
  }
}
