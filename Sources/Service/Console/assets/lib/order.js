// Moves of sections that are not saved yet: pure functions over `{order, typed}`.
// `order` holds every section's id; `typed` the indices that the operator typed.

/**
 * @typedef {object} Draft
 * @property {{id: string, index: number}[]} sections
 * @property {Record<string, {indices?: Record<string, number>}>} [sortRules]
 */

/**
 * @typedef {{order: string[], typed: Record<string, number>}} Pending
 */

/** Every section's index by a rule: its own, else the default rule's. */
export function indicesOf(/** @type {Draft} */ draft, /** @type {string} */ rule) {
  const own = draft.sortRules?.[rule]?.indices ?? {};
  return Object.fromEntries(draft.sections.map((section) => [section.id, own[section.id] ?? section.index]));
}

/** The order that a rule gives: ascending by index, equal ones in the page's own order. */
export function orderBy(/** @type {Draft} */ draft, /** @type {Record<string, number>} */ indices) {
  return draft.sections
    .map((section, position) => ({ id: section.id, index: indices[section.id], position }))
    .sort((left, right) => left.index - right.index || left.position - right.position)
    .map(({ id }) => id);
}

/** @type {(draft: Draft, rule: string) => string[]} */
export const orderOf = (draft, rule) => orderBy(draft, indicesOf(draft, rule));

/** The order with one section at another position. */
export function moved(/** @type {string[]} */ order, /** @type {string} */ id, /** @type {number} */ position) {
  const others = order.filter((other) => other !== id);
  const place = Math.max(0, Math.min(others.length, position));
  return [...others.slice(0, place), id, ...others.slice(place)];
}

/**
 * The order with some sections together at another position among the others, as they stood to each other.
 * @param {string[]} order
 * @param {string[]} ids
 * @param {number} position
 */
export function movedTogether(order, ids, position) {
  const others = order.filter((id) => !ids.includes(id));
  return [...others.slice(0, position), ...order.filter((id) => ids.includes(id)), ...others.slice(position)];
}

/**
 * The position in an order that a drop between neighbours means.
 * @param {string[]} order
 * @param {string} id
 * @param {{before: string|null, after: string|null}} neighbours
 */
export function positionBetween(order, id, { before, after }) {
  const others = order.filter((other) => other !== id);
  if (before !== null) return others.indexOf(before) + 1;
  if (after !== null) return others.indexOf(after);
  return order.indexOf(id);
}

/**
 * The pending state after an index was typed.
 * @param {Draft} draft
 * @param {string} rule
 * @param {Pending} pending
 * @param {string} id
 * @param {number} index
 * @returns {Pending}
 */
export function withIndex(draft, rule, pending, id, index) {
  const typed = { ...pending.typed, [id]: index };
  const indices = { ...indicesOf(draft, rule), ...typed };
  const others = pending.order.filter((other) => other !== id);
  // Among equal indices the page's own order decides, as the server will.
  const own = new Map(draft.sections.map((section, position) => [section.id, position]));
  const place = (/** @type {string} */ other) => own.get(other) ?? 0;
  const after = others.findIndex((other) =>
    indices[other] > index || (indices[other] === index && place(other) > place(id)));
  return { typed, order: moved(pending.order, id, after < 0 ? others.length : after) };
}

/**
 * One order with what only the other has, each behind the one that it follows there.
 * @template Each
 * @param {Each[]} order
 * @param {Each[]} other
 * @param {boolean} [isLater] whether it also stands behind what the first has there and the other has not
 */
export function woven(order, other, isLater = false) {
  const result = [...order];
  other.forEach((id, place) => {
    if (result.includes(id)) return;
    let at = place === 0 ? 0 : result.indexOf(other[place - 1]) + 1;
    while (isLater && at < result.length && !other.includes(result[at])) at += 1;
    result.splice(at, 0, id);
  });
  return result;
}

