// What others did to a page, told once: whose change it was, what was published, and what was scheduled.

import { Problem, answersOfChanges, get, isOwn } from './api.js';
import { formatInstant, t } from './i18n.js';
import { partsWords } from './parts.js';
import { toast } from './ui.js';

/** How often a source that fills the page without a pause is told of, in milliseconds. */
const sourcePause = 60_000;

export class News {
  /** @type {number|null} the last entry of the audit that was looked at, null before the first look */
  #lastEntry = null;
  /** The last entry when the page was opened. */
  #opened = Infinity;
  /** Whether it was looked for what is scheduled. */
  #hasLooked = false;
  /** When a source was told of last. */
  #told = new Map();
  #telling = Promise.resolve();

  constructor(/** @type {PageModel} */ model) { this.model = model; }

  /** From now on what is done is news. */
  begin() {
    this.#telling = this.#telling.then(() => this.#next()).then(() => {
      this.#opened = this.#lastEntry ?? Infinity;
    }, () => {});
  }

  /** Tells of somebody else's change, in turn. */
  tell() { this.#telling = this.#telling.then(() => this.#tell()).catch(() => {}); }

  async #tell() {
    // One of this tab's own may be in the draft before its answer is here, which waits for other nodes.
    await answersOfChanges();
    const news = (await this.#next()).filter((each) => !isOwn(each));
    const { name: me } = this.model.rights;
    const entry = news.find(({ actor }) => actor !== me) ?? news[0];
    if (!entry) return;
    const isSource = /^(content|item)\./.test(entry.action);
    if (isSource && performance.now() - (this.#told.get(entry.actor) ?? -Infinity) < sourcePause) return;
    if (isSource) this.#told.set(entry.actor, performance.now());
    // Another tab, another machine or a script with a token of the same name.
    toast(entry.actor === me ? t('You changed this page elsewhere')
      : t('{name} changed this page', { name: entry.actor }));
  }

  /** What was done to the page since this was asked last, newest first; nothing at first, as all else is old. */
  async #next() {
    const entries = await this.#entries();
    const last = this.#lastEntry;
    this.#lastEntry = entries[0]?.id ?? last ?? 0;
    return last === null ? [] : entries.filter(({ id, action }) => id > last && !/^auth/.test(action));
  }

  async #entries() {
    try {
      return (await get(['audit'], { page: this.model.page, limit: 20 })).value.entries;
    } catch (error) {
      // Whoever may not read the audit is told of changes by what changes.
      if (error instanceof Problem && error.status === 403) return [];
      throw error;
    }
  }

  /** Tells of what somebody published or scheduled; what is scheduled is not live. */
  async lookForPublishes(/** @type {AbortSignal} */ signal) {
    const { model } = this;
    const { path } = model;
    const [{ value: { revisions: [newest] } }, { value: { scheduled } }] = await Promise.all([
      get([...path, 'revisions'], { limit: 1 }, { signal }), get([...path, 'scheduled'], {}, { signal }),
    ]);
    // Which of them are this tab's own is known once they are answered.
    await answersOfChanges();
    const added = await this.#setSince(scheduled.filter(({ id }) => !model.scheduled.has(id)));
    for (const { id } of scheduled) model.scheduled.add(id);
    const isNew = newest?.live && newest.revision !== model.latest;
    for (const each of added) this.#tellOfSchedule(each);
    if (!isNew) return;
    await model.reload();
    this.#tellOfPublish(newest);
  }

  /** Those that were scheduled since the page was opened: the first look sees the older ones too. */
  async #setSince(/** @type {ScheduledPublish[]} */ scheduled) {
    if (this.#hasLooked || scheduled.length === 0) {
      this.#hasLooked = true;
      return scheduled;
    }
    await this.#telling;
    const since = (await this.#entries()).filter((entry) =>
      entry.id > this.#opened && entry.action === 'page.schedule' && !isOwn(entry));
    this.#hasLooked = true;
    return scheduled.filter(({ at }) => since.some(({ detail }) => detail?.endsWith(` at ${at}`)));
  }

  #tellOfSchedule(/** @type {ScheduledPublish} */ { author: name, revision, at, zone, ...parts }) {
    const time = formatInstant(at, zone);
    const what = revision ? t('revision {number}', { number: revision }) : partsWords(parts, (id) => id);
    toast(name === this.model.rights.name ? t('Your publish for {time} is scheduled.', { time })
      : t('{name} scheduled {what} for {time}', { name, what, time }));
  }

  #tellOfPublish(/** @type {Revision} */ { author: name, revision: number, kind }) {
    if (kind === 'scheduled') return toast(t('Revision {number} is published, as it was scheduled', { number }));
    return toast(name === this.model.rights.name
      ? t('Your publish went through: revision {number} is live.', { number })
      : t('{name} published revision {number}', { name, number }));
  }
}
