// One page as the operator works on it: the server's draft, what is not saved yet, and what the phones show.

import { Problem, Unreachable, get, post, put, remove, send, untilServerHas } from './api.js';
import { timerMax } from './clock.js';
import { Editor } from './editor.js';
import { joinSentences, t } from './i18n.js';
import { kept } from './kept.js';
import { isEqual } from './merge.js';
import { News } from './news.js';
import { Once } from './once.js';
import { Ordering } from './ordering.js';
import { make } from './part.js';
import { sectionIn } from './past.js';
import { Previewing } from './previewing.js';
import { Review } from './review.js';
import { announce, explain, toast } from './ui.js';
import { guard } from './unsaved.js';
import { keepView } from './viewed.js';

/**
 * @param {number} milliseconds
 * @param {AbortSignal} [signal] ends the wait
 */
const pause = (milliseconds, signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener('abort', () => { clearTimeout(timer); resolve(undefined); });
});

/** How long it is between two looks at a page that is to flip, in milliseconds. */
const lookAgain = 100;

/** What a phone shows, apart from how it was asked for. */
const asShown = (/** @type {Payload|null} */ payload) =>
  payload && { ...payload, at: undefined, unsaved: undefined, refusal: undefined };

/** @typedef {import('./ordering.js').Kept & {section?: import('./editor.js').KeptSection}} KeptPage */

export class PageModel extends Previewing {
  /** @type {AbortController|null} */
  #watching = null;
  #news = new News(this);
  #flipTimer = 0;
  /** @type {number|null} the flip that is being looked for, by its instant */
  #lookingFor = null;
  /** @type {Flip[]} what flips on the phone of what is live, while there is one */
  #liveFlips = [];
  #draftRequest = 0;
  #draftReceived = 0;
  #isOpen = false;
  /** Whether it was left, perhaps while it was still opening: nothing of it goes on. */
  isClosed = false;
  /** @type {string[]|null} */
  #audiences = null;
  /**
   * Where a range of chosen sections begins and ends, what is chosen beside it, and both together.
   * @type {{anchor: string|null, base: Set<string>, end: string|null, chosen: Set<string>|null}}
   */
  #range = { anchor: null, base: new Set(), end: null, chosen: null };
  /** @type {Map<string, Once>} that sections which are gone are put back, by id */
  #backs = new Map();

  constructor(/** @type {string} */ page, /** @type {Setup} */ setup) {
    super(page, setup);
    /** @type {Set<string>} the sections that something is to be done to together */
    this.chosen = new Set();
    /** @type {string|null} */
    this.draftTag = null;
    /** @type {number|null} */
    this.latest = null;
    /** @type {Set<number>} the scheduled publishes that were seen, or made here */
    this.scheduled = new Set();
    /** The order of the sections, with the moves that are not saved. */
    this.ordering = new Ordering(this);
    /** @type {Editor|null} the open section's form */
    this.editor = null;
    /** @type {Trouble[]} */
    this.problems = [];
    /** @type {Flip[]} */
    this.flips = [];
    /** What the panel of changes goes by, for as long as the page is open. */
    this.review = new Review();
    /** @type {unknown} */
    this.failure = null;
    /** Whether somebody deleted the page while something of it was edited. */
    this.isGone = false;
  }

