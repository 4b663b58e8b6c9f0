// What is scheduled to be published.

import { get, remove } from '../lib/api.js';
import { formatInstant, sideBySide, t } from '../lib/i18n.js';
import { html, useAttempt } from '../lib/ui.js';

export const scheduledOf = async (/** @type {string} */ page) =>
  (await get(['pages', page, 'scheduled'])).value.scheduled;

/**
 * When the revisions go live that are scheduled as a whole, in words.
 * @param {any[]} scheduled
 * @returns {Map<number, string>}
 */
export const timesOf = (scheduled) => new Map(scheduled.filter(({ revision, missed }) => revision && !missed)
  .reverse().map(({ revision, at, zone }) => [revision, formatInstant(at, zone)]));

/**
 * The list of them, to be called off.
 * @param {{page: string, list: any[], nameOf: (id: string) => string, mayPublish: boolean, onChange: () => void}} props
 */
export function Scheduled({ page, list, nameOf, mayPublish, onChange }) {
  const attempt = useAttempt();
  if (list.length === 0) return null;
  const cancel = (/** @type {number} */ id) => attempt(async () => {
    await remove(['pages', page, 'scheduled', String(id)]);
    onChange();
  }, id);
  return html`<section class="upcoming"><h2>${t('Scheduled publishes')}</h2>
    <ul class="cards">${list.map((/** @type {any} */ entry) => html`<li key=${entry.id} class="line-card">
      <span><strong>${formatInstant(entry.at, entry.zone)}</strong> ${entryWords(entry, nameOf)}</span>
      ${mayPublish && html`<button onClick=${() => cancel(entry.id)}>
        ${t('Cancel it')}</button>`}</li>`)}</ul></section>`;
}

/**
 * What a scheduled publish carries, whose it is, and why.
 * @param {any} entry
 * @param {(id: string) => string} nameOf
 */
function entryWords({ at, zone, sections, revision, missed, author, message }, nameOf) {
  const what = sections ? sideBySide(sections.map(nameOf)) : t('revision {number}', { number: revision });
  const isNamed = formatInstant(at, zone).endsWith(zone);
  const fate = missed ? ` · ${t('not run, because history was cut')}` : '';
  return `${isNamed ? '' : `${zone} – `}${what}${fate} · ${author}${message ? ` · ${message}` : ''}`;
}
