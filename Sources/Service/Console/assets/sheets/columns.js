// The columns of a table of items: the fields of their kinds' contents, each by the pointer that leads to it in an
// item; how a value is written in a cell, and what a cell's text says.

import {
  arrangedMembers, controlOf, isByLocale, isEqual, labelOf, memberOf, nearest, objectOf, parse, readNumber,
  repeatedMember, resolve, sentenceWords, sideBySide, t, writtenNumber,
} from '../shared.js';
import { sheetCellMax, withLines } from './csv.js';

/** @typedef {{schema: Schema, control: string, isRequired: boolean}} Place what a kind takes at a column */
/**
 * @typedef {object} Column
 * @property {string} pointer in an item
 * @property {string[]} path the same, without a locale
 * @property {string} label
 * @property {string} control which the value would have in a form, of the first kind that has it
 * @property {string|null} [locale] of a text that may differ by locale: the one of this column, or `null` for all
 * @property {Map<string, Place>} at by the kind of an item
 */

/** How deep objects within objects are columns. */
const depthMax = 4;
/** The controls that are one cell by themselves; all else is written as JSON. */
const simple = ['text', 'paragraph', 'color', 'number', 'flag', 'choice', 'instant'];
/** What an action has that is text. */
const actionMembers = ['url', 'handler', 'event'];
const actionSchema = { type: 'string', maxLength: 2048 };

/** The JSON pointer of a path. */
export const pointerOf = (/** @type {(string|number)[]} */ path) =>
  path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/**
 * What stands at a path.
 * @type {(root: Content, path: string[]) => Content}
 */
export const valueAt = (root, path) => path.reduce(memberOf, root);

/**
 * A copy with another value at a path, or without any; what is empty then goes as well, but the first member of it.
 * @param {Members|undefined} root
 * @param {string[]} path
 * @param {Content} value
 * @returns {Members}
 */
export function withValue(root, [name, ...rest], value) {
  const { [name]: before, ...others } = root ?? {};
  let next = rest.length === 0 ? value : withValue(objectOf(before), rest, value);
  if (rest.length > 0 && name !== 'content' && Object.keys(objectOf(next)).length === 0) next = undefined;
  if (next === undefined) return others;
  // A member that is there stays where it stands.
  return name in (root ?? {}) ? { ...root, [name]: next } : { ...others, [name]: next };
}

/** @typedef {{path: string[], schema: Schema, isRequired: boolean}} Field */

/**
 * The fields of a schema that are a cell each.
 * @param {AnySchema} schema
 * @param {Kinds} kinds
 * @param {string[]} path
 * @param {boolean} isRequired
 * @param {Content[]} values those that are there
 * @returns {(Field & {isLocalized: boolean, values: Content[]})[]}
 */
function fieldsOf(schema, kinds, path, isRequired, values, depth = 0) {
  const { 'x-localized': isLocalized, ...plain } = resolve(schema, kinds);
  const control = controlOf(plain);
  const isApart = Boolean(isLocalized) && values.some((value) => isByLocale(value, plain));
  const isObject = (control === 'image' || control === 'object') && plain.properties && !isApart && depth < depthMax;
  if (!isObject) {
    const isText = Boolean(isLocalized) && simple.includes(control);
    return [{ path, schema: isText || !isLocalized ? plain : {}, isRequired, isLocalized: isText, values }];
  }
  return arrangedMembers(plain).flatMap(([name, member]) => fieldsOf(
    member, kinds, [...path, name], isRequired && (plain.required ?? []).includes(name),
    values.map((value) => objectOf(value)[name]).filter((value) => value !== undefined), depth + 1));
}

/** What a column is called. */
function labelFor(/** @type {string[]} */ path, /** @type {string|null|undefined} */ locale) {
  const names = path[0] === 'content' ? path.slice(1) : path;
  const name = names.map(labelOf).join(' / ');
  return locale ? t('{field} ({part})', { field: name, part: locale === '*' ? t('others') : locale }) : name;
}

