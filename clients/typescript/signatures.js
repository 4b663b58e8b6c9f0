// Signed pages (RFC 9421): asks for signatures, checks them before the client sees an answer, and keeps them with the
// page.

import { ClientError, bodyMax, editionOf, isBefore, textOfBody } from './client.js';
import { read } from './json.js';
import { applying, readPage, textOf } from './page.js';
import { textIn } from './record.js';

/** @typedef {import('./signatures.js').SignatureFailure} Reason */
/** @typedef {(name: string) => string | null | undefined} Field */
/** @typedef {{reason: Reason | null, keyIDs: string[], isOfPage: boolean, revision: string | null}} Verdict */
/**
 * @typedef {object} Answer
 * @property {object} response
 * @property {number} status
 * @property {Verdict} verdict
 * @property {string | null} text of the page that it comes to; `null` when it comes to none, and is the client's to
 *   read
 * @property {Field} field
 * @property {boolean} fits
 */

/** The one value by which servers are asked for signatures. */
const accepted = 'sig1=("unencoded-digest" "hearth-revision");created;expires;keyid;alg="ed25519"';
/** What a signature says of itself, exactly as the server writes it. */
const form = new RegExp('^\\("(unencoded-digest|etag)" "hearth-revision"\\)' +
  ';created=(\\d{1,15});expires=(\\d{1,15});keyid="([0-9a-f]{16})";alg="ed25519"$');
const [keyCountMax, countMax, fieldLengthMax] = [4, 8, 8192];
const kept = ['Signature-Input', 'Signature', 'Unencoded-Digest', 'Hearth-Revision'];
const mark = 'hearth-signed ';

/** @type {Record<Reason, string>} */
const sentences = {
  unsigned: 'it is not signed',
  unreadable: 'its signature is not one of a page',
  unknownKey: 'it is signed by a key that is not pinned',
  wrongSignature: 'the key that it names did not make its signature',
  otherContent: 'its signature is of other content',
  notYet: 'its signature is to come by the clock of this device',
  expired: 'its signature is over',
  unsupported: 'this browser verifies no Ed25519, or not for a page without TLS',
};

const utf8 = new TextEncoder();
const inBase64 = (/** @type {Uint8Array} */ bytes) =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
/** @type {(text: string, count: number) => Uint8Array | null} */
function bytesOf(text, count) {
  try {
    const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
    return bytes.length === count && inBase64(bytes) === text ? bytes : null;
  } catch { return null; }
}

/** The labels and values of a field; of a label that is there twice the last counts (RFC 8941 §3.2). */
const membersOf = (/** @type {string} */ field) => new Map(
  (field.length > fieldLengthMax ? '' : field).split(',').map((member) => {
    const at = member.indexOf('=');
    return /** @type {const} */ (
      [member.slice(0, Math.max(at, 0)).replace(/^[ \t]+/, ''), member.slice(at + 1).replace(/[ \t]+$/, '')]);
  }));

export class Signatures {
  /** @type {import('./signatures.js').Verification | null} */
  verification = null;
  /** @type {Map<string, {bytes: Uint8Array, key: Promise<any> | null}> | undefined} the pinned keys, by their ids */
  #keys;
  /** @type {import('./signatures.js').Options} */
  #options;
  #bodyMax = bodyMax;
  /** @type {Record<string, string>} the highest edition that each key signed */
  #highest = {};
  /**
   * The page that was passed on last.
   * @type {{tag: string, text: string, signed: Record<string, string> | null, page?: any, isExact?: boolean} | null}
   */
  #held = null;

  /**
   * @param {'report' | 'require'} mode
   * @param {string[]} keys
   * @param {Partial<import('./signatures.js').Options>} [options]
   */
  constructor(mode, keys, options = {}) {
    this.mode = mode;
    this.#options = { clockSkew: 300, subtle: globalThis.crypto?.subtle, date: Date.now, ...options };
    const bytes = keys.map((key) => bytesOf(key, 32));
    if (keys.length < 1 || keys.length > keyCountMax || new Set(keys).size < keys.length || bytes.includes(null)) {
      throw new TypeError(
        `1 to ${keyCountMax} different keys can be pinned, each as hearth keys list prints it: base64 of 32 bytes`);
    }
    this.keys = keys;
  }

