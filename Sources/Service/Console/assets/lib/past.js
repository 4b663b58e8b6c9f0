// What something was once, put back into a form: a place in it, an item, a section, or a page's settings.

import { memberOf, objectOf } from './members.js';
import { namesIn } from './merge.js';
import { woven } from './order.js';

/** @typedef {import('./merge.js').Path} Path */

/** @typedef {Omit<Section, 'index'> & {index?: number}} Former a section of a revision, of a draft or of a form */

/**
 * A section of a revision, or of a draft, as the form has it.
 * @param {Former} section
 * @returns {{settings: SectionForm, content: SectionContent}}
 */
export function formOf({ id, index, items = [], slots = {}, ...settings }) {
  return { settings, content: { items, slots } };
}

/**
 * A section of a revision with its index, and with its indices of the sort rules beside the default one.
 * @param {{sections: Section[], sortRules?: Record<string, SortRule>}} revision
 * @param {string} id
 * @returns {{section: Section, rules: Record<string, number>}|null}
 */
export function sectionIn({ sections, sortRules = {} }, id) {
  const section = sections.find((each) => each.id === id);
  if (!section) return null;
  const { default: own, ...others } = sortRules;
  const listed = Object.entries(others).flatMap(([name, { indices }]) =>
    indices?.[id] === undefined ? [] : [[name, indices[id]]]);
  const index = own?.indices?.[id];
  return {
    section: index === undefined ? section : { ...section, index },
    rules: Object.fromEntries(listed),
  };
}

const pageMembers = /** @type {const} */ ([
  'title', 'defaultLocale', 'locales', 'pollInterval', 'emptyState', 'displayTitle', 'bar', 'inset', 'background',
]);

/** The settings of the page alone, of a revision or a draft. */
export const pageSettingsOf = (/** @type {PageSettings} */ page) => /** @type {PageSettings} */ (
  Object.fromEntries(pageMembers.filter((name) => page[name] !== undefined).map((name) => [name, page[name]])));

/**
 * A value with what stands at a place in it changed; a place goes where nothing comes of it.
 * @param {Content} root
 * @param {string} pointer
 * @param {(value: Content) => Content} change
 */
export function withAt(root, pointer, change) {
  const names = namesIn(pointer);
  return withPath(root, names, change(names.reduce(memberOf, root)));
}

/**
 * A value with another one at a path in it. An item that is gone comes back behind the one that it stood behind.
 * @param {Content} root
 * @param {Path} path which ends with `↕` where it means the order of a list, and then takes ids
 * @param {Content} value
 * @param {Content} [former] what the value is from, as a whole
 * @returns {Content}
 */
export function withPath(root, [step, ...rest], value, former) {
  if (step === undefined) return value;
  if (step === '↕') return inOrder(elementsOf(root), elementsOf(value));
  if (typeof step === 'object') {
    const [list, had] = [[...elementsOf(root)], elementsOf(former)];
    const isIt = (/** @type {Value} */ each) => idOf(each) === step.id;
    const place = list.findIndex(isIt);
    const next = withPath(list[place], rest, value, had.find(isIt));
    if (place >= 0) list.splice(place, 1, ...next === undefined ? [] : [next]);
    else if (next !== undefined) list.splice(placeFor(step.id, list, had), 0, next);
    return list;
  }
  if (Array.isArray(root)) return root.with(Number(step), withPath(root[Number(step)], rest, value) ?? null);
  const map = objectOf(root);
  const { [step]: before, ...others } = map;
  const next = withPath(before, rest, value, memberOf(former, step));
  if (next !== undefined) return { ...map, [step]: next };
  // A text of which the last locale is taken away is no text, and not one of none.
  return rest.length === 0 && Object.keys(others).length === 0 && step in map && isLocale(step)
    ? undefined : others;
}

const elementsOf = (/** @type {Content} */ value) => Array.isArray(value) ? value : [];
const idOf = (/** @type {Value} */ each) => objectOf(each).id;
const isLocale = (/** @type {string} */ name) => /^(\*|[a-z]{2,3}(-[A-Za-z0-9]{2,8})*)$/.test(name);

/** Behind the nearest that it stood behind and that is there still, else at the top. */
function placeFor(/** @type {string} */ id, /** @type {Value[]} */ list, /** @type {Value[]} */ former) {
  for (let place = former.findIndex((each) => idOf(each) === id) - 1; place >= 0; place -= 1) {
    const at = list.findIndex((each) => idOf(each) === idOf(former[place]));
    if (at >= 0) return at + 1;
  }
  return 0;
}

/** The items in an order; those that it does not name stay behind what they stand behind. */
function inOrder(/** @type {Value[]} */ items, /** @type {Content[]} */ ids) {
  const known = new Map(items.map((item) => [idOf(item), item]));
  const order = woven(ids.filter((id) => known.has(id)), items.map(idOf));
  return order.map((id) => known.get(id) ?? null);
}

/**
 * A section's content with one of its items as another, wherever it stands by now; the same content where it is gone.
 * @template {SectionContent} Of
 * @param {Of} content
 * @param {string} id
 * @param {(item: Item) => Item} change
 * @returns {Of}
 */
export function withItem(content, id, change) {
  /** @type {(item: Item) => Item} */
  const within = (item) => {
    if (item.id === id) return change(item);
    const children = item.children?.map(within);
    return children?.some((child, place) => child !== item.children?.[place]) ? { ...item, children } : item;
  };
  const items = content.items?.map(within);
  const slots = content.slots && Object.fromEntries(Object.entries(content.slots).map(([name, item]) =>
    [name, within(item)]));
  return { ...content, ...(items ? { items } : {}), ...(slots ? { slots } : {}) };
}

/**
 * What is to be put into the form of a page once that is shown.
 * @typedef {{page: string, section?: Section, rules?: Record<string, number>, settings?: PageSettings}} Handed
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
