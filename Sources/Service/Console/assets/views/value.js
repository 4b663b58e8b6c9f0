// A value of a definition as people read it: never as JSON.

import { formatInstant, t } from '../lib/i18n.js';
import { itemTitle } from '../lib/item.js';
import { objectOf } from '../lib/members.js';
import { memberWords } from '../lib/pointers.js';
import { html } from '../lib/ui.js';
import { predicateWords } from '../lib/words.js';

const isSchedule = (/** @type {Members} */ value) =>
  typeof value.zone === 'string' && (value.from !== undefined || value.until !== undefined);
const isPredicate = (/** @type {Members} */ value) =>
  ['attribute', 'all', 'any', 'not'].some((name) => value[name] !== undefined)
  || (typeof value.audience === 'string' && Object.keys(value).length === 1);

/** An instant with its zone; a local time that is not saved yet as it was typed. */
const timeWords = (/** @type {string} */ text, /** @type {string|undefined} */ zone) =>
  /Z$|[+-]\d\d:\d\d$/.test(text) ? formatInstant(text, zone) : `${text.replace('T', ' ')} ${zone ?? 'UTC'}`;

export const scheduleWords = (/** @type {Schedule} */ { from, until, zone }) => [
  from && t('from {time}', { time: timeWords(from, zone) }),
  until && t('until {time}', { time: timeWords(until, zone) }),
].filter(Boolean).join(' ');

/** A value; items are named in the locale. */
export function Value(/** @type {{value: Content, locale: string}} */ { value, locale }) {
  if (value === undefined || value === null) return html`<em>${t('not there')}</em>`;
  if (value === '') return html`<em>${t('no text')}</em>`;
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  if (JSON.isRawJSON?.(value)) return value.rawJSON;
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) {
    if (value.length === 0) return html`<em>${t('nothing')}</em>`;
    return html`<ol>${value.map((each) => html`<li>${typeof objectOf(each).id === 'string'
      ? itemTitle(each, locale) : html`<${Value} value=${each} locale=${locale} />`}</li>`)}</ol>`;
  }
  if (isSchedule(value)) return scheduleWords(value);
  if (isPredicate(value)) return predicateWords(value);
  return html`<dl>${Object.entries(value).map(([name, part]) => html`<dt>${memberWords(name)}</dt>
    <dd><${Value} value=${part} locale=${locale} /></dd>`)}</dl>`;
}

/**
 * What stands one step further into a section: an item by its id, or a member.
 * @param {Content} side
 * @param {string|{id: string}} step
 * @returns {Content}
 */
export const stepInto = (side, step) => typeof step !== 'object' ? objectOf(side)[step]
  : Array.isArray(side) ? side.find((each) => objectOf(each).id === step.id) : undefined;

/** The members that do not name themselves in a place. */
const silent = new Set(['content', 'items', 'children', '↕']);

/**
 * A place in a section, in words: `Item “Scan” / Title / en`.
 * @param {import('../lib/merge.js').Path} path
 * @param {Content[]} roots
 * @param {string} locale
 */
export function placeWords(path, roots, locale) {
  /** @type {string[]} */
  const words = [];
  let sides = roots;
  path.forEach((step, number) => {
    sides = sides.map((side) => stepInto(side, step));
    if (typeof step === 'object') {
      words.push(t('Item {name}', { name: itemTitle(sides.find(Boolean) ?? step, locale) }));
      return;
    }
    if (path[number - 1] === 'slots') words.push(t('Slot {name}', { name: step }));
    else if (step !== 'slots' && !silent.has(step)) words.push(memberWords(step));
  });
  if (path.at(-1) === '↕') words.push(t('The order of the items'));
  return words.join(' / ');
}
