// Polls one page and holds it.

import { read } from './json.js';
import { applying, changesBetween, isExact, readPage, textOf } from './page.js';
import { readHead, sealed, textIn } from './record.js';
import { Tabs } from './tabs.js';

/** @typedef {import('./index.js').Page} Page */
/** @typedef {import('./index.js').ChangeSet} ChangeSet */
/**
 * @typedef {object} Answer
 * @property {boolean} fits
 * @property {string | null} revision
 * @property {Page} [page]
 * @property {ChangeSet} [changes]
 * @property {string} [text]
 * @property {boolean} [isExact]
 */
/** @typedef {import('./record.js').Head} Head */

/** Why a poll brought nothing. */
export class ClientError extends Error {
  /**
   * @param {import('./index.js').ErrorKind} kind
   * @param {string} message
   * @param {object} [refusal]
   */
  constructor(kind, message, refusal) {
    super(message);
    this.name = 'ClientError';
    this.kind = kind;
    /** @type {number | null} */
    this.retryAfter = null;
    Object.assign(this, refusal);
  }
}

/** @type {import('./index.js').Clock} */
const systemClock = {
  now: () => performance.now(),
  date: () => Date.now(),
  sleep: (milliseconds, signal) => new Promise((wake, stop) => {
    const timer = setTimeout(wake, milliseconds);
    ended(signal).catch((reason) => { clearTimeout(timer); stop(reason); });
  }),
};

/** @type {(signal: AbortSignal | undefined, over?: AbortSignal) => Promise<never>} */
const ended = (signal, over) => new Promise((_, stop) => {
  if (signal?.aborted) stop(signal.reason);
  else signal?.addEventListener('abort', () => stop(signal.reason), { signal: over });
});

/** Whether the app is where nobody sees it. */
const isHidden = () => globalThis.document?.visibilityState === 'hidden';

/**
 * The text of a body, unpacked.
 * @param {Response} response
 * @param {number} bytesMax
 */
export async function textOfBody(response, bytesMax) {
  const reader = response.body?.getReader?.();
  if (!reader) return response.text();
  const [decoder, parts] = [new TextDecoder(), /** @type {string[]} */ ([])];
  let count = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join('') + decoder.decode();
    count += value.length;
    if (count > bytesMax) {
      reader.cancel().catch(() => {});
      throw new ClientError('unreadable', `the answer has more than ${bytesMax} bytes`);
    }
    parts.push(decoder.decode(value, { stream: true }));
  }
}

/** The most bytes of a body, where an app does not say. */
export const bodyMax = 32 << 20;

/** No answer is worth a longer pause than a day. */
const secondsMax = 86_400;
/** @type {(text: string | null | undefined) => number | null} */
const secondsOf = (text) => /^\s*\d+\s*$/.test(text ?? '') ? Math.min(secondsMax, Number(text)) : null;
/** Engines read dates in much that is none. */
/** @type {(text: string | null) => number} */
const dateOf = (text) => /^\w{3}, [\w ]+ [\d:]+ GMT$/.test(text ?? '') ? Date.parse(text ?? '') : NaN;

/** @type {(text: string | null) => number[] | null} */
export const editionOf = (text) => {
  const parts = /^(\d+)\.(\d+)$/.exec(text ?? '')?.slice(1).map(Number);
  return parts?.every(Number.isSafeInteger) ? parts : null;
};

/** Whether an edition comes before another one. */
export const isBefore = (/** @type {string | null} */ text, /** @type {string | null | undefined} */ than) => {
  const [one, other] = [editionOf(text), editionOf(than ?? null)];
  return Boolean(one && other && (one[0] - other[0] || one[1] - other[1]) < 0);
};