/**
 * The columns of a section's items.
 * @param {{kinds: Kinds, allowed: string[], items: Item[], locales: string[]}} of
 * @returns {Column[]}
 */
export function columnsOf({ kinds, allowed, items, locales }) {
  /** @type {Map<string, Column>} */
  const columns = new Map();
  const add = (/** @type {string} */ kind, /** @type {Field} */ { path, schema, isRequired },
    /** @type {string|null|undefined} */ locale = undefined) => {
    const pointer = pointerOf(locale ? [...path, locale] : path);
    const control = simple.includes(controlOf(schema)) ? controlOf(schema) : 'json';
    const column = columns.get(pointer)
      ?? { pointer, path, locale, label: labelFor(path, locale), control, at: new Map() };
    column.at.set(kind, { schema, control, isRequired });
    columns.set(pointer, column);
  };
  const used = new Set(items.map(({ kind }) => kind));
  for (const kind of new Set([...allowed, ...used])) {
    const { content, action, removed } = kinds.itemKinds?.[kind] ?? {};
    if (removed && !used.has(kind)) continue;
    const own = items.filter((item) => item.kind === kind);
    const values = own.map((item) => item.content).filter((value) => value !== undefined);
    for (const field of fieldsOf({ type: 'object', properties: {}, ...resolve(content, kinds) }, kinds, ['content'],
      true, values)) {
      if (!field.isLocalized) {
        add(kind, field);
        continue;
      }
      const maps = field.values.filter((value) => isByLocale(value, field.schema));
      if (maps.length === 0 || maps.length < field.values.length) add(kind, field, null);
      const tags = [...locales.length > 1 ? locales : [], ...maps.flatMap((map) => Object.keys(objectOf(map)))];
      for (const tag of new Set(tags)) add(kind, field, tag);
    }
    if (action === 'forbidden') continue;
    for (const name of actionMembers) {
      if (name !== 'url' && !own.some((item) => objectOf(item.action)[name] !== undefined)) continue;
      add(kind, { path: ['action', name], schema: actionSchema, isRequired: false });
    }
  }
  return [...columns.values()];
}

/** A value as a cell has it. */
function writtenCell(/** @type {Content} */ value, /** @type {string} */ control) {
  if (value === undefined || value === null) return '';
  if (control === 'json') return JSON.stringify(value);
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return writtenNumber(value);
}

/** The control of an item's cell. */
export const controlIn = (/** @type {Column} */ { at, control }, /** @type {Item} */ { kind }) =>
  at.get(kind)?.control ?? control;

/** The value of an item in a column: of a text by locale that of the column's, or what is the same everywhere. */
function ownValue(/** @type {Column} */ { path, locale, at }, /** @type {Item} */ item) {
  const value = valueAt(item, path);
  if (locale === undefined) return value;
  const isMap = isByLocale(value, at.get(item.kind)?.schema ?? {});
  return locale === null ? (isMap ? undefined : value) : isMap ? objectOf(value)[locale] : undefined;
}

/** What an item's cell says. */
export const cellText = (/** @type {Column} */ column, /** @type {Item} */ item) =>
  writtenCell(ownValue(column, item), controlIn(column, item));

/** Why nothing can be written into an item's cell, where that is so. */
export function fixedReason(/** @type {Column} */ { at, locale, path }, /** @type {Item} */ item) {
  const place = at.get(item.kind);
  if (!place) return t('Items of the kind {kind} have no such field.', { kind: item.kind });
  if (locale === undefined) return undefined;
  const value = valueAt(item, path);
  const isMap = isByLocale(value, place.schema);
  if (locale === null && isMap) return t('This text differs by locale. Write it in the columns of its locales.');
  if (locale === '*' && value !== undefined && !isMap) {
    return t('This text is the same everywhere. Write it in its own column.');
  }
  return undefined;
}

