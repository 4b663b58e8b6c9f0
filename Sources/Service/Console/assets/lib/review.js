// How an operator looks at the changes of a page: what is ticked, and what others changed meanwhile.

import { get } from './api.js';
import { changedByOthers, changeOf, liveAlready } from './changes.js';
import { keysOf } from './parts.js';

/** @typedef {import('./changes.js').Change} Change */

/** The revision of a page that is live. */
const revisionOf = async (/** @type {['pages', string]} */ path, /** @type {number} */ number) =>
  (await get([...path, 'revisions', String(number)])).value;

export class Review {
  /** @type {Record<string, boolean>} what the operator ticked and unticked, by the lines' keys */
  ticks = {};
  /** @type {Map<string, Change|undefined>} what others changed after it had been looked at */
  marks = new Map();
  /** @type {Set<string>} what may be changed further, as the operator said by ticking it again */
  following = new Set();
  /** @type {Map<string, string>} why something was refused, by the lines' keys; the rest by none */
  refusals = new Map();
  /** What is to have the focus once it is there. */
  /** @type {'line'|'publish'|null} */
  focus = null;
  /** @type {Draft|null} the draft that was looked at last */
  #seen = null;
  /** @type {RevisionDetail|null} what was live then */
  #live = null;
  /** @type {Promise<RevisionDetail|null>} */
  #meeting = Promise.resolve(null);

  /**
   * Takes a draft as looked at, with what is live; what others changed of what is ticked since the last look is
   * unticked and marked.
   * @param {['pages', string]} path
   * @param {Draft} draft
   * @param {string} me
   * @param {(draft: Draft, key: string) => boolean} isTicked
   * @returns {Promise<RevisionDetail|null>} the revision that is live
   */
  meet(path, draft, me, isTicked) {
    this.#meeting = this.#meeting.catch(() => null).then(async () => {
      const before = this.#seen;
      const was = this.#live;
      const isSame = before !== null && before.live === draft.live;
      const live = isSame || !draft.live ? was : await revisionOf(path, draft.live);
      const lines = keysOf(draft.changedParts);
      const changed = before && before !== draft ? changedByOthers(before, draft, me)
        .filter((key) => lines.includes(key) && isTicked(before, key) && !this.following.has(key)) : [];
      const known = before && !isSame && was && live
        ? liveAlready({ before, now: draft, was, is: live, changed }) : [];
      for (const key of changed.filter((each) => !known.includes(each))) {
        this.marks.set(key, changeOf(draft, key));
        this.ticks = { ...this.ticks, [key]: false };
      }
      this.#seen = draft;
      this.#live = live;
      return live;
    });
    return this.#meeting;
  }

  /** Ticks lines, or unticks them; what is ticked after it was marked may be changed further. */
  tick(/** @type {string[]} */ keys, /** @type {boolean} */ isTicked) {
    for (const key of keys) {
      this.ticks = { ...this.ticks, [key]: isTicked };
      this.refusals.delete(key);
      if (isTicked && this.marks.has(key)) this.following.add(key);
    }
  }

  /** What was ticked is done; what was not stays so. */
  settle() {
    this.ticks = Object.fromEntries(Object.entries(this.ticks).filter(([, isTicked]) => !isTicked));
    this.marks = new Map();
    this.following = new Set();
    this.refusals = new Map();
  }
}
