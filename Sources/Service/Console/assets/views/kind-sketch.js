// A section of a kind as a plain sketch: its cells, where the phone would place them.

import { html } from '../lib/ui.js';
import { heightOf, inset, layoutOn, rowsOf, widthOf } from '../phone/measure.js';

/** The part of a screen that is sketched, in points, and the most cells in it. */
const [screen, height, cellsMax] = [375, 250, 24];
/** The words above and below the cells, in points. */
const words = 28;

/** A number that may differ by locale, for all of them. */
const plain = (/** @type {any} */ value) => value?.['*'] ?? value;

/** A size with the numbers that count everywhere. */
const sizeOf = (/** @type {any} */ size = {}) => Object.fromEntries(Object.entries(size).map(([side, value]) => [
  side, typeof value === 'object' && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, length]) => [name, plain(length)])) : value,
]));

/**
 * The cells of a layout, as far as the sketch reaches.
 * @param {Layout} layout
 * @param {number} top
 */
function cellsOf(layout, top) {
  const edge = Object.fromEntries(Object.entries(inset(layout)).map(([side, value]) => [side, plain(value) ?? 0]));
  const { style = 'list' } = layout;
  const inner = screen - edge.leading - edge.trailing;
  const between = plain(layout.itemSpacing) ?? 0;
  const below = plain(layout.lineSpacing) ?? between;
  const size = layoutOn({ itemSize: sizeOf(layout.itemSize) }, screen, inner).itemSize;
  const isAcross = ['shelf', 'carousel', 'ticker', 'pinned'].includes(style);
  /** What is below one another where all goes on across. */
  const lines = style === 'shelf' ? layout.rowCount ?? 1 : 1;
  const pattern = style === 'shelf' ? [layout.rows?.at(-1) ?? 1] : isAcross ? [1] : layout.rows;
  const cells = [];
  let [y, drawn] = [top + edge.top, 0];
  for (const row of rowsOf(cellsMax, pattern)) {
    const width = widthOf(size, { inner, columns: row.columns, spacing: between });
    const wide = typeof width === 'number' && width > 0 ? width : inner;
    const found = heightOf(size, wide);
    const high = Math.max(found.height ?? found.minHeight ?? 44, 12);
    // What goes on across shows its next cell at the edge.
    const count = isAcross ? 3 : row.end - row.start;
    for (let place = 0; place < count; place += 1) {
      const longer = style === 'waterfall' && (row.start + place) % 3 === 1 ? 1.4 : 1;
      cells.push({ x: edge.leading + place * (wide + Math.max(between, 6)), y, width: wide, height: high * longer });
    }
    y += high + Math.max(below, 6);
    if ((isAcross && (drawn += 1) >= lines) || y > height) break;
  }
  return cells;
}

/** @param {{layout?: Layout, hasHeader?: boolean, hasFooter?: boolean}} props */
export function KindSketch({ layout = {}, hasHeader, hasFooter }) {
  const cells = cellsOf(layout, hasHeader ? words : 0);
  const end = Math.max(...cells.map((cell) => cell.y + cell.height), 0);
  return html`<svg class="kind-sketch" viewBox="0 0 ${screen} ${height}" aria-hidden="true">
    ${hasHeader && html`<rect class="sketch-words" x="13" y="8" width="120" height="12" rx="4" />`}
    ${cells.map((cell) => html`<rect x=${cell.x} y=${cell.y} width=${cell.width} height=${cell.height} rx="8" />`)}
    ${hasFooter && end < height - words && html`<rect
      class="sketch-words" x="140" y=${end + 8} width="95" height="12" rx="4" />`}
  </svg>`;
}
