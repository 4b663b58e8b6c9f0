// What an operator means to be done once, however often it is sent: the keys of its requests, and what was sent by
// them.
// A server that has done a request by a key gives its answer again, and refuses another request by the same key.

import { randomTail } from './ids.js';

/**
 * @typedef {{path: readonly string[], query?: import('./api.js').Query, body?: unknown, ifMatch?: string|null,
 *   ifNoneMatch?: string|null}} Sent
 */
/** @typedef {{key: string, sent: Sent[], isAnswered?: boolean}} Try a request that goes by one key, as it was sent */

/** What tells one request from another. */
const newKey = () => randomTail() + randomTail();

export class Once {
  /** Is called when something of it changes, so that it can be kept. */
  note = () => {};

  /** @param {Record<string, Try>} [tries] what was kept of it, each by what it is for */
  constructor(tries = {}) { this.tries = tries; }

  /** Whether something was sent whose answer never came: it may be done, or not. */
  get isUnanswered() { return Object.values(this.tries).some(({ isAnswered }) => !isAnswered); }

  /**
   * The key for what is to be sent, and all that was sent by it so far.
   * @param {string} place what it is for
   * @param {Sent} asked
   */
  begin(place, asked) {
    const trying = this.tries[place] ??= { key: newKey(), sent: [] };
    const text = JSON.stringify(asked);
    if (!trying.sent.some((each) => JSON.stringify(each) === text)) trying.sent.push(asked);
    this.note();
    return trying;
  }

  /** Takes note that it is done, so that to send it again means the same. */
  answer(/** @type {Try} */ trying) {
    trying.isAnswered = true;
    this.note();
  }

  /** It was refused, or another is meant by it from now on. */
  forget(/** @type {string} */ place) {
    delete this.tries[place];
    this.note();
  }

  /** All of it is over: what is sent next is meant anew. */
  clear() {
    this.tries = {};
    this.note();
  }
}
