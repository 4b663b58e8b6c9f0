// What sentences are made with: templates over values, with the lists, numbers and plurals of the language.

import { formatInstant, language, memberName, term } from './i18n.js';
import { predicateWords } from './words.js';

/**
 * @typedef {{section: string, item?: string, parent?: string, slot?: string, part?: string, rule?: string}} Place
 * @typedef {Place & Schedule & {
 *   after?: string, allowed: Value[], audience?: Predicate, by: string, changedAt: string, count: number,
 *   descending?: boolean, edge: string, format: string, held: string, id: string, items: string[], least: number,
 *   members: string[], more: number, most: number, name?: string, names: string[], needed: string, ratio: number,
 *   returns?: string, schedule: Schedule, theme: string, to: unknown, what: string,
 * }} Values what functions take of the values of sentences: each has those that it names, else the server says it
 * @typedef {string | ((values: Values) => string)} Writer a template, or where that does not do a function
 */

/** @type {Map<string, unknown>} formats by their language and kind, which are slow to make */
const formats = new Map();

/** @type {<Format>(kind: string, make: (language: string) => Format) => Format} */
function formatOf(kind, make) {
  const name = `${language} ${kind}`;
  if (!formats.has(name)) formats.set(name, make(language));
  return /** @type {ReturnType<typeof make>} */ (formats.get(name));
}

export const number = (/** @type {number} */ value) =>
  formatOf('number', (name) => new Intl.NumberFormat(name)).format(value);
/** @type {(names: Iterable<unknown>, type?: 'conjunction'|'disjunction') => string} */
export const list = (names, type = 'conjunction') =>
  formatOf(type, (name) => new Intl.ListFormat(name, { type })).format([...names].map(String));

/**
 * A number with the noun that goes with it.
 * @param {number} count
 * @param {{one: string, other: string}} forms
 */
const counted = (count, forms) => {
  const rule = formatOf('plural', (name) => new Intl.PluralRules(name)).select(count);
  return `${number(count)} ${rule === 'one' ? forms.one : forms.other}`;
};
export const items = (/** @type {number} */ count) => counted(count, { one: 'item', other: 'items' });

/** Names, and how many there are beside them. */
/** @type {(given: Pick<Values, 'items'|'more'>, others: (count: number) => string) => string} */
export const named = ({ items: names, more }, others) =>
  list(more > 0 ? [...names, others(more)] : names);
const values = (/** @type {Value[]} */ allowed) =>
  allowed.map((value) => typeof value === 'string' ? value : JSON.stringify(value));

/** @type {(place: Place) => string} */
export const placeEn = ({ section, item, parent, slot, part, rule }) => {
  if (part === 'emptyState') return 'the empty state';
  if (rule) return `the rule ${rule}`;
  if (parent) return `${parent} in ${section}`;
  if (item) return `item ${item} in ${section}`;
  if (slot) return `the slot ${slot} of ${section}`;
  return part ? `the ${part} of ${section}` : section;
};
/** @type {(place: Place) => string} */
export const placeZh = ({ section, item, parent, slot, part, rule }) => {
  if (part === 'emptyState') return '空白页内容';
  if (rule) return `排序规则“${rule}”`;
  if (parent) return `“${section}”的“${parent}”`;
  if (item) return `“${section}”的条目“${item}”`;
  if (slot) return `“${section}”的插槽“${slot}”`;
  return part ? `“${section}”的${part === 'header' ? '页眉' : '页脚'}` : `“${section}”`;
};

/** When something shows, in the clocks of its zone. */
const timesEn = (/** @type {Schedule} */ { from, until, zone }) =>
  [from && `from ${formatInstant(from, zone)}`, until && `until ${formatInstant(until, zone)}`]
    .filter(Boolean).join(' ') || 'at all times';
const timesZh = (/** @type {Schedule} */ { from, until, zone }) =>
  [from && `自 ${formatInstant(from, zone)}`, until && `至 ${formatInstant(until, zone)}`]
    .filter(Boolean).join(' ') || '始终';

/** @type {Record<string, string>} */
const types = {
  array: '数组', boolean: '“是”或“否”', integer: '整数', null: '空值', number: '数字', object: '对象', string: '文本',
};

/**
 * What stands for a name of a template where that is not the value itself, in either language: where something is, the
 * times that it shows, and what is chosen from. `{count|item|items}` is a number with its noun, and lists are joined.
 * @type {Record<string, (values: Values, isChinese: boolean) => string>}
 */
const spoken = {
  place: (given, isChinese) => isChinese ? placeZh(given) : placeEn(given),
  times: (given, isChinese) => isChinese ? timesZh(given) : timesEn(given),
  schedule: ({ schedule }, isChinese) => isChinese ? timesZh(schedule) : timesEn(schedule),
  audience: ({ audience }) => predicateWords(audience),
  members: ({ members }) => list(members.map((name) => memberName(name) ?? name)),
  allowed: ({ allowed }) => list(values(allowed), 'disjunction'),
  changedAt: ({ changedAt }) => formatInstant(changedAt),
  needed: ({ needed }) => term(needed),
  held: ({ held }) => term(held),
  types: ({ allowed }, isChinese) => list(
    allowed.map((name) => isChinese && types[String(name)] || name), 'disjunction'),
};

/**
 * A template with its values.
 * @param {string} template
 * @param {Record<string, unknown>} given
 */
export function filled(template, given) {
  const isChinese = language === 'zh-Hans';
  return template.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, other) => {
    const value = given[name];
    if (value === undefined && name !== 'place' && name !== 'times' && name !== 'types') throw new TypeError(name);
    if (spoken[name]) return spoken[name](/** @type {Values} */ (given), isChinese);
    if (other) return counted(/** @type {number} */ (value), { one, other });
    if (Array.isArray(value)) return value.length > 0 ? list(value) : isChinese ? '无' : 'none';
    return typeof value === 'number' && Number.isInteger(value) ? number(value) : String(value);
  });
}
