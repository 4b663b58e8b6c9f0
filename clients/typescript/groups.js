// A pattern of cells of different sizes, in points from its top and leading edge.

/** @typedef {{x: number, y: number, width: number, height: number}} Area */
/** @typedef {number | {points: number}} Track */
/** @typedef {{width: number, height?: number, areas?: Area[]}} Room what a unit takes: an item, or a group's areas */

/**
 * The first cells of a group, and how wide and high they are together: a group that has fewer items than cells ends
 * where they end.
 * @param {NonNullable<import('./index.js').Layout['group']>} group
 * @param {number} count how many cells have items
 * @param {{width: number, height: number, spacing: number, gap: number, down: (points: number) => number}} room
 * @returns {{areas: Area[], width: number, height: number}}
 */
export function areasOf({ cells, columns, rows }, count, { width, height, spacing, gap, down }) {
  const sum = (/** @type {number[]} */ all, /** @type {number} */ between) =>
    all.reduce((whole, each) => whole + each + between, 0);
  /** @type {(tracks: Track[], room: number, between: number) => number[]} */
  const lengths = (tracks, room, between) => {
    // One of points is no number, and so no share; a share has no points.
    const fixed = tracks.map((/** @type {any} */ track) => Number(track.points ?? 0));
    const shares = tracks.map((track) => Number(track) || 0);
    const rest = Math.max(0, room - sum(fixed, between) + between);
    return tracks.map((_, at) => shares[at] ? down(rest * shares[at] / sum(shares, 0)) : fixed[at]);
  };
  const [wide, high] = [lengths(columns, width, spacing), lengths(rows, height, gap)];
  const areas = cells.slice(0, count).map(({ column, row, columnSpan = 1, rowSpan = 1 }) => ({
    x: sum(wide.slice(0, column), spacing), y: sum(high.slice(0, row), gap),
    width: sum(wide.slice(column, column + columnSpan), spacing) - spacing,
    height: sum(high.slice(row, row + rowSpan), gap) - gap,
  }));
  return count === cells.length ? { areas, width, height } : {
    areas, width: Math.max(...areas.map((area) => area.x + area.width)),
    height: Math.max(...areas.map((area) => area.y + area.height)),
  };
}
