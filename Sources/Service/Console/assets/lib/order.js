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

/** A pending order over a draft that somebody else has changed: what is new goes where the draft has it. */
export function rebased(/** @type {string[]} */ order, /** @type {string[]} */ base) {
  const known = new Set(base);
  let result = order.filter((id) => known.has(id));
  base.forEach((id, position) => {
    if (result.includes(id)) return;
    const before = position === 0 ? -1 : result.indexOf(base[position - 1]);
    result = [...result.slice(0, before + 1), id, ...result.slice(before + 1)];
  });
  return result;
}

/** @type {(left: string[], right: string[]) => boolean} */
export const isSame = (left, right) => left.length === right.length && left.every((id, index) => id === right[index]);

/** The sections that stand elsewhere: all but a longest run that kept its order. */
export function movedSections(/** @type {string[]} */ base, /** @type {string[]} */ order) {
  const positions = new Map(base.map((id, index) => [id, index]));
  const values = order.map((id) => positions.get(id) ?? -1);
  /** @type {number[]} */
  const tails = [];
  const before = values.map(() => -1);
  values.forEach((value, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[tails[middle]] < value) low = middle + 1; else high = middle;
    }
    before[index] = low > 0 ? tails[low - 1] : -1;
    tails[low] = index;
  });
  const kept = new Set();
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]) kept.add(order[index]);
  return new Set(order.filter((id) => !kept.has(id)));
}
