// What every part of a page's model goes by: the page, its draft, what may be done with it, and who is told of changes.

import { sectionName } from './words.js';

export class PageState {
  /** @type {Set<() => void>} */
  #listeners = new Set();
  /** @type {{draft: Draft|null, sections: Map<string, Section>}} the sections of a draft by their ids */
  #found = { draft: null, sections: new Map() };

  constructor(/** @type {string} */ page, /** @type {Setup} */ { kinds, attributes, rights }) {
    this.page = page;
    this.kinds = kinds;
    this.attributes = attributes;
    this.rights = rights;
    // Nothing of it is drawn before the draft is there.
    this.draft = /** @type {Draft} */ (/** @type {unknown} */ (null));
  }

  subscribe(/** @type {() => void} */ listener) {
    this.#listeners.add(listener);
    return () => { this.#listeners.delete(listener); };
  }

  change(/** @type {object} */ patch) {
    Object.assign(this, patch);
    for (const listener of this.#listeners) listener();
  }

  /** @returns {['pages', string]} */
  get path() { return ['pages', this.page]; }
  get mayEdit() { return this.rights.mayEdit(this.page); }
  mayRead(/** @type {string} */ id) { return this.rights.mayRead(this.page, id); }
  get mayPublish() { return this.rights.mayPublish(this.page); }
  section(/** @type {string} */ id) {
    // Views ask for every section at each key that is typed.
    if (this.#found.draft !== this.draft) {
      const sections = /** @type {Map<string, Section>} */ (new Map());
      for (const section of this.draft?.sections ?? []) sections.set(section.id, section);
      this.#found = { draft: this.draft, sections };
    }
    return this.#found.sections.get(id);
  }

  nameOf(/** @type {string} */ id) { return sectionName(this.section(id), this.kinds, id); }
}
