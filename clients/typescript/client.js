// Polls one page and holds it.

import { read } from './json.js';
import { applying, changesBetween, isExact, readPage, textOf } from './page.js';

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

/** No answer is worth a longer pause than a day. */
const secondsMax = 86_400;
/** @type {(text: string | null | undefined) => number | null} */
const secondsOf = (text) => /^\s*\d+\s*$/.test(text ?? '') ? Math.min(secondsMax, Number(text)) : null;

/** @type {(text: string | null) => number[] | null} */
export const editionOf = (text) => {
  const parts = /^(\d+)\.(\d+)$/.exec(text ?? '')?.slice(1).map(Number);
  return parts?.every(Number.isSafeInteger) ? parts : null;
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
  /** @type {number | null} for how many seconds the last answer holds */
  #fresh = null;
  /** When the loop asks next. */
  #due = -Infinity;
  #pause = 0;
  #failures = 0;
  #isRefreshing = false;
  /** Ends what the loop waits for. */
  #interruption = new AbortController();
  /**
   * A poll that all share who ask meanwhile.
   * @type {{controller: AbortController, users: number, end: Promise<void>} | null}
   */
  #flight = null;
  /** @type {string | null} what is to be kept next */
  #unsaved = null;
  #isSaving = false;
  #server;

  /** @param {import('./index.js').Settings} settings */
  constructor(settings) {
    const { page = 'home', parameters = {}, timing, ...others } = settings;
    this.settings = {
      wait: 0, timeout: 20, clock: systemClock, random: Math.random, fetch: globalThis.fetch?.bind(globalThis),
      ...others, page,
      timing: { pauseMin: 1, pauseMax: 300, spread: 1, maxAge: 30, ...timing },
    };
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
    this.#due = -Infinity;
    this.#interruption.abort();
  }

  /** @param {string} path */
  async get(path) {
    const { response: { status, headers }, text } =
      await this.#fetch(undefined, 0, this.#headers(), this.#server + path);
    if (status !== 200) throw refusal(status, (name) => headers.get(name), text, this.settings.clock);
    return text;
  }

  /** @param {AbortSignal} [signal] */
  async *states(signal) {
    await this.#load();
    const over = new AbortController();
    ended(signal, over.signal).catch(() => this.#interruption.abort());
    let shown = this.page;
    try {
      if (!signal?.aborted) yield this.state;
      while (!signal?.aborted) {
        const { name } = this.state;
        this.#interruption = new AbortController();
        try {
          const pause = this.#due - this.settings.clock.now();
          if (pause > 0) await this.settings.clock.sleep(pause, this.#interruption.signal);
          await this.#turn();
        } catch (error) {
          // Ended by a refresh, which is due at once, or for good.
          if (!this.#interruption.signal.aborted) throw error;
          continue;
        }
        const update = this.#update(shown);
        shown = this.page;
        if (update || this.#error || this.state.name !== name) yield { ...this.state, update };
      }
    } finally {
      over.abort();
    }
  }

  async #turn() {
    const { wait: waitMax, clock, random, timing } = this.settings;
    // What is not confirmed yet is asked for at once: a poll that is held confirms it late.
    const wait = this.#isRefreshing || !this.#isConfirmed || this.#failures > 0 ? 0 : waitMax;
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
      isDropped = error.kind === 'dropped';
      failure = isDropped ? null : error;
    }
    this.#failures = failure ? this.#failures + 1 : 0;
    const asked = failure?.retryAfter ?? this.#fresh ?? timing.maxAge;
    const backoff = Math.min(timing.pauseMax, timing.pauseMin * 2 ** (this.#failures - 1)) / 2;
    // A server that was asked to hold the poll and did not is asked at intervals, and so is one that lags behind.
    const isHolding = waitMax > 0 && !isDropped
      && (!wait || this.page !== before || clock.now() - started >= wait * 500);
    const pause = failure?.retryAfter === null ? backoff + backoff * random()
      : !failure && isHolding ? timing.spread * random() : late(Math.max(timing.pauseMin, asked));
    this.#pause = pause * 1000;
    if (!this.#isRefreshing) this.#due = clock.now() + this.#pause;
  }

  #fly() {
    const controller = new AbortController();
    const flight = { controller, users: 0, end: Promise.resolve() };
    flight.end = this.#poll(0, controller.signal).finally(() => this.#land(flight));
    return flight;
  }

  /**
   * @param {number} wait
   * @param {AbortSignal} signal
   */
  async #poll(wait, signal) {
    const number = this.#started += 1;
    try {
      const base = this.#isOwn ? this.page : null;
      let answer = await this.#ask(signal, base, wait);
      if (!answer.fits) answer = await this.#ask(signal, null);
      // From a cache on the way, or from a server that lags behind.
      if (this.#isOlder(answer)) answer = await this.#ask(signal, null, 0, 'no-cache');
      if (number < this.#taken) return;
      this.#taken = number;
      if (this.#isOlder(answer)) {
        throw new ClientError(
          'dropped', `the answer is of the edition ${answer.revision}, and ${this.revision} is held`);
      }
      if (!answer.fits) throw new ClientError('unreadable', 'the answer is no page, though nothing else was asked for');
      this.#take(answer);
    } catch (error) {
      if (error instanceof ClientError && number >= this.#taken) this.#error = error;
      throw error;
    }
  }

  /** @param {{revision: string | null}} answer */
  #isOlder({ revision }) {
    const [theirs, ours] = [editionOf(revision), editionOf(this.revision)];
    return theirs && ours && (theirs[0] - ours[0] || theirs[1] - ours[1]) < 0;
  }

  /** @param {Answer} answer */
  #take({ revision, page, changes, text, isExact }) {
    const { storage, clock } = this.settings;
    const isNew = page && page.version !== this.page?.version;
    const isKept = !isNew && this.#isOwn && (!revision || revision === this.revision);
    if (page) [this.#isExact, this.#isOwn] = [isExact === true, true];
    if (isNew) [this.page, this.#changes] = [page, changes];
    this.revision = editionOf(revision) ? revision : this.revision;
    [this.#error, this.#isConfirmed, this.#since] = [null, true, clock.date()];
    if (!storage || isKept || !this.page) return;
    const { url, revision: held } = this;
    this.#unsaved = `${JSON.stringify({ url, revision: held, since: this.#since })}\n${
      isNew && text || textOf(this.page)}`;
    this.#save();
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
    const { response, text } = await this.#fetch(signal, wait, {
      ...this.#headers(), 'Cache-Control': cacheControl,
      ...base && { 'If-None-Match': `W/"${base.version}"`, 'A-IM': 'hearth-changes' },
      ...base && wait && { Prefer: `wait=${wait}` },
    });
    const field = (/** @type {string} */ name) => response.headers.get(name);
    const answer = this.#read(response.status, field, text, base);
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
    const { fetch, clock, timeout } = this.settings;
    const controller = new AbortController();
    ended(signal).catch((reason) => controller.abort(reason));
    const seconds = timeout + wait;
    clock.sleep(seconds * 1000, controller.signal).then(
      () => controller.abort(new Error(`nothing came within ${seconds} s`)), () => {});
    try {
      // The client keeps the page itself; a second cache would answer its conditions.
      const response = await fetch(url, { headers, signal: controller.signal, cache: 'no-store', credentials: 'omit' });
      return { response, text: await response.text() };
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ClientError) throw error;
      throw new ClientError('unreachable', `no answer: ${controller.signal.reason ?? error}`);
    } finally {
      controller.abort();
    }
  }

  #load() { return this.#loading ??= this.#loadNow(); }

  async #loadNow() {
    try {
      const record = await this.settings.storage?.load();
      if (!record) return;
      const [head] = record.split('\n', 1);
      const { url, revision, since } = JSON.parse(head);
      // What another server or page left there says nothing here.
      if (url.split('?')[0] !== this.url.split('?')[0]) return;
      const page = readPage(record.slice(head.length + 1), this.settings.page);
      [this.page, this.revision, this.#isOwn, this.#isExact] = [page, revision, url === this.url, isExact(page)];
      this.#since = Math.min(since, this.settings.clock.date());
    } catch (error) {
      this.settings.report?.(new ClientError('storage', `what was kept cannot be used: ${error}`));
    }
  }

  async #save() {
    if (this.#isSaving) return;
    this.#isSaving = true;
    while (this.#unsaved !== null) {
      const record = this.#unsaved;
      this.#unsaved = null;
      try { await this.settings.storage?.save(record); } catch (error) {
        this.settings.report?.(new ClientError('storage', `the page cannot be kept: ${error}`));
      }
    }
    this.#isSaving = false;
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
  const until = Date.parse(after ?? '') - (Date.parse(field('Date') ?? '') || clock.date());
  const retryAfter = secondsOf(after)
    ?? (Number.isNaN(until) ? null : Math.min(secondsMax, Math.max(0, Math.ceil(until / 1000))));
  return new ClientError('refused', `the server answered ${status} ${code ?? ''}: ${detail ?? ''}`, {
    status, code, requestID, retryAfter,
  });
}
