// What something was once, put back into a form: a place in it, an item, a section, or a page's settings.

import { namesIn } from './merge.js';

/** @typedef {import('./merge.js').Path} Path */

/**
 * A section of a revision, or of a draft, as the form has it.
 * @param {any} section
 * @returns {{settings: any, content: any}}
 */
export function formOf({ id, index, items = [], slots = {}, ...settings }) {
  return { settings, content: { items, slots } };
}

/**
 * A section of a revision with its index, and with its indices of the sort rules beside the default one.
 * @param {{sections: any[], sortRules?: Record<string, any>}} revision
 * @param {string} id
 * @returns {{section: any, rules: Record<string, number>}|null}
 */
export function sectionIn({ sections, sortRules = {} }, id) {
  const section = sections.find((each) => each.id === id);
  if (!section) return null;
  const { default: own, ...others } = sortRules;
  const listed = Object.entries(others).filter(([, rule]) => rule.indices?.[id] !== undefined);
  const index = own?.indices?.[id];
  return {
    section: index === undefined ? section : { ...section, index },
    rules: Object.fromEntries(listed.map(([name, rule]) => [name, rule.indices[id]])),
  };
}

const pageMembers = [
  'title', 'defaultLocale', 'locales', 'pollInterval', 'emptyState', 'displayTitle', 'bar', 'inset', 'background',
];

/** The settings of the page alone, of a revision or a draft. */
export const pageSettingsOf = (/** @type {any} */ page) =>
  Object.fromEntries(pageMembers.filter((name) => page[name] !== undefined).map((name) => [name, page[name]]));

/**
 * A value with what stands at a place in it changed; a place goes where nothing comes of it.
 * @param {any} root
 * @param {string} pointer
 * @param {(value: any) => any} change
 */
export function withAt(root, pointer, change) {
  const names = namesIn(pointer);
  return withPath(root, names, change(names.reduce((value, name) => value?.[name], root)));
}

/**
 * A value with another one at a path in it. An item that is gone comes back behind the one that it stood behind.
 * @param {any} root
 * @param {Path} path which ends with `↕` where it means the order of a list, and then takes ids
 * @param {any} value
 * @param {any} [former] what the value is from, as a whole
 * @returns {any}
 */
export function withPath(root, [step, ...rest], value, former) {
  if (step === undefined) return value;
  if (step === '↕') return inOrder(root ?? [], value);
  if (typeof step === 'object') {
    const list = [...root ?? []];
    const isIt = (/** @type {{id: string}} */ { id }) => id === step.id;
    const place = list.findIndex(isIt);
    const next = withPath(list[place], rest, value, former?.find(isIt));
    if (place >= 0) list.splice(place, 1, ...next === undefined ? [] : [next]);
    else if (next !== undefined) list.splice(placeFor(step.id, list, former ?? []), 0, next);
    return list;
  }
  if (Array.isArray(root)) return root.with(Number(step), withPath(root[Number(step)], rest, value));
  const isMap = root !== null && typeof root === 'object' && !JSON.isRawJSON?.(root);
  const { [step]: before, ...others } = isMap ? root : {};
  const next = withPath(before, rest, value, former?.[step]);
  if (next !== undefined) return isMap && step in root ? { ...root, [step]: next } : { ...others, [step]: next };
  // A text of which the last locale is taken away is no text, and not one of none.
  return rest.length === 0 && Object.keys(others).length === 0 && step in (root ?? {}) && isLocale(step)
    ? undefined : others;
}

const isLocale = (/** @type {string} */ name) => /^(\*|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$/.test(name);

/** Behind the nearest that it stood behind and that is there still, else at the top. */
function placeFor(/** @type {string} */ id, /** @type {{id: string}[]} */ list, /** @type {{id: string}[]} */ former) {
  for (let place = former.findIndex((each) => each.id === id) - 1; place >= 0; place -= 1) {
    const at = list.findIndex((each) => each.id === former[place].id);
    if (at >= 0) return at + 1;
  }
  return 0;
}

/** The items in an order; those that it does not name stay behind what they stand behind. */
function inOrder(/** @type {{id: string}[]} */ items, /** @type {string[]} */ ids) {
  const known = new Map(items.map((item) => [item.id, item]));
  const order = ids.filter((id) => known.has(id));
  items.forEach(({ id }, place) => {
    if (!order.includes(id)) order.splice(place === 0 ? 0 : order.indexOf(items[place - 1].id) + 1, 0, id);
  });
  return order.map((id) => known.get(id));
}

/**
 * A section's content with one of its items as another, wherever it stands by now; those below an item as well.
 * @param {any} content
 * @param {string} id
 * @param {(item: any) => any} change
 */
export function withItem(content, id, change) {
  /** @type {(items: any[]|undefined) => any[]|undefined} */
  const within = (items) => items?.map((/** @type {any} */ item) =>
    item.id === id ? change(item) : item.children ? { ...item, children: within(item.children) } : item);
  return { ...content, items: within(content.items) };
}

/**
 * What is to be put into the form of a page once that is shown.
 * @typedef {{page: string, section?: any, rules?: Record<string, number>, settings?: any}} Handed
 */

/** @type {Handed|null} */
let handed = null;

/** Goes to the page, and has it take up what was there once. */
export function handOver(/** @type {Handed} */ what) {
  handed = what;
  location.hash = `#/pages/${encodeURIComponent(what.page)}`;
}

/** What was handed over to a page, once. */
export function taken(/** @type {string} */ page) {
  const what = handed?.page === page ? handed : null;
  handed = null;
  return what;
}
