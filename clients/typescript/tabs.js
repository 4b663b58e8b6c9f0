// The tabs of an app that show the same page: one of them holds polls, and tells the others what came. A browser has
// six connections to a server over HTTP/1.1.

/**
 * @typedef {object} Message
 * @property {import('./record.js').Head} [head] of the page that the server said is the one to show
 * @property {string | null} [record] the page, when it is a new one
 * @property {{kind: import('./index.js').ErrorKind, message: string}} [failure]
 * @property {boolean} [isReset] whether the page is to be forgotten
 */

const prefix = 'hearth-client ';

export class Tabs {
  /** Whether this tab is the one that holds polls. */
  isLeading = false;
  #over = new AbortController();
  /** @type {BroadcastChannel} */
  #channel;

  /**
   * Joins the tabs that poll a URL; `null` where the browser cannot tell one tab of another.
   * @param {string} url
   * @param {{lead(): void, hear(message: Message): unknown}} listener
   */
  static join(url, listener) {
    const canShare = globalThis.document && globalThis.navigator?.locks && globalThis.BroadcastChannel;
    return canShare ? new Tabs(prefix + url, listener) : null;
  }

  /**
   * Does something while no other tab does it.
   * @param {string} url
   * @param {() => Promise<void>} work
   */
  static alone(url, work) {
    const locks = globalThis.document && globalThis.navigator?.locks;
    let isBegun = false;
    const begun = () => { isBegun = true; return work(); };
    return locks?.request(`${prefix}${url.split('?')[0]} storage`, begun).catch((reason) => {
      if (isBegun) throw reason;
      return work();
    }) ?? work();
  }

  /** @param {string} name @param {{lead(): void, hear(message: Message): unknown}} listener */
  constructor(name, { lead, hear }) {
    const { signal } = this.#over;
    this.#channel = new BroadcastChannel(name);
    this.#channel.onmessage = ({ data }) => hear(data);
    const begin = () => {
      this.isLeading = true;
      lead();
    };
    navigator.locks.request(name, { signal }, () => {
      begin();
      return new Promise((leave) => signal.addEventListener('abort', leave));
      // A frame without an origin has no locks.
    }).catch(() => signal.aborted || begin());
  }

  /** @param {Message} message */
  tell(message) { this.#channel.postMessage(message); }

  /** Another tab takes over. */
  leave() {
    this.isLeading = false;
    this.#over.abort();
    this.#channel.close();
  }
}