  change(/** @type {object} */ patch) {
    super.change(patch);
    if (!this.#isOpen) return;
    kept.keep(this.#keptName, () => this.#kept);
    const { page, editor, at, zone, compare, clients } = this;
    keepView({ page, section: editor?.id ?? null, at, zone, compare, clients });
    this.follow();
  }

  get order() { return this.ordering.order; }
  get rule() { return this.ordering.rule; }

  // Not saved

  get isDirty() { return this.ordering.isDirty || this.editor?.isDirty === true; }

  get unsaved() {
    const { editor, ordering } = this;
    return { ...(editor && this.section(editor.id) ? editor.unsaved : {}), ...ordering.unsaved };
  }

  get typed() {
    const { settings, content } = this.editor?.values ?? {};
    return [settings, content, this.ordering.pending];
  }

  /** Has the guard look after it; returns what ends that. */
  hold() {
    const model = this;
    // Another section may be open by then.
    const form = { get mayBeLost() { return model.editor?.mayBeLost === true; }, drop: () => model.editor?.drop() };
    const ends = [form, this.ordering].map((holder) => guard.hold(holder));
    return () => ends.forEach((end) => end());
  }

  // Reading

  async open() {
    try {
      await this.reload();
    } catch (error) {
      if (this.isClosed) return;
      if (!this.draft || !(error instanceof Unreachable)) {
        this.change({ failure: error });
        if (error instanceof Problem && error.status === 404) await this.#restoreGone();
        return;
      }
      // The page is there; the rest comes when the connection does.
      this.change({ connection: 'lost' });
    }
    this.#goOn();
  }

  close() {
    this.isClosed = true;
    this.#isOpen = false;
    this.#pause();
  }

  /** Follows what others do and what the clock brings, unless it was left meanwhile. */
  #goOn() {
    if (this.isClosed) return;
    this.#followClock();
    this.#watch();
  }

  #pause() {
    this.#watching?.abort();
    clearTimeout(this.#flipTimer);
  }

  async reload() {
    const number = ++this.#draftRequest;
    const { value, tag } = await get([...this.path, 'draft']);
    await this.#receive(value, tag, number);
  }

  /** Deletes the page, which is not watched while it goes. */
  async deletePage(/** @type {Once} */ once) {
    this.#pause();
    try { await remove(this.path, { ifMatch: this.draft.settingsTag, once }); } catch (error) {
      this.#goOn();
      throw error;
    }
    this.close();
  }

  // Kept over a reload

  get #keptName() { return `page ${this.page}`; }

  get #kept() { return this.isDirty ? { section: this.editor?.kept ?? null, ...this.ordering.state } : null; }

  /**
   * Takes up what was edited and not saved before the tab was loaded anew, as soon as there is a draft and nothing else
   * can have been typed: what is typed later is never replaced by it.
   */
  async #restore() {
    if (this.#isOpen || this.isClosed) return;
    const state = /** @type {KeptPage|null} */ (kept.read(this.#keptName));
    this.#isOpen = true;
    if (!state) return;
    this.ordering.restore(state);
    if (state.section) {
      this.editor = new Editor(this, state.section.id);
      await this.editor.restore(state.section).catch(() => {});
    }
    if (!this.isClosed) announce(t('What you had not saved is back.'));
  }

  /** What was typed into a page that is gone is there to be copied. */
  async #restoreGone() {
    const state = /** @type {KeptPage|null} */ (kept.read(this.#keptName));
    if (!state?.section) return;
    Object.assign(this, { isGone: true, editor: new Editor(this, state.section.id) });
    this.#isOpen = true;
    await this.editor?.restore(state.section);
  }

  /** Takes what a request of this number read, unless a later one was faster. */
  async #receive(/** @type {Draft} */ draft, /** @type {string|null} */ tag, /** @type {number} */ number) {
    if (number < this.#draftReceived) return false;
    this.#draftReceived = number;
    this.latest = draft.live ?? null;
    const pages = this.clients.map((client) => client.locale ? client : { ...client, locale: draft.defaultLocale });
    this.ordering.follow(draft);
    const isThere = (/** @type {string} */ id) =>
      draft.sections.some((/** @type {{id: string}} */ each) => each.id === id);
    const left = [...this.chosen].filter(isThere);
    const chosen = left.length === this.chosen.size ? this.chosen : new Set(left);
    this.change({ chosen, draft, draftTag: tag, clients: pages, failure: null, isGone: false });
    await this.#restore();
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
    const revisions = this.revisions.includes('live') ? ['draft', 'live'] : ['draft'];
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
    // Two that look for one flip would drop each other's previews.
    if (next === this.#lookingFor) return;
    const left = Math.max(0, Math.min(untilServerHas(next).least, timerMax));
    this.#flipTimer = setTimeout(() => this.#flip(next).catch(() => this.#followClock()), left);
  }

  /** Looks from when the server's clock may show an instant until it must: what flips is seen soon after. */
  async #flip(/** @type {number} */ at) {
    // It is far away, or the server's clock is known better by now.
    if (untilServerHas(at).least > 0) return this.#followClock();
    const before = this.payloads.map(asShown);
    this.#lookingFor = at;
    do {
      await pause(lookAgain);
      if (!this.#isOpen) return;
      // One answer that does not come is no reason to miss it.
      await this.preview().catch(() => {});
    } while (isEqual(before, this.payloads.map(asShown)) && untilServerHas(at).most > -5 * lookAgain);
    // One that came meanwhile, and is earlier, is looked for by itself.
    if (this.#lookingFor === at) this.#lookingFor = null;
    await Promise.all([this.#loadTimeline(), this.#loadProblems()]);
  }

  /** What is live flips as well. */
  async setCompare(/** @type {string} */ compare) {
    await Promise.all([super.setCompare(compare), this.#loadTimeline()]);
  }

  // Staying up to date

  async #watch() {
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    this.#news.begin();
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
        else await this.#news.lookForPublishes(signal);
      } catch (error) {
        if (signal.aborted || (error instanceof Problem && error.status === 401)) return;
        if (error instanceof Problem && error.status === 404) {
          // What is unsaved stays on the screen, to be copied.
          this.change(guard.isDirty ? { isGone: true, connection: 'live' } : { failure: error });
          if (!guard.isDirty) return;
          if (this.editor?.isDirty) await this.editor.noticeGone();
        } else this.loseConnection();
      }
      const left = 2000 - (performance.now() - begun);
      if (left > 0) await pause(left, signal);
    }
  }

  async #receiveFromOthers(/** @type {Draft} */ draft, /** @type {string|null} */ tag, /** @type {number} */ number) {
    // What is there is shown at once; who made it is told in turn.
    if (await this.#receive(draft, tag, number)) this.#news.tell();
  }

  // Sections

  /** How often a section was chosen: the phone shows it each time. */
  choice = 0;

  /** Whether the form stands over the list, where there is room for one of them. */
  isFormOpen = false;

  /** @type {{item: string}|null} the item that was searched for */
  wanted = null;

  /** Whether the changes stand beside the phone; where nobody said so, where there are some and no section is open. */
  /** @type {boolean|null} */
  #isReviewing = null;
  get isReviewing() {
    return this.#isReviewing ?? (!this.editor && this.mayEdit && this.draft.isChanged);
  }

  /**
   * Shows the changes, with the focus on the first of them, or on what publishes them.
   * @param {'line'|'publish'|null} focus
   */
  openChanges(focus) {
    this.#isReviewing = true;
    this.review.focus = focus;
    this.change({ isFormOpen: true });
  }

  closeChanges() {
    this.#isReviewing = this.editor ? false : null;
    this.change({ isFormOpen: false });
  }

  /** The section that a line of the changes is about, which the phones show. */
  /** @type {string|null} */
  pointed = null;
  point(/** @type {string} */ id) {
    if (this.pointed !== id) this.change({ pointed: id, choice: this.choice + 1 });
  }

  /** Opens a section, and an item of it. */
  async find(/** @type {string} */ section, /** @type {string|undefined} */ item) {
    await this.select(section);
    if (this.editor?.id === section) this.change({ wanted: item ? { item } : null });
  }

  /** Opens a section, unless something unsaved of another would be lost. */
  async select(/** @type {string} */ id) {
    if (this.editor?.id !== id && (!this.mayRead(id) || !await guard.mayLeave([this.editor]))) return;
    this.#isReviewing = false;
    this.pointed = null;
    if (this.editor?.id === id) return void this.change({ choice: this.choice + 1, isFormOpen: true });
    const editor = new Editor(this, id);
    editor.index = this.section(id)?.index;
    this.change({ editor, choice: this.choice + 1, isFormOpen: true });
    await editor.load();
  }

  /**
   * Does something to a section as a whole, for which the tag of its settings speaks: what fills it or others is in no
   * one's way.
   * @param {string} method
   * @param {string} id
   * @param {string} [action]
   * @param {unknown} [body]
   * @param {Once} [once]
   */
  async act(method, id, action, body, once) {
    const path = [...this.path, 'sections', id, ...(action ? [action] : [])];
    const act = () => send(method, path, {
      body, once, ifMatch: this.draft.sectionTags[id]?.settings ?? this.draftTag,
    });
    try { return await act(); } catch (error) {
      // Its settings changed meanwhile: hiding and restoring mean the same all the same, deleting may not.
      if (!(error instanceof Problem) || !error.isStale || method !== 'POST') throw error;
      await this.reload();
      return act();
    }
  }

  async #act(/** @type {Parameters<PageModel['act']>} */ ...what) {
    const answer = await this.act(...what);
    await this.reload();
    return answer;
  }

  /** Does something to several sections, one after the other; says of all that failed why. */
  async together(/** @type {string[]} */ ids, /** @type {(id: string) => Promise<unknown>} */ act) {
    /** @type {string[]} */
    const failed = [];
    for (const id of ids) {
      // It may be gone once it has failed.
      const name = this.nameOf(id);
      try { await act(id); } catch (error) { failed.push(`${name}: ${explain(error)}`); }
    }
    await this.reload();
    if (failed.length > 0) throw new Error(joinSentences(failed));
    announce(t('Done'));
  }

  async deleteTogether(/** @type {string[]} */ ids, /** @type {Once} */ once) {
    if (this.editor && ids.includes(this.editor.id) && !await guard.mayLeave([this.editor])) return;
    await this.together(ids, (id) => this.act('DELETE', id, undefined, undefined, once));
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
  restore(/** @type {string} */ id, /** @type {string|null|undefined} */ after) {
    const place = after === undefined ? {} : after === null ? { first: true } : { after };
    return this.#act('POST', id, 'restore', place);
  }
  /** Copies a section, and opens the copy unless something else is edited. */
  async duplicate(/** @type {string} */ id, /** @type {{id: string}} */ body, /** @type {Once} */ once) {
    const answer = await this.#act('POST', id, 'duplicate', body, once);
    if (!this.editor?.mayBeLost) await this.select(/** @type {{id: string}} */ (answer.done.body).id);
    return answer;
  }
  deleteSection(/** @type {string} */ id, /** @type {Once} */ once) {
    return this.#act('DELETE', id, undefined, undefined, once);
  }

  // What was there once

  /** The sections that are live and deleted here. */
  get deletedIDs() { return (this.draft.changedParts.sections ?? []).filter((id) => !this.section(id)); }

  /**
   * Has the form take a section as it was once, as an edit; one that is gone is made again, in its place.
   * @param {Section} section
   * @param {Record<string, number>} [rules] its indices of sort rules
   */
  async putBack(section, rules = {}) {
    const { id } = section;
    if (!await guard.mayLeave([this.editor])) return;
    const once = this.#backs.get(id) ?? new Once();
    this.#backs.set(id, once);
    // One whose answer never came may be there by now, and what belongs to it not yet.
    const isGone = !this.section(id) || once.isUnanswered;
    const isAsMeant = isGone && await this.makeAgain(section, rules, once);
    await this.select(id);
    const { editor } = this;
    if (!isAsMeant && editor && editor.id === id && editor.isThere) editor.take(section);
  }

  /**
   * Makes a section that is gone; false where an earlier try turns out to have made it as another one.
   * @param {Section} section
   * @param {Record<string, number>} rules
   * @param {Once} once
   */
  async makeAgain({ id, ...body }, rules, once) {
    try {
      const { isEarlier } = await put([...this.path, 'sections', id], body, { ifNoneMatch: '*', once });
      for (const [name, index] of Object.entries(rules)) {
        if (!this.draft.sortRules[name]) continue;
        const path = /** @type {const} */ ([...this.path, 'sort-rules', name]);
        const { value, tag } = await get(path);
        await put(path, { ...value, indices: { ...value.indices, [id]: index } }, { ifMatch: tag, once });
      }
      await this.reload();
      toast(t('{section} is back in the draft', { section: this.nameOf(id) }));
      return !isEarlier;
    } finally { if (!once.isUnanswered) once.clear(); }
  }

  /** Puts a section back as it is live. */
  async putBackLive(/** @type {string} */ id) {
    const { value } = await get([...this.path, 'revisions', String(this.draft.live)]);
    const found = sectionIn(value, id);
    if (!found) throw new Error(t('This section is not live yet.'));
    await this.putBack(found.section, found.rules);
  }

  /**
   * @param {string} id
   * @param {Content} body
   * @param {Once} once
   * @param {string} [after] the section that it goes below in the order that is shown; it goes last without
   */
  async addSection(id, body, once, after) {
    const path = [...this.path, 'sections', id];
    await make(path, body, once);
    if (after !== undefined && this.section(after)) {
      await post([...path, 'move'], { after, rule: this.rule }, { ifMatch: '*', once });
    }
    // It is made. What cannot be read now comes by watching, and is no reason to make it again.
    try {
      await this.reload();
      await this.select(id);
    } catch (error) { toast(explain(error), 'failure'); }
  }

  /** Gives up the section's edits for good, a section that is gone with them. */
  dropSection() {
    const { editor } = this;
    if (!editor) return;
    const isGone = !this.section(editor.id);
    editor.drop();
    if (isGone) this.change({ editor: null });
  }
}
