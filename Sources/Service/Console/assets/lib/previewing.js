// What the phones show: for whom, at which time, on which screen, and of which revision.

import { read } from '../client/index.js';
import { Problem, get, look } from './api.js';
import { isEqual, sharing } from './merge.js';
import { ownZone, t } from './i18n.js';
import { PageState } from './page-state.js';
import { browserStorage } from './storage.js';
import { announce, explain } from './ui.js';

/** How long a burst of keys may take before the server is asked what they come to, in milliseconds. */
const burst = 50;

/** Whether there is anything to lay over a draft. */
const hasAny = (/** @type {object} */ laid) => Object.values(laid).some(Boolean);

export class Previewing extends PageState {
  #previewRequest = 0;
  /** @type {unknown[]} what was typed when the phones were asked for last */
  #typed = [];
  /** What was laid over the draft then. */
  #unsaved = {};
  #isFollowing = false;
  /** @type {string|null} the instant that the phones show, now when there is none */
  at = null;
  /** The zone whose clocks say that time. */
  zone = ownZone;
  screen = Number(browserStorage.get('hearth.screen')) || 375;
  isDark = browserStorage.get('hearth.dark') === 'true';
  /** @type {Record<string, string>[]} */
  clients = [{}, {}];
  compare = 'none';
  /** @type {(Payload|null)[]} */
  payloads = [null, null];
  connection = 'live';

  /** Which revision each phone shows. */
  get revisions() {
    return this.compare === 'live' ? ['live', 'draft'] : this.compare === 'liveAlone' ? ['live'] : ['draft', 'draft'];
  }

  /** Whether there are two phones. */
  get isComparing() { return ['live', 'client'].includes(this.compare); }

  /** Says that the server does not answer: what is shown stays, and comes anew with the connection. */
  loseConnection() {
    if (this.connection === 'lost') return;
    this.change({ connection: 'lost' });
    announce(t('Connection lost'));
  }

  /** What is not saved, as the server lays it over the draft. */
  get unsaved() { return /** @type {Record<string, unknown>} */ ({}); }

  /** What a key makes another. */
  get typed() { return /** @type {unknown[]} */ ([]); }

  /** Whether something was typed since the phones were asked for last. */
  get #lags() { return this.typed.some((each, place) => each !== this.#typed[place]); }

  /** Has the phones show what is typed, one answer after the other, each of the newest. */
  async follow() {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    while (this.#lags) {
      await new Promise((go) => { setTimeout(go, burst); });
      if (this.#lags) await this.preview(true).catch(() => this.loseConnection());
    }
    this.#isFollowing = false;
  }

  /** What the phones show, asked anew, or for a key those of the draft; of two answers the newer question's counts. */
  async preview(isTyped = false) {
    this.#typed = this.typed;
    const [{ unsaved }, before] = [this, this.#unsaved];
    this.#unsaved = unsaved;
    // A section that was opened is as it is shown.
    if (isTyped && !hasAny(unsaved) && !hasAny(before)) return;
    const number = ++this.#previewRequest;
    const wanted = this.isComparing ? [0, 1] : [0];
    const payloads = await Promise.all(wanted.map((index) => isTyped && this.revisions[index] === 'live'
      ? this.payloads[index] : this.#payload(index, unsaved)));
    if (number === this.#previewRequest) this.change({ payloads: [payloads[0], payloads[1] ?? null] });
  }

  /** @returns {Promise<Payload>} */
  async #payload(/** @type {number} */ index, /** @type {Record<string, unknown>} */ unsaved) {
    const before = this.payloads[index];
    const isDraft = this.revisions[index] === 'draft';
    if (!isDraft && !this.draft.live) return { sections: [], hidden: [], isAbsent: true };
    let refusal;
    // What cannot be taken stays as it could last, and all else goes on.
    for (const laid of isDraft ? [unsaved, { ...before?.unsaved, order: unsaved.order }, {}] : [{}]) {
      try {
        const { value } = await this.#ask(index, laid);
        const hidden = isEqual(value.hidden, before?.hidden) ? before?.hidden : value.hidden;
        return { ...value, hidden, sections: sharing(value.sections, before?.sections), unsaved: laid, refusal };
      } catch (error) {
        if (!(error instanceof Problem) || (error.status >= 500 && before)) throw error;
        refusal ??= error;
        // Somebody else may have deleted what is typed in.
        if (error.status !== 422 && error.status !== 404) break;
      }
    }
    return { sections: [], hidden: [], problem: { message: explain(refusal) } };
  }

  /** Asks for a phone, with what is laid over the draft for it. */
  #ask(/** @type {number} */ index, /** @type {object} */ laid, /** @type {string[]} */ path = [], more = {}) {
    const client = this.compare === 'live' ? this.clients[0] : this.clients[index];
    const query = { ...client, at: this.at, ...more };
    const place = [...this.path, 'preview', ...path];
    return hasAny(laid) ? look(place, laid, { query, read })
      : get(place, { ...query, revision: this.revisions[index] }, { read });
  }

  /**
   * The items of a section that follow those of the page and so many more, as a phone's client would get them; none
   * when the page has another list by now.
   */
  async more(/** @type {number} */ index, /** @type {Section} */ section, /** @type {number} */ fetched) {
    // Not what was fetched already.
    const { sections, unsaved = {} } = this.payloads[index] ?? {};
    const inPage = sections?.find((/** @type {Section} */ { id }) => id === section.id)?.items?.length ?? 0;
    const { value } = await this.#ask(index, unsaved, ['sections', section.id, 'items'], { offset: inPage + fetched });
    return value.of === section.more?.of ? value.items : [];
  }

  async setClient(/** @type {number} */ index, /** @type {Record<string, string>} */ patch) {
    const clients = this.clients.map((client, other) => other === index ? { ...client, ...patch } : client);
    this.change({ clients });
    await this.preview();
  }

  async setTime(/** @type {string|null} */ at) {
    this.change({ at });
    await this.preview();
  }

  async setCompare(/** @type {string} */ compare) {
    this.change({ compare });
    await this.preview();
  }

  setDark(/** @type {boolean} */ isDark) {
    browserStorage.set('hearth.dark', String(isDark));
    this.change({ isDark });
  }

  setScreen(/** @type {number} */ screen) {
    browserStorage.set('hearth.screen', String(screen));
    this.change({ screen });
  }
}