/** @type {Record<string, boolean>} how spreadsheets of several languages write yes and no */
const flags = {
  true: true, false: false, yes: true, no: false, 1: true, 0: false, 是: true, 否: false, wahr: true, falsch: false,
  vrai: true, faux: false,
};
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i;

const sign = (/** @type {string} */ text) => text.trim().startsWith('-') ? '-' : '';

/** Numbers of a file whose cells are separated by semicolons, since a comma stands before decimals there. */
function readDecimalComma(/** @type {string} */ text, /** @type {import('../lib/numbers.js').Wanted} */ wanted) {
  const [, whole, part] = /^[-+]?(\d+),(\d+)$/.exec(text.trim()) ?? [];
  if (part !== undefined && (part.length !== 3 || whole === '0')) {
    return readNumber(`${sign(text)}${whole}.${part}`, wanted);
  }
  const [, first, second] = /^[-+]?(\d{1,3})[.,](\d{3})$/.exec(text.trim()) ?? [];
  if (second !== undefined) {
    const minus = sign(text);
    const choices = sideBySide([`${minus}${first}${second}`, `${minus}${first},${second}0`]);
    return { reason: t('“{text}” can be read in several ways. Write {choices}.', { text: text.trim(), choices }) };
  }
  return readNumber(text, wanted);
}

/** A number as a file with semicolons has it: what can be read in one way only. */
export const withDecimalComma = (/** @type {string} */ text) =>
  text.replace(/^(-?\d+)\.(\d+)$/, (_, whole, part) =>
    `${whole},${part}${part.length === 3 && !/^-?0$/.test(whole) ? '0' : ''}`);

