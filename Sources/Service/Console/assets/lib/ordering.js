// The order of a page's sections as the operator works on it: moves that are not saved, steps back, and the save.

import { Unreachable, put } from './api.js';
import { guard } from './guard.js';
import { sideBySide, t } from './i18n.js';
import { isEqual } from './merge.js';
import {
  carried, contestedMoves, indicesOf, isSame, mergeOrders, moved, movedBy, movedTogether, orderOf, rebased,
  sharedPlaces, withIndex,
} from './order.js';
import { PageState } from './page-state.js';
import { announce, toast } from './ui.js';
import { nameIn } from './words.js';

/** @typedef {import('./order.js').Moves} Moves */

export class Ordering extends PageState {
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
  /** What leaving it would lose. */
  unsavedOrder;

  constructor(/** @type {string} */ page, /** @type {Setup} */ setup) {
    super(page, setup);
    const ordering = this;
    this.unsavedOrder = { get isDirty() { return ordering.pending !== null; }, drop: () => ordering.discardOrder() };
  }

  get baseOrder() { return orderOf(this.draft, this.rule); }
  get order() { return this.pending?.order ?? this.baseOrder; }
  get indices() { return { ...indicesOf(this.draft, this.rule), ...this.pending?.typed }; }
  get movedIDs() { return movedBy(this.pending); }

  /** The sections that somebody else moved as well, to other places, since the moves here began. */
  get contested() { return this.pending ? contestedMoves(this.draft, this.rule, this.pending) : []; }

  /** The moves, and those that can be undone and done again, over a draft that has come. */
  movesOver(/** @type {Draft} */ draft) {
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
      const names = place.map((id) => nameIn(draft, this.kinds, id));
      toast(t('Somebody put something where you did. Both are kept, in this order: {list}', {
        list: sideBySide(names),
      }));
    }
  }

  /** The order that a choice comes to where moves are contested; all that are not stand as either side moved them. */
  orderBy(/** @type {'mine'|'theirs'} */ choice) {
    const { base, order } = /** @type {Moves} */ (this.pending);
    return rebased(mergeOrders(base, order, this.baseOrder, choice).order, this.baseOrder);
  }

  /** Goes on from the draft with what was chosen. */
  decideOrder(/** @type {'mine'|'theirs'} */ choice) {
    if (!this.pending) return;
    const pending = carried(this.draft, this.rule, this.draft.orderTag, this.pending, choice);
    this.change({ pending, done: [], undone: [] });
  }

  #propose(/** @type {string[]} */ ids, /** @type {any} */ next) {
    const before = this.pending;
    const { orderTag: tag } = this.draft;
    const begun = before ?? { tag, base: this.baseOrder, indices: indicesOf(this.draft, this.rule), typed: {} };
    const pending = carried(
      this.draft, this.rule, tag, { ...begun, ...next, own: [...new Set([...before?.own ?? [], ...ids])] });
    this.change({ done: [...this.done, before], undone: [], pending });
  }

  /** Moves a section; false where it is there. */
  move(/** @type {string} */ id, /** @type {number} */ position) {
    const order = moved(this.order, id, position);
    if (isSame(order, this.order)) return false;
    this.#propose([id], { order });
    announce(t('{section} is now {position} of {count}', {
      section: this.nameOf(id), position: order.indexOf(id) + 1, count: order.length,
    }));
    return true;
  }

  typeIndex(/** @type {string} */ id, /** @type {number} */ index) {
    if (this.indices[id] === index) return;
    const pending = this.pending ?? { order: this.baseOrder, typed: {} };
    this.#propose([id], withIndex(this.draft, this.rule, pending, id, index));
    announce(t('{section} has index {index}', { section: this.nameOf(id), index }));
  }

  undo() {
    if (this.done.length === 0) return;
    this.change({
      undone: [...this.undone, this.pending], pending: this.done.at(-1), done: this.done.slice(0, -1),
    });
    announce(t('Undone'));
  }

  redo() {
    if (this.undone.length === 0) return;
    this.change({
      done: [...this.done, this.pending], pending: this.undone.at(-1), undone: this.undone.slice(0, -1),
    });
    announce(t('Done again'));
  }

  discardOrder() { this.change({ pending: null, done: [], undone: [] }); }

  /** Shows another rule's order, unless unsaved moves would be lost. */
  async setRule(/** @type {any} */ rule) {
    if (!await guard.mayLeave([this.unsavedOrder])) return;
    this.change({ done: [], undone: [] });
    this.change({ rule });
  }

  /** Saves the pending order, against the tag of what it was decided upon. */
  async saveOrder() {
    const sent = this.pending;
    if (!sent) return;
    const { order, typed, tag } = sent;
    this.#sent = order;
    try {
      /** @type {string|null} */
      let current = tag;
      if (Object.keys(typed).length > 0) {
        const rule = this.draft.sortRules[this.rule] ?? { indices: {} };
        const body = { ...rule, indices: { ...rule.indices, ...typed } };
        current = (await put([...this.path, 'sort-rules', this.rule], body, { ifMatch: current })).tag;
      }
      const body = { sections: order, rule: this.rule };
      ({ tag: current } = await put([...this.path, 'order'], body, { ifMatch: current }));
      // What was moved meanwhile stays, on top of what was saved.
      this.#saved = sent;
      await this.reload();
      this.#sent = null;
    } catch (error) {
      // What was never answered may have been saved.
      if (!(error instanceof Unreachable)) this.#sent = null;
      throw error;
    }
    announce(t('The order is saved'));
  }

  moveTogether(/** @type {string[]} */ ids, /** @type {number} */ position) {
    const order = movedTogether(this.order, ids, position);
    if (!isSame(order, this.order)) this.#propose(ids, { order });
  }
}
