// A section that is dragged on the phone: the others make room for it while it moves.

/** How far a pointer moves before it drags, in pixels, and how long a finger rests before, in milliseconds. */
const [slack, rest] = [4, 120];
/** How near the edge the page scrolls, and by how much in each frame, in pixels. */
const [edge, step] = [40, 8];

/**
 * Lets the sections of a page be dragged.
 * @param {HTMLElement} page
 * @param {object} handlers
 * @param {() => string[]} handlers.order the ids of what stands one below the other
 * @param {(order: string[]|null, id: string|null) => void} handlers.show shows another order while one is dragged
 * @param {(id: string, neighbours: {before: string|null, after: string|null}) => boolean} handlers.move false where
 *   that moves nothing
 * @returns {() => void} takes it away again
 */
export function makeDraggable(page, { order, show, move }) {
  const over = new AbortController();
  /** @type {{id: string, x: number, y: number, order: string[], begun: string[], isDragged: boolean}|null} */
  let held = null;
  let timer = 0;
  let hasDragged = false;

  /** Where what is dragged would stand: past the middle of another one it takes its place. */
  const place = () => {
    const canvas = /** @type {HTMLElement} */ (page.querySelector('.hp-canvas'));
    const box = canvas.getBoundingClientRect();
    if (!held?.isDragged) return;
    const { id, order } = held;
    const y = (held.y - box.top) * canvas.offsetHeight / box.height;
    // Where they stand, not where they are on their way.
    const target = /** @type {HTMLElement[]} */ ([...canvas.children]).find((section) =>
      section.offsetTop <= y && y < section.offsetTop + section.offsetHeight);
    const to = order.indexOf(target?.dataset.id ?? id);
    const from = order.indexOf(id);
    if (!target || to < 0 || to === from) return;
    const isPast = y > target.offsetTop + target.offsetHeight / 2;
    if (isPast !== to > from) return;
    held.order = order.toSpliced(from, 1).toSpliced(to, 0, id);
    show(held.order, id);
  };

  const scroll = () => {
    if (!held?.isDragged) return;
    const { top, bottom } = page.getBoundingClientRect();
    const by = held.y < top + edge ? -step : held.y > bottom - edge ? step : 0;
    if (by !== 0) {
      page.scrollBy(0, by);
      place();
    }
    requestAnimationFrame(scroll);
  };

  const begin = () => {
    if (!held || held.isDragged) return;
    held.isDragged = hasDragged = true;
    show(held.order, held.id);
    scroll();
  };

  const end = (isMoved = false) => {
    clearTimeout(timer);
    const last = held;
    held = null;
    if (!last?.isDragged) return;
    const { id, order, begun } = last;
    const at = order.indexOf(id);
    const isElsewhere = isMoved && at !== begun.indexOf(id)
      && move(id, { before: order[at - 1] ?? null, after: order[at + 1] ?? null });
    show(isElsewhere ? order : null, null);
  };

  /** @typedef {On<PointerEvent & KeyboardEvent, HTMLElement>} Heard */
  const on = (/** @type {EventTarget} */ target, /** @type {string} */ name, /** @type {(event: Heard) => void} */ hear,
    options = {}) => target.addEventListener(
    name, /** @type {EventListener} */ (hear), { signal: over.signal, ...options });
  on(page, 'pointerdown', ({ target, button, isPrimary, pointerType, clientX: x, clientY: y }) => {
    const section = target.closest('.hp-canvas > .hp-section');
    hasDragged = false;
    if (button !== 0 || !isPrimary || !section || target.closest('button')) return;
    held = { id: section.dataset.id ?? '', x, y, order: order(), begun: order(), isDragged: false };
    if (pointerType === 'touch') timer = setTimeout(begin, rest);
  });
  on(window, 'pointermove', ({ clientX: x, clientY: y, pointerType }) => {
    if (!held) return;
    const isFar = Math.hypot(x - held.x, y - held.y) > slack;
    if (held.isDragged) {
      Object.assign(held, { x, y });
      place();
    } else if (isFar && pointerType === 'touch') end();
    else if (isFar) begin();
  });
  on(window, 'pointerup', () => end(true));
  on(window, 'pointercancel', () => end());
  on(window, 'keydown', ({ key }) => { if (key === 'Escape') end(); });
  on(page, 'touchmove', (event) => { if (held?.isDragged) event.preventDefault(); }, { passive: false });
  on(page, 'dragstart', (event) => event.preventDefault());
  // What ends a drag is no click.
  on(page, 'click', (event) => { if (hasDragged) event.stopImmediatePropagation(); }, { capture: true });
  return () => {
    end();
    over.abort();
  };
}
