// Where the cells of a section are, for a width: docs/layout.md as arithmetic, in points.

/** @typedef {import('./layout.js').Cell} Cell */
/** @typedef {import('./index.js').Item} Item */

/** The width of a cell: a fraction is of the whole container, a column shares what the insets leave. */
const widthOf = (/** @type {any} */ width, /** @type {number} */ container, /** @type {number} */ inner, /** @type {number} */ columns, /** @type {number} */ spacing) =>
  width === 'column' ? (inner - (columns - 1) * spacing) / columns
    : width?.points !== undefined ? Number(width.points) : width?.fraction !== undefined ? width.fraction * container : inner;

/**
 * @param {import('./index.js').Section} section
 * @param {number} container
 * @param {(item: Item, width: number) => number} measure
 * @returns {import('./layout.js').Frames}
 */
export function framesOf({ layout, header, footer, items = [], slots = {} }, container, measure) {
  const { style, rows, itemSpacing = 0, lineSpacing = 0, itemSize: size } = layout;
  const [top, leading, bottom, trailing] = ['top', 'leading', 'bottom', 'trailing'].map((side) => Number(/** @type {any} */ (layout.inset)?.[side] ?? 0));
  const [spacing, gap] = [Number(itemSpacing), Number(lineSpacing)];
  const inner = container - leading - trailing;
  /** @type {Cell[]} */
  const cells = [];
  let y = top;
  const heightOf = (/** @type {number} */ width, /** @type {Item | undefined} */ item, /** @type {Item[]} */ shown) => {
    const height = /** @type {any} */ (size?.height);
    if (item?.aspect) return width / Number(item.aspect);
    if (height?.points !== undefined) return Number(height.points);
    if (height?.aspect !== undefined) return width / height.aspect;
    return Math.max(Number(height?.content?.minimum ?? 0), ...shown.map((item) => measure(item, width)));
  };
  const bar = (/** @type {Item | undefined} */ item, /** @type {'header' | 'footer'} */ part) => {
    if (!item) return;
    const height = item.aspect ? inner / Number(item.aspect) : measure(item, inner);
    cells.push({ part, item, x: leading, y, width: inner, height });
    y += height;
  };
  bar(header, 'header');
  const named = Object.values(slots);
  const isOne = style === 'carousel' || style === 'ticker';
  // Slots share one cell, above the items; a carousel and a ticker are one cell with all that they have.
  if (named.length > 0 || (isOne && items.length > 0)) {
    const width = widthOf(size?.width, container, inner, 1, 0);
    const height = heightOf(width, undefined, isOne ? [...named, ...items] : named);
    cells.push({ part: isOne ? 'list' : 'slots', item: null, x: leading, y, width, height });
    y += height + (!isOne && items.length > 0 ? gap : 0);
  }
  if (style === 'waterfall') {
    const columns = rows?.at(-1) || 2;
    const width = widthOf('column', container, inner, columns, spacing);
    const ends = Array(columns).fill(y);
    for (const item of items) {
      const column = ends.indexOf(Math.min(...ends));
      const height = heightOf(width, item, [item]);
      cells.push({ part: 'item', item, x: leading + column * (width + spacing), y: ends[column], width, height });
      ends[column] += height + gap;
    }
    if (items.length > 0) y = Math.max(...ends) - gap;
  } else if (!isOne) {
    const shown = style === 'outline' ? opened(items) : items;
    for (let start = 0, row = 0; start < shown.length; row += 1) {
      const columns = style === 'grid' ? Number(rows?.[Math.min(row, rows.length - 1)] || 1) : 1;
      const width = widthOf(size?.width, container, inner, columns, spacing);
      const line = shown.slice(start, start + columns);
      const heights = line.map((item) => heightOf(width, item, [item]));
      line.forEach((item, at) => cells.push({ part: 'item', item, x: leading + at * (width + spacing), y, width, height: heights[at] }));
      start += columns;
      y += Math.max(...heights) + (start < shown.length ? gap : 0);
    }
  }
  bar(footer, 'footer');
  return { height: y + bottom, cells };
}

/**
 * The rows of an outline that show: children below those that are expanded.
 * @type {(items: Item[]) => Item[]}
 */
const opened = (items) => items.flatMap((item) => [item, ...item.expanded ? opened(item.children ?? []) : []]);
