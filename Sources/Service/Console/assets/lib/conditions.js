// Predicates as a builder shows them: groups of conditions, named audiences and further groups, each with its place.

/** @typedef {'all'|'any'|'none'|'notAll'} How how the parts of a group are joined */
/** @typedef {{how: How, parts: {part: any, pointer: string}[]}} Group */

export const operators = ['in', 'notIn', 'atLeast', 'below', 'between', 'matches'];
/** The operators that take several values. */
export const lists = new Set(['in', 'notIn', 'between']);

export const operatorOf = (/** @type {any} */ condition) => operators.find((name) => name in condition) ?? 'in';

const isObject = (/** @type {any} */ value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const isAlone = (/** @type {any} */ value) => Object.keys(value).length === 1;

export const isNamed = (/** @type {any} */ value) => typeof value === 'string'
  || (isObject(value) && typeof value.audience === 'string' && isAlone(value));
export const isGroup = (/** @type {any} */ value) =>
  isObject(value) && (Array.isArray(value.all) || Array.isArray(value.any) || value.not !== undefined);
const isCondition = (/** @type {any} */ value) => isObject(value) && typeof value.attribute === 'string'
  && Object.keys(value).length === 2 && operators.some((name) => name in value);

/**
 * Whether a builder can show all of a predicate.
 * @param {any} value
 * @returns {boolean}
 */
export function isShown(value) {
  if (!isGroup(value)) return isNamed(value) || isCondition(value);
  return isAlone(value) && (value.all ?? value.any ?? [value.not]).every(isShown);
}

/**
 * @typedef {object} Old everybody but the versions below one on some platforms
 * @property {string} platform the attribute that says the platform
 * @property {any[]} platforms
 * @property {string} version the attribute that says the version
 * @property {any} below
 */

/**
 * The versions that a predicate leaves out, where that is all it does.
 * @param {any} value
 * @returns {Old|null}
 */
export function oldIn(value) {
  if (!isObject(value) || !isAlone(value) || value.any?.length !== 2 || !value.any.every(isCondition)) return null;
  const [others, newer] = value.any;
  if (!Array.isArray(others.notIn) || newer.atLeast === undefined) return null;
  return {
    platform: others.attribute, platforms: others.notIn, version: newer.attribute, below: newer.atLeast,
  };
}

/** The predicate that leaves out old versions. */
export const withoutOld = (/** @type {Old} */ { platform, platforms, version, below }) =>
  ({ any: [{ attribute: platform, notIn: platforms }, { attribute: version, atLeast: below }] });

/**
 * What old versions are told by: the attribute with the platforms, and those that are versions.
 * @param {Record<string, any>} attributes
 */
export function versionsIn(attributes) {
  const versions = Object.keys(attributes).filter((name) => attributes[name].type === 'version');
  const platforms = attributes.platform?.values;
  return platforms && versions.length > 0 ? { platforms, versions } : null;
}

/**
 * A predicate as a group; what is none is a group of itself.
 * @param {any} value
 * @param {string} pointer
 * @returns {Group}
 */
export function groupOf(value, pointer) {
  const within = (/** @type {How} */ how, /** @type {any[]} */ parts, /** @type {string} */ name) =>
    ({ how, parts: parts.map((part, place) => ({ part, pointer: `${pointer}/${name}/${place}` })) });
  if (value === undefined) return { how: 'all', parts: [] };
  if (!isGroup(value)) return { how: 'all', parts: [{ part: value, pointer }] };
  if (value.all) return within('all', value.all, 'all');
  if (value.any) return within('any', value.any, 'any');
  if (Array.isArray(value.not?.any)) return within('none', value.not.any, 'not/any');
  if (Array.isArray(value.not?.all)) return within('notAll', value.not.all, 'not/all');
  return { how: 'none', parts: [{ part: value.not, pointer: `${pointer}/not` }] };
}

/**
 * The predicate that a group is.
 * @param {How} how
 * @param {any[]} parts
 * @param {boolean} [isRoot] whether it is no part of another one, so that one condition needs no group
 */
export function predicateOf(how, parts, isRoot = false) {
  if (parts.length === 0) return undefined;
  if (how === 'all') return isRoot && parts.length === 1 ? parts[0] : { all: parts };
  if (how === 'any') return { any: parts };
  if (how === 'notAll') return { not: { all: parts } };
  return { not: parts.length === 1 && !isGroup(parts[0]) ? parts[0] : { any: parts } };
}

/**
 * The comparisons that an attribute can be held against, and the one that is there already.
 * @param {any} declaration
 * @param {string} present
 */
export function operatorsFor(declaration, present) {
  const { type, values } = declaration ?? {};
  const allowed = type === 'flag' ? ['in'] : ['integer', 'version'].includes(type)
    ? ['in', 'notIn', 'atLeast', 'below', 'between'] : values ? ['in', 'notIn'] : ['in', 'notIn', 'matches'];
  return operators.filter((name) => allowed.includes(name) || name === present);
}

/**
 * The values to choose from, those that are there among them; none where they are typed.
 * @param {string} name of the attribute
 * @param {any} declaration
 * @param {string} operator
 * @param {any[]} present
 * @param {string[]} [locales] the page's
 * @returns {any[]|null}
 */
export function choicesFor(name, declaration, operator, present, locales = []) {
  if (operator !== 'in' && operator !== 'notIn') return null;
  const known = declaration?.type === 'flag' ? [true, false] : declaration?.values
    ?? (declaration?.type === 'locale' && locales.length > 0 ? locales : null);
  return known && [...new Set([...known, ...present])];
}
