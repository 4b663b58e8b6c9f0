// What a token may do, so that what may not be done is not offered. The server decides all the same.

const ranks = ['viewer', 'source', 'editor', 'publisher', 'admin'];

export class Rights {
  /** @param {{name: string, role: string, scopes?: string[]}} token */
  constructor(token) {
    this.name = token.name;
    this.rank = ranks.indexOf(token.role);
    this.scopes = token.scopes ?? [];
  }

  #covers(/** @type {string} */ page, /** @type {string|undefined} */ section = undefined) {
    return this.scopes.length === 0 || this.scopes.includes(page)
      || (section !== undefined && this.scopes.includes(`${page}/${section}`));
  }

  /** The pages that the scopes name; all of them when there are no scopes. */
  get pages() { return [...new Set(this.scopes.map((scope) => scope.split('/')[0]))]; }

  mayRead(/** @type {string} */ page, /** @type {string} */ section) { return this.#covers(page, section); }
  mayFill(/** @type {string} */ page, /** @type {string} */ section) {
    return this.rank >= 1 && this.#covers(page, section);
  }
  mayEdit(/** @type {string} */ page) { return this.rank >= 2 && this.#covers(page); }
  mayPublish(/** @type {string} */ page) { return this.rank >= 3 && this.#covers(page); }
  get maySeePictures() { return this.scopes.length === 0; }
  get mayAddPages() { return this.rank >= 2 && this.scopes.length === 0; }
  get mayEditAudiences() { return this.mayAddPages; }
  get mayWithhold() { return this.rank >= 3 && this.scopes.length === 0; }
  get mayRemovePictures() { return this.mayWithhold; }
  get isAdmin() { return this.rank >= 4 && this.scopes.length === 0; }
}