export class HearthClient {
  /** @type {Page | null} */
  page = null;
  /** @type {string | null} */
  revision = null;
  /** Whether changes of the page can be checked. */
  #isExact = false;
  /** Whether this version of the app got the page: another one may understand more of it. */
  #isOwn = true;
  #isConfirmed = false;
  /** @type {number | null} the date when the server last said that this is the page to show */
  #since = null;
  /** @type {ClientError | null} */
  #error = null;
  /** @type {ChangeSet | undefined} what the server sent, if anything, that led to the page */
  #changes;
  /** @type {Promise<void> | undefined} */
  #loading;
  #started = 0;
  #taken = 0;
  /** Polls up to this one began before another tab told something. */
  #heard = 0;
  /** @type {number | null} for how many seconds the last answer holds */
  #fresh = null;
  /** When the loop asks next. */
  #due = -Infinity;
  #pause = 0;
  #failures = 0;
  #isRefreshing = false;
  /** Before this moment nothing is asked, whoever wants it. */
  #floor = -Infinity;
  /** @type {ClientError | null} what asked to be left alone until then */
  #refusal = null;
  /** How many answers in a row were of older editions. */
  #drops = 0;
  /** Takes answers one after the other. @type {Promise<unknown>} */
  #taking = Promise.resolve();
  /** Ends what the loop waits for. */
  #interruption = new AbortController();
  /**
   * A poll that all share who ask meanwhile.
   * @type {{controller: AbortController, users: number, end: Promise<void>} | null}
   */
  #flight = null;
  /** @type {{head: Head | null, text: string} | null} what is to be kept next; without a head nothing is */
  #unsaved = null;
  /** @type {Promise<void> | null} */
  #saving = null;
  /** @type {number | null} the date of the confirmation that is kept; `null` when the page is not */
  #kept = null;
  #server;
  #storage;
  /** @type {Tabs | null} */
  #tabs = null;

  /** @param {import('./index.js').Settings} settings */
  constructor(settings) {
    const { page = 'home', parameters = {}, timing, ...others } = settings;
    this.settings = {
      wait: 0, timeout: 20, clock: systemClock, random: Math.random,
      fetch: globalThis.fetch?.bind(globalThis), ...others, page,
      timing: { pauseMin: 1, pauseMax: 300, spread: 1, maxAge: 30, keepMin: 60, keepMax: 2, lagMax: 600, ...timing },
    };
    // What a preview shows is nobody's last good page.
    this.#storage = parameters.preview === undefined ? settings.storage : undefined;
    // Always in the same order, so that caches see one URL.
    const query = Object.entries(parameters).filter(([, value]) => value !== undefined)
      .sort(([left], [right]) => left < right ? -1 : 1)
      .map((pair) => pair.map((part) => encodeURIComponent(String(part))).join('=')).join('&');
    this.#server = String(settings.server).replace(/\/+$/, '');
    this.url = `${this.#server}/v1/pages/${encodeURIComponent(page)}${query && '?' + query}`;
  }

  /** @returns {import('./index.js').State} */
  get state() {
    const error = this.#error;
    const name = !this.page ? 'noData' : error ? 'stale' : this.#isConfirmed ? 'upToDate' : 'cached';
    return { name, page: this.page, since: this.#since, error, retryIn: error && this.#pause / 1000, update: null };
  }

  /** @param {AbortSignal} [signal] */
  async poll(signal) {
    await this.#load();
    signal?.throwIfAborted();
    const old = this.page;
    const flight = this.#flight ??= this.#fly();
    flight.users += 1;
    const over = new AbortController();
    try { await Promise.race([flight.end, ended(signal, over.signal)]); } finally {
      over.abort();
      flight.users -= 1;
      if (flight.users === 0) {
        flight.controller.abort();
        this.#land(flight);
      }
    }
    return this.#update(old);
  }

  /** Nobody joins a poll that is over. */
  #land(/** @type {object} */ flight) { if (this.#flight === flight) this.#flight = null; }

  refresh() {
    // What is being asked answers this as well.
    if (this.#flight) return;
    this.#isRefreshing = true;
    // Who was asked to leave the server alone does.
    if (!this.#isRefused()) this.#due = Math.min(this.#due, this.#floor);
    this.#interruption.abort();
  }

  async reset() {
    await this.#load();
    await this.#forget();
    this.#tabs?.tell({ isReset: true });
  }

  async #forget() {
    // What is under way is of what is forgotten.
    this.#taken = this.#started += 1;
    await (this.#taking = this.#taking.catch(() => {}).then(() => {
      this.page = this.revision = this.#error = this.#since = this.#kept = null;
      this.settings.records?.forget();
      return this.#keep(null, '');
    }));
    this.#flight = null;
    this.refresh();
  }

