// A payload with what the form says and has not saved: texts, pictures, items and their order.
// Times, audiences, layouts and what apps can draw are the server's to decide; they show once saved.

import { isByLocale, resolve } from './schema.js';

/** The tags that a lookup tries for a locale (RFC 4647 §3.4). */
function* lookup(/** @type {string} */ locale) {
  let parts = locale.split('-');
  while (parts.length > 0) {
    yield parts.join('-');
    parts = parts.slice(0, -1);
    if (parts.at(-1)?.length === 1) parts = parts.slice(0, -1);
  }
}

function chosen(/** @type {any} */ values, /** @type {string[]} */ locales) {
  for (const locale of locales) for (const tag of lookup(locale)) if (tag in values) return values[tag];
  return values['*'];
}

/**
 * A value of a schema as a client of the locales gets it.
 * @returns {any}
 */
function localised(/** @type {any} */ raw, /** @type {any} */ given, /** @type {any} */ context) {
  const { 'x-localized': isLocalised, ...schema } = resolve(raw, context.kinds);
  const value = isLocalised && isByLocale(given, schema) ? chosen(given, context.locales) : given;
  if (JSON.isRawJSON?.(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map((element) => localised(schema.items, element, context));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value)
    .map(([name, member]) => [name, localised(schema.properties?.[name], member, context)])
    .filter(([, member]) => member !== undefined));
}

/** What was drawn of each item as the form has it: of a long list a key changes one. */
/** @type {WeakMap<object, any>} */
const drawings = new WeakMap();

/**
 * One item.
 * @param mine as the form has it; `saved` as it was read, `shown` as the phone got it, each absent when there is none
 */
function item(/** @type {any} */ mine, /** @type {any} */ saved, /** @type {any} */ shown, /** @type {any} */ context) {
  const { kinds, locales: [locale, other] } = context;
  const isKept = mine !== null && typeof mine === 'object';
  const known = isKept ? drawings.get(mine) : undefined;
  if (known && known.saved === saved && known.shown === shown && known.kinds === kinds && known.locale === locale
    && known.other === other) return known.drawn;
  const drawn = drawing(mine, saved, shown, context);
  if (isKept) drawings.set(mine, { saved, shown, kinds, locale, other, drawn });
  return drawn;
}

/** @type {(mine: any, saved: any, shown: any, context: any) => any} */
function drawing(mine, saved, shown, context) {
  // What the server leaves out stays out; what it draws as another kind stays that.
  if (!mine || (saved && !shown)) return undefined;
  if (saved && saved.kind !== shown.kind) return shown;
  if (!saved && (mine.schedule || mine.audience)) return undefined;
  const { expanded, action, lists } = mine;
  const aspect = JSON.isRawJSON?.(mine.aspect) ? Number(mine.aspect.rawJSON) : mine.aspect;
  return {
    ...shown, id: mine.id ?? shown?.id, kind: mine.kind, aspect, expanded, action, lists,
    content: localised(context.kinds.itemKinds?.[mine.kind]?.content, mine.content ?? {}, context),
    children: items(mine.children, saved?.children, shown?.children, context),
  };
}

/** @type {WeakMap<any[], Map<string, any>>} */
const indices = new WeakMap();
/** A list that stays as it is, by its items' ids. */
function byID(/** @type {any[]} */ list) {
  const known = indices.get(list) ?? new Map(list.map((each) => [each.id, each]));
  indices.set(list, known);
  return known;
}
const none = /** @type {any[]} */ ([]);

/**
 * Items as the form has them.
 * @param {any[]|undefined} mine
 * @param {any[]|undefined} saved
 * @param {any[]|undefined} shown
 * @param {any} context
 * @param {boolean} [isSorted] whether the server puts them in order, which it does with what is kept on top
 * @returns {any[]}
 */
function items(mine = none, saved = none, shown = none, context, isSorted = false) {
  const [before, drawn] = [byID(saved), byID(shown)];
  const result = [];
  let isKeptOnTop = false;
  for (const each of mine) {
    const made = item(each, before.get(each.id), drawn.get(each.id), context);
    if (made) result.push(made);
    isKeptOnTop ||= each.keepOnTop;
  }
  if (!isSorted && !isKeptOnTop) return result;
  const places = new Map(shown.map((/** @type {{id: string}} */ { id }, /** @type {any} */ place) => [id, place]));
  const place = (/** @type {{id: string}} */ { id }) => places.get(id) ?? shown.length;
  return result.map((each, number) => ({ each, number }))
    .sort((left, right) => place(left.each) - place(right.each) || left.number - right.number)
    .map(({ each }) => each);
}

/**
 * @param {{base: any, mine: any}} editor
 * @param {any} shown
 * @param {any} context
 */
function section({ base, mine }, shown, context) {
  const bar = (/** @type {string} */ name) => item(mine.settings[name], base.settings[name], shown[name], context);
  const slots = Object.entries(mine.content.slots ?? {})
    .map(([name, each]) => [name, item(each, base.content.slots?.[name], shown.slots?.[name], context)]);
  return {
    ...shown, header: bar('header'), footer: bar('footer'), slots: Object.fromEntries(slots.filter(([, each]) => each)),
    items: items(mine.content.items, base.content.items, shown.items, context,
      Boolean(mine.settings.itemOrder)),
  };
}

/**
 * The payload with the editor's section as its form has it.
 * @param {Payload|null} payload
 * @param {Editor|null} editor
 * @param {{kinds: Kinds, draft: Draft}} model
 */
export function withUnsaved(payload, editor, { kinds, draft }) {
  const place = editor?.isDirty ? payload?.sections.findIndex(({ id }) => id === editor.id) ?? -1 : -1;
  if (place < 0 || !payload || !editor) return payload;
  try {
    if (payload.sections[place].kind !== editor.values.settings.kind) return payload;
    const drawn = section(editor, payload.sections[place], { kinds, locales: [payload.locale, draft.defaultLocale] });
    return { ...payload, sections: payload.sections.with(place, drawn) };
  } catch {
    // Anything can be typed as JSON; the phone keeps what it has.
    return payload;
  }
}