/** A pending order over a draft that somebody else has changed: what is new goes where the draft has it. */
export function rebased(/** @type {string[]} */ order, /** @type {string[]} */ base) {
  const known = new Set(base);
  return woven(order.filter((id) => known.has(id)), base);
}

/** @type {(left: readonly unknown[], right: readonly unknown[]) => boolean} */
export const isSame = (left, right) => left.length === right.length && left.every((id, index) => id === right[index]);

/**
 * The sections that stand elsewhere: all but a longest run that kept its order. Of several such runs it is one with the
 * most of `kept`, since of two that changed places either may have moved.
 * @param {string[]} base
 * @param {string[]} order
 * @param {Set<string>} [kept]
 * @returns {Set<string>}
 */
export function movedSections(base, order, kept = new Set()) {
  const positions = new Map(base.map((id, index) => [id, index]));
  const values = order.map((id) => positions.get(id) ?? -1);
  const weights = order.map((id) => kept.has(id) ? order.length + 2 : order.length + 1);
  /** @type {number[]} the weight of the best run that ends at each, and what stands before it there */
  const best = [];
  /** @type {number[]} */
  const before = [];
  let last = -1;
  order.forEach((_, index) => {
    before[index] = -1;
    for (let other = 0; other < index; other += 1) {
      if (values[other] < values[index] && best[other] > (best[before[index]] ?? 0)) before[index] = other;
    }
    best[index] = weights[index] + (best[before[index]] ?? 0);
    if (best[index] > (best[last] ?? 0)) last = index;
  });
  const run = new Set();
  for (let index = last; index >= 0; index = before[index]) run.add(order[index]);
  return new Set(order.filter((id) => !run.has(id)));
}

/** @type {(order: string[]) => Map<string, number>} */
const placesOf = (order) => new Map(order.map((id, index) => [id, index]));

/** @type {(places: Map<string, number>, left: string, right: string) => boolean} */
const isBefore = (places, left, right) => (places.get(left) ?? 0) < (places.get(right) ?? 0);

/**
 * The order in which whatever passed another on either side has passed it: the join of both in the weak order of
 * permutations, which there always is.
 * @param {string[]} base
 * @param {string[]} mine
 * @param {string[]} theirs
 */
function joined(base, mine, theirs) {
  const sides = [placesOf(mine), placesOf(theirs)];
  const result = /** @type {string[]} */ ([]);
  const left = [...base];
  while (left.length > 0) {
    // The first of those that nothing behind it has passed.
    const next = left.findIndex((id, index) =>
      !left.slice(index + 1).some((other) => sides.some((places) => isBefore(places, other, id))));
    result.push(...left.splice(next, 1));
  }
  return result;
}

/** The order with some sections back where another order has them. */
function putBack(/** @type {string[]} */ order, /** @type {string[]} */ base, /** @type {string[]} */ ids) {
  return rebased(order.filter((id) => !ids.includes(id)), base);
}

/**
 * Two orders that came of one, laid together: what either side moved stands where that side moved it. What both moved,
 * to different places, is contested, and stands where the chosen side has it.
 * @param {string[]} base
 * @param {string[]} mine
 * @param {string[]} theirs
 * @param {'mine'|'theirs'} [choice]
 * @returns {{order: string[], contested: string[]}} the order of what all three have
 */
export function mergeOrders(base, mine, theirs, choice = 'mine') {
  const inMine = new Set(mine);
  const common = new Set(theirs.filter((id) => inMine.has(id)));
  const had = base.filter((id) => common.has(id));
  const known = new Set(had);
  const [own, other] = [mine, theirs].map((order) => order.filter((id) => known.has(id)));
  if (isSame(own, had) || isSame(own, other)) return { order: other, contested: [] };
  if (isSame(other, had)) return { order: own, contested: [] };
  const ownMoved = movedSections(had, own, movedSections(had, other));
  const otherMoved = movedSections(had, other, ownMoved);
  const places = [placesOf(own), placesOf(other)];
  const still = had.filter((id) => !ownMoved.has(id) && !otherMoved.has(id));
  const contested = [...ownMoved].filter((id) => otherMoved.has(id)
    && still.some((each) => isBefore(places[0], id, each) !== isBefore(places[1], id, each)));
  const sides = choice === 'mine' ? [own, putBack(other, had, contested)] : [putBack(own, had, contested), other];
  return { order: joined(had, sides[0], sides[1]), contested };
}

