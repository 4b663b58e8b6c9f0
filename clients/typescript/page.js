// What crosses the wire: a page, checked by its hash, and the change sets that lead from one to the next.

import { read, write } from './json.js';
import { sha256 } from './sha256.js';

/** @typedef {import('./index.js').Page} Page */
/** @typedef {import('./index.js').ChangeSet} ChangeSet */

const inset = { top: 0, leading: 0, bottom: 0, trailing: 0 };
const size = {
  width: { content: { minimum: 0, maximum: 0 }, fraction: 0, maximum: 0, minimum: 0, of: 0, points: 0 }, height: 0,
};
const color = { light: 0, dark: 0, highContrast: { light: 0, dark: 0 } };
const picture = { fit: 0, sources: { url: 0, width: 0 }, url: 0, width: 0 };
const background = {
  color, cornerRadius: { topLeading: 0, topTrailing: 0, bottomLeading: 0, bottomTrailing: 0 },
  gradient: { angle: 0, stops: { at: 0, color } }, image: { light: picture, dark: picture, ...picture },
  border: { color, width: 0 }, shadow: { color, radius: 0, x: 0, y: 0 },
};
const action = { url: 0, handler: 0, arguments: 0, event: 0, attributes: 0 };
/** @type {any} */
const item = {
  id: 0, kind: 0, lists: 0, content: 0, aspect: 0, inset, action, actions: { title: 0, action, edge: 0, role: 0 },
  accessibility: { label: 0, hint: 0, traits: 0, hidden: 0 }, expanded: 0,
};
item.children = item;
const layout = {
  style: 0, rows: 0, rowCount: 0, columns: 0, alignment: 0, peek: 0, paging: 0, inset, itemSpacing: 0, lineSpacing: 0,
  separator: { color, width: 0, leading: 0, trailing: 0 }, group: 0, itemSize: size, headerSize: size, footerSize: size,
  slotOrder: 0, slotSizes: { each: size }, stickyHeader: 0, sticky: 0, background, backgroundFrame: 0,
};
const section = {
  id: 0, kind: 0, index: 0, position: 0, load: 0, source: { url: 0, fills: 0 }, pollInterval: 0, header: item,
  layout, lists: { id: 0, title: 0 }, items: item, more: { href: 0, count: 0, of: 0 }, slots: { each: item },
  footer: item,
};
/** Every member in the order of the wire, as HomePayload describes it. */
const shape = {
  page: 0, version: 0, locale: 0, direction: 0, sortRule: 0, title: 0, inset, background,
  bar: { leading: item, trailing: item }, sections: section, emptyState: item,
};

/**
 * The text of a page, byte for byte as the server wrote it.
 * @param {Page} page
 */
export const textOf = (page) => write(page, shape);

/**
 * Whether a page's version is the hash of its text without it.
 * @param {Page} page
 * @param {string} text
 */
function isOf(page, text) {
  const head = `{"page":${JSON.stringify(page.page)}`;
  const whole = `${head},"version":"${page.version}"`;
  return text.startsWith(whole) && sha256(head + text.slice(whole.length)).slice(0, 16) === page.version;
}

/** Whether a page can be written as the server wrote it, so that changes of it can be checked. */
export const isExact = (/** @type {Page} */ page) => isOf(page, textOf(page));

/**
 * Reads a page and checks it.
 * @param {string} text
 * @param {string} id the page's
 * @returns {Page}
 */
export function readPage(text, id) {
  const page = read(text);
  if (typeof page?.page !== 'string' || typeof page.version !== 'string' || !Array.isArray(page.sections)) {
    throw new Error('is no page');
  }
  if (page.page !== id) throw new Error(`is the page ${page.page}`);
  if (!isOf(page, text)) throw new Error('does not agree with its hash');
  return page;
}

/**
 * The page after a change set.
 * @param {Page} page
 * @param {ChangeSet} changes
 * @returns {Page}
 */
export function applying(page, changes) {
  if (changes.page !== page.page || changes.from !== page.version) throw new Error('changes of another page');
  const next = changed(page, changes);
  next.version = changes.to;
  next.sections = listAfter(page.sections, changes.sections, 'section', 'items');
  return next;
}

/**
 * @param {any} object
 * @param {{set?: object, unset?: string[]}} update
 */
function changed(object, { set, unset = [] }) {
  const next = { ...object, ...set };
  for (const name of unset) delete next[name];
  return next;
}

/**
 * @param {any[] | undefined} list
 * @param {any} changes
 * @param {string} inserted what an insert calls its element
 * @param {string} own what an element calls its list
 */
