// Sizes as a client resolves them (docs/layout.md), in points of the screen.

/** The height of a screen of a width, in points. */
export const heightOfScreen = (/** @type {number} */ width) =>
  /** @type {Record<number, number>} */ ({ 360: 780, 375: 812, 390: 844, 430: 932 })[width] ?? 812;

/** A size whose fractions of the screen are points. */
function sizeOn(/** @type {any} */ size, /** @type {number} */ screen) {
  const of = (/** @type {any} */ extent, /** @type {number} */ whole) =>
    extent?.of === 'screen' ? { points: down(extent.fraction * whole) } : extent;
  return size && { ...size, width: of(size.width, screen), height: of(size.height, heightOfScreen(screen)) };
}

/**
 * A layout with points for fractions of a screen, and with the columns that fit.
 * @param {Layout} layout
 * @param {number} screen its width
 * @param {number} inner what the insets leave
 * @returns {Layout}
 */
export function layoutOn(layout, screen, inner) {
  const { columns, itemSpacing = 0, slotSizes } = layout;
  const step = Number(columns?.minimum) + Number(itemSpacing);
  return {
    ...layout, itemSize: sizeOn(layout.itemSize, screen), headerSize: sizeOn(layout.headerSize, screen),
    footerSize: sizeOn(layout.footerSize, screen),
    ...slotSizes && {
      slotSizes: Object.fromEntries(Object.entries(slotSizes).map(([name, size]) => [name, sizeOn(size, screen)])),
    },
    ...columns && { rows: [Math.min(24, Math.max(1, Math.floor((inner + Number(itemSpacing) + 1e-6) / step)))] },
  };
}

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

/** A phone has three pixels for a point; what is computed is rounded down to them. */
const down = (/** @type {number} */ points) => Math.floor(points * 3 + 1e-6) / 3;

/**
 * The width of a cell. A fraction is of what the insets leave, and a column shares it.
 * @param {any} size
 * @param {{inner: number, columns: number, spacing: number}} space
 */
export function widthOf(size, { inner, columns, spacing }) {
  const width = size?.width ?? 'container';
  const column = down((inner - (columns - 1) * spacing) / columns);
  if (width === 'column' || width.content) return column;
  if (width.points !== undefined) return width.points;
  if (width.fraction !== undefined) return Math.min(down(width.fraction * inner), column);
  return inner;
}

/** The bounds of a width that follows the text, none of a width that does not. */
export function boundsOf(/** @type {any} */ size, /** @type {number} */ most) {
  const content = size?.width?.content;
  const greatest = Math.min(content?.maximum ?? most, most);
  return content && { least: Math.min(content.minimum ?? 0, greatest), most: greatest };
}

/**
 * The height of a cell: fixed, or at least so much where it follows the content.
 * @param {any} size
 * @param {number} width
 * @param {Item} [item]
 * @returns {Size}
 */
export function heightOf(size, width, item) {
  const height = size?.height;
  if (item?.aspect) return { height: down(width / item.aspect) };
  if (height?.points !== undefined) return { height: height.points };
  if (height?.aspect !== undefined) return { height: down(width / height.aspect) };
  return { minHeight: height?.content?.minimum ?? 44 };
}

/** The inset of a layout, an item or a page. */
export const inset = (/** @type {any} */ owner) => ({ top: 0, leading: 0, bottom: 0, trailing: 0, ...owner?.inset });

/** An inset as CSS: top, trailing, bottom, leading. */
export const edges = (/** @type {ReturnType<typeof inset>} */ { top, leading, bottom, trailing }) =>
  ({ block: `${top}px ${bottom}px`, inline: `${leading}px ${trailing}px` });

/** Corners as CSS that follows the reading direction: one radius, or one for each. */
export function cornersOf(/** @type {any} */ radius = 0) {
  const all = typeof radius === 'object' ? radius
    : { topLeading: radius, topTrailing: radius, bottomLeading: radius, bottomTrailing: radius };
  return { borderStartStartRadius: `${all.topLeading}px`, borderStartEndRadius: `${all.topTrailing}px`,
    borderEndStartRadius: `${all.bottomLeading}px`, borderEndEndRadius: `${all.bottomTrailing}px` };
}

/** The first picture of a cell's content. */
export function pictureOf(/** @type {Record<string, any>} */ content = {}) {
  return Object.values(content).map((value) => value?.light ?? value)
    .find((value) => typeof value?.url === 'string') ?? null;
}

/** About what two lines of text take below a picture. */
const wordsHeight = 58;

/**
 * The columns of a waterfall: each item goes to the shortest one.
 * @param {Item[]} items
 * @param {number} columns
 * @param {number} width
 * @param {any} size
 * @param {number} spacing
 */
export function waterfall(items, columns, width, size, spacing) {
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
