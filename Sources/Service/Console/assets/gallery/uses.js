// Where a picture is used, with the way there.

import { html, t } from '../shared.js';

/** @typedef {{place: 'draft'|'scheduled'|'live'|'revision', page: string, section?: string, revision?: number}} Use */

const placeWords = (/** @type {Use} */ { place, revision }) => ({
  live: t('live'), draft: t('in the draft'), scheduled: t('scheduled'),
  revision: t('revision {number}', { number: revision }),
})[place];

function wayTo(/** @type {Use} */ { place, page, section }) {
  const way = `#/pages/${encodeURIComponent(page)}`;
  if (place === 'revision') return `${way}/history`;
  return section ? `${way}/find/${encodeURIComponent(section)}` : way;
}

export const Uses = (/** @type {{uses: Use[]}} */ { uses }) => html`<ul class="uses">
  ${uses.map((use) => html`<li key=${JSON.stringify(use)}>
    <a href=${wayTo(use)}>${[use.page, use.section].filter(Boolean).join(' / ')}</a>${' '}
    <span class="hint">${placeWords(use)}</span></li>`)}</ul>`;
