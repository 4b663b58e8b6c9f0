// The order of a page's sections as the operator works on it: moves that are not saved, steps back, and the save.

import { Unreachable, put } from './api.js';
import { sideBySide, t } from './i18n.js';
import { isEqual } from './merge.js';
import {
  carried, contestedMoves, indicesOf, isSame, mergeOrders, moved, movedBy, movedTogether, orderOf, rebased,
  sharedPlaces, withIndex,
} from './order.js';
import { announce, toast } from './ui.js';
import { Unsaved, guard } from './unsaved.js';
import { nameIn } from './words.js';

/** @typedef {import('./order.js').Moves} Moves */

/** @typedef {{pending: Moves|null, rule: string, texts?: [string, {text: string, reason: string}][]}} Kept */

export class Ordering extends Unsaved {
  /** @type {string[]|null} the order that was sent last and may be saved, until it is known */
  #sent = null;
  /** @type {Moves|null} the moves that were saved last, which the draft that comes next has */
  #saved = null;
  /** The sort rule whose order is shown. */
  rule = 'default';
  /** @type {Moves|null} */
  pending = null;
  /** @type {(Moves|null)[]} */
  undone = [];
  /** @type {(Moves|null)[]} */
  done = [];
  /** What was typed as an index and is none, with the reason, by section. */
  /** @type {Map<string, {text: string, reason: string}>} */
  texts = new Map();

  constructor(/** @type {PageModel} */ page) {
    super();
    this.page = page;
    this.redraw = () => page.change({});
  }

  get base() { return orderOf(this.page.draft, this.rule); }
  get order() { return this.pending?.order ?? this.base; }
  get indices() { return { ...indicesOf(this.page.draft, this.rule), ...this.pending?.typed }; }
  get movedIDs() { return movedBy(this.pending); }

  get isDirty() { return this.pending !== null || this.texts.size > 0; }

  /** What is not saved, as a preview takes it. */
  get unsaved() { return this.pending && { order: { sections: this.pending.order, rule: this.rule } }; }

  /** The sections that somebody else moved as well, to other places, since the moves here began. */
  get contested() { return this.pending ? contestedMoves(this.page.draft, this.rule, this.pending) : []; }

  /** Goes on over a draft that has come. */
  follow(/** @type {Draft} */ draft) {
    const known = new Set(draft.sections.map(({ id }) => id));
    const texts = [...this.texts].filter(([id]) => known.has(id));
    if (texts.length < this.texts.size) this.texts = new Map(texts);
    if (this.rule === 'default' || draft.sortRules?.[this.rule]) Object.assign(this, this.#movesOver(draft));
    else {
      if (this.pending) this.#tellOfRule(this.rule);
      Object.assign(this, { rule: 'default', pending: null, done: [], undone: [], texts: new Map() });
    }
  }

  #tellOfRule(/** @type {string} */ name) {
    toast(t('The sort rule {name} was deleted, and your moves for it with it.', { name }), 'failure');
  }

  /** The moves, and those that can be undone and done again, over a draft that has come. */
  #movesOver(/** @type {Draft} */ draft) {
    // Until the draft is here the rows stay where they were moved to.
    if (this.pending && this.pending === this.#saved) return { done: [], pending: null, undone: [] };
    const sent = this.#sent;
    const now = orderOf(draft, this.rule);
    // What is being saved is here already, maybe before the answer: what was moved since goes on from it.
    const isSent = sent && isSame(rebased(sent, now), now);
    const begun = isSent ? { base: now, indices: indicesOf(draft, this.rule) } : {};
    const steps = [...this.done, this.pending, ...this.undone]
      .map((moves) => moves && carried(draft, this.rule, draft.orderTag, { ...moves, ...begun }));
    const isRepeated = (/** @type {number} */ place, /** @type {number} */ other) =>
      isEqual(steps[place]?.order, steps[other]?.order) && isEqual(steps[place]?.typed, steps[other]?.typed);
    const current = this.done.length;
    if (this.pending) this.#tellShared(draft, { ...this.pending, ...begun }, now, steps[current]);
    return {
      done: steps.filter((_, place) => place < current && !isRepeated(place, place + 1)),
      pending: steps[current],
      undone: steps.filter((_, place) => place > current && !isRepeated(place, place - 1)),
    };
  }

