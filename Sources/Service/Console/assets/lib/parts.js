// The parts of a page that a publish names, each by a key: a section by its id, the others by a word with a colon.

import { sideBySide, t } from './i18n.js';

/**
 * @typedef {{sections?: string[], settings?: true, rules?: string[], order?: true, audiences?: string[]}} Parts
 * @typedef {Parts & {id: number, at: string, zone: string, author: string}} Waiting
 */

/**
 * The keys of parts, sections first.
 * @param {Parts} parts
 * @returns {string[]}
 */
export const keysOf = ({ sections = [], settings, rules = [], order, audiences = [] }) => [
  ...sections, ...(settings ? [':settings'] : []), ...(order ? [':order'] : []),
  ...rules.map((name) => `rule:${name}`), ...audiences.map((name) => `audience:${name}`),
];

/** Those of a kind, by their names. */
const named = (/** @type {string[]} */ keys, /** @type {string} */ kind) =>
  keys.filter((key) => key.startsWith(`${kind}:`)).map((key) => key.slice(kind.length + 1));

/**
 * The parts that keys stand for, as a request names them.
 * @param {string[]} keys
 * @returns {Parts}
 */
export function partsOf(keys) {
  const lists = {
    sections: keys.filter((key) => !key.includes(':')), rules: named(keys, 'rule'), audiences: named(keys, 'audience'),
  };
  return {
    ...Object.fromEntries(Object.entries(lists).filter(([, names]) => names.length > 0)),
    ...(keys.includes(':settings') ? { settings: true } : {}), ...(keys.includes(':order') ? { order: true } : {}),
  };
}

/**
 * What a part is called.
 * @param {string} key
 * @param {(id: string) => string} nameOf of a section
 */
export function partWords(key, nameOf) {
  if (!key.includes(':')) return nameOf(key);
  if (key === ':settings') return t('The page’s settings');
  if (key === ':order') return t('The order of the page');
  const [kind, name] = key.split(':');
  return kind === 'rule' ? t('The sort rule {name}', { name }) : t('The audience {name}', { name });
}

/** Parts side by side; without any it is the whole page. */
export const partsWords = (/** @type {Parts} */ parts, /** @type {(id: string) => string} */ nameOf) =>
  sideBySide(keysOf(parts).map((key) => partWords(key, nameOf))) || t('The whole page');

/**
 * What waits in schedules, by its key: where several have it, the soonest.
 * @param {Waiting[]} [waiting]
 * @returns {Map<string, Waiting>}
 */
export const waitingByKey = (waiting = []) =>
  new Map([...waiting].reverse().flatMap((each) => keysOf(each).map((key) => [key, each])));
