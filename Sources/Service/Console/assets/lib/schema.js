// Kinds' schemas, as forms read them.

import { memberName } from './i18n.js';
import { isObject, memberOf } from './members.js';
import { namesIn } from './merge.js';

/**
 * A schema with its reference followed and its `allOf` laid over each other; an empty one of what says nothing.
 * @param {AnySchema|null|undefined} schema
 * @param {Kinds} kinds
 * @returns {Schema}
 */
export function resolve(schema, kinds, depth = 0) {
  if (!schema || typeof schema !== 'object' || depth > 16) return {};
  let result = schema;
  if (typeof schema.$ref === 'string' && schema.$ref.startsWith('#/')) {
    const target = namesIn(schema.$ref.slice(1)).reduce(memberOf, /** @type {Content} */ (kinds));
    const { $ref, ...own } = schema;
    result = { ...resolve(/** @type {AnySchema|undefined} */ (target), kinds, depth + 1), ...own };
  }
  if (!Array.isArray(result.allOf)) return result;
  const { allOf, ...own } = result;
  return [own, ...allOf.map((part) => resolve(part, kinds, depth + 1))].reduce((whole, part) => ({
    ...whole, ...part, properties: { ...whole.properties, ...part.properties },
    required: [...new Set([...(whole.required ?? []), ...(part.required ?? [])])],
  }));
}

/** Of a schema that takes a value, or one for light and one for dark, the schema of one; `null` of any other. */
export const oneOfThemes = (/** @type {Schema} */ schema) => {
  const ways = schema.oneOf ?? [];
  const themes = ways.map((part) => typeof part === 'object' ? part.properties : undefined)
    .find((members) => members?.light && members.dark);
  return themes && ways.length === 2 ? themes.light : null;
};

/**
 * The members of a schema: what is required comes first, and among equals what titles a cell.
 * @returns {[string, AnySchema][]}
 */
export function arrangedMembers(/** @type {Schema} */ schema) {
  const titles = ['title', 'text', 'name', 'subtitle'];
  const rank = (/** @type {string} */ name) =>
    ((schema.required ?? []).includes(name) ? 0 : 10) + (titles.includes(name) ? titles.indexOf(name) : 5);
  return Object.entries(schema.properties ?? {}).sort(([left], [right]) => rank(left) - rank(right));
}

/** Which control a schema asks for. */
export function controlOf(/** @type {Schema} */ schema) {
  const { type: types } = schema;
  const type = Array.isArray(types) ? types.find((name) => name !== 'null') : types;
  if (schema.enum) return 'choice';
  if (oneOfThemes(schema)) return 'themed';
  if (type === 'boolean') return 'flag';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'array') return 'list';
  if (type === 'object') return schema.properties?.url ? 'image' : schema.properties ? 'object' : 'json';
  if (type !== 'string') return 'json';
  if (schema.format === 'date-time') return 'instant';
  if (schema.pattern?.startsWith('^#')) return 'color';
  return (schema.maxLength ?? 80) > 120 && schema.format !== 'uri' ? 'paragraph' : 'text';
}

const localeTag = /^(\*|[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)$/;

/** Whether a localised value is a map by locale rather than one value for all. */
export function isByLocale(/** @type {unknown} */ value, /** @type {Schema} */ schema) {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return names.length > 0 && names.every((name) => localeTag.test(name) && !(name in (schema.properties ?? {})));
}

/**
 * What a new value begins as: what its schema says, else nothing that somebody has to have typed or chosen.
 * @returns {Content} `undefined` where the field is empty
 */
export function emptyOf(/** @type {Schema} */ schema, /** @type {Kinds} */ kinds) {
  if (schema.default !== undefined) return schema.default;
  switch (controlOf(schema)) {
    // A box that is not ticked says no.
    case 'flag': return false;
    case 'list': return [];
    case 'themed': return emptyOf(resolve(oneOfThemes(schema), kinds), kinds);
    case 'image':
    case 'object': return requiredOf(schema, kinds);
    default: return undefined;
  }
}

/** What an object must have, each as a new value begins. */
function requiredOf(/** @type {Schema} */ schema, /** @type {Kinds} */ kinds) {
  return Object.fromEntries((schema.required ?? [])
    .map((name) => [name, emptyOf(resolve(schema.properties?.[name], kinds), kinds)])
    .filter(([, value]) => value !== undefined));
}

/** A member's name for people. */
export const labelOf = (/** @type {string} */ name) => memberName(name)
  ?? name.replace(/([a-z])([A-Z])/g, '$1 $2').replace(/^./, (letter) => letter.toUpperCase());