/** What of a schema a value breaks, as the server would say it. */
export function problemOf(/** @type {Schema} */ schema, /** @type {Content} */ value) {
  const say = (/** @type {string} */ code, /** @type {Sentence['values']} */ values) =>
    sentenceWords({ code, values });
  if (typeof value === 'string') {
    const count = [...value].length;
    const { minLength: least = 0, maxLength: most = Infinity, pattern, format } = schema;
    if (count < least) return say('minLength', { least, count });
    if (count > most) return say('maxLength', { most, count });
    if (pattern !== undefined && !matches(pattern, value)) return say('pattern', { pattern });
    if (format === 'uri' && !/^[a-z][a-z0-9+.-]*:[^\s\\"<>^`{|}]+$/i.test(value)) return say('format', { format });
  }
  if (typeof value === 'number') {
    const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
    const [least = -Infinity, most = Infinity, above = -Infinity, below = Infinity, divisor] =
      [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf].map(nearest);
    if (value < least) return say('minimum', { least, value });
    if (value > most) return say('maximum', { most, value });
    if (value <= above) return say('exclusiveMinimum', { bound: above, value });
    if (value >= below) return say('exclusiveMaximum', { bound: below, value });
    const parts = divisor === undefined ? 0 : value / divisor;
    if (Math.abs(parts - Math.round(parts)) > 1e-9 * Math.max(1, Math.abs(parts))) {
      return say('multipleOf', { divisor, value });
    }
  }
  if (Array.isArray(value) && value.length > (schema.maxItems ?? Infinity)) {
    return say('maxItems', { most: schema.maxItems, count: value.length });
  }
  return undefined;
}

function matches(/** @type {string} */ pattern, /** @type {string} */ value) {
  // What this browser cannot read is left to the server.
  try { return new RegExp(pattern, 'u').test(value); } catch { return true; }
}

/**
 * The value that a cell's text says.
 * @param {string} text
 * @param {string} control
 * @param {Schema} schema
 * @param {boolean} [isDecimalComma]
 * @returns {{value?: Content, reason?: string}} without both where the cell is empty
 */
function readCell(text, control, schema, isDecimalComma = false) {
  const bare = text.trim();
  if (text === '' || (bare === '' && control !== 'text' && control !== 'paragraph')) return {};
  switch (control) {
    case 'number': {
      const wanted = { isWhole: schema.type === 'integer' };
      return isDecimalComma ? readDecimalComma(text, wanted) : readNumber(text, wanted);
    }
    case 'flag': {
      const value = flags[bare.toLowerCase()];
      return value === undefined ? { reason: t('“{text}” is neither TRUE nor FALSE.', { text: bare }) } : { value };
    }
    case 'choice': {
      const { enum: choices = [] } = schema;
      const exact = choices.filter((each) => String(each) === text);
      const alike = choices.filter((each) => String(each).toLowerCase() === bare.toLowerCase());
      const [found] = exact.length === 1 ? exact : alike.length === 1 ? alike : [];
      return found === undefined ? { reason: t('“{text}” is no choice here. Write one of {choices}.', {
        text: bare, choices: sideBySide(choices.map(String)),
      }) } : { value: found };
    }
    case 'instant':
      return instant.test(bare) && !Number.isNaN(Date.parse(bare)) ? { value: bare }
        : { reason: t('“{text}” is no time. Write one such as 2026-11-22T08:00:00Z.', { text: bare }) };
    case 'json':
      try {
        const value = parse(text);
        const repeated = repeatedMember(text);
        if (!repeated) return { value };
        return { reason: t('“{name}” is there twice: again at line {line}, character {column}', repeated) };
      } catch (error) {
        return { reason: t('This is not JSON: {reason}', { reason: /** @type {Error} */ (error).message }) };
      }
    default:
      return { value: withLines(text) };
  }
}

/**
 * An item with what was written into its cell. What says no value is a refusal; what says one that breaks a rule is an
 * edit with a problem, as in the form.
 * @param {Column} column
 * @param {Item} item
 * @param {string} text
 * @param {boolean} [isDecimalComma]
 * @returns {{item: Item, reason?: string, problem?: string, isFixed?: boolean}}
 */
export function writtenItem(column, item, text, isDecimalComma = false) {
  const before = cellText(column, item);
  if (withLines(text) === withLines(before)) return { item };
  const fixed = fixedReason(column, item);
  if (fixed) return { item, reason: fixed, isFixed: true };
  const { path, locale, at } = column;
  const { schema, control, isRequired } = /** @type {Place} */ (at.get(item.kind));
  if (text.length === sheetCellMax && before.startsWith(text)) {
    return { item, reason: t('A spreadsheet has cut this text after {count} characters.', { count: sheetCellMax }) };
  }
  const { value, reason } = readCell(text, control, schema, isDecimalComma);
  if (reason) return { item, reason };
  if (isEqual(value, ownValue(column, item))) return { item };
  const whole = valueAt(item, path);
  let next = value;
  if (locale) {
    // What is the same everywhere stays what all others get.
    const byLocale = isByLocale(whole, schema) ? objectOf(whole) : whole === undefined ? {} : { '*': whole };
    const { [locale]: _, ...others } = byLocale;
    next = value === undefined ? others : { ...byLocale, [locale]: value };
    if (Object.keys(objectOf(next)).length === 0) next = undefined;
  }
  const problem = value !== undefined ? problemOf(schema, value) : undefined;
  const isMissing = next === undefined && isRequired;
  return { item: /** @type {Item} */ (withValue(item, path, next)), problem: isMissing ? missing() : problem };
}

/** What is said of a field that is empty and must not be. */
export const missing = () => sentenceWords({ code: 'required', values: {} });

/** What is wrong with what stands in an item's cell already. */
export function standingProblem(/** @type {Column} */ column, /** @type {Item} */ item) {
  const place = column.at.get(item.kind);
  const value = ownValue(column, item);
  return place && value !== undefined ? problemOf(place.schema, value) : undefined;
}

/** The choices of an item's cell, as they are written; nothing where anything can be written. */
export function choicesOf(/** @type {Column} */ column, /** @type {Item} */ item) {
  const control = controlIn(column, item);
  if (control === 'flag') return ['', 'TRUE', 'FALSE'];
  return control === 'choice' ? ['', ...(column.at.get(item.kind)?.schema.enum ?? []).map(String)] : undefined;
}

