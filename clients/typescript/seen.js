// What the user of an element has seen: half of it, or of the screen, for a second.

/** Until what shows was seen, in milliseconds. */
const seenAfter = 1_000;

/** @typedef {{ owner: { places: { section: any } }, place: { item: any, part?: string } }} Cell */

/** Watches the cells of an element, and tells of each item once, until it is told to forget. */
export class Seen {
  /** What is waited for, and what was told of. @type {Map<string, any>} */
  #known = new Map();
  /** @type {IntersectionObserver} */
  #observer;

  /**
   * @param {HTMLElement} root
   * @param {(node: Element) => Cell | undefined} cellOf what a node shows now
   * @param {(seen: { item: any, section: any }) => void} tell
   */
  constructor(root, cellOf, tell) {
    this.#observer = new IntersectionObserver((entries) => {
      for (const { target, intersectionRatio, intersectionRect } of entries) {
        const cell = cellOf(target);
        if (!cell || cell.place.part === 'tabs') continue;
        const isSeen = intersectionRatio >= 0.5 || intersectionRect.height * 2 >= root.clientHeight;
        this.#look(cell, isSeen, tell);
      }
    }, { root, threshold: [0.01, 0.5] });
  }

  /** @param {Cell} cell @param {boolean} isSeen @param {(seen: { item: any, section: any }) => void} tell */
  #look(cell, isSeen, tell) {
    const { owner: { places: { section } }, place: { item } } = cell;
    const key = `${section.id} ${item.id}`;
    const timer = this.#known.get(key);
    if (isSeen && timer === undefined) {
      this.#known.set(key, setTimeout(() => {
        this.#known.set(key, true);
        if (cell.place.item.id === item.id && document.visibilityState !== 'hidden') {
          tell({ item: cell.place.item, section });
        } else this.#known.delete(key);
      }, seenAfter));
    } else if (!isSeen && typeof timer === 'number') {
      clearTimeout(timer);
      this.#known.delete(key);
    }
  }

  observe(/** @type {Element} */ node) {
    // One that is watched already says nothing of what it shows now.
    this.#observer.unobserve(node);
    this.#observer.observe(node);
  }

  unobserve(/** @type {Element} */ node) { this.#observer.unobserve(node); }

  forget() {
    for (const timer of this.#known.values()) clearTimeout(timer);
    this.#known.clear();
  }

  end() {
    this.#observer.disconnect();
    this.forget();
  }
}
