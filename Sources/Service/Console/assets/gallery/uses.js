// Where a picture is used, with the way there.

import { html, t } from '../shared.js';

/** @typedef {{place: 'draft'|'scheduled'|'live'|'revision', page: string, section?: string, revision?: number}} Use */

const placeWords = (/** @type {Use} */ { place, revision }) => ({
  live: t('live'), draft: t('in the draft'), scheduled: t('scheduled'),
  revision: t('revision {number}', { number: revision }),
})[place];

/** The way to a page, or to a section of it. */
export const wayTo = (/** @type {{page: string, section?: string}} */ { page, section }) =>
  `#/pages/${encodeURIComponent(page)}${section ? `/find/${encodeURIComponent(section)}` : ''}`;

const wayToUse = (/** @type {Use} */ use) =>
  use.place === 'revision' ? `${wayTo({ page: use.page })}/history` : wayTo(use);

export const Uses = (/** @type {{uses: Use[]}} */ { uses }) => html`<ul class="uses">
  ${uses.map((use) => html`<li key=${JSON.stringify(use)}>
    <a href=${wayToUse(use)}>${[use.page, use.section].filter(Boolean).join(' / ')}</a>${' '}
    <span class="hint">${placeWords(use)}</span></li>`)}</ul>`;
