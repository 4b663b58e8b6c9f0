// What a token may do, so that what may not be done is not offered. The server decides all the same.

const ranks = ['viewer', 'source', 'editor', 'publisher', 'admin'];

export class Rights {
  constructor(token) {
    this.name = token.name;
    this.rank = ranks.indexOf(token.role);
    this.scopes = token.scopes ?? [];
  }

  #covers(page, section) {
    return this.scopes.length === 0 || this.scopes.includes(page)
      || (section !== undefined && this.scopes.includes(`${page}/${section}`));
  }

  mayFill(page, section) { return this.rank >= 1 && this.#covers(page, section); }
  mayEdit(page) { return this.rank >= 2 && this.#covers(page); }
  mayPublish(page) { return this.rank >= 3 && this.#covers(page); }
  get mayAddPages() { return this.rank >= 2 && this.scopes.length === 0; }
  get mayEditAudiences() { return this.mayAddPages; }
  get isAdmin() { return this.rank >= 4 && this.scopes.length === 0; }
}
