// Where everything of a section is drawn, and what of it meets a part of the screen, without a look at all of it.

import { framesOf, slotsOf } from './layout.js';
import { insetOf } from './nodes.js';

/** @typedef {import('./index.js').Item} Item */
/** @typedef {import('./index.js').Section} Section */
/**
 * @typedef {object} Place one cell, from its box's top and leading edge
 * @property {string} key
 * @property {import('./layout.js').Cell['part']} part
 * @property {Item} item
 * @property {number} x
 * @property {number} y
 * @property {number} width
 * @property {number} height
 * @property {string} form
 * @property {number} position of an item in its list, from 1; 0 for others
 * @property {number} depth of a row of an outline
 * @property {Rectangle} [separator] below the row that it is the first of
 */
/** @typedef {{x: number, y: number, width: number, height: number}} Rectangle */
/**
 * @typedef {object} Box cells in one element: those of a section, or those that scroll sideways
 * @property {Place[]} cells
 * @property {Rectangle} frame
 * @property {Spans} spans
 * @property {Map<string, number>} [indexes]
 */

/** Spans in about ascending order. */
class Spans {
  #starts;
  #ends;
  /** The least start from here on, and the greatest end so far: both ascend, so that they can be searched. */
  #least;
  #most;

  /** @param {number[]} starts @param {number[]} ends */
  constructor(starts, ends) {
    this.#starts = starts;
    this.#ends = ends;
    const least = this.#least = Float64Array.from(starts);
    const most = this.#most = Float64Array.from(ends);
    const last = starts.length - 1;
    for (let at = 1; at <= last; at += 1) most[at] = Math.max(most[at], most[at - 1]);
    for (let at = last - 1; at >= 0; at -= 1) least[at] = Math.min(least[at], least[at + 1]);
  }

