// Predicates as a builder shows them: groups of conditions, named audiences and further groups, each with its place.

import { isObject } from './members.js';

/** @typedef {'all'|'any'|'none'|'notAll'} How how the parts of a group are joined */
/** @typedef {{how: How, parts: {part: Predicate, pointer: string}[]}} Group */

export const operators = /** @type {const} */ (['in', 'notIn', 'atLeast', 'below', 'between', 'matches']);
/** The operators that take several values. */
export const lists = new Set(['in', 'notIn', 'between']);

/** @typedef {typeof operators[number]} Operator */

export const operatorOf = (/** @type {Comparison} */ condition) => operators.find((name) => name in condition) ?? 'in';

const isAlone = (/** @type {Joined} */ value) => Object.keys(value).length === 1;

export const isNamed = (/** @type {Predicate|undefined} */ value) => typeof value === 'string'
  || (isObject(value) && typeof value.audience === 'string' && isAlone(value));
/**
 * @param {Predicate|undefined} value
 * @returns {value is Joined & ({all: Predicate[]}|{any: Predicate[]}|{not: Predicate})}
 */
export const isGroup = (value) =>
  isObject(value) && (Array.isArray(value.all) || Array.isArray(value.any) || value.not !== undefined);
/**
 * @param {Predicate|undefined} value
 * @returns {value is Comparison}
 */
const isCondition = (value) => isObject(value) && typeof value.attribute === 'string'
  && Object.keys(value).length === 2 && operators.some((name) => name in value);

/**
 * Whether a builder can show all of a predicate.
 * @param {Predicate|undefined} value
 * @returns {boolean}
 */
export function isShown(value) {
  if (!isGroup(value)) return isNamed(value) || isCondition(value);
  return isAlone(value) && (value.all ?? value.any ?? [value.not]).every(isShown);
}

/**
 * @typedef {object} Old everybody but the versions below one on some platforms
 * @property {string} platform the attribute that says the platform
 * @property {Value[]} platforms
 * @property {string} version the attribute that says the version
 * @property {Value} below
 */

/**
 * The versions that a predicate leaves out, where that is all it does.
 * @param {Predicate|undefined} value
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
 * @param {Attributes} attributes
 */
export function versionsIn(attributes) {
  const versions = Object.keys(attributes).filter((name) => attributes[name].type === 'version');
  const platforms = attributes.platform?.values;
  return platforms && versions.length > 0 ? { platforms, versions } : null;
}

/**
 * A predicate as a group; what is none is a group of itself.
 * @param {Predicate|undefined} value
 * @param {string} pointer
 * @returns {Group}
 */
export function groupOf(value, pointer) {
  const within = (/** @type {How} */ how, /** @type {Predicate[]} */ parts, /** @type {string} */ name) =>
    ({ how, parts: parts.map((part, place) => ({ part, pointer: `${pointer}/${name}/${place}` })) });
  if (value === undefined) return { how: 'all', parts: [] };
  if (!isGroup(value)) return { how: 'all', parts: [{ part: value, pointer }] };
  if (value.all) return within('all', value.all, 'all');
  if (value.any) return within('any', value.any, 'any');
  const { not } = value;
  if (isGroup(not) && Array.isArray(not.any)) return within('none', not.any, 'not/any');
  if (isGroup(not) && Array.isArray(not.all)) return within('notAll', not.all, 'not/all');
  return { how: 'none', parts: not === undefined ? [] : [{ part: not, pointer: `${pointer}/not` }] };
}

/**
 * The predicate that a group is.
 * @param {How} how
 * @param {Predicate[]} parts
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
 * @param {Attribute|undefined} declaration
 * @param {string} present
 */
export function operatorsFor(declaration, present) {
  const { type, values } = declaration ?? {};
  const allowed = type === 'flag' ? ['in'] : type === 'integer' || type === 'version'
    ? ['in', 'notIn', 'atLeast', 'below', 'between'] : values ? ['in', 'notIn'] : ['in', 'notIn', 'matches'];
  return operators.filter((name) => allowed.includes(name) || name === present);
}

/**
 * The values to choose from, those that are there among them; none where they are typed.
 * @param {string} name of the attribute
 * @param {Attribute|undefined} declaration
 * @param {string} operator
 * @param {Value[]} present
 * @param {string[]} [locales] the page's
 * @returns {Value[]|null}
 */
export function choicesFor(name, declaration, operator, present, locales = []) {
  if (operator !== 'in' && operator !== 'notIn') return null;
  const known = declaration?.type === 'flag' ? [true, false] : declaration?.values
    ?? (declaration?.type === 'locale' && locales.length > 0 ? locales : null);
  return known && [...new Set([...known, ...present])];
}
