// Every text of a page that may differ by locale, where it stands, and what a translation changes there.

import {
  accessibilitySchema, actionsSchema, controlOf, isByLocale, itemTitle, labelOf, objectOf, oneOfThemes, resolve,
  sectionName, t, withItem,
} from '../shared.js';
import { pointerOf, problemOf, valueAt, withValue } from './columns.js';
import { guarded, unguarded, withLines } from './csv.js';

/** The controls of a text that can be translated. */
const texts = ['text', 'paragraph'];
/** @type {Schema} of what a page and its lists are called */
const titleSchema = { type: 'string', maxLength: 200 };
/** How deep objects and lists within a content are looked through. */
const depthMax = 6;

/**
 * @typedef {object} Entry a text of a page
 * @property {string} key which tells it from all others
 * @property {string} page
 * @property {string} section its id; empty for the page's own settings
 * @property {string} item its id; empty for what is no item's
 * @property {string} pointer in the item, or in what is no item
 * @property {string[]} path the same
 * @property {string[]} resource which has it, below the API's root
 * @property {string} place what it is a part of, in words
 * @property {string} label
 * @property {Schema} schema
 * @property {Content} value the same everywhere, or by locale
 * @property {string} defaultLocale of the page
 * @property {boolean} mayEdit
 */

/**
 * The texts below a schema.
 * @param {AnySchema} schema
 * @param {Content} value
 * @param {Kinds} kinds
 * @param {string[]} path
 * @returns {{path: string[], schema: Schema, value: Content}[]}
 */
function textsBelow(schema, value, kinds, path, depth = 0) {
  const { 'x-localized': isLocalized, ...plain } = resolve(schema, kinds);
  if (value === undefined || value === null || depth > depthMax || oneOfThemes(plain)) return [];
  if (isLocalized && texts.includes(controlOf(plain))) return [{ path, schema: plain, value }];
  if (isLocalized && isByLocale(value, plain)) return [];
  if (Array.isArray(value)) {
    return value.flatMap((each, place) =>
      textsBelow(plain.items ?? {}, each, kinds, [...path, String(place)], depth + 1));
  }
  return Object.entries(plain.properties ?? {}).flatMap(([name, member]) =>
    textsBelow(member, objectOf(value)[name], kinds, [...path, name], depth + 1));
}

/**
 * All texts of a page's draft.
 * @param {Draft} draft
 * @param {Kinds} kinds
 * @param {Rights} rights
 * @returns {Entry[]}
 */
export function textsOf(draft, kinds, rights) {
  const { id: page, defaultLocale } = draft;
  /** @type {Entry[]} */
  const entries = [];
  const add = (/** @type {Omit<Entry, 'key'|'pointer'|'label'|'page'|'defaultLocale'>} */ entry) => {
    const pointer = pointerOf(entry.path);
    const key = JSON.stringify([page, entry.section, entry.item, pointer]);
    const names = entry.path.filter((name) => name !== 'content');
    const label = names.map((name) => /^\d+$/.test(name) ? String(Number(name) + 1) : labelOf(name)).join(' / ');
    entries.push({ ...entry, page, defaultLocale, key, pointer, label });
  };
  const addItem = (/** @type {Item} */ item, /** @type {string[]} */ before,
    /** @type {Pick<Entry, 'section'|'item'|'resource'|'place'|'mayEdit'>} */ of) => {
    const found = [
      ...textsBelow({ type: 'object', properties: {}, ...resolve(kinds.itemKinds?.[item.kind]?.content, kinds) },
        item.content, kinds, [...before, 'content']),
      ...textsBelow(accessibilitySchema, item.accessibility, kinds, [...before, 'accessibility']),
      ...textsBelow(actionsSchema, item.actions, kinds, [...before, 'actions']),
    ];
    for (const each of found) add({ ...of, ...each });
  };
  const { displayTitle } = draft;
  if (displayTitle !== undefined) {
    add({
      section: '', item: '', path: ['displayTitle'], resource: ['pages', page], place: t('Settings of the page'),
      schema: titleSchema, value: displayTitle, mayEdit: rights.mayEdit(page),
    });
  }
  for (const section of draft.sections) {
    if (!rights.mayRead(page, section.id)) continue;
    const path = ['pages', page, 'sections', section.id];
    const own = { section: section.id, place: sectionName(section, kinds, section.id) };
    const content = { ...own, resource: [...path, 'content'], mayEdit: rights.mayFill(page, section.id) };
    const within = (/** @type {Item} */ item) => {
      const place = `${own.place} / ${itemTitle(item, draft.defaultLocale)}`;
      addItem(item, [], { ...content, item: item.id, place });
      for (const child of item.children ?? []) within(child);
    };
    for (const item of [...Object.values(section.slots ?? {}), ...section.items ?? []]) within(item);
    for (const name of /** @type {const} */ (['header', 'footer'])) {
      const item = section[name];
      if (item) addItem(item, [name], { ...own, item: '', resource: path, mayEdit: rights.mayEdit(page) });
    }
    section.lists?.forEach(({ title }, place) => add({
      ...own, item: '', path: ['lists', String(place), 'title'], resource: path, schema: titleSchema, value: title,
      mayEdit: rights.mayEdit(page),
    }));
  }
  return entries;
}

