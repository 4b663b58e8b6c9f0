// One page as the operator works on it: the server's draft, what is not saved yet, and what the phones show.

import { read } from '../client/index.js';
import { Problem, Unreachable, answersOfChanges, get, isOwn, post, put, remove, untilServerHas } from './api.js';
import { Editor } from './editor.js';
import { guard } from './guard.js';
import { formatInstant, sideBySide, t } from './i18n.js';
import { kept } from './kept.js';
import { isEqual } from './merge.js';
import {
  carried, contestedMoves, indicesOf, isSame, mergeOrders, moved, movedBy, movedTogether, orderOf, rebased, withIndex,
} from './order.js';
import { announce, explain, toast } from './ui.js';
import { nameIn } from './words.js';

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal] ends the wait
 */
const pause = (milliseconds, signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener('abort', () => { clearTimeout(timer); resolve(undefined); });
});

/** The longest that a browser's timer waits, in milliseconds. */
const timerMax = 2_147_483_647;

/** How long it is between two looks at a page that is to flip, in milliseconds. */
const lookAgain = 100;

/** What a phone shows, apart from when it was asked for. */
const withoutTime = (/** @type {Payload|null} */ payload) => payload && { ...payload, at: undefined };

/** @typedef {import('./order.js').Moves} Moves */

export class PageModel {
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {AbortController|null} */
  #watching = null;
  #previewRequest = 0;
  /** The last entry of the audit that was looked at, and when a source was told of last. */
  #lastEntry = 0;
  #told = new Map();
  #telling = Promise.resolve();
  #flipTimer = 0;
  /** @type {Flip[]} what flips on the phone of what is live, while there is one */
  #liveFlips = [];
  #draftRequest = 0;
  #draftReceived = 0;
  #isOpen = false;
  /** @type {string[]|null} the order that was sent last and may be saved, until it is known */
  #sent = null;
  /** @type {string[]|null} */
  #audiences = null;
  /**
   * Where a range of chosen sections begins and ends, what is chosen beside it, and both together.
   * @type {{anchor: string|null, base: Set<string>, end: string|null, chosen: Set<string>|null}}
   */
  #range = { anchor: null, base: new Set(), end: null, chosen: null };

  constructor(/** @type {string} */ page, /** @type {Setup} */ { kinds, attributes, rights }) {
    this.page = page;
    this.kinds = kinds;
    this.attributes = attributes;
    this.rights = rights;
    this.rule = 'default';
    /** @type {Moves|null} */
    this.pending = null;
    /** @type {(Moves|null)[]} */
    this.undone = [];
    /** @type {Set<string>} the sections that something is to be done to together */
    this.chosen = new Set();
    /** @type {(Moves|null)[]} */
    this.done = [];
    // Nothing of it is drawn before the draft is there.
    this.draft = /** @type {Draft} */ (/** @type {unknown} */ (null));
    /** @type {string|null} */
    this.draftTag = null;
    /** @type {number|null} */
    this.latest = null;
    /** @type {Set<number>|null} the scheduled publishes that were told of, or made here */
    this.scheduled = null;
    /** @type {Editor|null} */
    this.editor = null;
    /** @type {string|null} the instant that the phones show, now when there is none */
    this.at = null;
    this.screen = Number(localStorage.getItem('hearth.screen')) || 375;
    this.isDark = localStorage.getItem('hearth.dark') === 'true';
    /** @type {Record<string, string>[]} */
    this.clients = [{}, {}];
    this.compare = 'none';
    /** @type {(Payload|null)[]} */
    this.payloads = [null, null];
    /** @type {Trouble[]} */
    this.problems = [];
    /** @type {Flip[]} */
    this.flips = [];
    this.connection = 'live';
    /** @type {any} */
    this.failure = null;
    /** Whether somebody deleted the page while something of it was edited. */
    this.isGone = false;
    const model = this;
    /** What each way out would lose. */
    this.unsavedSection = {
      get isDirty() { return model.editor?.isDirty === true || (model.editor?.sending.size ?? 0) > 0; },
      drop: () => model.editor?.revert(),
    };
    this.unsavedOrder = { get isDirty() { return model.pending !== null; }, drop: () => model.discardOrder() };
  }

