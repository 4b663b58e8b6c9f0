// The items of long lists that do not stand in the page.

import { ClientError } from './client.js';
import { read } from './json.js';

/** @typedef {import('./index.js').Item} Item */
/** @typedef {import('./index.js').More} More */
/** @typedef {import('./index.js').Page} Page */
/** @typedef {{name: string, items: Item[], more?: More, next?: Promise<Item[]>}} List */

export class Lists {
  /** What was fetched, by section. @type {Map<string, List>} */
  #lists = new Map();

  /** The page whose lists they are, where another one is shown than the client has. @type {Page | null} */
  shown = null;

  /** @param {import('./index.js').HearthClient} client */
  constructor(client) { this.client = client; }

  /** @param {string} id */
  #section(id) { return (this.shown ?? this.client.page)?.sections.find((section) => section.id === id); }

  /**
   * The list that the page has now: what was fetched of another one is nothing here.
   * @param {string} id
   * @returns {List}
   */
  #list(id) {
    const more = this.#section(id)?.more;
    // The same list may begin elsewhere: then another number of items is missing.
    const name = `${more?.of} ${more?.count}`;
    const held = this.#lists.get(id);
    if (held?.name === name) return held;
    /** @type {List} */
    const list = { name, items: [], more };
    this.#lists.set(id, list);
    return list;
  }

  /** @param {string} id */
  items(id) { return [...this.#section(id)?.items ?? [], ...this.#list(id).items]; }

  /** @param {string} id */
  rest(id) { return this.#list(id).more?.count ?? 0; }

  /** @param {string} id */
  more(id) {
    const list = this.#list(id);
    return list.next ??= this.#next(list, () => this.#list(id) === list).finally(() => { list.next = undefined; });
  }

  /**
   * @param {List} list
   * @param {() => boolean} isCurrent
   * @returns {Promise<Item[]>}
   */
  async #next(list, isCurrent) {
    const { more } = list;
    // Nowhere but to the server of the page.
    if (!more?.href.startsWith('/v1/')) return [];
    let text = '';
    try { text = await this.client.get(more.href); } catch (/** @type {any} */ error) {
      // It is not kept any more, or not understood: the page has the link of the list that there is.
      if (error.status === 400 || error.status === 410) this.client.refresh();
      throw error;
    }
    if (!isCurrent()) return [];
    let part;
    try { part = read(text); } catch { /* Something in between answered. */ }
    if (part?.of !== more.of || !part.items?.length) {
      throw new ClientError('unreadable', 'the answer is no part of the list');
    }
    list.items = [...list.items, ...part.items];
    list.more = part.more;
    return part.items;
  }
}
