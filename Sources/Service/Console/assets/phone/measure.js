// Sizes as a client resolves them (docs/layout.md), in points of the screen.

/** The columns of each row in turn; the last number repeats. */
export function rowsOf(/** @type {number} */ count, rows = [1]) {
  const result = [];
  for (let start = 0, row = 0; start < count; row += 1) {
    const columns = rows[Math.min(row, rows.length - 1)] ?? 1;
    result.push({ start, end: Math.min(start + columns, count), columns });
    start += columns;
  }
  return result;
}

/** The width of a cell. A fraction is of the whole container; a column shares what the inset leaves. */
export function widthOf(/** @type {any} */ size, /** @type {{screen: number, inner: any, columns: number, spacing: number}} */ { screen, inner, columns, spacing }) {
  const width = size?.width ?? 'container';
  if (width === 'column') return (inner - (columns - 1) * spacing) / columns;
  if (width.points !== undefined) return width.points;
  if (width.fraction !== undefined) return width.fraction * screen;
  return inner;
}

/**
 * The height of a cell: fixed, or at least so much where it follows the content.
 * @returns {Size}
 */
export function heightOf(/** @type {any} */ size, /** @type {number} */ width, /** @type {Item|undefined} */ item = undefined) {
  const height = size?.height;
  if (item?.aspect) return { height: width / item.aspect };
  if (height?.points !== undefined) return { height: height.points };
  if (height?.aspect !== undefined) return { height: width / height.aspect };
  return { minHeight: height?.content?.minimum ?? 44 };
}

export const inset = (/** @type {Layout} */ layout) => ({ top: 0, leading: 0, bottom: 0, trailing: 0, ...layout?.inset });

/** The first picture of a cell's content. */
export function pictureOf(/** @type {Record<string, any>} */ content = {}) {
  return Object.values(content).find((value) => typeof value?.url === 'string') ?? null;
}

/** About what two lines of text take below a picture. */
const wordsHeight = 58;

/** The columns of a waterfall: each item goes to the shortest one. */
export function waterfall(/** @type {Item[]} */ items, /** @type {number} */ columns, /** @type {number} */ width, /** @type {any} */ size, /** @type {number} */ spacing) {
  /** @type {{items: Item[], height: number}[]} */
  const lists = Array.from({ length: columns }, () => ({ items: [], height: 0 }));
  for (const item of items) {
    const shortest = lists.reduce((least, list) => list.height < least.height ? list : least);
    const picture = pictureOf(item.content);
    const fixed = heightOf(size, width, item);
    const pictureHeight = picture?.width ? (picture.height / picture.width) * width : 0;
    shortest.items.push(item);
    shortest.height += (fixed.height ?? Math.max(fixed.minHeight ?? 0, pictureHeight + wordsHeight)) + spacing;
  }
  return lists.map((list) => list.items);
}