  subscribe(/** @type {() => void} */ listener) {
    this.#listeners.add(listener);
    return () => { this.#listeners.delete(listener); };
  }

  change(/** @type {any} */ patch) {
    Object.assign(this, patch);
    if (this.#isOpen) kept.keep(this.#keptName, () => this.#kept);
    for (const listener of this.#listeners) listener();
  }

  get path() { return ['pages', this.page]; }
  get mayEdit() { return this.rights.mayEdit(this.page); }
  mayRead(/** @type {string} */ id) { return this.rights.mayRead(this.page, id); }
  get mayPublish() { return this.rights.mayPublish(this.page); }
  section(/** @type {string} */ id) {
    return this.draft?.sections.find((/** @type {any} */ section) => section.id === id);
  }

  // Reading

  async open() {
    try {
      await this.reload();
    } catch (/** @type {any} */ error) {
      if (!this.draft || !(error instanceof Unreachable)) {
        this.change({ failure: error });
        if (error instanceof Problem && error.status === 404) await this.#restoreGone();
        return;
      }
      // The page is there; the rest comes when the connection does.
      this.change({ connection: 'lost' });
    }
    await this.#restore();
    this.#followClock();
    this.#watch();
  }

  close() {
    this.#watching?.abort();
    this.#isOpen = false;
    clearTimeout(this.#flipTimer);
  }

  async reload() {
    const number = ++this.#draftRequest;
    const { value, tag } = await get([...this.path, 'draft']);
    await this.#receive(value, tag, number);
  }

  /** Deletes the page, which is not watched while it goes. */
  async deletePage() {
    this.close();
    try { await remove(this.path, { ifMatch: this.draft.settingsTag }); } catch (/** @type {any} */ error) {
      this.#isOpen = true;
      this.#watch();
      throw error;
    }
  }

  // Kept over a reload

  get #keptName() { return `page ${this.page}`; }

  get #kept() {
    const section = this.editor?.kept ?? null;
    return section || this.pending ? { section, pending: this.pending, rule: this.rule } : null;
  }

  /** Takes up what was edited and not saved before the tab was loaded anew. */
  async #restore() {
    const state = kept.read(this.#keptName);
    this.#isOpen = true;
    if (!state) return;
    if (state.pending && this.draft.sortRules?.[state.rule]) {
      const pending = carried(this.draft, state.rule, this.draft.orderTag, state.pending);
      this.change({ rule: state.rule, pending });
    }
    if (state.section) {
      this.editor = new Editor(this, state.section.id);
      await this.editor.restore(state.section).catch(() => {});
    }
    announce(t('What you had not saved is back.'));
  }

  /** What was typed into a page that is gone is there to be copied. */
  async #restoreGone() {
    const state = kept.read(this.#keptName);
    if (!state?.section) return;
    Object.assign(this, { isGone: true, editor: new Editor(this, state.section.id) });
    await this.editor?.restore(state.section);
    this.#isOpen = true;
  }

  /** Takes what a request of this number read, unless a later one was faster. */
  async #receive(/** @type {Draft} */ draft, /** @type {any} */ tag, /** @type {any} */ number) {
    if (number < this.#draftReceived) return false;
    this.#draftReceived = number;
    this.latest = draft.live ?? null;
    const pages = this.clients.map((client) => client.locale ? client : { ...client, locale: draft.defaultLocale });
    const rule = draft.sortRules?.[this.rule] ? this.rule : 'default';
    if (this.pending && rule !== this.rule) {
      toast(t('The sort rule {name} was deleted, and your moves for it with it.', { name: this.rule }), 'failure');
    }
    const moves = rule === this.rule ? this.#movesOver(draft) : { pending: null, done: [], undone: [] };
    const isThere = (/** @type {string} */ id) =>
      draft.sections.some((/** @type {{id: string}} */ each) => each.id === id);
    const left = [...this.chosen].filter(isThere);
    const chosen = left.length === this.chosen.size ? this.chosen : new Set(left);
    this.change({ chosen, draft, draftTag: tag, clients: pages, rule, ...moves, failure: null, isGone: false });
    await this.#refreshEditor();
    await Promise.all([
      this.preview(), this.#loadProblems(), this.#loadTimeline(), this.#audiences && this.#loadAudiences(),
    ]);
    return true;
  }

  async #refreshEditor() {
    const { editor } = this;
    if (!editor) return;
    const section = this.section(editor.id);
    if (section) {
      editor.index = section.index;
      await editor.refresh();
    } else if (editor.isDirty) await editor.noticeGone();
    else {
      this.change({ editor: null });
      toast(t('The section {name} was deleted.', { name: editor.id }));
    }
  }

  async #loadProblems() {
    const { value } = await get([...this.path, 'problems']);
    this.change({ problems: value.problems });
  }

  /** The names of the audiences: none until they are there, which are asked for when a form first shows them. */
  get audiences() {
    this.wantAudiences();
    return this.#audiences ?? [];
  }

  wantAudiences() {
    if (this.#audiences !== null) return;
    this.#audiences = [];
    this.#loadAudiences().catch(() => {});
  }

  async #loadAudiences() {
    const { value } = await get(['audiences']);
    this.#audiences = Object.keys(value.audiences);
    this.change({});
  }

  async #loadTimeline() {
    const revisions = this.compare === 'live' ? ['draft', 'live'] : ['draft'];
    const [draft, live] = await Promise.all(revisions.map((revision) => get([...this.path, 'timeline'], { revision })));
    this.#liveFlips = live?.value.flips ?? [];
    this.change({ flips: draft.value.flips });
    this.#followClock();
  }