/**
 * What a text says in each locale; nothing where it is the same everywhere.
 * @param {Pick<Entry, 'value'|'schema'>} entry
 */
const mapOf = ({ value, schema }) =>
  isByLocale(value, schema) ? /** @type {Record<string, string>} */ (value) : null;

/** What a text says in a locale of its own; nothing where that has none. */
export const ownText = (/** @type {Entry} */ entry, /** @type {string} */ locale) => mapOf(entry)?.[locale] ?? '';

/** What is to be translated: the text of a locale, or what stands for it. */
export function sourceText(/** @type {Entry} */ entry, /** @type {string} */ locale) {
  const map = mapOf(entry);
  if (!map) return typeof entry.value === 'string' ? entry.value : '';
  return map[locale] ?? map['*'] ?? map[entry.defaultLocale] ?? Object.values(map)[0] ?? '';
}

/** Whether a text lacks a locale, has it, or is the same everywhere. */
export function stateOf(/** @type {Entry} */ entry, /** @type {string} */ locale) {
  if (!isByLocale(entry.value, entry.schema)) return 'same';
  return ownText(entry, locale) === '' ? 'missing' : 'there';
}

/** A text with another translation; what is the same everywhere stays what all others get. */
export function translated(/** @type {Content} */ value, /** @type {Schema} */ schema, /** @type {string} */ locale,
  /** @type {string} */ text) {
  const map = mapOf({ value, schema });
  if (text !== '') return { ...map ?? (value === undefined ? {} : { '*': value }), [locale]: text };
  if (!map) return value;
  const { [locale]: _, ...others } = map;
  return Object.keys(others).length > 0 ? others : undefined;
}

/** @typedef {{entry: Entry, locale: string, from: string, text: string, source: string, before: string}} Translation */

/**
 * An element of a list or a member with another value.
 * @param {Content} root
 * @param {string[]} path
 * @param {Content} value
 * @returns {Value}
 */
function withText(root, [name, ...rest], value) {
  if (Array.isArray(root)) {
    return root.with(Number(name), rest.length === 0 ? value ?? null : withText(root[Number(name)], rest, value));
  }
  if (rest.length === 0) return withValue(objectOf(root), [name], value);
  return { ...objectOf(root), [name]: withText(objectOf(root)[name], rest, value) };
}

/**
 * What a resource says with translations in it. One whose text somebody changed since is left out, and told.
 * @template {SectionContent} T
 * @param {T} value
 * @param {Translation[]} translations
 * @returns {{value: T, stale: {translation: Translation, reason: string}[]}}
 */
export function withTranslations(value, translations) {
  /** @type {{translation: Translation, reason: string}[]} */
  const stale = [];
  let result = value;
  for (const translation of translations) {
    const { entry: { item, path, schema }, locale, from, text, source, before } = translation;
    let isFound = false;
    /** @type {<Root extends Content>(root: Root) => Root} */
    const change = (root) => {
      const was = valueAt(root, path);
      isFound = true;
      const now = /** @type {Entry} */ ({ ...translation.entry, value: was });
      const reason = was === undefined ? goneWords() : changeSince(now, { locale, from, text, source, before });
      if (reason) {
        stale.push({ translation, reason });
        return root;
      }
      return /** @type {typeof root} */ (withText(root, path, translated(was, schema, locale, text)));
    };
    result = item ? withItem(result, item, change) : change(result);
    if (!isFound) stale.push({ translation, reason: goneWords() });
  }
  return { value: result, stale };
}

const goneWords = () => t('This text is not there any more.');

/**
 * What somebody changed of a text since a translation was begun; nothing where it fits still.
 * @param {Entry} entry
 * @param {{locale: string, from: string, text: string, source: string, before: string}} translation
 */
function changeSince(entry, { locale, from, text, source, before }) {
  const [sourceNow, now] = [sourceText(entry, from), ownText(entry, locale)];
  if (withLines(sourceNow) !== withLines(source)) {
    return t('The source text is another now: “{text}”', { text: sourceNow });
  }
  if (withLines(now) !== withLines(before) && withLines(now) !== withLines(text)) {
    return now === '' ? t('Somebody took the translation out meanwhile.')
      : t('Somebody translated it meanwhile: “{text}”', { text: now });
  }
  return undefined;
}

// Files

