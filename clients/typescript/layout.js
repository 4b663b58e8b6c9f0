// Where the cells of a section are, for a width: docs/layout.md as arithmetic, in points.

import { chromeOf } from './chrome.js';
import { areasOf } from './groups.js';
import { scrollingRow } from './scrolling.js';

export { staysOf } from './chrome.js';
export { sourceOf } from './pictures.js';

/** How high tabs are: enough for a finger, in points. */
const tabsHeight = 44;

/** @typedef {import('./layout.js').Cell} Cell */
/** @typedef {import('./index.js').Item} Item */
/** @typedef {import('./index.js').Layout['itemSize']} Size */

/** @type {(inset: {leading?: number, trailing?: number} | undefined) => number[]} */
const sides = (inset) => ['top', 'leading', 'bottom', 'trailing']
  .map((side) => Number(/** @type {any} */ (inset)?.[side] ?? 0));

/**
 * @param {import('./index.js').Section} section
 * @param {number} container
 * @param {(item: Item, width: number, lines?: number) => number} measure
 * @param {import('./layout.js').Options} options
 * @returns {import('./layout.js').Frames}
 */
export function framesOf(section, container, measure, { screen, scale, measureWidth = () => Infinity } = {}) {
  const { layout, header, footer, lists, items = [] } = section;
  const { style, rows, itemSpacing = 0, lineSpacing = 0, separator, itemSize: size } = layout;
  const isGrid = style === 'grid';
  const group = isGrid || style === 'shelf' ? layout.group : undefined;
  const [top, leading, bottom, trailing] = sides(layout.inset);
  const [spacing, gap] = [Number(itemSpacing), Number(lineSpacing)];
  const inner = container - leading - trailing;
  // Rounded down, so that cells that fit a line still do, and up what was measured; a double's last digits make no
  // pixel.
  const down = (/** @type {number} */ points) => scale ? Math.floor(points * scale + 1e-6) / scale : points;
  const up = (/** @type {number} */ points) => scale ? Math.ceil(points * scale - 1e-6) / scale : points;
  /** As many columns of their least width as fit, if the layout says so. */
  const fitting = (/** @type {number} */ room) => layout.columns
    && Math.min(most, Math.floor(Math.max(1, (room + spacing + 1e-6) / (Number(layout.columns.minimum) + spacing))));
  /** The columns that `rows` gives a row. */
  const pattern = (/** @type {number} */ row) => Number(rows?.[Math.min(row, rows.length - 1)] || 1);
  /**
   * Points, or a fraction of the room or the screen; of what is neither, no number.
   * @type {(given: any, room: number, whole?: number) => number}
   */
  const pointsIn = (given, room, whole = NaN) => given?.fraction === undefined ? Number(given?.points ?? given)
    : down(given.fraction * (given.of === 'screen' ? whole : given.of ? NaN : room));
  /**
   * At least and then at most what stands beside an extent.
   * @type {(length: number, given: any, room: number, whole?: number) => number}
   */
  const within = (length, given, room, whole) => {
    const least = pointsIn(given?.minimum, room, whole);
    const greatest = pointsIn(given?.maximum, room, whole);
    if (least > length) length = least;
    return greatest < length ? greatest : length;
  };
  /**
   * The width of a cell with its own inset; `item` is null for one that shows several.
   * @param {any} width
   * @param {Item | null} item
   * @param {number} columns
   * @param {{room: number}} [row] what scrolls sideways, where columns bound nothing
   */
  const widthOf = (width, item, columns, row) => {
    const room = row ? row.room : inner;
    const column = down((room - (columns - 1) * spacing) / columns);
    if (width === 'column') return column;
    const whole = screen?.width ?? container;
    let length = pointsIn(width, room, whole);
    let isCapped = width?.fraction !== undefined && !width.of;
    if (width?.content && item) {
      const [, before, , after] = sides(item.inset);
      const text = Math.max(Number(width.content.minimum ?? 0), up(measureWidth(item)));
      length = Math.min(text, Number(width.content.maximum ?? Infinity)) + before + after;
      isCapped = true;
    } else if (Number.isNaN(length)) length = down(room);
    length = within(length, width, room, whole);
    return isCapped ? Math.min(length, row ? down(room) : column) : length;
  };
  /** @type {Cell[]} */
  const cells = [];
  /**
   * Gives the first cell of a row the line below it: in the middle of the space above the next row, if it fits there.
   * @param {Cell} cell
   * @param {number} x
   * @param {number} width
   * @param {number} next where the next row begins
   */
  const separate = (cell, x, width, next) => {
    if (!separator) return;
    const [, before, , after] = sides(separator);
    const height = Number(separator.width);
    width -= before + after;
    const y = next - height - down(Math.max(0, gap - height) / 2);
    if (width > 0 && height > 0) cell.separator = { x: x + before, y, width, height };
  };
  let y = top;
  /**
   * @param {Size} size
   * @param {number} width
   * @param {Item | null} item
   * @param {Item[]} shown
   */
  const heightOf = (size, width, item, shown) => {
    const height = /** @type {any} */ (size?.height);
    const aspect = item?.aspect ?? height?.aspect;
    let length = aspect ? down(width / Number(aspect)) : pointsIn(height, NaN, screen?.height);
    if (Number.isNaN(length)) {
      const { minimum = 0, lines } = height?.content ?? {};
      length = Math.max(Number(minimum), ...shown.map((item) => up(measure(item, width, lines))));
    }
    return within(length, height, NaN, screen?.height);
  };
  /**
   * Adds the cell that an item's own inset leaves of its room, and gives the height of the room, if that has none yet.
   * @param {Cell['part']} part
   * @param {Item} item
   * @param {Size} size
   * @param {number} room
   * @param {number} x
   */
  const put = (part, item, size, room, x, at = y, high = NaN) => {
    const [above, before, below, after] = sides(item.inset);
    const width = Math.max(0, room - before - after);
    const height = high >= 0 ? Math.max(0, high - above - below) : heightOf(size, width, item, [item]);
    cells.push({ part, item, x: x + before, y: at + above, width, height });
    return above + height + below;
  };
  const held = group?.cells.length ?? 1;
  /** What is laid out beside one another: an item each, or as many as a group has cells. */
  const unitsOf = (/** @type {Item[]} */ all) => partsOf(all, held);
  /** @type {(unit: Item[], columns: number, row?: {room: number}) => import('./groups.js').Room} */
  const roomOf = (unit, columns, row) => {
    const width = widthOf(size?.width, group ? null : unit[0], columns, row);
    if (!group) return { width };
    return areasOf(group, unit.length, { width, height: heightOf(size, width, null, []), spacing, gap, down });
  };
  /**
   * Adds the cells of a unit, and gives the height of its room.
   * @param {Item[]} unit
   * @param {import('./groups.js').Room} room
   * @param {number} x
   */
  const putUnit = (unit, { width: room, height: whole, areas }, x, at = y) => {
    if (!areas) return put('item', unit[0], size, room, x, at);
    areas.forEach((area, place) =>
      put('item', unit[place], size, area.width, x + area.x, at + area.y, area.height));
    return Number(whole);
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
  const rowCount = Math.max(1, Number(layout.rowCount ?? 1));
  /** What scrolls sideways within such a width, with so much before the first column and after the last one. */
  const rowIn = (/** @type {number} */ viewport, /** @type {number} */ start, /** @type {number} */ end) =>
    scrollingRow({
      viewport, start, end, spacing, down, peek: layout.peek,
      paging: layout.paging ?? (style === 'carousel' ? 'item' : 'none'),
    });
  /** @type {import('./layout.js').Leaf[]} */
  let leaves = [];
  /** @type {import('./layout.js').Scrolling | null} */
  let scrolling = null;
  /** One cell, and the leaves in it. */
  const carousel = (/** @type {Item[]} */ all) => {
    const viewport = down(inner);
    const row = rowIn(viewport, 0, 0);
    const parts = partsOf(all, rows ? heldBy(Math.min(rowCount, most), pattern) : 1);
    const widths = parts.map(([item]) => widthOf(size?.width, rows ? null : item, 1, row));
    const places = row.placesOf(widths);
    leaves = parts.map((items, at) => ({ items, x: leading + places[at], width: widths[at] }));
    scrolling = row.scrollingOf(widths, places);
    const height = Math.max(...leaves.map(({ items, width }) => heightOf(size, width, null, items)));
    cells.push({ part: 'list', item: null, x: leading, y, width: viewport, height });
    y += height;
  };
  /** Columns beside one another, each of as many rows as the shelf has; a row is as high as its highest cell. */
  const shelf = () => {
    const row = rowIn(container, leading, trailing);
    const count = fitting(row.room) ?? pattern(Infinity);
    const columns = partsOf(unitsOf(items), rowCount)
      .map((part) => part.map((unit) => ({ unit, room: roomOf(unit, count, row) })));
    const widths = columns.map((column) => Math.max(...column.map(({ room }) => room.width)));
    const places = row.placesOf(widths);
    scrolling = row.scrollingOf(widths, places);
    // Each cell is put at the top of its row, which is known once the heights of all are.
    const placed = columns.map((column, at) => column.map(({ unit, room }) => {
      const first = cells.length;
      const height = putUnit(unit, room, places[at], 0);
      return { height, cells: cells.slice(first) };
    }));
    placed[0].forEach((_, line) => {
      if (line) y += gap;
      placed.forEach((column, at) => {
        for (const cell of column[line]?.cells ?? []) cell.y += y;
        if (line && column[line]) separate(column[line - 1].cells[0], places[at], widths[at], y);
      });
      y += Math.max(...placed.map((column) => column[line]?.height ?? 0));
    });
  };
  bar(header, 'header', layout.headerSize);
  if (lists) {
    cells.push({ part: 'tabs', item: null, x: leading, y, width: widthOf('container', null, 1), height: tabsHeight });
    y += tabsHeight;
  }
  const start = y;
  const isOne = style === 'carousel' || style === 'ticker';
  // Slots share one cell, above the items, but for those with a size of their own; a carousel and a ticker are one cell
  // with all that they have.
  const all = slotsOf(section);
  const sized = isOne ? [] : all.filter(({ size }) => size);
  const shared = all.filter((slot) => !sized.includes(slot)).map(({ item }) => item);
  if (style === 'carousel') {
    if (shared.length + items.length > 0) carousel([...shared, ...items]);
  } else if (shared.length > 0 || (isOne && items.length > 0)) {
    const width = widthOf(size?.width, null, 1);
    const height = heightOf(size, width, null, isOne ? [...shared, ...items] : shared);
    cells.push({ part: isOne ? 'list' : 'slots', item: null, x: leading, y, width, height });
    y += height + (!isOne && sized.length + items.length > 0 ? gap : 0);
  }
  if (sized.length > 0) {
    flow(sized, 'slot', undefined);
    if (items.length > 0) y += gap;
  }
  if (style === 'waterfall') {
    const columns = fitting(inner) ?? (rows?.at(-1) || 2);
    const width = widthOf('column', null, columns);
    const ends = Array(columns).fill(y);
    for (const item of items) {
      const column = ends.indexOf(Math.min(...ends));
      ends[column] += put('item', item, size, width, leading + column * (width + spacing), ends[column]) + gap;
    }
    if (items.length > 0) y = Math.max(...ends) - gap;
  } else if (style === 'shelf') {
    if (items.length > 0) shelf();
  } else if (style === 'flow') {
    flow(items.map((item) => ({ item, size })), 'item', layout.alignment);
  } else if (!isOne) {
    const shown = style === 'outline' ? opened(items) : items;
    const units = unitsOf(shown);
    for (let start = 0, row = 0; start < units.length; row += 1) {
      const columns = isGrid ? fitting(inner) ?? pattern(row) : 1;
      let x = leading;
      const first = cells.length;
      const heights = units.slice(start, start + columns).map((unit) => {
        const room = roomOf(unit, columns);
        const height = putUnit(unit, room, x);
        x += room.width + spacing;
        return height;
      });
      start += columns;
      y += Math.max(...heights) + (start < units.length ? gap : 0);
      if (start < units.length) separate(cells[first], leading, inner, y);
    }
  }
  const end = y;
  bar(footer, 'footer', layout.footerSize);
  const height = y + bottom;
  const chrome = chromeOf(layout, footer, cells, { container, leading, inner, start, end, height, bottom });
  return { height, cells, leaves, scrolling, ...chrome };
}

/**
 * @param {import('./index.js').Section} section
 * @param {string} [choice]
 */
export const showing = (section, choice) => {
  const { lists, items = [] } = section;
  const list = (lists?.find(({ id }) => id === choice) ?? lists?.[0])?.id;
  return list === undefined ? section
    : { ...section, list, items: items.filter((item) => !item.lists || item.lists.includes(list)) };
};

/**
 * What stands in the slots of a section, in their order, and the size that each has.
 * @param {import('./index.js').Section} section
 */
export const slotsOf = ({ slots = {}, layout: { slotOrder = [], slotSizes = {} } }) => {
  const place = (/** @type {string} */ name) => slotOrder.indexOf(name) + 1 || Infinity;
  return Object.keys(slots).sort().sort((left, right) => place(left) - place(right))
    .map((name) => ({ item: slots[name], size: slotSizes[name] }));
};

/**
 * @param {{x: number, width: number}} frame
 * @param {number} container
 * @param {string | undefined} direction
 */
export const leftOf = ({ x, width }, container, direction) => direction === 'rightToLeft' ? container - x - width : x;

/** The most columns, and the most rows of a leaf. */
const most = 24;

/** How many items a leaf of so many rows shows. */
const heldBy = (/** @type {number} */ count, /** @type {(row: number) => number} */ columns) =>
  Array.from({ length: count }, (_, row) => Math.min(columns(row), most)).reduce((sum, each) => sum + each, 0);

/**
 * Things in parts of so many, the last of what is left.
 * @template Thing
 * @param {Thing[]} items
 * @param {number} count
 * @returns {Thing[][]}
 */
const partsOf = (items, count) =>
  Array.from({ length: Math.ceil(items.length / count) }, (_, part) => items.slice(part * count, (part + 1) * count));

/**
 * The rows of an outline that show: children below those that are expanded.
 * @type {(items: Item[]) => Item[]}
 */
const opened = (items) => items.flatMap((item) => [item, ...item.expanded ? opened(item.children ?? []) : []]);
