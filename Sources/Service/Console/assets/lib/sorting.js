// SortableJS over lists that Preact draws: the library moves the element, we put it back and change the state instead.

import '../vendor/sortable.js';

/**
 * @typedef {object} Drop where something was dragged from, and where to
 * @property {HTMLElement} item
 * @property {number} [oldDraggableIndex]
 * @property {number} [newDraggableIndex]
 */
/** @typedef {{create(element: HTMLElement, options: object): {destroy(): void}}} Library */
const { Sortable } = /** @type {{Sortable: Library}} */ (/** @type {unknown} */ (globalThis));

/**
 * Lets the children of an element be dragged.
 * @param {HTMLElement} element
 * @param {string} draggable
 * @param {(id: string, neighbours: {before: string|null, after: string|null}) => void} onMove gets the neighbours
 *   after the drop
 * @param {string} [handle]
 * @returns {() => void} takes it away again
 */
export function makeSortable(element, draggable, onMove, handle) {
  /** @type {Node|null} */
  let home = null;
  /** @type {(item: Element, name: 'previousElementSibling'|'nextElementSibling') => string|null} */
  const neighbour = (item, name) => {
    let other = item[name];
    while (other && !other.matches(draggable)) other = other[name];
    return other?.dataset.id ?? null;
  };
  const sortable = Sortable.create(element, {
    draggable, handle, animation: 120, forceFallback: true, fallbackOnBody: true, fallbackTolerance: 4,
    delay: 120, delayOnTouchOnly: true, ghostClass: 'drag-ghost', fallbackClass: 'drag-lifted', scrollSensitivity: 60,
    onStart: (/** @type {Drop} */ { item }) => { home = item.nextSibling; },
    onEnd: (/** @type {Drop} */ { item, oldDraggableIndex, newDraggableIndex }) => {
      const neighbours = {
        before: neighbour(item, 'previousElementSibling'), after: neighbour(item, 'nextElementSibling'),
      };
      element.insertBefore(item, home);
      if (oldDraggableIndex !== newDraggableIndex) onMove(item.dataset.id ?? '', neighbours);
    },
  });
  return () => sortable.destroy();
}
