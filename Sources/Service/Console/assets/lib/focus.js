// Where the keys of a dialog begin, and where they go on when it is closed.

/** What takes the focus, but for what is not drawn and what is off. */
const stops = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
const isDrawn = (/** @type {Element} */ element) => element.checkVisibility();
const isStop = (/** @type {HTMLElement} */ element) =>
  isDrawn(element) && !element.matches(':disabled, [tabindex="-1"]');

/**
 * Where the keys of a dialog begin: at what it marks so, at its first field, at what it is for, at what harms least.
 * @param {HTMLDialogElement} dialog
 */
export function firstStop(dialog) {
  const fields = '.body :is(input, select, textarea)';
  const places = ['[autofocus]', fields, 'form :is(input, select, textarea)', 'footer .primary', 'footer button',
    `.body :is(${stops})`, stops];
  for (const place of places) {
    const found = /** @type {HTMLElement[]} */ ([...dialog.querySelectorAll(place)]).find(isStop);
    if (found) return found;
  }
  return null;
}

/**
 * Gives the focus to the first of some places that is still there and not off, each within the next; one that takes
 * none otherwise takes it until it is left, so that the next Tab goes on from there.
 * @param {HTMLElement[]} places
 */
export function focusFirst(places) {
  for (const place of places) {
    if (!place.isConnected || !isDrawn(place) || place.matches(':disabled') || place.closest('[inert]')) continue;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) return;
    place.tabIndex = -1;
    place.focus({ preventScroll: true });
    if (document.activeElement === place) {
      place.addEventListener('blur', () => place.removeAttribute('tabindex'), { once: true });
      return;
    }
    // It is covered: Tab would pass it by from now on.
    place.removeAttribute('tabindex');
  }
}

/** An element and what it lies in, up to the view. */
export function pathOf(/** @type {Element|null} */ element) {
  /** @type {HTMLElement[]} */
  const path = [];
  for (let each = element; each && each.id !== 'app' && each !== document.body; each = each.parentElement) {
    path.push(/** @type {HTMLElement} */ (each));
  }
  return path;
}
