// One page as the operator works on it: the server's draft, what is not saved yet, and what the phones show.

import { Problem, get, post, put, remove } from './api.js';
import { Editor } from './editor.js';
import { t } from './i18n.js';
import { isSame, indicesOf, moved, movedSections, orderOf, rebased, withIndex } from './order.js';
import { announce, toast } from './ui.js';

const pause = (milliseconds, signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener('abort', () => { clearTimeout(timer); resolve(); });
});

export class PageModel {
  #listeners = new Set();
  #watching = null;
  #previewRequest = 0;
  #reloadedAt = 0;

  constructor(page, { kinds, attributes, rights }) {
    this.page = page;
    this.kinds = kinds;
    this.attributes = attributes;
    this.rights = rights;
    this.rule = 'default';
    this.pending = null;
    this.undone = [];
    this.done = [];
    this.draft = null;
    this.draftTag = null;
    this.latest = null;
    this.editor = null;
    this.at = null;
    this.screen = Number(localStorage.getItem('hearth.screen')) || 375;
    this.clients = [{}, {}];
    this.compare = 'none';
    this.payloads = [null, null];
    this.problems = [];
    this.flips = [];
    this.audiences = [];
    this.connection = 'live';
    this.failure = null;
  }

  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  change(patch) {
    Object.assign(this, patch);
    for (const listener of this.#listeners) listener();
  }

  get path() { return ['pages', this.page]; }
  get mayEdit() { return this.rights.mayEdit(this.page); }
  get mayPublish() { return this.rights.mayPublish(this.page); }
  section(id) { return this.draft?.sections.find((section) => section.id === id); }

  // Reading

  async open() {
    try {
      await this.reload();
      this.#watch();
    } catch (error) {
      this.change({ failure: error });
    }
  }

  close() { this.#watching?.abort(); }

  async reload() {
    this.#reloadedAt = performance.now();
    const { value, tag } = await get([...this.path, 'draft']);
    await this.#receive(value, tag);
  }

  async #receive(draft, tag) {
    const pages = this.clients.map((client) => client.locale ? client : { ...client, locale: draft.defaultLocale });
    const rule = draft.sortRules?.[this.rule] ? this.rule : 'default';
    this.change({ draft, draftTag: tag, clients: pages, rule, failure: null });
    if (this.pending) {
      const order = rebased(this.pending.order, orderOf(draft, rule));
      this.change({ pending: { ...this.pending, order } });
    }
    if (this.editor && !this.section(this.editor.id)) {
      if (!this.editor.isDirty) this.change({ editor: null });
    } else if (this.editor) {
      await this.editor.refresh();
    }
    await Promise.all([
      this.preview(), this.#loadProblems(), this.#loadTimeline(), this.#loadLatest(), this.#loadAudiences(),
    ]);
  }

  async #loadLatest() {
    const { value } = await get([...this.path, 'revisions'], { limit: 1 });
    this.latest = value.revisions[0]?.revision ?? null;
  }