  /**
   * Tells of sections that others put where these moves put some: both stand there.
   * @param {Draft} draft the one that came, which alone has the names of what was just added
   * @param {Moves} moves
   * @param {string[]} now
   * @param {Moves|null} carried
   */
  #tellShared(draft, { base, order, own }, now, carried) {
    // What is contested is asked about instead.
    if (!carried || !isSame(carried.base, now)) return;
    for (const place of sharedPlaces(base, order, now, carried.order, own)) {
      const names = place.map((id) => nameIn(draft, this.page.kinds, id));
      toast(t('Somebody put something where you did. Both are kept, in this order: {list}', {
        list: sideBySide(names),
      }));
    }
  }

  /** The order that a choice comes to where moves are contested; all that are not stand as either side moved them. */
  orderBy(/** @type {'mine'|'theirs'} */ choice) {
    const { base, order } = /** @type {Moves} */ (this.pending);
    return rebased(mergeOrders(base, order, this.base, choice).order, this.base);
  }

  /** Goes on from the draft with what was chosen. */
  decide(/** @type {'mine'|'theirs'} */ choice) {
    const { pending, page: { draft } } = this;
    const next = pending && carried(draft, this.rule, draft.orderTag, pending, choice);
    this.edit({ pending: next, done: [], undone: [], conflict: null });
  }

  #propose(/** @type {string[]} */ ids, /** @type {{order: string[]} & Partial<Moves>} */ next) {
    const { pending: before, page: { draft } } = this;
    const { orderTag: tag } = draft;
    const begun = before ?? { tag, base: this.base, indices: indicesOf(draft, this.rule), typed: {} };
    const pending = carried(
      draft, this.rule, tag, { ...begun, ...next, own: [...new Set([...before?.own ?? [], ...ids])] });
    this.edit({ done: [...this.done, before], undone: [], pending });
  }

  /** Moves a section; false where it is there. */
  move(/** @type {string} */ id, /** @type {number} */ position) {
    const order = moved(this.order, id, position);
    if (isSame(order, this.order)) return false;
    this.#propose([id], { order });
    announce(t('{section} is now {position} of {count}', {
      section: this.page.nameOf(id), position: order.indexOf(id) + 1, count: order.length,
    }));
    return true;
  }

  moveTogether(/** @type {string[]} */ ids, /** @type {number} */ position) {
    const order = movedTogether(this.order, ids, position);
    if (!isSame(order, this.order)) this.#propose(ids, { order });
  }

  typeIndex(/** @type {string} */ id, /** @type {number} */ index) {
    if (this.indices[id] === index) return;
    const pending = this.pending ?? { order: this.base, typed: {} };
    this.#propose([id], withIndex(this.page.draft, this.rule, pending, id, index));
    announce(t('{section} has index {index}', { section: this.page.nameOf(id), index }));
  }

  /** Notes what was typed as an index and is none, or that there is none any more. */
  noteIndex(/** @type {string} */ id, /** @type {{text: string, reason: string}|null} */ refused) {
    if (!refused && !this.texts.has(id)) return;
    const { [id]: _, ...others } = Object.fromEntries(this.texts);
    this.change({ texts: new Map(Object.entries(refused ? { ...others, [id]: refused } : others)) });
  }

  undo() {
    if (this.done.length === 0) return;
    this.edit({ undone: [...this.undone, this.pending], pending: this.done.at(-1), done: this.done.slice(0, -1) });
    announce(t('Undone'));
  }

  redo() {
    if (this.undone.length === 0) return;
    this.edit({ done: [...this.done, this.pending], pending: this.undone.at(-1), undone: this.undone.slice(0, -1) });
    announce(t('Done again'));
  }

  drop() { this.change({ pending: null, done: [], undone: [], texts: new Map(), conflict: null }); }

  /** Shows another rule's order, unless unsaved moves would be lost. */
  async setRule(/** @type {string} */ rule) {
    if (await guard.mayLeave([this])) this.change({ done: [], undone: [], rule });
  }

  // Saving

  maySend() { return this.pending !== null; }

  /** Sends the moves, against the tag of what they were decided upon. */
  async send() {
    const sent = this.pending;
    if (!sent) return true;
    const { page, rule } = this;
    const { order, typed, tag } = sent;
    this.#sent = order;
    try {
      /** @type {string|null} */
      let current = tag;
      if (Object.keys(typed).length > 0) {
        const before = page.draft.sortRules[rule] ?? { indices: {} };
        const body = { ...before, indices: { ...before.indices, ...typed } };
        current = (await put([...page.path, 'sort-rules', rule], body, { ifMatch: current })).tag;
      }
      await put([...page.path, 'order'], { sections: order, rule }, { ifMatch: current });
      // What was moved meanwhile stays, on top of what was saved.
      this.#saved = sent;
      await page.reload();
      this.#sent = null;
    } catch (error) {
      // What was never answered may have been saved.
      if (!(error instanceof Unreachable)) this.#sent = null;
      throw error;
    }
    return true;
  }

  /** What others moved meanwhile and these moves do not touch stands beside them. */
  async meet(/** @type {import('./api.js').Problem} */ { body: { changedBy: by, changedAt: at } }) {
    await this.page.reload();
    if (this.contested.length > 0) this.change({ conflict: { by, at } });
    return this.conflict === null;
  }

  async saved() { announce(t('The order is saved')); }

  // Kept

  get state() {
    const { pending, rule, texts } = this;
    return { pending, rule, ...(texts.size > 0 && { texts: [...texts] }) };
  }

  /** Takes up what was kept, where its rule is there still. */
  restore(/** @type {Kept} */ { pending, rule, texts = [] }) {
    const { draft } = this.page;
    if (!pending && texts.length === 0) return;
    if (draft.sortRules?.[rule]) {
      const next = pending && carried(draft, rule, draft.orderTag, pending);
      this.change({ rule, pending: next, texts: new Map(texts.filter(([id]) => this.page.section(id))) });
    } else if (pending) this.#tellOfRule(rule);
  }
}
