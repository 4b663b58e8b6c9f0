// The admin API, and nothing else: the only place that knows the token.

import { ServerClock } from './clock.js';
import { Once } from './once.js';
import { tabStorage } from './storage.js';

const root = '/admin/v1/';
const key = 'hearth.token';

/** What the server refused, as its problem document says. */
export class Problem extends Error {
  /**
   * @param {number} status
   * @param {ProblemDocument} [body]
   * @param {number} [retryAfter] in how many seconds it can be tried again, where the server says it
   */
  constructor(status, body = {}, retryAfter = undefined) {
    super(body.detail ?? body.title ?? `HTTP ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
    this.code = body.code ?? '';
    // A proxy may answer with a document of its own.
    this.errors = Array.isArray(body.errors) ? body.errors.filter((each) => typeof each?.pointer === 'string') : [];
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
  /** Forgets which changes were made so far, which nobody who signs in next has made. */
  forget() { own.clear(); },
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

/** @typedef {Record<string, string|number|boolean|null|undefined>} Query */
/**
 * @typedef {object} Options of one request
 * @property {Query} [query]
 * @property {unknown} [body]
 * @property {Blob} [blob] a body that is no JSON
 * @property {string|null} [ifMatch]
 * @property {string|null} [ifNoneMatch]
 * @property {number} [wait] in seconds
 * @property {string} [key] by which the server does it once
 * @property {Once} [once] what a change is part of: one that is sent again for the same is done once
 * @property {string} [as] what a change is for, where several requests mean the same; else its method and path say it
 * @property {(text: string) => unknown} [read] reads the answer, where it is not a document of the API
 * @property {string} [token] one to try
 * @property {AbortSignal} [signal]
 */

/**
 * Numbers that a double cannot hold keep their digits on the way through the console.
 * @param {string} _
 * @param {unknown} value
 * @param {{source?: string}} [context]
 */
function keepDigits(_, value, context) {
  if (typeof value !== 'number' || !context?.source || !JSON.rawJSON || String(value) === context.source) return value;
  const digits = context.source.replace(/[eE].*/, '').replace(/[^0-9]/g, '').replace(/^0+/, '');
  return digits.length > 15 ? JSON.rawJSON(context.source) : value;
}

/** @type {(text: string) => Value} */
export const parse = (text) => JSON.parse(text, keepDigits);

/**
 * @template T
 * @typedef {{status: number, value: T, tag: string|null}} Answer
 */
/**
 * @template T
 * @typedef {Answer<T> & {done: import('./once.js').Sent, isEarlier: boolean}} Changed
 */

/**
 * One request, of which the caller knows what it answers. Once the token is taken no more, reads wait for the next one;
 * changes are refused, and the operator makes them again.
 * @param {string} method
 * @param {readonly string[]} path segments below /admin/v1
 * @param {Options} options
 * @template T
 * @returns {Promise<Answer<T>>}
 */
async function ask(method, path, options) {
  for (;;) {
    const used = options.token ?? token;
    if (used !== null) {
      const answer = await exchange(method, path, used, options);
      if (answer.status !== 401 || options.token !== undefined) return checked(answer, options);
      if (token === used) expire();
    } else if (!hasEnded) tellExpired();
    // A change goes by a key.
    if (options.key !== undefined || hasEnded) throw new Problem(401);
    // Somebody may have signed in while it was refused.
    if (token === null) await renewal(options.signal);
  }
}

/** How long a change is sent again by itself while the server says that it can be, in milliseconds. */
const patience = 5000;
/** How long the answer of a change may take, in milliseconds: it is taken for cut then. */
const answerMax = 60_000;

/** A method that the compiler's library does not know yet. */
const withTimeout = /** @type {typeof AbortSignal & {timeout(after: number): AbortSignal}} */ (
  AbortSignal);

/** How long it is at least between two tries that were answered, in milliseconds. */
const pauseMin = 100;

/** In how many milliseconds it is worth while to send a change again; nothing where it is not. */
function pauseAfter(/** @type {unknown} */ error) {
  if (!(error instanceof Problem)) return undefined;
  const { status, code, retryAfter = 1 } = error;
  return [502, 503, 504].includes(status) || code === 'idempotency-key-running'
    ? Math.max(retryAfter * 1000, pauseMin) : undefined;
}

/**
 * One change, sent again by its key as long as that is of use: once where its answer was cut.
 * @type {typeof ask}
 */
async function askAgain(method, path, options) {
  const end = performance.now() + patience;
  for (let isCut = false; ;) {
    try { return await ask(method, path, options); } catch (error) {
      const pause = error instanceof Unreachable && !isCut ? 0 : pauseAfter(error);
      if (pause === undefined || performance.now() + pause > end) throw error;
      isCut ||= error instanceof Unreachable;
      if (pause > 0) await new Promise((go) => { setTimeout(go, pause); });
    }
  }
}

/** Whether a change that was refused so was not made before, either: the server looks at its key before all else. */
const isRefusal = (/** @type {unknown} */ error) => error instanceof Problem && error.status >= 400
  && error.status < 500 && ![401, 403, 408, 429].includes(error.status)
  && !/^idempotency|^secret-told-once/.test(error.code);

/** Whether the server refused something with a code. */
const isOf = (/** @type {unknown} */ error, /** @type {string} */ code) =>
  error instanceof Problem && error.code === code;

/**
 * Changes something, once however often it is sent. Where an earlier try, whose answer never came, turns out to be
 * done, its answer comes, and `done` is what was sent then.
 * @param {string} method
 * @param {readonly string[]} path
 * @param {Options} options
 * @template T
 * @returns {Promise<Changed<T>>}
 */
async function change(method, path, options) {
  const { once = new Once(), as: place = `${method} ${path.join('/')}`, query, body, ifMatch, ifNoneMatch } = options;
  const asked = { path, query, body, ifMatch, ifNoneMatch };
  const trying = once.begin(place, asked);
  const attempt = async (/** @type {import('./once.js').Sent} */ sent) => {
    /** @type {Answer<T>} */
    const answer = await askAgain(method, sent.path, { ...options, ...sent, key: trying.key });
    once.answer(trying);
    return { ...answer, done: sent, isEarlier: sent !== asked };
  };
  try { return await attempt(asked); } catch (error) {
    if (isRefusal(error)) once.forget(place);
    if (!isOf(error, 'idempotency-key-reused')) throw error;
    // The key was used up: a try before, whose answer never came, is done.
    for (const earlier of trying.sent) {
      const answer = await attempt(earlier).catch((other) => {
        if (isOf(other, 'idempotency-key-reused')) return null;
        throw other;
      });
      if (answer) return answer;
    }
    once.forget(place);
    throw error;
  }
}

/** @type {Set<Promise<unknown>>} the changes that no answer has come to yet */
const underWay = new Set();
/** Ends when the changes that are under way have been answered: only then is it known what the audit calls them. */
export const answersOfChanges = () => Promise.allSettled([...underWay]);

/** @type {typeof change} */
export function send(method, path, options) {
  const sent = change(method, path, options);
  underWay.add(sent);
  return sent.finally(() => underWay.delete(sent));
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

/** The most that is remembered of one's own changes. */
const ownMax = 200;
/** @type {Set<string>} the changes that this tab made last, as the audit names them: by request, or by number */
const own = new Set();

function noteOwn(/** @type {string|null} */ name) {
  if (name) own.add(name);
  for (const first of own) if (own.size > ownMax) own.delete(first); else break;
}

/** Whether an entry of the audit is of a change of this tab. */
export const isOwn = (/** @type {{id: number, requestId?: string}} */ { id, requestId = '' }) =>
  own.has(requestId) || own.has(`"${id}"`);

/**
 * Sends it, and reads the answer whole.
 * @param {string} method
 * @param {readonly string[]} path
 * @param {string} used the token
 * @param {Options} options
 */
async function exchange(method, path, used, options) {
  const url = new URL(root + path.map(encodeURIComponent).join('/'), location.origin);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, String(value));
  }
  /** @type {Record<string, string>} */
  const headers = { Authorization: `Bearer ${used}` };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.blob) headers['Content-Type'] = options.blob.type;
  if (options.ifMatch) headers['If-Match'] = options.ifMatch;
  if (options.ifNoneMatch) headers['If-None-Match'] = options.ifNoneMatch;
  if (options.wait) headers.Prefer = `wait=${options.wait}`;
  if (options.key) headers['Idempotency-Key'] = options.key;
  const isLimited = options.key !== undefined && !options.blob;
  const sent = Date.now();
  try {
    const response = await fetch(url, {
      method, headers, cache: 'no-store',
      signal: options.signal ?? (isLimited ? withTimeout.timeout(answerMax) : undefined),
      body: options.blob ?? (options.body === undefined ? undefined : JSON.stringify(options.body)),
    });
    for (const go of unheard.splice(0)) go();
    const date = Date.parse(response.headers.get('Date') ?? '');
    if (!Number.isNaN(date)) clock.hear(date, sent, Date.now());
    const tag = response.headers.get('ETag');
    if (options.key) noteOwn(response.headers.get('X-Request-Id'));
    // The audit has it by the first request, which told no name: its number is the tag.
    if (response.headers.has('Idempotency-Replayed')) noteOwn(tag);
    const retryAfter = Number(response.headers.get('Retry-After') ?? NaN);
    return { status: response.status, tag, text: await response.text(), retryAfter };
  } catch (error) {
    if (options.signal?.aborted) throw error;
    throw new Unreachable();
  }
}

/**
 * What an answer says, or the problem that it is.
 * @param {{status: number, tag: string|null, text: string, retryAfter: number}} answer
 * @param {Options} options
 * @template T
 * @returns {Answer<T>}
 */
function checked({ status, tag, text, retryAfter }, { read = parse }) {
  const after = Number.isNaN(retryAfter) ? undefined : retryAfter;
  /** @type {unknown} */
  let value = null;
  if (status === 304) return { status, value: /** @type {T} */ (value), tag };
  try {
    value = text ? read(text) : null;
  } catch {
    throw new Problem(status, { detail: text.slice(0, 200) }, after);
  }
  if (status < 200 || status > 299) throw new Problem(status, /** @type {ProblemDocument} */ (value ?? {}), after);
  return { status, value: /** @type {T} */ (value), tag };
}

/**
 * @type {<Word extends string, Path extends readonly Word[] | [Word]>(path: Path | string[], query?: Query,
 *   options?: Options) => Promise<Answer<AnswerAt<Path>>>}
 */
export const get = (path, query, options) => ask('GET', path, { query, ...options });
/**
 * Reads what follows from a body, which changes nothing.
 * @template T
 * @param {readonly string[]} path
 * @param {unknown} body
 * @param {Options} options
 * @returns {Promise<Answer<T>>}
 */
export const look = (path, body, options) => ask('POST', path, { body, ...options });
/**
 * What a change would come to, which changes nothing.
 * @type {<Word extends string, Path extends readonly Word[] | [Word]>(path: Path | string[], body: unknown) =>
 *   Promise<Answer<DryRunAt<Path>>>}
 */
export const tryOut = (path, body) => look(path, body, { ifMatch: '*', query: { dryRun: true } });
/**
 * @type {<Word extends string, Path extends readonly Word[] | [Word]>(path: Path | string[], body: unknown,
 *   options?: Options) => Promise<Changed<AnswerAt<Path>>>}
 */
export const put = (path, body, options) => send('PUT', path, { body, ...options });
/**
 * @type {<Word extends string, Path extends readonly Word[] | [Word]>(path: Path | string[], body: unknown,
 *   options?: Options) => Promise<Changed<ChangedAt<Path>>>}
 */
export const post = (path, body, options) => send('POST', path, { body, ...options });
/** @type {(path: readonly string[], options?: Options) => Promise<Changed<null>>} */
export const remove = (path, options = {}) => send('DELETE', path, options);

/**
 * Makes what has a secret, which is in its answer alone. What an earlier try made, whose answer never came, nobody can
 * use: it goes, and there is one in the end.
 * @template {string} Word
 * @template {readonly Word[] | [Word]} Path
 * @param {Path | string[]} path
 * @param {unknown} body
 * @param {Once} once
 * @param {(lost: ChangedAt<Path>) => Promise<ChangedAt<Path>|void>} instead makes another for what was made then, or
 *   takes it away, so that it is made again
 * @returns {Promise<ChangedAt<Path>>}
 */
export async function makeSecret(path, body, once, instead) {
  try { return (await post(path, body, { once })).value; } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'secret-told-once') throw error;
    const other = await instead(/** @type {ChangedAt<Path>} */ (error.body.made));
    if (other) return other;
    once.clear();
    return makeSecret(path, body, once, instead);
  }
}

/** The most pages that are asked for. */
const pagesMax = 1000;

/** All pages that the token reaches. */
export async function allPages() {
  /** @type {PageSummary[]} */
  const pages = [];
  /** @type {string|undefined} */
  let cursor;
  do {
    /** @type {Answer<AnswerAt<['pages']>>} */
    const { value } = await get(['pages'], { cursor });
    pages.push(...value.pages);
    cursor = value.next;
  } while (cursor && pages.length < pagesMax);
  return pages;
}