/** The rows of a file of texts with their translations, as they are now. */
export function translationRows(/** @type {Entry[]} */ entries, /** @type {string} */ from,
  /** @type {string} */ locale) {
  return [
    ['page', 'section', 'item', 'pointer', `source (${from})`, `translation (${locale})`, `exported (${locale})`],
    ...entries.map((entry) => [entry.page, entry.section, entry.item, entry.pointer, sourceText(entry, from),
      ownText(entry, locale), ownText(entry, locale)].map(guarded)),
  ];
}

/**
 * @typedef {object} TranslationOutcome of a row of the file
 * @property {number} line
 * @property {string} id where it is
 * @property {'added'|'changed'|'same'|'removed'|'refused'|'stale'} what
 * @property {{name: string, before: string, after: string}[]} differences
 * @property {{name?: string, reason: string}[]} refusals
 * @property {Translation} [translation]
 */

const named = /^(page|section|item|pointer|source|translation|exported)(?: \(([A-Za-z0-9*-]+)\))?$/;

/**
 * What a file of translations would change.
 * @param {{rows: string[][], lines: number[]}} file
 * @param {Map<string, Entry>} entries by key
 * @param {(page: string) => string[]} localesOf a page
 * @returns {{header: {name?: string, reason: string}[], outcomes: TranslationOutcome[]}}
 */
export function translationPlan({ rows, lines }, entries, localesOf) {
  const [first = [], ...others] = rows;
  /** @type {Map<string, {place: number, locale: string|undefined}>} */
  const columns = new Map();
  /** @type {{name?: string, reason: string}[]} */
  const header = [];
  first.forEach((text, place) => {
    const name = text.trim();
    const [, what, locale] = named.exec(name) ?? [];
    if (what && columns.has(what)) {
      header.push({ name, reason: t('This column is there twice. Take one of them out.') });
    } else if (what) columns.set(what, { place, locale });
    else if (name !== '') {
      header.push({ name, reason: t('There is no column “{name}” here. There are: {list}.', {
        name, list: 'page, section, item, pointer, source (en), translation (…), exported (…)',
      }) });
    }
  });
  for (const name of ['page', 'section', 'item', 'pointer', 'source', 'translation', 'exported']) {
    const column = columns.get(name);
    const hasLocale = !['source', 'translation', 'exported'].includes(name) || column?.locale !== undefined;
    if (!column || !hasLocale) {
      const reason = t('This column is missing, or names no locale. Keep the first row as it was written.');
      header.push({ name, reason });
    }
  }
  const [from, locale, exportedIn] = ['source', 'translation', 'exported']
    .map((name) => columns.get(name)?.locale ?? '');
  if (locale !== exportedIn && header.length === 0) {
    header.push({ name: `exported (${exportedIn})`, reason: t('It must be of the same locale as the translation.') });
  }
  if (header.length > 0) return { header, outcomes: [] };
  /** @type {Set<string>} */
  const seen = new Set();
  /** @type {TranslationOutcome[]} */
  const outcomes = [];
  others.forEach((row, place) => {
    if (row.every((text) => text.trim() === '')) return;
    const cell = (/** @type {string} */ name) => unguarded(row[columns.get(name)?.place ?? -1] ?? '');
    const [page, section, item, pointer] = ['page', 'section', 'item', 'pointer'].map(cell);
    const [source, text, before] = ['source', 'translation', 'exported'].map((name) => withLines(cell(name)));
    const key = JSON.stringify([page, section, item, pointer]);
    const entry = entries.get(key);
    const base = { line: lines[place + 1], id: [page, section, item, pointer].filter(Boolean).join(' ') };
    const end = (/** @type {TranslationOutcome['what']} */ what, reason = '', more = {}) => outcomes.push({
      ...base, what, differences: [], refusals: reason ? [{ reason }] : [], ...more,
    });
    if (row.length > first.length && row.slice(first.length).some((each) => each !== '')) {
      const reason = t('This row has more cells than the first one. Put cells that have a separator into quotes.');
      return end('refused', reason);
    }
    if (seen.has(key)) return end('refused', t('This text is in the file twice.'));
    seen.add(key);
    if (text === before) return end('same');
    if (!entry) return end('refused', goneWords());
    if (!localesOf(page).includes(locale)) {
      return end('refused', t('The page has no locale {locale}. It has: {list}.', {
        locale, list: localesOf(page).join(', '),
      }));
    }
    if (!entry.mayEdit) return end('refused', t('You can look at this, but not change it.'));
    const now = ownText(entry, locale);
    if (withLines(now) === text) return end('same');
    const problem = text === '' ? undefined : problemOf(entry.schema, text);
    if (problem) return end('refused', problem);
    const change = changeSince(entry, { locale, from, text, source, before });
    const translation = { entry, locale, from, text, source: sourceText(entry, from), before: now };
    const differences = [{ name: entry.label, before: now, after: text }];
    return end(change ? 'stale' : text === '' ? 'removed' : now === '' ? 'added' : 'changed', change, {
      differences, translation,
    });
  });
  return { header, outcomes };
}