function listAfter(
  list = [], { deletes = [], inserts = [], moves = [], updates = [] } = /** @type {any} */ ({}), inserted, own,
) {
  const resting = [...list];
  const element = (/** @type {number} */ at) => {
    if (!(Number.isInteger(at) && resting[at])) throw new Error(`the position ${at} is not there, or there twice`);
    return resting[at];
  };
  for (const update of updates) {
    const next = changed(element(update.at), update);
    if (update[own]) {
      next[own] = listAfter(next[own], update[own], 'item', 'children');
      if (next[own].length === 0) delete next[own];
    }
    resting[update.at] = next;
  }
  const arriving = new Map();
  let count = list.length;
  const arrive = (/** @type {number} */ at, /** @type {any} */ arrived) => {
    if (!arrived || arriving.has(at)) throw new Error(`the position ${at} is taken twice`);
    arriving.set(at, arrived);
    count += 1;
  };
  const leave = (/** @type {number} */ at) => {
    const left = element(at);
    resting[at] = null;
    count -= 1;
    return left;
  };
  for (const at of deletes) leave(at);
  for (const { from, to } of moves) arrive(to, leave(from));
  for (const insert of inserts) arrive(insert.at, insert[inserted]);
  const rest = resting.filter(Boolean);
  const result = Array.from({ length: count }, (_, at) => arriving.get(at) ?? rest.shift());
  // A position that is none leaves a place empty.
  if (!result.every(Boolean)) throw new Error('a position beyond the list');
  return result;
}

/**
 * What leads from one page to another, with the fewest moves, as the server finds it.
 * @param {Page} old
 * @param {Page} next
 * @returns {ChangeSet}
 */
export function changesBetween(old, next) {
  return {
    page: next.page, from: old.version, to: next.version,
    ...membersBetween(old, next, shape, ['page', 'version', 'sections']),
    ...listBetween('sections', old.sections, next.sections, section, 'section', 'items'),
  };
}

/**
 * @param {any} old
 * @param {any} next
 * @param {any} shape
 * @param {string[]} apart members that are told of otherwise
 */
function membersBetween(old, next, shape, apart) {
  const differs = (/** @type {string} */ name) => !apart.includes(name)
    && (!(name in old) || !(name in next) || write(old[name], shape[name]) !== write(next[name], shape[name]));
  const set = Object.keys(next).filter(differs);
  const unset = Object.keys(old).filter((name) => !(name in next) && differs(name));
  return {
    ...set.length > 0 && { set: Object.fromEntries(set.map((name) => [name, next[name]])) },
    ...unset.length > 0 && { unset },
  };
}

/**
 * @param {string} name the list's
 * @param {any[]} old
 * @param {any[]} next
 * @param {any} shape an element's
 * @param {string} inserted
 * @param {string} own
 * @returns {Record<string, any>}
 */
function listBetween(name, old = [], next = [], shape, inserted, own) {
  /** @type {Map<string, number[]>} */
  const places = new Map();
  old.forEach(({ id }, at) => places.get(id)?.push(at) ?? places.set(id, [at]));
  /** @type {any[]} */
  const inserts = [];
  /** @type {{from: number, to: number}[]} */
  const kept = [];
  next.forEach((element, at) => {
    const from = places.get(element.id)?.shift();
    if (from === undefined) inserts.push({ at, [inserted]: element }); else kept.push({ from, to: at });
  });
  const resting = longestRun(kept.map(({ from }) => from));
  const moves = kept.filter((_, place) => !resting.has(place));
  const updates = kept.map(({ from, to }) => ({
    at: from, ...membersBetween(old[from], next[to], shape, [own]),
    ...listBetween(own, old[from][own], next[to][own], item, 'item', 'children'),
  })).filter((update) => Object.keys(update).length > 1).sort((left, right) => left.at - right.at);
  const deletes = [...places.values()].flat().sort((left, right) => left - right);
  const lists = Object.entries({ deletes, inserts, moves, updates }).filter(([, list]) => list.length > 0);
  return lists.length > 0 ? { [name]: Object.fromEntries(lists) } : {};
}

/**
 * The places of a longest increasing run, by patience sorting.
 * @param {number[]} values
 */
function longestRun(values) {
  /** @type {number[]} */
  const tops = [];
  /** @type {number[]} */
  const before = [];
  values.forEach((value, place) => {
    let low = 0;
    for (let high = tops.length; low < high;) {
      const middle = (low + high) >> 1;
      if (values[tops[middle]] < value) low = middle + 1; else high = middle;
    }
    before[place] = tops[low - 1] ?? -1;
    tops[low] = place;
  });
  const run = new Set();
  for (let place = tops.at(-1) ?? -1; place >= 0; place = before[place]) run.add(place);
  return run;
}
