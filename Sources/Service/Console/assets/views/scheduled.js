// What is scheduled to be published.

import { get, post, remove } from '../lib/api.js';
import { formatInstant, t } from '../lib/i18n.js';
import { partsWords } from '../lib/parts.js';
import { html, useAttempt } from '../lib/ui.js';

/**
 * @typedef {import('../lib/parts.js').Waiting & {revision?: number, held?: boolean, missed?: boolean, message?: string,
 *   publishedSince?: import('../lib/parts.js').Parts}} Publish one that is scheduled
 * @typedef {PageSettings & {sections: Section[], sortRules: Record<string, SortRule>, order?: string[]}} Revised a page
 *   as a revision has it
 */

/** @returns {Promise<Publish[]>} */
export const scheduledOf = async (/** @type {string} */ page) =>
  (await get(['pages', page, 'scheduled'])).value.scheduled;

/**
 * When earlier revisions go live that are scheduled, in words.
 * @param {Publish[]} scheduled
 * @returns {Map<number, string>}
 */
export const timesOf = (scheduled) => new Map([...scheduled].reverse().flatMap(({ revision, held, at, zone }) =>
  revision && !held ? [[revision, formatInstant(at, zone)]] : []));

/**
 * The list of them, to be called off, or released where they are held.
 * @param {{page: string, list: Publish[], nameOf: (id: string) => string, mayPublish: boolean,
 *   onChange: () => void}} props
 */
export function Scheduled({ page, list, nameOf, mayPublish, onChange }) {
  const attempt = useAttempt();
  if (list.length === 0) return null;
  const cancel = (/** @type {number} */ id) => attempt(async () => {
    await remove(['pages', page, 'scheduled', String(id)]);
    onChange();
  }, id);
  const release = (/** @type {number} */ id) => attempt(async () => {
    await post(['pages', page, 'scheduled', String(id), 'release'], {});
    onChange();
  }, id);
  return html`<section class="upcoming"><h2>${t('Scheduled publishes')}</h2>
    <ul class="cards">${list.map((entry) => html`<li key=${entry.id} class="line-card">
      <span><strong>${formatInstant(entry.at, entry.zone)}</strong> ${entryWords(entry, nameOf)}
        ${entry.publishedSince && html`<br /><em class="passed">${t(
    '{what} was published meanwhile: at that time it becomes as it was scheduled',
    { what: partsWords(entry.publishedSince, nameOf) })}</em>`}</span>
      ${mayPublish && entry.held && html`<button onClick=${() => release(entry.id)}>
        ${entry.missed ? t('Publish it now') : t('Keep it')}</button>`}
      ${mayPublish && html`<button onClick=${() => cancel(entry.id)}>
        ${t('Cancel it')}</button>`}</li>`)}</ul></section>`;
}

/**
 * What a scheduled publish carries, whose it is, and why.
 * @param {Publish} entry
 * @param {(id: string) => string} nameOf
 */
function entryWords({ at, zone, revision, held, missed, author, message, ...parts }, nameOf) {
  const what = revision ? t('revision {number}', { number: revision }) : partsWords(parts, nameOf);
  const isNamed = formatInstant(at, zone).endsWith(zone);
  const words = missed ? t('not run: refused, or history was cut')
    : t('held, because history was cut: it may have been called off');
  const fate = held ? ` · ${words}` : '';
  return `${isNamed ? '' : `${zone} – `}${what}${fate} · ${author}${message ? ` · ${message}` : ''}`;
}