  /**
   * Those that meet a range, in their order.
   * @param {number} from
   * @param {number} to
   */
  within(from, to) {
    /** @type {number[]} */
    const found = [];
    const end = firstAt(this.#least, to);
    for (let at = firstAt(this.#most, from); at < end; at += 1) {
      if (this.#ends[at] > from && this.#starts[at] < to) found.push(at);
    }
    return found;
  }
}

/** The first of ascending numbers that is at least so much. */
function firstAt(/** @type {Float64Array} */ numbers, /** @type {number} */ least) {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where a key is among the cells of a box. */
export const indexOf = (/** @type {Box} */ box, /** @type {string} */ key) =>
  (box.indexes ??= new Map(box.cells.map((cell, at) => [cell.key, at]))).get(key);

/** @type {Record<string, string>} */
const forms = { header: 'head', footer: 'foot', list: 'line' };

/** How plain drawings draw a cell of a section. */
const formOf = (/** @type {string} */ part, /** @type {Section['layout']} */ { style, rows, group }) => forms[part]
  ?? (group && part === 'item' ? 'tile' : style === 'flow' ? 'chip' : style === 'waterfall' ? 'card'
    : style === 'outline' ? 'row' : style === 'carousel' && rows ? 'upright' : '');

/** Points between slots that share a cell. */
const slotSpacing = 6;

/**
 * @param {Section} section with all its items
 * @param {number} container
 * @param {{leading: number, trailing: number}} beside what the page's inset takes, which a shelf scrolls through
 * @param {(item: Item, width: number, form: string) => number} measure the height of a width; the width, of none
 * @param {import('./layout.js').Options} options
 */
export function placesOf(section, container, beside, measure, options) {
  const { layout, items = [] } = section;
  const { style } = layout;
  const shown = (/** @type {Item} */ item) => formOf(
    item === section.header ? 'header' : item === section.footer ? 'footer' : style === 'ticker' ? 'list' : 'item',
    layout);
  const frames = framesOf(section, container, (item, width) => measure(item, width, shown(item)),
    { ...options, measureWidth: (item) => measure(item, NaN, shown(item)) });
  const inset = insetOf(layout);
  let position = 0;
  /** @type {Map<Item, number>} */
  const depths = new Map();
  const descend = (/** @type {Item[]} */ given, /** @type {number} */ depth) => {
    for (const item of given) {
      depths.set(item, depth);
      descend(item.children ?? [], depth + 1);
    }
  };
  if (style === 'outline') descend(items, 0);
  /** @type {(cell: any, part?: import('./layout.js').Cell['part']) => Place} */
  const place = (cell, part = 'item') => ({
    ...cell, key: `${part} ${cell.item.id}`, part, form: formOf(part, layout),
    position: part === 'item' ? position += 1 : 0, depth: depths.get(cell.item) ?? 0,
  });
  /** @type {Place[]} */
  const ends = [];
  /** @type {Place[]} */
  const body = [];
  /** @type {Rectangle | null} */
  let ticker = null;
  /** @type {(Box & {extent: number, stops: number[]}) | null} */
  let row = null;
  /** @type {Place[]} */
  const beyond = [];
  for (const cell of frames.cells) {
    const { part } = cell;
    if (part === 'header' || part === 'footer') ends.push(place(cell, part));
    else if (part === 'tabs') ends.push(place({ ...cell, item: section }, part));
    else if (part === 'slots') {
      const held = slotsOf(section).filter(({ size }) => !size);
      const width = (cell.width - (held.length - 1) * slotSpacing) / held.length;
      held.forEach(({ item }, at) => body.push(place({ ...cell, item, width, x: cell.x + at * (width + slotSpacing) },
        'slot')));
    } else if (part === 'list' && style === 'carousel') {
      const cells = frames.leaves.flatMap((leaf) => partsOf(leaf, layout, cell.height)
        .map((part) => place({ ...part, x: part.x - cell.x })));
      row = boxOf(cells, cell, /** @type {import('./layout.js').Scrolling} */ (frames.scrolling));
    } else if (part === 'list') ticker = cell;
    else if (style === 'shelf' && part === 'item') beyond.push(place(cell));
    else body.push(place(cell, part));
  }
  if (beyond.length > 0) {
    const { extent, stops } = /** @type {import('./layout.js').Scrolling} */ (frames.scrolling);
    const top = Math.min(...beyond.map(({ y, item }) => y - (item.inset?.top ?? 0)));
    const end = Math.max(...beyond.map(({ y, height, item }) => y + height + (item.inset?.bottom ?? 0)));
    for (const cell of beyond) move(cell, beside.leading, -top);
    const frame = {
      x: -beside.leading, y: top, width: container + beside.leading + beside.trailing, height: end - top,
    };
    row = boxOf(beyond, frame, { extent: extent + beside.leading + beside.trailing, stops });
  }
  // What has a background: all between header and footer, within the section's inset.
  const own = ticker ?? row?.frame;
  const held = own ? [...body, own] : body;
  const top = held.length ? Math.min(...held.map(({ y }) => y)) : 0;
  const end = Math.max(0, ...held.map(({ y, height }) => y + height));
  const frame = { x: inset.leading, y: top, width: container - inset.leading - inset.trailing, height: end - top };
  for (const cell of body) move(cell, -frame.x, -frame.y);
  return {
    section, height: frames.height, background: frames.background, sticky: frames.sticky, count: items.length, ticker,
    row,
    body: boxOf(body, frame),
    ends: boxOf(ends, { x: 0, y: 0, width: container, height: frames.height }),
  };
}

/** @param {Place} cell @param {number} x @param {number} y */
function move(cell, x, y) {
  for (const each of [cell, cell.separator]) {
    if (!each) continue;
    each.x += x;
    each.y += y;
  }
}

/**
 * Cells in one element, and how it scrolls sideways, where it does.
 * @type {<T extends object = {}>(cells: Place[], frame: Rectangle, sideways?: T) => Box & T}
 */
const boxOf = (cells, { x, y, width, height }, sideways) => {
  const endOf = (/** @type {Rectangle} */ each) => sideways ? each.x + each.width : each.y + each.height;
  return /** @type {any} */ ({
    cells, frame: { x, y, width, height },
    spans: new Spans(cells.map((cell) => sideways ? cell.x : cell.y),
      // The line below a row may be far below its first cell.
      cells.map((cell) => Math.max(endOf(cell), endOf(cell.separator ?? cell)))),
    ...sideways,
  });
};

/**
 * The items of a leaf: it alone, or rows of columns.
 * @param {import('./layout.js').Leaf} leaf
 * @param {Section['layout']} layout
 * @param {number} height
 */
function partsOf({ items, x, width }, { rows, rowCount = 1, itemSpacing = 0, lineSpacing = 0 }, height) {
  if (!rows) return items.map((item) => ({ item, x, y: 0, width, height }));
  const count = Math.max(1, Number(rowCount));
  const high = Math.max(0, (height - (count - 1) * Number(lineSpacing)) / count);
  let [row, column] = [0, 0];
  return items.map((item) => {
    const columns = Number(rows[Math.min(row, rows.length - 1)]) || 1;
    const wide = (width - (columns - 1) * Number(itemSpacing)) / columns;
    const part = {
      item, x: x + column * (wide + Number(itemSpacing)), y: row * (high + Number(lineSpacing)), width: wide,
      height: high,
    };
    column += 1;
    if (column === columns) [row, column] = [row + 1, 0];
    return part;
  });
}

/** @typedef {ReturnType<typeof placesOf> & {top: number}} SectionPlaces */
