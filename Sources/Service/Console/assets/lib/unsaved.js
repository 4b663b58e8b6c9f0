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

/**
 * One item.
 * @param mine as the form has it; `saved` as it was read, `shown` as the phone got it, each absent when there is none
 */
function item(/** @type {any} */ mine, /** @type {any} */ saved, /** @type {any} */ shown, /** @type {any} */ context) {
  // What the server leaves out stays out; what it draws as another kind stays that.
  if (!mine || (saved && !shown)) return undefined;
  if (saved && saved.kind !== shown.kind) return shown;
  if (!saved && (mine.schedule || mine.audience)) return undefined;
  const { expanded, action } = mine;
  const aspect = JSON.isRawJSON?.(mine.aspect) ? Number(mine.aspect.rawJSON) : mine.aspect;
  return {
    ...shown, id: mine.id ?? shown?.id, kind: mine.kind, aspect, expanded, action,
    content: localised(context.kinds.itemKinds?.[mine.kind]?.content, mine.content ?? {}, context),
    children: items(mine.children, saved?.children, shown?.children, context),
  };
}

/**
 * Items as the form has them.
 * @param {any[]|undefined} mine
 * @param {any[]|undefined} saved
 * @param {any[]|undefined} shown
 * @param {any} context
 * @param {boolean} [isSorted] whether the server puts them in order, which it does with what is kept on top
 * @returns {any[]}
 */
function items(mine = [], saved = [], shown = [], context, isSorted = mine.some(({ keepOnTop }) => keepOnTop)) {
  const before = new Map(saved.map((/** @type {any} */ each) => [each.id, each]));
  const drawn = new Map(shown.map((/** @type {any} */ each) => [each.id, each]));
  const result = mine.map((each) => item(each, before.get(each.id), drawn.get(each.id), context)).filter(Boolean);
  if (!isSorted) return result;
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
      mine.settings.itemOrder ? true : undefined),
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
