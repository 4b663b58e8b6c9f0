// An item: what it is called, how a new one begins, and the ids within.

import { objectOf } from './members.js';
import { emptyOf, resolve } from './schema.js';

/** What an item is called in a list. */
export function itemTitle(/** @type {Content} */ item, /** @type {string} */ locale) {
  const { id, content } = objectOf(item);
  const { title, text, name } = objectOf(content);
  for (const value of [title, text, name]) {
    const texts = objectOf(value);
    const words = typeof value === 'string' ? value : texts[locale] ?? texts['*'] ?? Object.values(texts)[0];
    if (typeof words === 'string' && words !== '') return words;
  }
  return typeof id === 'string' || typeof id === 'number' ? String(id) : '';
}

/** A new item of a kind, with what its schema requires. */
/** @returns {Item} */
export function newItem(/** @type {string} */ kind, /** @type {Kinds} */ kinds, /** @type {string} */ id) {
  const schema = resolve(kinds.itemKinds?.[kind]?.content, kinds);
  const content = emptyOf({ type: 'object', properties: {}, ...schema }, kinds);
  return /** @type {Item} */ ({ ...(id ? { id } : {}), kind, content: content ?? {} });
}

/** The ids of items, and of the items in them. */
export function idsIn(/** @type {Item[]|undefined} */ items, ids = new Set()) {
  for (const item of items ?? []) {
    ids.add(item.id);
    idsIn(item.children, ids);
  }
  return ids;
}