  /** @param {import('./index.js').Settings} settings */
  settings(settings) {
    const { fetch = globalThis.fetch.bind(globalThis) } = settings;
    this.#bodyMax = settings.bodyMax ?? bodyMax;
    return {
      ...settings,
      fetch: /** @type {typeof globalThis.fetch} */ (
        (/** @type {any} */ url, /** @type {any} */ options) => this.#fetch(fetch, String(url), options)),
      records: {
        mark: (/** @type {string} */ text) => this.#markOf(text),
        admit: (/** @type {string} */ record) => this.#admit(record),
        forget: () => { [this.#highest, this.#held, this.verification] = [{}, null, null]; },
      },
    };
  }

  /**
   * @param {typeof globalThis.fetch} fetch
   * @param {string} url
   * @param {{headers: Record<string, string>}} options
   * @returns {Promise<any>}
   */
  async #fetch(fetch, url, options) {
    const id = /\/v1\/pages\/([^/?]+)(?:\?|$)/.exec(url)?.[1];
    // Parts of a page are not signed.
    if (!id) return fetch(url, options);
    const { 'If-None-Match': tag, 'A-IM': changes, Prefer, ...whole } = options.headers;
    const held = this.#held;
    // What cannot be written as the server does cannot be verified after changes.
    if (held && tag === held.tag && changes) held.isExact ??= textOf(held.page ??= read(held.text)) === held.text;
    const first = !tag || tag !== held?.tag ? whole : held.isExact ? options.headers
      : { ...whole, 'If-None-Match': tag, ...Prefer && { Prefer } };
    const ask = (/** @type {Record<string, string>} */ headers) =>
      this.#ask(fetch, url, { ...options, headers }, decodeURIComponent(id));
    let answer = await ask(first);
    if (!answer.fits) answer = await ask(whole);
    const isOver = () => answer.verdict.reason === 'expired' && this.mode === 'require';
    // From a cache on the way, or from a server that lags behind.
    if (this.#isOlder(answer.verdict) || isOver()) answer = await ask({ ...whole, 'Cache-Control': 'no-cache' });
    const { reason, revision } = answer.verdict;
    if (!answer.fits) throw new ClientError('unreadable', 'the answer is no page');
    if (this.#isOlder(answer.verdict)) {
      throw new ClientError(
        'dropped', `the answer is of the edition ${revision}, and the same key signed a later one`);
    }
    if (reason && answer.text !== null && this.mode === 'require') {
      throw new ClientError('unverified', `the answer is not taken: ${sentences[reason]}`, { reason });
    }
    if (answer.text !== null) this.#note(answer);
    return answer.response;
  }

  /** @param {Verdict} verdict */
  #isOlder({ keyIDs, revision }) {
    return keyIDs.length > 0 && keyIDs.every((id) => isBefore(revision, this.#highest[id]));
  }

  /**
   * @param {typeof globalThis.fetch} fetch
   * @param {string} url
   * @param {{headers: Record<string, string>}} options
   * @param {string} id the page's
   * @returns {Promise<Answer>}
   */
  async #ask(fetch, url, options, id) {
    const response = await fetch(url, { ...options, headers: { ...options.headers, 'Accept-Signature': accepted } });
    const { status, headers } = response;
    const body = await textOfBody(response, this.#bodyMax);
    const field = (/** @type {string} */ name) => headers.get(name);
    const tag = options.headers['If-None-Match'];
    const held = tag && this.#held?.tag === tag ? this.#held : null;
    /** @type {Answer} */
    const answer = {
      response: { status, headers, text: async () => body }, status, field, fits: true, text: null,
      verdict: { reason: null, keyIDs: [], isOfPage: false, revision: field('Hearth-Revision') },
    };
    if (status === 200) answer.text = body;
    if (status === 304 && held) answer.text = held.text;
    if (status === 226 && held) {
      try {
        if (field('IM')?.toLowerCase() !== 'hearth-changes') throw new Error('is something else');
        answer.text = textOf(applying(held.page ??= read(held.text), read(body)));
      } catch { return { ...answer, fits: false }; }
    }
    // Changes, and that there are none, are of a page that was passed on.
    if (answer.text === null) return { ...answer, fits: status !== 226 && status !== 304 };
    answer.verdict = await this.#check(field, status === 304 ? tag : null, answer.text, this.#options.date());
    const { reason } = answer.verdict;
    if (status === 200) {
      try { if (reason) readPage(body, id); } catch { answer.text = null; }
    } else if (reason && reason !== 'expired') {
      // Where the page is shown all the same, it would be asked for twice each time.
      answer.fits = this.mode === 'report' && reason !== 'wrongSignature' && reason !== 'otherContent';
    }
    return answer;
  }

  /** @param {Answer} answer */
  #note({ verdict, status, text, field }) {
    const { keyIDs, isOfPage, revision, reason } = verdict;
    for (const id of keyIDs) if (revision && !isBefore(revision, this.#highest[id])) this.#highest[id] = revision;
    const signed = isOfPage ? this.#fieldsOf(field) : null;
    if (status !== 304) this.#hold(/** @type {string} */ (text), signed);
    else if (signed && this.#held) this.#held.signed = signed;
    this.#say(reason ? { keyID: null, reason } : { keyID: keyIDs[0], reason: null });
  }

  /** @param {string} text @param {Record<string, string> | null} signed */
  #hold(text, signed) { this.#held = { tag: `W/"${versionOf(text)}"`, text, signed }; }

  /** @param {import('./signatures.js').Verification} verification */
  #say(verification) {
    const { keyID, reason } = this.verification ?? {};
    if (this.verification && keyID === verification.keyID && reason === verification.reason) return;
    this.verification = verification;
    this.#options.report?.(verification);
  }

  /** @param {Field} field */
  #fieldsOf(field) {
    return Object.fromEntries(kept.flatMap((name) => field(name) ? [[name, String(field(name))]] : []));
  }

  /** What stands before a record, so that the page is verified when it is read. */
  #markOf(/** @type {string} */ text) {
    const held = this.#held;
    const signed = held && versionOf(text) === versionOf(held.text) ? held.signed : null;
    return `${mark}${JSON.stringify({ signed, highest: this.#highest })}\n`;
  }

  /** Throws for a record that is not to be shown. */
  async #admit(/** @type {string} */ record) {
    /** @type {Record<string, string> | null} */
    let signed = null;
    if (record.startsWith(mark)) {
      const head = JSON.parse(record.slice(mark.length, record.indexOf('\n')));
      const ids = await this.#pinned().catch(() => new Map());
      for (const [id, revision] of Object.entries(head.highest ?? {})) {
        const isHigher = ids.has(id) && editionOf(String(revision)) && !isBefore(String(revision), this.#highest[id]);
        if (isHigher) this.#highest[id] = String(revision);
      }
      signed = head.signed;
    }
    const text = textIn(record);
    // A page that was kept stays good to show when its signature is over.
    const { reason, keyIDs } = await this.#check((name) => signed?.[name], null, text, null);
    if (reason && this.mode === 'require') throw new Error(sentences[reason]);
    this.#hold(text, reason ? null : signed);
    this.#say(reason ? { keyID: null, reason } : { keyID: keyIDs[0], reason: null });
  }

  async #pinned() {
    const digest = async (/** @type {Uint8Array} */ bytes) =>
      new Uint8Array(await this.#options.subtle.digest('SHA-256', bytes));
    this.#keys ??= new Map(await Promise.all(this.keys.map(async (key) => {
      const bytes = /** @type {Uint8Array} */ (bytesOf(key, 32));
      const id = Array.from((await digest(bytes)).subarray(0, 8), (byte) => byte.toString(16).padStart(2, '0'))
        .join('');
      return /** @type {const} */ ([id, { bytes, key: null }]);
    })));
    return this.#keys;
  }

  /** @type {(...words: [Field, string | null, string, number | null]) => Promise<Verdict>} */
  async #check(...words) {
    try { return await this.#checkBy(...words); } catch {
      return { reason: 'unsupported', keyIDs: [], isOfPage: false, revision: words[0]('Hearth-Revision') ?? null };
    }
  }

  /**
   * Checks the signatures of an answer, of which one is enough.
   * @param {Field} field
   * @param {string | null} tag of the page that is held, when the answer says that it is the one to show
   * @param {string} text of the page that the answer comes to
   * @param {number | null} now milliseconds; `null` for a page that was kept
   * @returns {Promise<Verdict>}
   */
  async #checkBy(field, tag, text, now) {
    const revision = field('Hearth-Revision') ?? null;
    const [input, signature] = [field('Signature-Input'), field('Signature')];
    /** @type {Verdict} */
    const verdict = { reason: null, keyIDs: [], isOfPage: false, revision };
    if (!input || !signature) return { ...verdict, reason: 'unsigned' };
    const signatures = membersOf(signature);
    const all = [...membersOf(input)].flatMap(([label, written]) => {
      const parts = form.exec(written);
      const bytes = bytesOf(/^:(.*):$/.exec(signatures.get(label) ?? '')?.[1] ?? '', 64);
      return parts && bytes ? [{
        written, bytes, isOfPage: parts[1] !== 'etag', created: Number(parts[2]), expires: Number(parts[3]),
        id: parts[4],
      }] : [];
    }).slice(0, countMax);
    if (!all.length || !editionOf(revision)) return { ...verdict, reason: 'unreadable' };
    const keys = await this.#pinned();
    const known = all.filter(({ id }) => keys.has(id));
    if (!known.length) return { ...verdict, reason: 'unknownKey' };
    const [seconds, { clockSkew, subtle }] = [now === null ? null : now / 1000, this.#options];
    const digest = field('Unencoded-Digest');
    for (const { written, bytes, isOfPage, created, expires, id } of known) {
      const reason = await (async () => {
        const validator = isOfPage ? digest : tag;
        if (!validator) return 'otherContent';
        const base = `"${isOfPage ? 'unencoded-digest' : 'etag'}": ${validator}\n"hearth-revision": ${
          revision}\n"@signature-params": ${written}`;
        const pinned = /** @type {any} */ (keys.get(id));
        const key = await (pinned.key ??= subtle.importKey('raw', pinned.bytes, 'Ed25519', false, ['verify']));
        if (!await subtle.verify('Ed25519', key, bytes, utf8.encode(base))) return 'wrongSignature';
        if (seconds !== null && created > seconds + clockSkew) return 'notYet';
        if (seconds !== null && seconds > expires + clockSkew) return 'expired';
        const hash = new Uint8Array(await subtle.digest('SHA-256', utf8.encode(isOfPage ? text : '')));
        return isOfPage && validator !== `sha-256=:${inBase64(hash)}:` ? 'otherContent' : null;
      })();
      if (reason) verdict.reason ??= reason;
      else {
        verdict.keyIDs.push(id);
        verdict.isOfPage ||= isOfPage;
      }
    }
    return verdict.keyIDs.length ? { ...verdict, reason: null } : verdict;
  }
}

/** The version of a page, where it stands in its text. */
const versionOf = (/** @type {string} */ text) =>
  /^\{"page":"(?:[^"\\]|\\.)*","version":"([^"]*)"/.exec(text)?.[1] ?? '';
