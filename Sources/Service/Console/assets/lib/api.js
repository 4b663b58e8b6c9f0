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
let signedOut = () => {};

export const session = {
  get exists() { return token !== null; },
  /** The token lives as long as the tab. */
  begin(text) {
    token = text;
    sessionStorage.setItem(key, text);
  },
  end() {
    token = null;
    sessionStorage.removeItem(key);
  },
  onEnd(callback) { signedOut = callback; },
};

/** Numbers that a double cannot hold keep their digits on the way through the console. */
function keepDigits(_, value, context) {
  if (typeof value !== 'number' || !context?.source || !JSON.rawJSON || String(value) === context.source) return value;
  const digits = context.source.replace(/[eE].*/, '').replace(/[^0-9]/g, '').replace(/^0+/, '');
  return digits.length > 15 ? JSON.rawJSON(context.source) : value;
}

const parse = (text) => JSON.parse(text, keepDigits);

/**
 * One request.
 * @param {string} method
 * @param {string[]} path segments below /admin/v1
 * @returns {Promise<{status: number, value: any, tag: string|null}>}
 */
export async function request(method, path, options = {}) {
  const url = new URL(root + path.map(encodeURIComponent).join('/'), location.origin);
  for (const [name, value] of Object.entries(options.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') url.searchParams.set(name, value);
  }
  const headers = { Authorization: `Bearer ${token}` };
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  if (options.ifMatch) headers['If-Match'] = options.ifMatch;
  if (options.ifNoneMatch) headers['If-None-Match'] = options.ifNoneMatch;
  if (options.wait) headers.Prefer = `wait=${options.wait}`;
  if (options.isOnce) headers['Idempotency-Key'] = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  let response;
  let text;
  try {
    response = await fetch(url, {
      method, headers, cache: 'no-store', signal: options.signal,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
    });
    text = await response.text();
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new Unreachable();
  }
  const tag = response.headers.get('ETag');
  if (response.status === 304) return { status: 304, value: null, tag };
  let value = null;
  try {
    value = text ? (options.isForDrawing ? JSON.parse(text) : parse(text)) : null;
  } catch {
    throw new Problem(response.status, { detail: text.slice(0, 200) });
  }
  if (!response.ok) {
    if (response.status === 401 && token !== null) signedOut();
    throw new Problem(response.status, value ?? {});
  }
  return { status: response.status, value, tag };
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