  /** Draws anew when the next flip is there, so that the phone is never behind the clock. */
  #followClock() {
    clearTimeout(this.#flipTimer);
    const coming = [...this.flips, ...this.#liveFlips].map(({ at }) => Date.parse(at))
      .filter((at) => untilServerHas(at).most > 0);
    if (!this.#isOpen || coming.length === 0) return;
    const next = Math.min(...coming);
    const left = Math.max(0, Math.min(untilServerHas(next).least, timerMax));
    this.#flipTimer = setTimeout(() => this.#flip(next).catch(() => this.#followClock()), left);
  }

  /** Looks from when the server's clock may show an instant until it must: what flips is seen soon after. */
  async #flip(/** @type {number} */ at) {
    // It is far away, or the server's clock is known better by now.
    if (untilServerHas(at).least > 0) return this.#followClock();
    const before = this.payloads.map(withoutTime);
    do {
      await pause(lookAgain);
      if (!this.#isOpen) return;
      // One answer that does not come is no reason to miss it.
      await this.preview().catch(() => {});
    } while (isEqual(before, this.payloads.map(withoutTime)) && untilServerHas(at).most > -5 * lookAgain);
    await Promise.all([this.#loadTimeline(), this.#loadProblems()]);
  }

  /** Which revision each phone shows. */
  get revisions() { return this.compare === 'live' ? ['live', 'draft'] : ['draft', 'draft']; }

  /** What the phones show, asked anew. */
  async preview() {
    const number = ++this.#previewRequest;
    const wanted = this.compare === 'none' ? [0] : [0, 1];
    const payloads = await Promise.all(wanted.map((index) => this.#payload(index)));
    if (number === this.#previewRequest) this.change({ payloads: [payloads[0], payloads[1] ?? null] });
  }

  async #payload(/** @type {number} */ index) {
    const client = this.compare === 'live' ? this.clients[0] : this.clients[index];
    const revision = this.revisions[index];
    if (revision === 'live' && !this.draft.live) return { sections: [], hidden: [], isAbsent: true };
    try {
      const { value } = await get([...this.path, 'preview'], { ...client, revision, at: this.at }, { read });
      return value;
    } catch (/** @type {any} */ error) {
      if (error instanceof Problem) return { sections: [], hidden: [], problem: error };
      throw error;
    }
  }

  /**
   * The items of a section that follow those of the page and so many more, as a phone's client would get them; none
   * when the page has another list by now.
   */
  async more(/** @type {number} */ index, /** @type {any} */ section, /** @type {number} */ fetched) {
    // Not what the form has added, which is not in the list yet.
    const { sections } = this.payloads[index] ?? {};
    const inPage = sections?.find((/** @type {Section} */ { id }) => id === section.id)?.items?.length ?? 0;
    const offset = inPage + fetched;
    const client = this.compare === 'live' ? this.clients[0] : this.clients[index];
    const query = { ...client, revision: this.revisions[index], at: this.at, offset };
    const { value } = await get([...this.path, 'preview', 'sections', section.id, 'items'], query, { read });
    return value.of === section.more.of ? value.items : [];
  }

  async setClient(/** @type {number} */ index, /** @type {any} */ patch) {
    const clients = this.clients.map((client, other) => other === index ? { ...client, ...patch } : client);
    this.change({ clients });
    await this.preview();
  }

  async setTime(/** @type {any} */ at) {
    this.change({ at });
    await this.preview();
  }

  async setCompare(/** @type {any} */ compare) {
    this.change({ compare });
    await Promise.all([this.preview(), this.#loadTimeline()]);
  }

  setDark(/** @type {boolean} */ isDark) {
    localStorage.setItem('hearth.dark', String(isDark));
    this.change({ isDark });
  }

  setScreen(/** @type {number} */ screen) {
    localStorage.setItem('hearth.screen', String(screen));
    this.change({ screen });
  }

  // Staying up to date

  async #watch() {
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    this.#news().catch(() => {});
    while (!signal.aborted) {
      const begun = performance.now();
      const number = ++this.#draftRequest;
      try {
        const { status, value, tag } = await get([...this.path, 'draft'], {}, {
          ifNoneMatch: this.draftTag, wait: 5, signal,
        });
        if (signal.aborted) return;
        if (this.connection !== 'live') {
          this.change({ connection: 'live' });
          announce(t('Connected again'));
          await this.reload();
        }
        if (status === 200 && tag !== this.draftTag) await this.#receiveFromOthers(value, tag, number);
        else await this.#lookForPublishes(signal);
      } catch (/** @type {any} */ error) {
        if (signal.aborted || error.status === 401) return;
        if (error instanceof Problem && error.status === 404) {
          // What is unsaved stays on the screen, to be copied.
          this.change(guard.isDirty ? { isGone: true, connection: 'live' } : { failure: error });
          if (!guard.isDirty) return;
          if (this.editor?.isDirty) await this.editor.noticeGone();
        } else if (this.connection !== 'lost') {
          this.change({ connection: 'lost' });
          announce(t('Connection lost'));
        }
      }
      const left = 2000 - (performance.now() - begun);
      if (left > 0) await pause(left, signal);
    }
  }

  async #receiveFromOthers(/** @type {Draft} */ draft, /** @type {any} */ tag, /** @type {any} */ number) {
    // What is there is shown at once; who made it is told in turn.
    if (await this.#receive(draft, tag, number)) this.#telling = this.#telling.then(() => this.#tell()).catch(() => {});
  }

  /** Tells of somebody else's change. */
  async #tell() {
    // One of this tab's own may be in the draft before its answer is here, which waits for other nodes.
    await answersOfChanges();
    const entry = (await this.#news()).find((/** @type {{requestId: any}} */ { requestId }) => !isOwn(requestId));
    if (!entry) return;
    // A source that fills the page without a pause is told of once a minute.
    const isSource = /^(content|item)\./.test(entry.action);
    if (isSource && performance.now() - (this.#told.get(entry.actor) ?? -Infinity) < 60_000) return;
    if (isSource) this.#told.set(entry.actor, performance.now());
    toast(t('{name} changed this page', { name: entry.actor }));
  }

  /** What was done to the page since this was asked last, newest first. */
  async #news() {
    let value;
    try { ({ value } = await get(['audit'], { page: this.page, limit: 20 })); } catch (/** @type {any} */ error) {
      // Whoever may not read the audit is told of changes by what changes.
      if (error instanceof Problem && error.status === 403) return [];
      throw error;
    }
    const news = value.entries.filter((/** @type {{id: number, action: string}} */ { id, action }) =>
      id > this.#lastEntry && !/^auth/.test(action));
    this.#lastEntry = value.entries[0]?.id ?? this.#lastEntry;
    return news;
  }

  /** Tells of what somebody published or scheduled; what is scheduled is not live. */
  async #lookForPublishes(/** @type {AbortSignal} */ signal) {
    const [{ value: { revisions: [newest] } }, { value: { scheduled } }] = await Promise.all([
      get([...this.path, 'revisions'], { limit: 1 }, { signal }), get([...this.path, 'scheduled'], {}, { signal }),
    ]);
    // Which of them are this tab's own is known once they are answered.
    await answersOfChanges();
    const known = this.scheduled;
    this.scheduled = new Set([...known ?? [], ...scheduled.map((/** @type {{id: number}} */ { id }) => id)]);
    for (const { id, author, revision, sections, at, zone } of known ? scheduled : []) {
      if (known?.has(id)) continue;
      const what = revision ? t('revision {number}', { number: revision }) : sideBySide(sections);
      toast(t('{name} scheduled {what} for {time}', { name: author, what, time: formatInstant(at, zone) }));
    }
    if (!newest?.live || newest.revision === this.latest) return;
    await this.reload();
    const { author: name, revision: number } = newest;
    toast(newest.kind === 'scheduled'
      ? t('Revision {number} is published, as it was scheduled', { number })
      : t('{name} published revision {number}', { name, number }));
  }

  // Order

  get baseOrder() { return orderOf(this.draft, this.rule); }
  get order() { return this.pending?.order ?? this.baseOrder; }
  get indices() { return { ...indicesOf(this.draft, this.rule), ...this.pending?.typed }; }
  get movedIDs() { return movedBy(this.pending); }

  /** The sections that somebody else moved as well, to other places, since the moves here began. */
  get contested() { return this.pending ? contestedMoves(this.draft, this.rule, this.pending) : []; }

  /** The moves, and those that can be undone and done again, over a draft that has come. */
  #movesOver(/** @type {Draft} */ draft) {
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
    return {
      done: steps.filter((_, place) => place < current && !isRepeated(place, place + 1)),
      pending: steps[current],
      undone: steps.filter((_, place) => place > current && !isRepeated(place, place - 1)),
    };
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

  move(/** @type {string} */ id, /** @type {number} */ position) {
    const order = moved(this.order, id, position);
    if (isSame(order, this.order)) return;
    this.#propose([id], { order });
    announce(t('{section} is now {position} of {count}', {
      section: this.nameOf(id), position: order.indexOf(id) + 1, count: order.length,
    }));
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
  setRule(/** @type {any} */ rule) {
    if (!guard.mayLeave([this.unsavedOrder])) return;
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
      if (!this.pending || this.pending === sent) this.discardOrder();
      // What was moved meanwhile stays, on top of what was saved.
      await this.reload();
      this.#sent = null;
    } catch (error) {
      // What was never answered may have been saved.
      if (!(error instanceof Unreachable)) this.#sent = null;
      throw error;
    }
    announce(t('The order is saved'));
  }

  // Sections

  nameOf(/** @type {string} */ id) { return nameIn(this.draft, this.kinds, id); }

  /** How often a section was chosen: the phone shows it each time. */
  choice = 0;

  /** @type {{item: string}|null} the item that was searched for */
  wanted = null;

  /** Opens a section, and an item of it. */
  async find(/** @type {string} */ section, /** @type {string|undefined} */ item) {
    await this.select(section);
    if (this.editor?.id === section) this.change({ wanted: item ? { item } : null });
  }

  /** Opens a section, unless something unsaved of another would be lost. */
  async select(/** @type {string} */ id) {
    if (this.editor?.id === id) return void this.change({ choice: this.choice + 1 });
    if (!this.mayRead(id) || !guard.mayLeave([this.unsavedSection])) return;
    const editor = new Editor(this, id);
    editor.index = this.section(id)?.index;
    this.change({ editor, choice: this.choice + 1 });
    await editor.load();
  }

  /**
   * Does something to a section as a whole, for which the tag of its settings speaks: what fills it or others is in no
   * one's way.
   * @param {string} method
   * @param {string} id
   * @param {string} [action]
   * @param {any} [body]
   */
  async act(method, id, action, body) {
    const path = [...this.path, 'sections', id, ...(action ? [action] : [])];
    const act = () => {
      const options = { ifMatch: this.draft.sectionTags[id]?.settings ?? this.draftTag };
      return method === 'POST' ? post(path, body, options) : remove(path, options);
    };
    try { await act(); } catch (/** @type {any} */ error) {
      // Its settings changed meanwhile: hiding and restoring mean the same all the same, deleting may not.
      if (!error.isStale || method !== 'POST') throw error;
      await this.reload();
      await act();
    }
  }

  async #act(/** @type {[string, string, string?, any?]} */ ...what) {
    await this.act(...what);
    await this.reload();
  }

  /** Does something to several sections, one after the other; says of all that failed why. */
  async together(/** @type {string[]} */ ids, /** @type {(id: string) => Promise<any>} */ act) {
    /** @type {string[]} */
    const failed = [];
    for (const id of ids) {
      // It may be gone once it has failed.
      const name = this.nameOf(id);
      try { await act(id); } catch (/** @type {any} */ error) { failed.push(`${name}: ${explain(error)}`); }
    }
    await this.reload();
    if (failed.length > 0) throw new Error(failed.join(' '));
    announce(t('Done'));
  }

  async deleteTogether(/** @type {string[]} */ ids) {
    if (this.editor && ids.includes(this.editor.id) && !guard.mayLeave([this.unsavedSection])) return;
    await this.together(ids, (id) => this.act('DELETE', id));
  }

  moveTogether(/** @type {string[]} */ ids, /** @type {number} */ position) {
    const order = movedTogether(this.order, ids, position);
    if (!isSame(order, this.order)) this.#propose(ids, { order });
  }

  /** Chooses a section or leaves it, or all from the one that was chosen last. */
  choose(/** @type {string} */ id, isRange = false) {
    let chosen = new Set(this.chosen);
    const { anchor, base } = this.#range;
    // What was chosen otherwise since then begins from its last.
    const isGoingOn = this.#range.chosen === this.chosen && anchor !== null && this.order.includes(anchor);
    const begin = isGoingOn ? anchor : [...chosen].at(-1) ?? null;
    if (isRange && begin !== null) {
      const rest = isGoingOn ? base : chosen;
      const [from, to] = [this.order.indexOf(begin), this.order.indexOf(id)].sort((left, right) => left - right);
      chosen = new Set([...rest, ...this.order.slice(from, to + 1)]);
      this.#range = { anchor: begin, base: rest, end: id, chosen };
    } else {
      if (!chosen.delete(id)) chosen.add(id);
      this.#range = { anchor: id, base: new Set(chosen), end: id, chosen };
    }
    this.change({ chosen });
    announce(t('Chosen: {count}', { count: chosen.size }));
  }

  /** Chooses from a section on to another one: a way that begins elsewhere than the last one ended is a new one. */
  chooseOn(/** @type {string} */ id, /** @type {string} */ next) {
    const isGoingOn = this.#range.chosen === this.chosen && this.#range.end === id;
    if (!isGoingOn && !this.chosen.has(id)) this.choose(id);
    else if (!isGoingOn) this.#range = { anchor: id, base: this.chosen, end: id, chosen: this.chosen };
    this.choose(next, true);
  }

  hide(/** @type {string} */ id) { return this.#act('POST', id, 'hide'); }
  restore(/** @type {string} */ id, /** @type {any} */ after) {
    const place = after === undefined ? {} : after === null ? { first: true } : { after };
    return this.#act('POST', id, 'restore', place);
  }
  duplicate(/** @type {string} */ id, /** @type {any} */ copy) {
    return this.#act('POST', id, 'duplicate', { id: copy });
  }
  deleteSection(/** @type {string} */ id) { return this.#act('DELETE', id); }

  async addSection(/** @type {string} */ id, /** @type {any} */ body) {
    await put([...this.path, 'sections', id], body, { ifNoneMatch: '*' });
    // It is made. What cannot be read now comes by watching, and is no reason to make it again.
    try {
      await this.reload();
      await this.select(id);
    } catch (/** @type {any} */ error) { toast(explain(error), 'failure'); }
  }

  get isDirty() { return this.unsavedOrder.isDirty || this.unsavedSection.isDirty; }

  /** Has the guard look after it; returns what ends that. */
  hold() {
    const ends = [this.unsavedSection, this.unsavedOrder].map((holder) => guard.hold(holder));
    return () => ends.forEach((end) => end());
  }

  /** Gives up the section's edits for good, a section that is gone with them. */
  dropSection() {
    const { editor } = this;
    if (!editor) return;
    const isGone = !this.section(editor.id);
    editor.revert();
    if (isGone) this.change({ editor: null });
  }
}
