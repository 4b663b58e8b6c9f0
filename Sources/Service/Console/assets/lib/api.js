// The admin API, and nothing else: the only place that knows the token.

import { ServerClock } from './clock.js';
import { t } from './i18n.js';
import { isEqual, merge } from './merge.js';
import { forgetOwn, isOwn, noteOwn, noteUnanswered } from './own.js';
import { tabStorage } from './storage.js';

const root = '/admin/v1/';
const key = 'hearth.token';

/** What the server refused, as its problem document says. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {Record<string, any>} [body] the problem document
   */
  constructor(status, body = {}) {
    super(body.detail ?? body.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = body.code ?? '';
    /** @type {{pointer: string, detail: string}[]} */
    this.errors = body.errors ?? [];
    this.body = body;
  }

  get isStale() { return this.status === 412; }
}

/** No answer came at all. */
export class Unreachable extends Error {}

let token = tabStorage.get(key);
let tellExpired = () => {};
/** Whether the operator signed out, so that nobody is to be asked for another token. */
let hasEnded = false;
/** @type {{go: () => void, stop: (error: Error) => void}[]} reads that wait until somebody signs in again */
let waiting = [];

export const session = {
  get exists() { return token !== null; },
  /** The token lives as long as the tab. */
  /** @param {string} text */
  begin(text) {
    token = text;
    hasEnded = false;
    tabStorage.set(key, text);
    for (const { go } of waiting.splice(0)) go();
  },
  end() {
    token = null;
    hasEnded = true;
    session.forget();
    tabStorage.remove(key);
    for (const { stop } of waiting.splice(0)) stop(new Problem(401));
  },
  /** Forgets what was made and sent so far, which nobody who signs in next has done. */
  forget() {
    unansweredBodies.clear();
    forgetOwn();
  },
  /**
   * Is called when the server takes the token no more.
   * @param {() => void} callback
   */
  onExpiry(callback) { tellExpired = callback; },
};

function expire() {
  token = null;
  tabStorage.remove(key);
  tellExpired();
}

/**
 * Resolves when somebody has signed in again.
 * @param {AbortSignal} [signal]
 */
const renewal = (signal) => new Promise((go, stop) => {
  waiting.push({ go: () => go(undefined), stop });
  signal?.addEventListener('abort', () => stop(signal.reason));
});

/**
 * @typedef {object} Earlier
 * @property {{path: string, body: any}[]} sent what was sent to be made and was not refused
 * @property {() => void} note is called when that changes, so that it can be kept
 */

/**
 * @typedef {object} Options of one request
 * @property {Record<string, any>} [query]
 * @property {any} [body]
 * @property {Blob} [blob] a body that is no JSON
 * @property {string|null} [ifMatch]
 * @property {string|null} [ifNoneMatch]
 * @property {number} [wait] in seconds
 * @property {string} [once] the key by which it is done once
 * @property {Earlier} [earlier] of what is made once, even if the tab is loaded anew before the answer comes
 * @property {(text: string) => any} [read] reads the answer, where it is not a document of the API
 * @property {string} [token] one to try
 * @property {AbortSignal} [signal]
 */

/** Numbers that a double cannot hold keep their digits on the way through the console. */
function keepDigits(/** @type {string} */ _, /** @type {any} */ value, /** @type {{source?: string}} */ context) {
  if (typeof value !== 'number' || !context?.source || !JSON.rawJSON || String(value) === context.source) return value;
  const digits = context.source.replace(/[eE].*/, '').replace(/[^0-9]/g, '').replace(/^0+/, '');
  return digits.length > 15 ? JSON.rawJSON(context.source) : value;
}

/** @type {(text: string) => any} */
export const parse = (text) => JSON.parse(text, /** @type {any} */ (keepDigits));

/**
 * One request. Once the token is taken no more, reads wait for the next one; changes are refused, and the operator
 * makes them again.
 * @param {string} method
 * @param {string[]} path segments below /admin/v1
 * @param {Options} [options]
 * @returns {Promise<{status: number, value: any, tag: string|null}>}
 */
export async function request(method, path, options = {}) {
  for (;;) {
    const used = options.token ?? token;
    if (used !== null) {
      const asked = exchange(method, path, used, options);
      if (method !== 'GET') underWay.add(asked);
      const answer = await asked.finally(() => underWay.delete(asked));
      if (answer.status !== 401) return checked(answer, options);
      if (options.token !== undefined) return checked(answer, options);
      if (token === used) expire();
    } else if (!hasEnded) tellExpired();
    if (method !== 'GET' || hasEnded) throw new Problem(401);
    // Somebody may have signed in while it was refused.
    if (token === null) await renewal(options.signal);
  }
}

