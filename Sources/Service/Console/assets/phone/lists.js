// The items of long lists: so many at first, and more when the end of what is there comes into sight, those that do not
// stand in the page as well.

/** @typedef {(section: Section, fetched: number) => Promise<Item[]>} More brings what follows; none at the end */
/**
 * @typedef {{of: string, shown: number, items: Item[], isBusy?: boolean, isOver?: boolean, from?: Section|null,
 *   whole?: Section}} Held
 */

/** How many of the page's items are laid out at first, and how many more each time: a key typed lays them out anew. */
const step = 100;

export class Lists {
  /** @type {Map<string, Held>} */
  #held = new Map();

  /** @param {() => void} onChange is called when items have come */
  constructor(onChange) { this.onChange = onChange; }

  /** What was fetched of the list that a section has now: what was of another one is nothing here. */
  #heldOf(/** @type {{id: string, more?: Section['more']}} */ { id, more }) {
    const of = more ? `${more.of} ${more.count}` : '';
    const held = this.#held.get(id);
    if (held?.of === of) return held;
    /** @type {Held} */
    const next = { of, shown: step, items: [] };
    this.#held.set(id, next);
    return next;
  }

  /** A section with what was fetched; the same one for as long as neither is another. */
  whole(/** @type {Section} */ section) {
    const held = this.#heldOf(section);
    const { items = [] } = section;
    if (held.items.length === 0 && items.length <= held.shown) return section;
    if (held.from !== section) {
      held.from = section;
      held.whole = { ...section, items: items.length > held.shown ? items.slice(0, held.shown)
        : [...items, ...held.items] };
    }
    return held.whole ?? section;
  }

  /** How many items are still to come. */
  left(/** @type {Section} */ { items = [], ...section }) {
    const held = this.#heldOf(section);
    return Math.max(0, items.length - held.shown) + Math.max(0, (section.more?.count ?? 0) - held.items.length);
  }

  /** @param {Section} section @param {More} [fetch] */
  async bring(section, fetch) {
    const held = this.#heldOf(section);
    if ((section.items?.length ?? 0) > held.shown) {
      // What has one place for all its items never comes to an end.
      if (['carousel', 'ticker'].includes(section.layout?.style ?? '')) return;
      Object.assign(held, { shown: held.shown + step, from: null });
      this.onChange();
      return;
    }
    if (!fetch || held.isBusy || held.isOver || this.left(section) === 0) return;
    held.isBusy = true;
    /** @type {Item[]} */
    let next = [];
    try { next = await fetch(section, held.items.length); } catch { /* The page has another list soon. */ }
    Object.assign(held, { items: [...held.items, ...next], isBusy: false, isOver: next.length === 0, from: null });
    this.onChange();
  }
}
