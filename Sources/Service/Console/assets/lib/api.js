// The admin API, and nothing else: the only place that knows the token.

const root = '/admin/v1/';
const key = 'hearth.token';

/** What the server refused, as its problem document says. */
export class Problem extends Error {
  constructor(status, body = {}) {
    super(body.detail ?? body.title ?? `HTTP ${status}`);
    this.status = status;
    this.code = body.code ?? '';
    this.errors = body.errors ?? [];
    this.body = body;
  }

  get isStale() { return this.status === 412; }
}

/** No answer came at all. */
export class Unreachable extends Error {}

let token = sessionStorage.getItem(key);
let tellExpired = () => {};
/** @type {{go: () => void, stop: (error: Error) => void}[]} reads that wait until somebody signs in again */
let waiting = [];

export const session = {
  get exists() { return token !== null; },
  /** The token lives as long as the tab. */
  begin(text) {
    token = text;
    sessionStorage.setItem(key, text);
    for (const { go } of waiting.splice(0)) go();
  },
  end() {
    token = null;
    sessionStorage.removeItem(key);
    for (const { stop } of waiting.splice(0)) stop(new Problem(401));
  },
  /** Is called when the server takes the token no more. */
  onExpiry(callback) { tellExpired = callback; },
};

function expire() {
  token = null;
  sessionStorage.removeItem(key);
  tellExpired();
}

/** Resolves when somebody has signed in again. */
const renewal = (signal) => new Promise((go, stop) => {
  waiting.push({ go, stop });
  signal?.addEventListener('abort', () => stop(signal.reason));
});

/** Numbers that a double cannot hold keep their digits on the way through the console. */
function keepDigits(_, value, context) {
  if (typeof value !== 'number' || !context?.source || !JSON.rawJSON || String(value) === context.source) return value;
  const digits = context.source.replace(/[eE].*/, '').replace(/[^0-9]/g, '').replace(/^0+/, '');
  return digits.length > 15 ? JSON.rawJSON(context.source) : value;
}

export const parse = (text) => JSON.parse(text, keepDigits);

/**
 * One request. Once the token is taken no more, reads wait for the next one; changes are refused, and the operator makes
 * them again.
 * @param {string} method
 * @param {string[]} path segments below /admin/v1
 * @param {{query?: object, body?: any, ifMatch?: string|null, ifNoneMatch?: string|null, wait?: number, once?: string,
 *   isForDrawing?: boolean, token?: string, signal?: AbortSignal}} options `token` is one to try
 * @returns {Promise<{status: number, value: any, tag: string|null}>}
 */
export async function request(method, path, options = {}) {
  for (;;) {
    const used = options.token ?? token;
    if (used !== null) {
      const answer = await exchange(method, path, used, options);
      if (answer.status !== 401) return checked(answer, options);
      if (options.token !== undefined) return checked(answer, options);
      if (token === used) expire();
    } else tellExpired();
    if (method !== 'GET') throw new Problem(401);
    await renewal(options.signal);
  }
}

/** What tells one request from another, so that it can be asked again without being done twice. */
export const newKey = () => crypto.randomUUID?.() ?? String(Math.random()).slice(2);

/** Sends it, and reads the answer whole. */
async function exchange(method, path, used, options) {
  const url = new URL(root + path.map(encodeURIComponent).join('/'), location.origin);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
  }
  const headers = { Authorization: `Bearer ${used}` };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.ifMatch) headers['If-Match'] = options.ifMatch;
  if (options.ifNoneMatch) headers['If-None-Match'] = options.ifNoneMatch;
  if (options.wait) headers.Prefer = `wait=${options.wait}`;
  if (options.once) headers['Idempotency-Key'] = options.once;
  try {
    const response = await fetch(url, {
      method, headers, cache: 'no-store', signal: options.signal,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
    });
    return { status: response.status, tag: response.headers.get('ETag'), text: await response.text() };
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Unreachable();
  }
}

/** What an answer says, or the problem that it is. */
function checked({ status, tag, text }, { isForDrawing }) {
  if (status === 304) return { status, value: null, tag };
  let value = null;
  try {
    value = text ? (isForDrawing ? JSON.parse(text) : parse(text)) : null;
  } catch {
    throw new Problem(status, { detail: text.slice(0, 200) });
  }
  if (status < 200 || status > 299) throw new Problem(status, value ?? {});
  return { status, value, tag };
}

export const get = (path, query, options) => request('GET', path, { query, ...options });
export const put = (path, body, options) => request('PUT', path, { body, ...options });
export const post = (path, body, options) => request('POST', path, { body, ...options });
export const remove = (path, options) => request('DELETE', path, options);

/** Every entry of a list that pages by cursor, up to a limit. */
export async function all(path, member, query = {}, limit = 1000) {
  const entries = [];
  let cursor;
  do {
    const { value } = await get(path, { ...query, cursor });
    entries.push(...value[member]);
    cursor = value.next;
  } while (cursor && entries.length < limit);
  return entries;
}