  /** @param {string} path */
  async get(path) {
    if (this.#isRefused()) throw this.#refusal;
    const { status, field, text } = await this.#fetch(undefined, 0, this.#headers(), this.#server + path);
    if (status === 200) return text;
    const error = refusal(status, field, text, this.settings.clock);
    this.#heed(error);
    throw error;
  }

  /** @param {AbortSignal} [signal] */
  async *states(signal) {
    await this.#load();
    const over = new AbortController();
    ended(signal, over.signal).catch(() => this.#interruption.abort());
    // What nobody sees is asked for when somebody does.
    globalThis.document?.addEventListener('visibilitychange', () => {
      if (!isHidden()) this.refresh();
      else if (!this.#flight) this.#interruption.abort();
    }, { signal: over.signal });
    const shares = this.settings.wait > 0;
    let shown = this.page;
    let last = this.state;
    try {
      if (!signal?.aborted) yield last;
      while (!signal?.aborted) {
        this.#interruption = new AbortController();
        let hasAsked = false;
        try {
          if (isHidden() && this.page) {
            this.#leaveTabs();
            this.#keepConfirmation();
            await ended(this.#interruption.signal);
          }
          if (shares) this.#tabs ??= this.#joinTabs();
          const pause = this.#due - this.settings.clock.now();
          if (pause > 0) await this.settings.clock.sleep(pause, this.#interruption.signal);
          await this.#turn();
          hasAsked = true;
        } catch (error) {
          // Ended by a refresh, which is due at once, by another tab, or for good.
          if (!this.#interruption.signal.aborted) throw error;
        }
        if (signal?.aborted) break;
        const update = this.#update(shown);
        const { state } = this;
        if (!update && state.name === last.name && !(hasAsked && state.error)) continue;
        [shown, last] = [this.page, state];
        yield { ...state, update };
      }
    } finally {
      over.abort();
      this.#leaveTabs();
      this.#keepConfirmation();
    }
  }

  /** The tabs that show the same: one of them holds polls, and tells the others what comes. */
  #joinTabs() {
    return Tabs.join(this.url, {
      lead: () => {
        this.#due = Math.min(this.#due, this.#floor);
        if (!this.#flight) this.#interruption.abort();
      },
      hear: (message) => this.#hear(message),
    });
  }

  #leaveTabs() {
    this.#tabs?.leave();
    this.#tabs = null;
  }

  /**
   * Takes what another tab has.
   * @param {import('./tabs.js').Message} message
   */
  async #hear({ head, record, failure, isReset }) {
    const { clock, timeout, wait } = this.settings;
    if (isReset) return this.#forget();
    if (failure) {
      const { kind, message, ...refusal } = failure;
      if (this.page) this.#heed(this.#error = new ClientError(kind, message, refusal));
    } else if (head) {
      await (this.#taking = this.#taking.catch(() => {}).then(async () => {
        if (isBefore(head.revision, this.revision)) return;
        this.#heard = this.#started;
        const isSame = this.page?.version === head.version;
        const page = isSame ? undefined : await this.#admit(record ?? null).catch(() => null);
        // Of what it was not sent a tab asks the server itself.
        if (page === null || this.#isOlder({ revision: head.revision, page })) this.#due = -Infinity;
        else await this.#take({ fits: true, revision: head.revision, page, isExact: page && isExact(page) }, true);
      }));
      this.#failures = 0;
    }
    if (this.#tabs?.isLeading) return;
    if (this.#due > -Infinity) this.#due = clock.now() + (timeout + wait) * 1000;
    if (!this.#flight) this.#interruption.abort();
  }

  async #turn() {
    const { wait: waitMax, timeout, clock, random, timing } = this.settings;
    // What is not confirmed yet is asked for at once: a poll that is held confirms it late.
    const isWaiting = !this.#isRefreshing && this.state.name === 'upToDate';
    const isFollowing = this.#tabs?.isLeading === false;
    const wait = isWaiting && !isFollowing ? waitMax : 0;
    this.#isRefreshing = false;
    const [started, before] = [clock.now(), this.page];
    const { signal } = this.#interruption;
    const late = (/** @type {number} */ pause) => pause + Math.max(timing.spread, pause / 10) * random();
    /** @type {ClientError | null} */
    let failure = null;
    let isDropped = false;
    try {
      await (wait ? this.#poll(wait, signal) : this.poll(signal));
    } catch (error) {
      if (!(error instanceof ClientError)) throw error;
      isDropped = ['dropped', 'otherHistory'].includes(error.kind);
      failure = isDropped ? null : error;
    }
    this.#failures = failure ? this.#failures + 1 : 0;
    const asked = failure?.retryAfter ?? this.#fresh ?? timing.maxAge;
    const backoff = Math.min(timing.pauseMax, timing.pauseMin * 2 ** (this.#failures - 1)) / 2;
    // A server that was asked to hold the poll and did not is asked at intervals, and so is one that lags behind.
    const isHolding = waitMax > 0 && !isDropped
      && (!wait || this.page !== before || clock.now() - started >= wait * 500);
    const pause = failure?.retryAfter === null ? backoff + backoff * random()
      : failure || !isHolding ? late(Math.max(timing.pauseMin, asked))
      // The tab that holds polls tells what comes, within the time of one.
      : this.#tabs?.isLeading === false ? waitMax + timeout : timing.spread * random();
    this.#pause = Math.max(pause * 1000, this.#floor - clock.now());
    if (!this.#isRefreshing) this.#due = clock.now() + this.#pause;
  }

  #fly() {
    const controller = new AbortController();
    const flight = { controller, users: 0, end: Promise.resolve() };
    flight.end = this.#poll(0, controller.signal).finally(() => this.#land(flight));
    return flight;
  }

  #isRefused() {
    const pause = this.#floor - this.settings.clock.now();
    if (!this.#refusal || pause <= 0) return false;
    this.#refusal.retryAfter = Math.ceil(pause / 1000);
    return true;
  }

  /** Waits until the server may be asked, which every poll does. */
  async #queue(/** @type {AbortSignal} */ signal) {
    const { clock, timing } = this.settings;
    for (;;) {
      if (this.#isRefused()) throw this.#refusal;
      const pause = this.#floor - clock.now();
      if (pause <= 0) break;
      await clock.sleep(pause, signal);
    }
    this.#refusal = null;
    this.#floor = clock.now() + timing.pauseMin * 1000;
  }

  /**
   * @param {number} wait
   * @param {AbortSignal} signal
   */
  async #poll(wait, signal) {
    await this.#queue(signal);
    const number = this.#started += 1;
    try {
      const base = this.#isOwn ? this.page : null;
      let answer = await this.#ask(signal, base, wait);
      if (!answer.fits) answer = await this.#ask(signal, null);
      // From a cache on the way, or from a server that lags behind.
      if (this.#isOlder(answer)) answer = await this.#ask(signal, null, 0, 'no-cache');
      await (this.#taking = this.#taking.catch(() => {}).then(() => this.#settle(number, answer)));
    } catch (error) {
      if (!(error instanceof ClientError) || number < this.#taken) throw error;
      this.#heed(error);
      if (number <= this.#heard) throw error;
      const failure = this.#error = this.#named(error);
      this.#tabs?.tell({ failure: { ...failure, message: failure.message } });
      throw failure;
    }
  }

  /** A server that lags behind for too long is one whose database was made anew. */
  #named(/** @type {ClientError} */ error) {
    if (error.kind !== 'dropped') return error;
    const { clock, timing } = this.settings;
    this.#drops += 1;
    if (this.#drops < 3 || clock.date() - (this.#since ?? 0) < timing.lagMax * 1000) return error;
    return new ClientError('otherHistory', `${error.message}, as before: the server may have another history`);
  }

  /** @param {number} number @param {Answer} answer */
  async #settle(number, answer) {
    if (number < this.#taken) return;
    this.#taken = number;
    if (this.#isOlder(answer)) {
      if (number <= this.#heard) return;
      const edition = editionOf(answer.revision) ? `of the edition ${answer.revision}` : 'of no edition';
      throw new ClientError('dropped', `the answer is ${edition}, and ${this.revision} is held`);
    }
    if (!answer.fits) throw new ClientError('unreadable', 'the answer is no page');
    await this.#take(answer);
  }

  /**
   * Leaves the server alone for as long as it asks.
   * @param {ClientError} error
   */
  #heed(error) {
    if (!error.retryAfter) return;
    this.#refusal = error;
    this.#floor = Math.max(this.#floor, this.settings.clock.now() + error.retryAfter * 1000);
  }

  /**
   * Whether an answer is of an older edition than the page that is held, or may be: another page that does not say.
   * @param {{revision: string | null, page?: Page}} answer
   */
  #isOlder({ revision, page }) {
    if (editionOf(revision) || !editionOf(this.revision)) return isBefore(revision, this.revision);
    return Boolean(page) && page?.version !== this.page?.version;
  }

  /**
   * Keeps what an answer leads to, and then shows it: a start after this never shows less.
   * @param {Answer} answer
   * @param {boolean} isHeard from another tab
   */
  async #take({ revision, page: received, changes, text, isExact }, isHeard = false) {
    const { timing, clock } = this.settings;
    const page = received && received.version !== this.page?.version ? received : this.page;
    if (!page) return;
    const isNew = page !== this.page;
    const edition = editionOf(revision) ? revision : this.revision;
    const since = clock.date();
    const isSame = !isNew && this.#isOwn && edition === this.revision;
    const head = { url: this.url, revision: edition, since, version: page.version };
    const written = () => isNew && text || textOf(page);
    const isKept = isSame && this.#kept !== null && Math.abs(since - this.#kept) < timing.keepMin * 1000;
    if (this.#storage && !isKept) await this.#keep(head, written());
    if (!isHeard) this.#tabs?.tell({ head, record: isNew ? this.#recordOf(head, written()) : null });
    if (received) [this.#isExact, this.#isOwn] = [isExact === true, true];
    if (isNew) [this.page, this.#changes] = [page, changes];
    [this.revision, this.#error, this.#isConfirmed, this.#since, this.#drops] = [edition, null, true, since, 0];
  }

  /** @param {Page | null} old */
  #update(old) {
    const { page } = this;
    if (!page || page === old) return null;
    const changes = old && (this.#changes?.from === old.version && this.#changes.to === page.version
      ? this.#changes : changesBetween(old, page));
    return { old, page, changes };
  }

  /**
   * @param {AbortSignal} signal
   * @param {Page | null} base the page that is held, to have changes of
   * @param {number} wait seconds
   * @param {string} cacheControl of itself a browser asks past caches whenever a page is held
   * @returns {Promise<Answer>}
   */
  async #ask(signal, base, wait = 0, cacheControl = 'no-transform') {
    const { status, field, text } = await this.#fetch(signal, wait, {
      ...this.#headers(), 'Cache-Control': cacheControl,
      ...base && { 'If-None-Match': `W/"${base.version}"`, 'A-IM': 'hearth-changes' },
      ...base && wait && { Prefer: `wait=${wait}` },
    });
    const answer = this.#read(status, field, text, base);
    const maxAge = secondsOf(/(?:^|,)\s*max-age\s*=\s*(\d+)\s*(?:,|$)/i.exec(field('Cache-Control') ?? '')?.[1]);
    this.#fresh = maxAge === null ? null : Math.max(0, maxAge - (secondsOf(field('Age')) ?? 0));
    return { ...answer, fits: answer.fits !== false, revision: field('Hearth-Revision') };
  }

  #headers() {
    const { clientKey } = this.settings;
    return { Accept: 'application/json', ...clientKey && { 'Hearth-Client-Key': clientKey } };
  }

  /**
   * @param {number} status
   * @param {(name: string) => string | null} field
   * @param {string} text
   * @param {Page | null} base
   * @returns {Partial<Answer>}
   */
  #read(status, field, text, base) {
    const misfit = { fits: false };
    if (status === 200) {
      try {
        const page = readPage(text, this.settings.page);
        return { page, text, isExact: isExact(page) };
      } catch (error) {
        throw new ClientError('unreadable', `the answer is no page: ${error}`);
      }
    }
    if (status === 226) {
      // RFC 3229 §10.5.3: without this one instance manipulation the body is something else.
      if (!base || field('IM')?.toLowerCase() !== 'hearth-changes') return misfit;
      try {
        const changes = read(text);
        const page = applying(base, changes);
        const wasExact = this.#isExact;
        return wasExact && !isExact(page) ? misfit : { page, changes, isExact: wasExact };
      } catch {
        return misfit;
      }
    }
    if (status === 304 && base) return field('ETag')?.includes(base.version) === false ? misfit : {};
    if (status >= 400) throw refusal(status, field, text, this.settings.clock);
    throw new ClientError('unreadable', `the status ${status} does not answer what was asked`);
  }

  /**
   * @param {AbortSignal | undefined} signal
   * @param {number} wait
   * @param {Record<string, string>} headers
   * @param {string} url
   */
  async #fetch(signal, wait, headers, url = this.url) {
    const { fetch, clock, timeout, bodyMax: bytesMax = bodyMax, clientKey } = this.settings;
    const controller = new AbortController();
    ended(signal).catch((reason) => controller.abort(reason));
    const seconds = timeout + wait;
    clock.sleep(seconds * 1000, controller.signal).then(
      () => controller.abort(new Error(`nothing came within ${seconds} s`)), () => {});
    try {
      // The client keeps the page itself; a second cache would answer its conditions.
      const response = await fetch(url, {
        headers, signal: controller.signal, cache: 'no-store', credentials: 'omit',
        // The key is for this server alone.
        ...clientKey && { redirect: 'error' },
      });
      const field = (/** @type {string} */ name) => response.headers.get(name);
      return { status: response.status, field, text: await textOfBody(response, bytesMax) };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ClientError) throw error;
      throw new ClientError('unreachable', `no answer: ${controller.signal.reason ?? error}`);
    } finally {
      controller.abort();
    }
  }

  #load() {
    const storage = this.#storage;
    return this.#loading ??= storage && this.#inTime(this.#loadFrom(storage), 'what was kept cannot be used');
  }

  /** @param {import('./index.js').PageStorage} storage */
  async #loadFrom(storage) {
    try {
      const record = await storage.load();
      // What comes late is older than what a server or a reset brought.
      if (!record || this.page || this.#taken) return;
      const head = readHead(record);
      // What another server or page left there says nothing here.
      if (head && !this.#isOfPlace(head)) return;
      const page = await this.#admit(record);
      if (!head || !page) throw new Error('it is cut, damaged or of another form');
      if (this.page || this.#taken) return;
      [this.page, this.revision, this.#isOwn] = [page, head.revision, head.url === this.url];
      [this.#isExact, this.#kept] = [isExact(page), head.since];
      this.#since = Math.min(head.since, this.settings.clock.date());
      // Who polls already shows it at once.
      this.#interruption.abort();
    } catch (error) {
      this.#report('what was kept cannot be used', error);
    }
  }

  /**
   * Waits for the storage, though not for one that does not come back.
   * @param {Promise<void>} work
   * @param {string} harm what is reported then
   */
  async #inTime(work, harm) {
    const { clock, timing: { keepMax } } = this.settings;
    const over = new AbortController();
    work.then(() => over.abort());
    await Promise.race([work, clock.sleep(keepMax * 1000, over.signal)]);
    if (!over.signal.aborted) this.#report(harm, `it takes longer than ${keepMax} s`);
  }

  /** @param {string} harm @param {unknown} reason */
  #report(harm, reason) { this.settings.report?.(new ClientError('storage', `${harm}: ${reason}`)); }

  /** Whether a record is of this server's page. */
  #isOfPlace(/** @type {Head} */ { url }) { return url.split('?')[0] === this.url.split('?')[0]; }

  /** The page of a record, if it is whole and may be shown. */
  async #admit(/** @type {string | null} */ record) {
    const { records, page } = this.settings;
    const head = record && readHead(record);
    if (!head) return null;
    const admitted = readPage(textIn(record), page);
    if (admitted.version !== head.version) return null;
    await records?.admit(record);
    return admitted;
  }

  /** @param {Head} head @param {string} text */
  #recordOf(head, text) { return (this.settings.records?.mark(text) ?? '') + sealed(head, text); }

  /**
   * Keeps a page, and waits for that.
   * @param {Head | null} head
   * @param {string} text
   */
  async #keep(head, text) {
    if (!this.#storage) return;
    this.#unsaved = { head, text };
    const saving = this.#saving ??= this.#save().finally(() => { this.#saving = null; });
    await this.#inTime(saving, 'the page cannot be kept');
  }

  /** Keeps when the page was confirmed last. */
  #keepConfirmation() {
    const { page, revision } = this;
    if (!page || !this.#isConfirmed || this.#since === null || this.#since === this.#kept) return;
    const head = { url: this.url, revision, since: this.#since, version: page.version };
    this.#keep(head, textOf(page)).catch(() => {});
  }

  async #save() {
    while (this.#unsaved) {
      const { head, text } = this.#unsaved;
      this.#unsaved = null;
      try {
        await Tabs.alone(this.url, async () => {
          if (head && await this.#isNewerKept(head)) return;
          await this.#storage?.save(head ? this.#recordOf(head, text) : '');
        });
        this.#kept = head && head.since;
      } catch (error) {
        // Tried again with the next answer.
        this.#kept = null;
        this.#report('the page cannot be kept', error);
      }
    }
  }

  /** Whether the storage has something newer by now: from another tab. */
  async #isNewerKept(/** @type {Head} */ head) {
    /** @type {string | null | undefined} */
    let record;
    try { record = await this.#storage?.load(); } catch { /* What cannot be read is replaced. */ }
    const other = record && readHead(record);
    // What is of another day is of a clock that was wrong.
    if (!other || !this.#isOfPlace(other) || other.since > this.settings.clock.date()) return false;
    if (isBefore(head.revision, other.revision)) return true;
    return head.revision === other.revision && head.url === other.url && head.since < other.since;
  }
}

/**
 * @param {number} status
 * @param {(name: string) => string | null} field
 * @param {string} text
 * @param {import('./index.js').Clock} clock
 */
function refusal(status, field, text, clock) {
  /** @type {Record<string, string>} */
  let problem = {};
  try { problem = JSON.parse(text) ?? {}; } catch { /* Something in between answered. */ }
  const { code = null, detail = problem.title, requestId: requestID = null } = problem;
  const after = field('Retry-After');
  const until = dateOf(after) - (dateOf(field('Date')) || clock.date());
  const retryAfter = secondsOf(after)
    ?? (Number.isNaN(until) ? null : Math.min(secondsMax, Math.max(0, Math.ceil(until / 1000))));
  return new ClientError('refused', `the server answered ${status} ${code ?? ''}: ${detail ?? ''}`, {
    status, code, requestID, retryAfter,
  });
}