/**
 * The places at which both sides put something, different things: each as what stands there now, in its order.
 * @param {string[]} base
 * @param {string[]} mine
 * @param {string[]} theirs
 * @param {string[]} order both, laid together
 * @param {string[]} [own] what was taken hold of on this side: of two that changed places either may have moved
 * @returns {string[][]}
 */
export function sharedPlaces(base, mine, theirs, order, own) {
  const had = new Set(base);
  const movedIn = (/** @type {string[]} */ side, kept = new Set()) => {
    const known = side.filter((id) => had.has(id));
    return movedSections(base.filter((id) => known.includes(id)), known, kept);
  };
  const other = movedIn(theirs);
  const kept = own ? new Set(mine.filter((id) => !own.includes(id))) : other;
  const puts = [[mine, movedIn(mine, kept)], [theirs, other]].map(([side, moves]) =>
    new Set([...side].filter((id) => !had.has(id) || /** @type {Set<string>} */ (moves).has(id))));
  /** @type {string[][]} */
  const places = [[]];
  for (const id of order) if (puts.some((put) => put.has(id))) places.at(-1)?.push(id); else places.push([]);
  const isOf = (/** @type {string[]} */ place, /** @type {number} */ side) =>
    place.some((id) => puts[side].has(id) && !puts[1 - side].has(id));
  return places.filter((place) => isOf(place, 0) && isOf(place, 1));
}

/**
 * @typedef {Pending & {tag: string, base: string[], indices: Record<string, number>, own?: string[]}} Moves that are
 *   not saved: what they began with, by its tag, order and indices; and the sections that were taken hold of
 */

/** What both sides decided, differently: sections that were moved, and those that got an index. */
export function contestedMoves(/** @type {Draft} */ draft, /** @type {string} */ rule, /** @type {Moves} */ moves) {
  const now = indicesOf(draft, rule);
  const typed = Object.keys(moves.typed).filter((id) =>
    now[id] !== undefined && now[id] !== moves.indices[id] && now[id] !== moves.typed[id]);
  return [...new Set([...mergeOrders(moves.base, moves.order, orderBy(draft, now)).contested, ...typed])];
}

/**
 * Moves over a draft that somebody else has changed: on top of it where nothing is contested, else as they were, with
 * the draft's sections. Null when it has them already, or what was moved is gone.
 * @param {Draft} draft
 * @param {string} rule
 * @param {string} tag
 * @param {Moves} moves
 * @param {'mine'|'theirs'} [choice] what to take where they are contested
 * @returns {Moves|null}
 */
export function carried(draft, rule, tag, moves, choice) {
  const indices = indicesOf(draft, rule);
  const base = orderBy(draft, indices);
  const contested = contestedMoves(draft, rule, moves);
  const typed = Object.fromEntries(Object.entries(moves.typed).filter(([id, index]) =>
    id in indices && indices[id] !== index && !(choice === 'theirs' && contested.includes(id))));
  if (contested.length > 0 && !choice) return { ...moves, typed, order: rebased(moves.order, base) };
  const order = rebased(mergeOrders(moves.base, moves.order, base, choice).order, base);
  return isSame(order, base) && Object.keys(typed).length === 0 ? null : { ...moves, tag, base, indices, typed, order };
}

/** The sections that these moves move, which others' moves are none of. */
export function movedBy(/** @type {Moves|null} */ moves) {
  if (!moves) return new Set();
  const { base, order, own } = moves;
  // Of two that changed places the one that was taken hold of has moved.
  const kept = new Set(own && order.filter((id) => !own.includes(id)));
  return movedSections(base.filter((id) => order.includes(id)), order.filter((id) => base.includes(id)), kept);
}
