// What polls: the element brings it where there is something to poll.

import { HearthClient } from './client.js';
import { Lists } from './lists.js';

/** The long lists of a page that is shown. */
export class ShownLists extends Lists {
  /** Lists whose next part is asked for, or was refused. @type {Set<string>} */
  asked = new Set();

  /**
   * Asks for what follows in a section, once until the next answer if it is refused.
   * @param {import('./index.js').Section} section
   * @param {() => void} come is called when something came
   */
  bring({ id, more }, come) {
    const key = `${id} ${more?.of} ${more?.count}`;
    const had = this.rest(id);
    if (had === 0 || this.asked.has(key)) return;
    this.asked.add(key);
    this.more(id).then(() => {
      this.asked.delete(key);
      // The list that there is goes on; one that a page has replaced is that page's matter.
      if (this.rest(id) !== had) come();
    }, () => { /* Asked for again with the next answer. */ });
  }
}

/**
 * The client of an element, and where its page is asked for.
 * @param {HTMLElement} element
 * @param {Partial<import('./index.js').Settings>} given
 * @param {Record<string, string>} overrides
 */
export async function pollingOf(element, given, overrides) {
  const server = new URL(element.getAttribute('src') ?? '', document.baseURI);
  const parameters = { ...given.parameters ?? Object.fromEntries(server.searchParams), ...overrides };
  server.search = server.hash = '';
  const id = element.getAttribute('page') ?? 'home';
  const origin = `hearth ${server}${id}`;
  const place = origin + JSON.stringify(parameters);
  /** @type {import('./index.js').Settings} */
  let settings = {
    server, page: id, wait: Number(element.getAttribute('wait') ?? 25),
    storage: {
      load: () => localStorage.getItem(place),
      save: (/** @type {string} */ text) => localStorage.setItem(place, text),
    },
    ...given, parameters,
  };
  const keys = element.getAttribute('keys')?.trim();
  if (keys) {
    const { Signatures } = await import('./signatures.js');
    settings = new Signatures('require', keys.split(/\s+/)).settings(settings);
  }
  return { client: new HearthClient(settings), origin };
}
