// What every part of a page's model goes by: the page, its draft, what may be done with it, and who is told of changes.

export class PageState {
  /** @type {Set<() => void>} */
  #listeners = new Set();

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

  change(/** @type {any} */ patch) {
    Object.assign(this, patch);
    for (const listener of this.#listeners) listener();
  }

  /** Reads the draft anew. */
  async reload() {}

  get path() { return ['pages', this.page]; }
  get mayEdit() { return this.rights.mayEdit(this.page); }
  mayRead(/** @type {string} */ id) { return this.rights.mayRead(this.page, id); }
  get mayPublish() { return this.rights.mayPublish(this.page); }
  section(/** @type {string} */ id) {
    return this.draft?.sections.find((/** @type {any} */ section) => section.id === id);
  }

  nameOf(/** @type {string} */ id) {
    const section = this.section(id);
    return section?.title ?? this.kinds.sectionKinds?.[section?.kind ?? '']?.title ?? id;
  }
}
