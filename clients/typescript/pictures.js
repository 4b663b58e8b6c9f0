// Which of the sizes of a picture to load.

/**
 * The address of the narrowest that has a pixel for each that is drawn, else of the widest.
 * @param {import('./layout.js').Picture} picture whose `sources` are the same in other widths, in pixels
 * @param {number} width how wide it is drawn, in points
 * @param {number} [scale] pixels for a point
 */
export function sourceOf({ url, width: own, sources = [] }, width, scale = 1) {
  const all = [...sources, ...own ? [{ url, width: own }] : []]
    .sort((left, right) => Number(left.width) - Number(right.width));
  return (all.find((each) => Number(each.width) >= width * scale - 1e-6) ?? all.at(-1))?.url ?? url;
}
