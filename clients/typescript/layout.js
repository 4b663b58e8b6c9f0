// Where the cells of a section are, for a width: docs/layout.md as arithmetic, in points.

/** @typedef {import('./layout.js').Cell} Cell */
/** @typedef {import('./index.js').Item} Item */
/** @typedef {import('./index.js').Layout['itemSize']} Size */

/** @type {(inset: import('./index.js').Inset | undefined) => number[]} */
const sides = (inset) => ['top', 'leading', 'bottom', 'trailing']
  .map((side) => Number(/** @type {any} */ (inset)?.[side] ?? 0));

/**
 * @param {import('./index.js').Section} section
 * @param {number} container
 * @param {(item: Item, width: number) => number} measure
 * @param {import('./layout.js').Options} options
 * @returns {import('./layout.js').Frames}
 */
export function framesOf(
  { layout, header, footer, items = [], slots = {} }, container, measure, { scale, measureWidth = () => Infinity } = {},
) {
  const { style, rows, itemSpacing = 0, lineSpacing = 0, itemSize: size, slotSizes = {} } = layout;
  const [top, leading, bottom, trailing] = sides(layout.inset);
  const [spacing, gap] = [Number(itemSpacing), Number(lineSpacing)];
  const inner = container - leading - trailing;
  // Rounded down, so that cells that fit a line still do, and up what was measured; a double's last digits make no
  // pixel.
  const down = (/** @type {number} */ points) => scale ? Math.floor(points * scale + 1e-6) / scale : points;
  const up = (/** @type {number} */ points) => scale ? Math.ceil(points * scale - 1e-6) / scale : points;
  /** The width of a cell with its own inset; `item` is null for one that shows several. */
  const widthOf = (/** @type {any} */ width, /** @type {Item | null} */ item, /** @type {number} */ columns) => {
    const column = down((inner - (columns - 1) * spacing) / columns);
    if (width === 'column') return column;
    if (width?.points !== undefined) return Number(width.points);
    if (width?.fraction !== undefined) return Math.min(down(width.fraction * inner), column);
    if (!width?.content || !item) return down(inner);
    const [, before, , after] = sides(item.inset);
    const text = Math.max(Number(width.content.minimum ?? 0), up(measureWidth(item)));
    return Math.min(Math.min(text, Number(width.content.maximum ?? Infinity)) + before + after, column);
  };
  /** @type {Cell[]} */
  const cells = [];
  let y = top;
  /**
   * @param {Size} size
   * @param {number} width
   * @param {Item | null} item
   * @param {Item[]} shown
   */
  const heightOf = (size, width, item, shown) => {
    const height = /** @type {any} */ (size?.height);
    if (item?.aspect) return down(width / Number(item.aspect));
    if (height?.points !== undefined) return Number(height.points);
    if (height?.aspect !== undefined) return down(width / height.aspect);
    return Math.max(Number(height?.content?.minimum ?? 0), ...shown.map((item) => up(measure(item, width))));
  };
  /**
   * Adds the cell that an item's own inset leaves of its room, and gives the height of the room.
   * @param {Cell['part']} part
   * @param {Item} item
   * @param {Size} size
   * @param {number} room
   * @param {number} x
   */
  const put = (part, item, size, room, x, at = y) => {
    const [above, before, below, after] = sides(item.inset);
    const width = Math.max(0, room - before - after);
    const height = heightOf(size, width, item, [item]);
    cells.push({ part, item, x: x + before, y: at + above, width, height });
    return above + height + below;
  };
  /**
   * @param {Item | undefined} item
   * @param {'header' | 'footer'} part
   * @param {Size} size
   */
  const bar = (item, part, size) => {
    if (item) y += put(part, item, size, widthOf(size?.width, item, 1), leading);
  };
  /**
   * As many in a line as it has room for, one at least.
   * @param {{item: Item, size: Size}[]} given
   * @param {Cell['part']} part
   * @param {string | undefined} alignment
   */
  const flow = (given, part, alignment) => {
    /** @type {{line: {item: Item, size: Size, width: number}[], long: number}[]} */
    const lines = [];
    for (const { item, size } of given) {
      const width = widthOf(size?.width, item, 1);
      const last = lines.at(-1);
      if (last && last.long + spacing + width <= inner + 1e-6) {
        last.line.push({ item, size, width });
        last.long += spacing + width;
      } else lines.push({ line: [{ item, size, width }], long: width });
    }
    lines.forEach(({ line, long }, row) => {
      const isLast = row === lines.length - 1;
      const room = Math.max(0, inner - long);
      const more = alignment === 'justified' && !isLast && line.length > 1 ? down(room / (line.length - 1)) : 0;
      let x = leading + (alignment === 'center' ? down(room / 2) : alignment === 'trailing' ? room : 0);
      y += Math.max(...line.map(({ item, size, width }) => {
        const height = put(part, item, size, width, x);
        x += width + spacing + more;
        return height;
      })) + (isLast ? 0 : gap);
    });
  };
  bar(header, 'header', layout.headerSize);
  const isOne = style === 'carousel' || style === 'ticker';
  // Slots share one cell, above the items, but for those with a size of their own; a carousel and a ticker are one cell
  // with all that they have.
  const names = Object.keys(slots).sort();
  const sized = isOne ? [] : names.filter((name) => slotSizes[name]);
  const shared = names.filter((name) => !sized.includes(name)).map((name) => slots[name]);
  if (shared.length > 0 || (isOne && items.length > 0)) {
    const width = widthOf(size?.width, null, 1);
    const height = heightOf(size, width, null, isOne ? [...shared, ...items] : shared);
    cells.push({ part: isOne ? 'list' : 'slots', item: null, x: leading, y, width, height });
    y += height + (!isOne && sized.length + items.length > 0 ? gap : 0);
  }
  if (sized.length > 0) {
    flow(sized.map((name) => ({ item: slots[name], size: slotSizes[name] })), 'slot', undefined);
    if (items.length > 0) y += gap;
  }
  if (style === 'waterfall') {
    const columns = rows?.at(-1) || 2;
    const width = widthOf('column', null, columns);
    const ends = Array(columns).fill(y);
    for (const item of items) {
      const column = ends.indexOf(Math.min(...ends));
      ends[column] += put('item', item, size, width, leading + column * (width + spacing), ends[column]) + gap;
    }
    if (items.length > 0) y = Math.max(...ends) - gap;
  } else if (style === 'flow') {
    flow(items.map((item) => ({ item, size })), 'item', layout.alignment);
  } else if (!isOne) {
    const shown = style === 'outline' ? opened(items) : items;
    for (let start = 0, row = 0; start < shown.length; row += 1) {
      const columns = style === 'grid' ? Number(rows?.[Math.min(row, rows.length - 1)] || 1) : 1;
      let x = leading;
      const heights = shown.slice(start, start + columns).map((item) => {
        const width = widthOf(size?.width, item, columns);
        const height = put('item', item, size, width, x);
        x += width + spacing;
        return height;
      });
      start += columns;
      y += Math.max(...heights) + (start < shown.length ? gap : 0);
    }
  }
  bar(footer, 'footer', layout.footerSize);
  return { height: y + bottom, cells };
}

/**
 * The rows of an outline that show: children below those that are expanded.
 * @type {(items: Item[]) => Item[]}
 */
const opened = (items) => items.flatMap((item) => [item, ...item.expanded ? opened(item.children ?? []) : []]);
