// A section of a kind as a plain sketch: its cells, where the web element would place them.

import { framesOf, html, objectOf } from '../shared.js';

/** The part of a screen that is sketched, in points, and the most cells in it. */
const [screen, height, cellsMax] = [{ width: 375, height: 812 }, 250, 24];
/** The height of what follows its content, and the words above and below the cells, in points. */
const [high, words] = [44, 28];

/**
 * A layout with the numbers that count everywhere: of what differs by locale, those for all; none of a token.
 * @returns {Content}
 */
function plain(/** @type {Content} */ value) {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  if ('*' in value || value.$token) return value['*'];
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, plain(each)]));
}

/**
 * The cells of a layout, as far as the sketch reaches.
 * @param {Layout} layout
 */
function cellsOf(layout) {
  const items = Array.from({ length: cellsMax }, (_, at) => ({ id: String(at) }));
  const given = { style: 'list', lineSpacing: 6, itemSpacing: 6, ...objectOf(plain(layout)) };
  const longer = (/** @type {{id: string}} */ { id }) =>
    given.style === 'waterfall' && Number(id) % 3 === 1 ? high * 1.4 : high;
  const options = { screen, scale: 3, measureWidth: () => 80 };
  const { cells, leaves } = framesOf({ layout: given, items }, screen.width, longer, options);
  if (leaves.length > 0) return leaves.map(({ x, width }) => ({ ...cells[0], x, width }));
  return cells.filter(({ y }) => y < height);
}

/** @param {{layout?: Layout, hasHeader?: boolean, hasFooter?: boolean}} props */
export function KindSketch({ layout = {}, hasHeader, hasFooter }) {
  const top = hasHeader ? words : 0;
  const cells = cellsOf(layout);
  const end = top + Math.max(...cells.map((cell) => cell.y + cell.height), 0);
  return html`<svg class="kind-sketch" viewBox="0 0 ${screen.width} ${height}" aria-hidden="true">
    ${hasHeader && html`<rect class="sketch-words" x="13" y="8" width="120" height="12" rx="4" />`}
    ${cells.map(({ x, y, width, height }) => html`<rect
      x=${x} y=${y + top} width=${width} height=${height} rx="8" />`)}
    ${hasFooter && end < height - words && html`<rect
      class="sketch-words" x="140" y=${end + 8} width="95" height="12" rx="4" />`}
  </svg>`;
}
