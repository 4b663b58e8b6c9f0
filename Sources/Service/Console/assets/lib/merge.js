// Three-way merge of JSON values: by member, by locale, and by the id of an item. What only one side changed is taken;
// what both changed at one place is a conflict, and the operator's choice.

import { isObject, objectOf } from './members.js';
import { isSame, mergeOrders, sharedPlaces, woven } from './order.js';

/** @typedef {(string|{id: string})[]} Path members, and ids of items */

/** The names in a JSON Pointer. */
export const namesIn = (/** @type {string} */ pointer) =>
  pointer.split('/').slice(1).map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

/** @typedef {Members & {id: string}} Listed an element of a list that has an id */
/** @typedef {{id: string, items?: Identified[]}} Identified */

/**
 * Whether two values say the same, in whatever order their members stand.
 * @param {unknown} left
 * @param {unknown} right
 * @returns {boolean}
 */
export function isEqual(left, right) {
  if (left === right) return true;
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length
      && left.every((each, place) => isEqual(each, right[place]));
  }
  if (!isObject(left) || !isObject(right)) return JSON.stringify(left) === JSON.stringify(right);
  const names = (/** @type {Members} */ value) => Object.keys(value).filter((name) => value[name] !== undefined);
  return names(left).length === names(right).length && names(left).every((name) => isEqual(left[name], right[name]));
}

/**
 * Sections, those that say what they said before as the objects that they were, and so their items: nothing of these is
 * drawn anew.
 * @template {Identified} Each
 * @param {Each[]} list
 * @param {Each[]} [before]
 * @returns {Each[]}
 */
export function sharing(list, before = []) {
  const known = new Map(before.map((each) => [each.id, each]));
  return list.map((each) => {
    const old = known.get(each.id);
    if (old && JSON.stringify(old) === JSON.stringify(each)) return old;
    return old?.items && each.items ? { ...each, items: sharing(each.items, old.items) } : each;
  });
}

/** Members that say what the others mean: where they differ, the whole is one value. */
const conditions = ['attribute', 'all', 'any', 'not'];
const deciding = ['kind', 'url', 'handler', 'audience', ...conditions];
/** Members that are one decision each. */
/** @type {Set<unknown>} */
const whole = new Set(['schedule', 'audience', 'layout', 'itemOrder']);

/**
 * Whether what differs is laid together member by member.
 * @param {Path} path
 * @param {Content[]} sides
 * @returns {sides is (Members|undefined)[]}
 */
function isDivisible(path, sides) {
  if (!sides.every((side) => side === undefined || isObject(side))) return false;
  if (whole.has(path.at(-1))) return false;
  const present = sides.filter(isObject);
  // What a resource is as a whole stays divisible, unless it is a condition.
  return (path.length === 0 ? conditions : deciding)
    .every((name) => present.every((side) => isEqual(side[name], present[0][name])));
}

/** @type {(list: {id: string}[]) => string[]} */
const idsOf = (list) => list.map(({ id }) => id);

/**
 * Whether these are lists whose elements have ids, each another.
 * @param {Content[]} sides
 * @returns {sides is (Listed[]|undefined)[]}
 */
function areLists(sides) {
  return sides.every((side) => side === undefined || (Array.isArray(side)
    && side.every((each) => isObject(each) && typeof each.id === 'string')
    && new Set(side.map((each) => objectOf(each).id)).size === side.length));
}

/** @type {(order: string[], ...others: string[][]) => string[]} */
const common = (order, ...others) => order.filter((id) => others.every((other) => other.includes(id)));

/**
 * What names a place among the choices.
 * @param {Path} path
 */
export const placeKey = (path) => JSON.stringify(path);

/**
 * @typedef {object} Conflict
 * @property {Path} path
 * @property {boolean} [isOrder] whether it is the order of the list at the path: the sides are lists of ids
 * @property {Content} base
 * @property {Content} mine
 * @property {Content} theirs
 */

/** @typedef {{path: Path, items: Content[]}} Shared a list at which both put something */

/**
 * @template {Content} Of
 * @param {Content} base what both began with
 * @param {Of} mine
 * @param {Of} theirs
 * @param {Map<string, 'mine'|'theirs'>} [choices] what to take at conflicts, by `placeKey`; mine where none is given
 * @returns {{value: Of, conflicts: Conflict[], shared: Shared[]}} `shared` are the places of lists at which
 *   both put something: theirs first, and then mine, where neither moved what the other did
 */
