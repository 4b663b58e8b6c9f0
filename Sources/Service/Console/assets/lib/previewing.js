// What the phones show: for whom, at which time, on which screen, and of which revision.

import { read } from '../client/index.js';
import { Problem, get } from './api.js';
import { sharing } from './merge.js';
import { ownZone } from './i18n.js';
import { Ordering } from './ordering.js';
import { browserStorage } from './storage.js';
import { explain } from './ui.js';

export class Previewing extends Ordering {
  #previewRequest = 0;
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

  /** Which revision each phone shows. */
  get revisions() {
    return this.compare === 'live' ? ['live', 'draft'] : this.compare === 'liveAlone' ? ['live'] : ['draft', 'draft'];
  }

  /** Whether there are two phones. */
  get isComparing() { return ['live', 'client'].includes(this.compare); }

  /** What the phones show, asked anew. */
  async preview() {
    const number = ++this.#previewRequest;
    const wanted = this.isComparing ? [0, 1] : [0];
    const payloads = await Promise.all(wanted.map((index) => this.#payload(index)));
    if (number === this.#previewRequest) this.change({ payloads: [payloads[0], payloads[1] ?? null] });
  }

  async #payload(/** @type {number} */ index) {
    const client = this.compare === 'live' ? this.clients[0] : this.clients[index];
    const revision = this.revisions[index];
    if (revision === 'live' && !this.draft.live) return { sections: [], hidden: [], isAbsent: true };
    try {
      const { value } = await get([...this.path, 'preview'], { ...client, revision, at: this.at }, { read });
      return { ...value, sections: sharing(value.sections, this.payloads[index]?.sections) };
    } catch (/** @type {any} */ error) {
      if (error instanceof Problem) return { sections: [], hidden: [], problem: { message: explain(error) } };
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
