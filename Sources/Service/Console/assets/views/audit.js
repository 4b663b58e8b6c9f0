// Who did what.

import { Listed, detailWords, formatInstant, get, html, options, t, useParts, useState } from '../shared.js';

const instantOf = (/** @type {string} */ local) => local ? `${new Date(local).toISOString().slice(0, 19)}Z` : undefined;

export function AuditView(/** @type {{page?: string, setup: Setup}} */ { page, setup }) {
  // A token with scopes sees the audit of its pages, one at a time.
  const { pages } = setup.rights;
  /** @type {Record<string, string>} */
  const whole = { page: page ?? pages[0] ?? '', actor: '', action: '', from: '', to: '' };
  const [filter, setFilter] = useState(whole);
  const query = { ...filter, from: instantOf(filter.from), to: instantOf(filter.to) };
  const { parts, isThere, next, failure, reload, goOn } = useParts(
    async (cursor) => (await get(['audit'], { ...query, limit: 100, cursor })).value, [JSON.stringify(filter)]);
  const set = (/** @type {string} */ name) => (/** @type {FieldEvent} */ event) =>
    setFilter({ ...filter, [name]: event.target.value });
  const field = (/** @type {string} */ name, /** @type {string} */ label, type = 'text') => html`<label>${label}
    <input type=${type} value=${filter[name]} onChange=${set(name)} /></label>`;
  return html`<main class="view">
    <div class="heading"><h1>${t('Audit')}</h1></div>
    <form class="filters" onSubmit=${(event) => event.preventDefault()}>
      ${pages.length === 0 ? field('page', t('Page')) : html`<label>${t('Page')}<select onChange=${set('page')}>
        ${options(pages, filter.page)}</select></label>`}
      ${field('actor', t('Who'))}${field('action', t('Action'))}
      ${field('from', t('From'), 'datetime-local')}${field('to', t('To'), 'datetime-local')}
    </form>
    <${Listed} label=${t('Audit')} list=${isThere ? parts.flatMap(({ entries }) => entries) : null} failure=${failure}
      onRetry=${reload} nothing=${t('Nothing matches.')}
      columns=${[t('When'), t('Who'), t('Action'), t('Where'), t('Details')]}>
      ${(/** @type {Audit} */ entry) => html`<tr key=${entry.id}>
        <td class="nowrap">${formatInstant(entry.at)}</td>
        <td data-name=${t('Who')}>${entry.actor} <span class="hint">${entry.address ?? ''}</span></td>
        <td data-name=${t('Action')} class="nowrap"><code>${entry.action}</code></td>
        <td data-name=${t('Where')}>${[entry.page, entry.section, entry.item].filter(Boolean).join(' / ')}</td>
        <td data-name=${t('Details')} class="detail-cell">${detailWords(entry.detail)}</td></tr>`}<//>
    ${next && html`<button onClick=${goOn}>${t('Older ones')}</button>`}
  </main>`;
}
