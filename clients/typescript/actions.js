// What an item offers beside its tap: a button in its cell, and a list that it opens. The element brings it where an
// item has actions.

import { isOpened, made } from './nodes.js';
import { adopt } from './sheet.js';

const rules = `
.hp-actions > * {
  color: inherit; display: block; cursor: pointer; background: none; width: 100%; padding: 13px;
  font: inherit; border: 0;
}
.hp-actions > .hp-destructive { color: var(--hp-accent); }
@media (hover: hover) { :where(.hp-cell:not(:hover) > [tabindex="-1"] + .hp-more) { visibility: hidden; } }
.hp-offers { position: relative; display: inline-block; }
:where([aria-expanded] + .hp-more) { inset-inline-end: 40px; }
:where(.hp-more) { inset-inline-end: 0; top: 0; opacity: 1; pointer-events: auto; }
`;

/**
 * Puts a button behind what is tapped.
 * @param {HTMLElement} hit
 * @param {import('./index.js').Item} item
 * @param {(action: import('./index.js').Action) => boolean} act whether the address is to be opened
 */
export function offer(hit, { actions = [] }, act) {
  // It may have left meanwhile.
  adopt(hit.isConnected ? hit.getRootNode() : document, rules);
  const button = made('button', 'hp-side hp-more', '⋯');
  button.ariaLabel = actions.map(({ title }) => title).join(', ');
  button.ariaHasPopup = 'dialog';
  button.addEventListener('click', () => {
    const choices = actions.map(({ title, action, role }) => {
      const choice = made('button', role ? `hp-${role}` : '', title);
      choice.addEventListener('click', () => {
        if (act(action) && isOpened(action.url)) location.assign(action.url ?? '');
      });
      return choice;
    });
    const list = /** @type {HTMLDialogElement} */ (made('dialog', 'hp-actions', ...choices));
    list.ariaLabel = hit.ariaLabel ?? hit.textContent;
    // Whatever is pressed, or beside it, ends it; the button has the focus again.
    list.addEventListener('click', () => list.close());
    list.addEventListener('close', () => list.remove());
    hit.closest('.hp')?.append(list);
    list.showModal();
  });
  if (hit.parentElement?.matches('.hp-cell')) return hit.after(button);
  const around = made('div', 'hp-offers');
  hit.replaceWith(around);
  return around.append(hit, button);
}
