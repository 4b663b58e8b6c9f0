// A line that runs. The element brings it where a section is a ticker.

import { made } from './nodes.js';
import { adopt } from './sheet.js';

const rules = `
:where(.hp-ticker) {
  display: flex; align-items: center; overflow: hidden; white-space: nowrap;
}
:where(.hp-track, .hp-run) { display: flex; flex: none; }
:where(.hp-run > *) { padding-inline: 13px 24px; }
@media (prefers-reduced-motion: reduce) {
  :where(.hp-ticker) { overflow-x: auto; scrollbar-width: none; }
  :where(.hp-run + .hp-run) { display: none; }
}
@media (prefers-reduced-motion: no-preference) {
  :where(.hp-track) { animation: hp-run linear infinite; }
  :where([dir=rtl] .hp-track) { animation-name: hp-run-back; }
  :where(.hp-ticker:hover .hp-track, .hp-ticker:focus-within .hp-track) { animation-play-state: paused; }
}
@keyframes hp-run { to { transform: translateX(-50%); } }
@keyframes hp-run-back { to { transform: translateX(50%); } }
`;

/**
 * Has items run through a box.
 * @param {HTMLElement} box
 * @param {import('./index.js').Item[]} items
 * @param {(item: import('./index.js').Item) => HTMLElement} draw what is tapped of an item
 */
export function run(box, items, draw) {
  // It may have left meanwhile.
  adopt(box.isConnected ? box.getRootNode() : document, rules);
  const [line, copy] = [0, 1].map(() => made('div', 'hp-run', ...items.map((item) => {
    const hit = draw(item);
    hit.dataset.item = item.id;
    return hit;
  })));
  copy.inert = true;
  const track = made('div', 'hp-track', line, copy);
  const words = items.map(({ content }) => content?.text ?? content?.title ?? '').join(' · ');
  track.style.animationDuration = `${Math.max(8, words.length * 0.35)}s`;
  box.replaceChildren(track);
  if (box.querySelector('.hp-hit')) box.removeAttribute('tabindex');
  else box.tabIndex = 0;
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', words);
}