/** @type {(() => void)[]} */
let unheard = [];
/** Ends with the next answer of the server, whatever it says. */
export const nextAnswer = () => new Promise((go) => { unheard.push(() => go(undefined)); });

const clock = new ServerClock();

/** The time on the server's clock, as its answers tell, in milliseconds. */
export const serverNow = () => clock.at(Date.now());
/** How long it is until the server's clock shows an instant, at least and at most, in milliseconds. */
export const untilServerHas = (/** @type {number} */ instant) => clock.until(instant, Date.now());

/** @type {Set<Promise<any>>} the changes that no answer has come to yet */
const underWay = new Set();
/** Ends when the changes that are under way have been answered: only then is it known what the audit calls them. */
export const answersOfChanges = () => Promise.allSettled([...underWay]);

/** What tells one request from another, so that it can be asked again without being done twice. */
export const newKey = () => crypto.randomUUID?.() ?? String(Math.random()).slice(2);

/**
 * Sends it, and reads the answer whole.
 * @param {string} method
 * @param {string[]} path
 * @param {string} used the token
 * @param {Options} options
 */
async function exchange(method, path, used, options) {
  const url = new URL(root + path.map(encodeURIComponent).join('/'), location.origin);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
  }
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${used}` };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.blob) headers['Content-Type'] = options.blob.type;
  if (options.ifMatch) headers['If-Match'] = options.ifMatch;
  if (options.ifNoneMatch) headers['If-None-Match'] = options.ifNoneMatch;
  if (options.wait) headers.Prefer = `wait=${options.wait}`;
  if (options.once) headers['Idempotency-Key'] = options.once;
  const sent = Date.now();
  try {
    const response = await fetch(url, {
      method, headers, cache: 'no-store', signal: options.signal,
      body: options.blob ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
    });
    for (const go of unheard.splice(0)) go();
    const date = Date.parse(response.headers.get('Date') ?? '');
    if (!Number.isNaN(date)) clock.hear(date, sent, Date.now());
    if (method !== 'GET') noteOwn(response.headers.get('X-Request-Id'));
    return { status: response.status, tag: response.headers.get('ETag'), text: await response.text() };
  } catch (/** @type {any} */ error) {
    if (options.signal?.aborted) throw error;
    if (method !== 'GET') noteUnanswered({ path, selector: used.split('_')[1], at: clock.at(sent) });
    throw new Unreachable();
  }
}

/**
 * What an answer says, or the problem that it is.
 * @param {{status: number, tag: string|null, text: string}} answer
 * @param {Options} options
 */
function checked({ status, tag, text }, { read = parse }) {
  if (status === 304) return { status, value: null, tag };
  let value = null;
  try {
    value = text ? read(text) : null;
  } catch {
    throw new Problem(status, { detail: text.slice(0, 200) });
  }
  if (status < 200 || status > 299) throw new Problem(status, value ?? {});
  return { status, value, tag };
}

/** @type {(path: string[], query?: Record<string, any>, options?: Options) => ReturnType<typeof request>} */
export const get = (path, query, options) => request('GET', path, { query, ...options });
/** @type {(path: string[], body: any, options?: Options) => ReturnType<typeof request>} */
export const put = (path, body, options) => options?.ifNoneMatch === '*'
  ? make(path, body, options) : request('PUT', path, { body, ...options });
/** @type {(path: string[], body: any, options?: Options) => ReturnType<typeof request>} */
export const post = (path, body, options) => request('POST', path, { body, ...options });
/** @type {(path: string[], options?: Options) => ReturnType<typeof request>} */
export const remove = (path, options) => request('DELETE', path, options);

/** @type {Map<string, any[]>} what was sent to be made at a path, where no answer came: it may be there, or not */
const unansweredBodies = new Map();

/** Whether what is there says all that was sent, and perhaps what the server adds by itself. */
function holds(/** @type {any} */ there, /** @type {any} */ sent) {
  return Object.entries(sent).every(([name, value]) => isEqual(there?.[name], value));
}

/**
 * Makes what is not there yet. What an earlier try made, whose answer never came, is no refusal: it is one's own.
 * @param {string[]} path
 * @param {any} body
 * @param {Options} options
 */
async function make(path, body, options) {
  const place = path.join('/');
  const { sent, note } = options.earlier ?? { sent: [], note: () => {} };
  const before = sent.filter((each) => each.path === place).map((each) => each.body);
  const earlier = [...before, ...unansweredBodies.get(place) ?? []];
  const trying = { path: place, body };
  // The tab may be loaded anew before the answer comes.
  sent.push(trying);
  note();
  try {
    const made = await makeAmong(earlier, path, body, options);
    unansweredBodies.delete(place);
    // Whoever asked ends what is kept once all is done: until then it says that what is there is one's own.
    return made;
  } catch (/** @type {any} */ error) {
    if (error instanceof Unreachable) unansweredBodies.set(place, [...earlier, body]);
    else {
      sent.splice(sent.indexOf(trying), 1);
      note();
    }
    throw error;
  }
}

/** The parts in which a resource is saved: each with its path, and with what is in it of the whole. */
function partsOf(/** @type {string[]} */ path) {
  if (path[2] !== 'sections' || path.length !== 4) return [{ path, of: (/** @type {any} */ whole) => whole }];
  return [
    // Where it stands is decided by moving it.
    { path, of: (/** @type {any} */ { items, slots, id, index, ...settings }) => settings },
    { path: [...path, 'content'], of: (/** @type {any} */ { items, slots }) => ({ items, slots }) },
  ];
}

/** Whether one of the tries that no answer came to has made it, as the audit tells. */
async function isMine(/** @type {string[]} */ path) {
  const [area, page, part, section] = path;
  if (area !== 'pages' || (part !== undefined && part !== 'sections')) return false;
  const entries = await get(['audit'], { page, limit: 200 }).then(({ value }) => value.entries, () => []);
  return entries.some((/** @type {import('./own.js').Entry} */ entry) =>
    entry.section === section && isOwn(entry));
}

/** @type {(earlier: any[], path: string[], body: any, options: Options) => ReturnType<typeof request>} */
async function makeAmong(earlier, path, body, options) {
  try { return await request('PUT', path, { body, ...options }); } catch (/** @type {any} */ error) {
    if (!error.isStale || earlier.length === 0) throw error;
    const parts = partsOf(path);
    const there = await Promise.all(parts.map((part) => get(part.path)));
    const whole = Object.assign({}, ...there.map(({ value }) => value).reverse());
    if (!earlier.some((sent) => holds(whole, sent)) && !await isMine(path)) throw error;
    // What an earlier try made goes on from that: each part by its own tag, so that what others did since stays.
    const meetings = earlier.map((sent) => parts.map(({ of }) => merge(of(sent), of(body), of(whole))));
    const count = (/** @type {any[]} */ list) => list.reduce((sum, { conflicts }) => sum + conflicts.length, 0);
    const [best] = meetings.sort((left, right) => count(left) - count(right));
    if (count(best) > 0) throw new Problem(409, { detail: t('It was made, and somebody has changed it since.') });
    const save = (/** @type {any} */ part, /** @type {number} */ number) =>
      isEqual(best[number].value, part.of(whole)) ? there[number]
        : request('PUT', part.path, { body: best[number].value, ifMatch: there[number].tag });
    return (await Promise.all(parts.map(save)))[0];
  }
}

/**
 * Makes entries of a list whose secret is in the answer alone. What an earlier try made, whose answer never came,
 * nobody can use: it is found, so that it goes or is used, and there is one in the end.
 */
export class SecretMaking {
  /** @type {Set<any>|null} the entries before the first try that got no answer */
  #before = null;
  /** @type {any[]} what was sent and not answered */
  #sent = [];

  /**
   * @param {string[]} path the list's
   * @param {string} member which holds the entries
   * @param {string} id the member that tells one from another
   */
  constructor(path, member, id) {
    this.path = path;
    this.member = member;
    this.id = id;
  }

  /**
   * @param {any} sent what the entry is made of
   * @param {(lost: any[]) => ReturnType<typeof request>} send makes it, given what earlier tries made for nobody
   */
  async make(sent, send) {
    const entries = (await get(this.path)).value[this.member];
    const lost = this.#before ? await this.#lostAmong(entries) : [];
    try {
      const { value } = await send(lost);
      this.#before = null;
      this.#sent = [];
      return value;
    } catch (/** @type {any} */ error) {
      if (error instanceof Unreachable) {
        this.#before ??= new Set(entries.map((/** @type {any} */ entry) => entry[this.id]));
        this.#sent.push(sent);
      }
      throw error;
    }
  }

  async #lostAmong(/** @type {any[]} */ entries) {
    const { value: me } = await get(['whoami']);
    return entries.filter((entry) => !this.#before?.has(entry[this.id]) && entry.createdBy === me.name
      && this.#sent.some((sent) => holds(entry, sent)));
  }
}

/**
 * Every entry of a list that pages by cursor, up to a limit.
 * @param {string[]} path
 * @param {string} member which holds them
 * @param {Record<string, any>} [query]
 */
export async function all(path, member, query = {}, limit = 1000) {
  /** @type {any[]} */
  const entries = [];
  /** @type {string|undefined} */
  let cursor;
  do {
    /** @type {Awaited<ReturnType<typeof request>>} */
    const { value } = await get(path, { ...query, cursor });
    entries.push(...value[member]);
    cursor = value.next;
  } while (cursor && entries.length < limit);
  return entries;
}