  async #loadProblems() {
    const { value } = await get([...this.path, 'problems']);
    this.change({ problems: value.problems });
  }

  async #loadAudiences() {
    const { value } = await get(['audiences']);
    this.change({ audiences: Object.keys(value.audiences) });
  }

  async #loadTimeline() {
    const { value } = await get([...this.path, 'timeline']);
    this.change({ flips: value.flips });
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

  async #payload(index) {
    const client = this.compare === 'live' ? this.clients[0] : this.clients[index];
    const revision = this.revisions[index];
    if (revision === 'live' && !this.draft.live) return { sections: [], hidden: [], isAbsent: true };
    try {
      const { value } = await get([...this.path, 'preview'], { ...client, revision, at: this.at }, { isForDrawing: true });
      return value;
    } catch (error) {
      if (error instanceof Problem) return { sections: [], hidden: [], problem: error };
      throw error;
    }
  }

  async setClient(index, patch) {
    const clients = this.clients.map((client, other) => other === index ? { ...client, ...patch } : client);
    this.change({ clients });
    await this.preview();
  }

  async setTime(at) {
    this.change({ at });
    await this.preview();
  }

  async setCompare(compare) {
    this.change({ compare });
    await this.preview();
  }

  setScreen(screen) {
    localStorage.setItem('hearth.screen', String(screen));
    this.change({ screen });
  }

  // Staying up to date

  async #watch() {
    this.#watching = new AbortController();
    const { signal } = this.#watching;
    while (!signal.aborted) {
      const begun = performance.now();
      try {
        const { status, value, tag } = await get([...this.path, 'draft'], {}, {
          ifNoneMatch: this.draftTag, wait: 5, signal,
        });
        if (signal.aborted) return;
        if (this.connection !== 'live') {
          this.change({ connection: 'live' });
          announce(t('Connected again'));
        }
        if (status === 200 && tag !== this.draftTag) await this.#receiveFromOthers(value, tag);
        else await this.#lookForRevision(signal);
      } catch (error) {
        if (signal.aborted || error.status === 401) return;
        if (error instanceof Problem && error.status === 404) {
          this.change({ failure: error });
          return;
        }
        if (this.connection !== 'lost') {
          this.change({ connection: 'lost' });
          announce(t('Connection lost'));
        }
      }
      const left = 2000 - (performance.now() - begun);
      if (left > 0) await pause(left, signal);
    }
  }

  async #receiveFromOthers(draft, tag) {
    await this.#receive(draft, tag);
    const { value } = await get(['audit'], { page: this.page, limit: 1 });
    const entry = value.entries[0];
    // What this tab has just saved can come back this way too.
    const isOwn = entry?.actor === this.rights.name && performance.now() - this.#reloadedAt < 10_000;
    if (entry && !isOwn) toast(t('{name} changed this page', { name: entry.actor }));
  }

  async #lookForRevision(signal) {
    const { value } = await get([...this.path, 'revisions'], { limit: 1 }, { signal });
    const newest = value.revisions[0];
    if (!newest || newest.revision === this.latest) return;
    await this.reload();
    toast(t('{name} published revision {number}', { name: newest.author, number: newest.revision }));
  }

  // Order

  get baseOrder() { return orderOf(this.draft, this.rule); }
  get order() { return this.pending?.order ?? this.baseOrder; }
  get indices() { return { ...indicesOf(this.draft, this.rule), ...this.pending?.typed }; }
  get movedIDs() { return this.pending ? movedSections(this.baseOrder, this.pending.order) : new Set(); }

  #propose(next) {
    const before = this.pending;
    const base = before ?? { tag: this.draft.orderTag, base: this.baseOrder, order: this.baseOrder, typed: {} };
    const pending = { ...base, ...next };
    const isNothing = isSame(pending.order, this.baseOrder) && Object.keys(pending.typed).length === 0;
    this.change({ done: [...this.done, before], undone: [], pending: isNothing ? null : pending });
  }

  move(id, position) {
    const order = moved(this.order, id, position);
    if (isSame(order, this.order)) return;
    this.#propose({ order });
    announce(t('{section} is now {position} of {count}', {
      section: this.nameOf(id), position: order.indexOf(id) + 1, count: order.length,
    }));
  }

  typeIndex(id, index) {
    if (this.indices[id] === index) return;
    const pending = this.pending ?? { order: this.baseOrder, typed: {} };
    this.#propose(withIndex(this.draft, this.rule, pending, id, index));
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

  setRule(rule) {
    this.discardOrder();
    this.change({ rule });
  }

  /**
   * Saves the pending order.
   * @param {string} tag what it was decided upon; another one after a conflict was looked at
   */
  async saveOrder(tag = this.pending.tag) {
    const { order, typed } = this.pending;
    let current = tag;
    if (Object.keys(typed).length > 0) {
      const rule = this.draft.sortRules[this.rule] ?? { indices: {} };
      const body = { ...rule, indices: { ...rule.indices, ...typed } };
      current = (await put([...this.path, 'sort-rules', this.rule], body, { ifMatch: current })).tag;
    }
    await put([...this.path, 'order'], { sections: order, rule: this.rule }, { ifMatch: current });
    this.discardOrder();
    await this.reload();
    announce(t('The order is saved'));
  }

  // Sections

  nameOf(id) {
    const section = this.section(id);
    return section?.title ?? this.kinds.sectionKinds?.[section?.kind]?.title ?? id;
  }

  async select(id) {
    if (this.editor?.id === id) return;
    const editor = new Editor(this, id);
    this.change({ editor });
    await editor.load();
  }

  async #act(method, id, action, body) {
    const path = [...this.path, 'sections', id, ...(action ? [action] : [])];
    const call = method === 'POST' ? post(path, body, { ifMatch: this.draftTag }) : remove(path, { ifMatch: this.draftTag });
    await call;
    await this.reload();
  }

  hide(id) { return this.#act('POST', id, 'hide'); }
  restore(id, after) { return this.#act('POST', id, 'restore', after === undefined ? {} : after === null ? { first: true } : { after }); }
  duplicate(id, copy) { return this.#act('POST', id, 'duplicate', { id: copy }); }
  deleteSection(id) { return this.#act('DELETE', id); }

  async addSection(id, body) {
    await put([...this.path, 'sections', id], body, { ifNoneMatch: '*' });
    await this.reload();
    await this.select(id);
  }

  get isDirty() { return this.pending !== null || this.editor?.isDirty === true; }
}
