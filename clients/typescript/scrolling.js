// A row that scrolls sideways, in points from the leading edge of the part of it that shows.

/** Points that no screen can tell apart. */
const slight = 1e-6;

/**
 * @param {object} row
 * @param {number} row.viewport how wide the part is that shows
 * @param {number} row.start what stands before the first column
 * @param {number} row.end what stands after the last one
 * @param {string} row.paging where it rests
 * @param {{leading?: any, trailing?: any}} [row.peek]
 * @param {number} row.spacing between columns
 * @param {(points: number) => number} row.down to whole pixels
 */
export function scrollingRow({ viewport, start, end, paging, peek, spacing, down }) {
  const beside = (/** @type {any} */ seen, /** @type {number} */ inset) =>
    seen === undefined ? inset : Number(seen) + spacing;
  const rest = beside(peek?.leading, start);
  const room = Math.max(0, viewport - rest - beside(peek?.trailing, end));
  const isCentered = paging === 'centered';
  /** What is on either side of a column in the middle. */
  const margin = (/** @type {number} */ width) => Math.max(0, down((viewport - width) / 2));

  /** Where each column begins. */
  const placesOf = (/** @type {number[]} */ widths) => {
    let x = isCentered ? margin(widths[0]) : start;
    return widths.map((width) => {
      const place = x;
      x += width + spacing;
      return place;
    });
  };

  /** How far it would be scrolled where it rests, if there were no ends. */
  const restsOf = (/** @type {number[]} */ widths, /** @type {number[]} */ places) => {
    if (isCentered) return places.map((place, column) => place - margin(widths[column]));
    if (paging !== 'item' && paging !== 'group') return [];
    let first = 0;
    return places.filter((place, column) => {
      // A group has as many as the room holds, one at least.
      if (paging === 'item' || place + widths[column] - places[first] > room + slight) first = column;
      return first === column;
    }).map((place, at) => at && place - rest);
  };

  /** @type {(widths: number[], places: number[]) => import('./layout.js').Scrolling} */
  const scrollingOf = (widths, places) => {
    const [width, place] = [Number(widths.at(-1)), Number(places.at(-1))];
    const extent = place + width + (isCentered ? Math.max(0, viewport - width - margin(width)) : end);
    const farthest = Math.max(0, extent - viewport);
    /** @type {number[]} */
    const stops = [];
    for (const far of restsOf(widths, places)) {
      const stop = Math.min(Math.max(0, far), farthest);
      if (stop > (stops.at(-1) ?? -1) + slight) stops.push(stop);
    }
    return { extent, stops };
  };

  return { room, placesOf, scrollingOf };
}
