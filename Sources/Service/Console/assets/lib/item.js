// An item: what it is called, how a new one begins, and the ids within.

import { emptyOf, resolve } from './schema.js';

/** What an item is called in a list. */
export function itemTitle(/** @type {any} */ item, /** @type {string} */ locale) {
  for (const value of [item.content?.title, item.content?.text, item.content?.name]) {
    const text = typeof value === 'string' ? value : value?.[locale] ?? value?.['*'] ?? Object.values(value ?? {})[0];
    if (typeof text === 'string' && text !== '') return text;
  }
  return item.id ?? '';
}

/** A new item of a kind, with what its schema requires. */
export function newItem(/** @type {any} */ kind, /** @type {Kinds} */ kinds, /** @type {string} */ id) {
  const schema = resolve(kinds.itemKinds?.[kind]?.content, kinds);
  const content = emptyOf({ type: 'object', properties: {}, ...schema }, kinds);
  return { ...(id ? { id } : {}), kind, content: content ?? {} };
}

/** The ids of items, and of the items in them. */
export function idsIn(/** @type {Item[]|undefined} */ items, ids = new Set()) {
  for (const item of items ?? []) {
    ids.add(item.id);
    idsIn(item.children, ids);
  }
  return ids;
}