export function merge(base, mine, theirs, choices = new Map()) {
  /** @type {Conflict[]} */
  const conflicts = [];
  /** @type {Shared[]} */
  const shared = [];
  /**
   * @template {Content} Of
   * @param {Conflict & {mine: Of, theirs: Of}} conflict
   * @returns {Of}
   */
  const choose = (conflict) => {
    conflicts.push(conflict);
    return choices.get(placeKey(conflict.path)) === 'theirs' ? conflict.theirs : conflict.mine;
  };

  /** @type {(path: Path, before: Content, own: Content, other: Content) => Content} */
  const meet = (path, before, own, other) => {
    if (isEqual(own, other)) return other;
    if (isEqual(own, before)) return other;
    if (isEqual(other, before)) return own;
    const sides = [before, own, other];
    const areThere = own !== undefined && other !== undefined;
    if (areThere && isDivisible(path, sides)) return members(path, sides);
    if (areThere && areLists(sides)) return list(path, sides);
    return choose({ path, base: before, mine: own, theirs: other });
  };

  /** @type {(path: Path, sides: (Members|undefined)[]) => Members} */
  const members = (path, [before = {}, own = {}, other = {}]) => {
    const names = new Set([...Object.keys(other), ...Object.keys(own)]);
    return Object.fromEntries([...names]
      .map((name) => [name, meet([...path, name], before[name], own[name], other[name])])
      .filter(([, value]) => value !== undefined));
  };

  /** @type {(path: Path, lists: (Listed[]|undefined)[]) => Value[]} */
  const list = (path, [before = [], own = [], other = []]) => {
    const sides = [before, own, other].map((side) => new Map(side.map((each) => [each.id, each])));
    const [had, mineIDs, theirIDs] = [before, own, other].map(idsOf);
    const values = new Map();
    for (const id of new Set([...theirIDs, ...mineIDs])) {
      values.set(id, meet([...path, { id }], sides[0].get(id), sides[1].get(id), sides[2].get(id)));
    }
    const { order, contested } = mergeOrders(had, mineIDs, theirIDs);
    const isMineMoved = !isSame(common(mineIDs, had), common(had, mineIDs));
    const first = contested.length > 0
      ? choose({ path: [...path, '↕'], isOrder: true, base: had, mine: mineIDs, theirs: theirIDs })
      : isMineMoved ? order : theirIDs;
    const ids = woven(woven(first, theirIDs), mineIDs, true).filter((id) => values.get(id) !== undefined);
    for (const place of contested.length > 0 ? [] : sharedPlaces(had, mineIDs, theirIDs, ids)) {
      shared.push({ path, items: place.map((id) => values.get(id)) });
    }
    return ids.map((id) => values.get(id));
  };

  return { value: /** @type {Of} */ (meet([], base, mine, theirs)), conflicts, shared };
}

/**
 * The places at which two values differ.
 * @param {Content} mine
 * @param {Content} theirs
 * @param {Path} [path]
 * @returns {Conflict[]}
 */
export function differences(mine, theirs, path = []) {
  if (isEqual(mine, theirs)) return [];
  const sides = [mine, theirs];
  if (sides.every((side) => side !== undefined) && isDivisible(path, sides)) {
    const [own = {}, other = {}] = sides;
    return [...new Set([own, other].flatMap(Object.keys))]
      .flatMap((name) => differences(own[name], other[name], [...path, name]));
  }
  if (sides.every((side) => side !== undefined) && areLists(sides)) {
    const [had = [], has = []] = sides;
    const [own, other] = [had, has].map(idsOf);
    const at = (/** @type {Listed[]} */ list, /** @type {string} */ id) => list.find((each) => each.id === id);
    const order = isSame(common(own, other), common(other, own)) ? []
      : [{ path: [...path, '↕'], isOrder: true, base: undefined, mine: own, theirs: other }];
    const within = woven(own, other).flatMap((id) => differences(at(had, id), at(has, id), [...path, { id }]));
    return [...order, ...within];
  }
  return [{ path, base: undefined, mine, theirs }];
}
