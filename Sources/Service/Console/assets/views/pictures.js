// The pictures that are kept, who brought them, and their end.

import { remove } from '../lib/api.js';
import { formatInstant, t } from '../lib/i18n.js';
import { sizeWords, useKept } from '../lib/pictures.js';
import { Confirm, Failure, Loading, announce, html, useState } from '../lib/ui.js';
import { Picture } from '../phone/cell.js';

export function PicturesView(/** @type {{setup: Setup}} */ { setup }) {
  const { list, next, isThere, failure, reload, goOn, forget } = useKept();
  const [doomed, setDoomed] = useState(/** @type {import('../lib/pictures.js').Kept|null} */ (null));
  return html`<main class="view">
    <div class="heading"><h1>${t('Pictures')}</h1></div>
    <p class="hint">${t('Pictures come with the items that show them. '
      + 'Those that nothing refers to go by themselves after some weeks.')}</p>
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    ${!isThere && !failure && html`<${Loading} />`}
    ${isThere && list.length === 0 && html`<p class="nothing">${t('There are none yet.')}</p>`}
    <ul class="pictures kept">${list.map((picture) => html`<li key=${picture.url}>
      <a
        href=${picture.url}
        target="_blank"
        rel="noreferrer"
        class="preview"
        aria-label=${t('Picture of {width} × {height}', picture)}>
        <${Picture} picture=${picture} title="" shape="icon" /></a>
      <span>${picture.width} × ${picture.height} · ${sizeWords(picture.bytes)}</span>
      <span class="hint">
        ${t('brought by {name}', { name: picture.createdBy })} · ${formatInstant(picture.createdAt)}</span>
      ${setup.rights.mayRemovePictures && html`<button
        class="grave small"
        aria-label=${t('Delete the picture of {width} × {height}', picture)}
        onClick=${() => setDoomed(picture)}>${t('Delete…')}</button>`}</li>`)}</ul>
    ${next && html`<button onClick=${goOn}>${t('Older ones')}</button>`}
    ${doomed && html`<${Delete}
      picture=${doomed}
      onDeleted=${() => forget(doomed.url)}
      onClose=${() => setDoomed(null)} />`}
  </main>`;
}

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

/** @param {{picture: import('../lib/pictures.js').Kept, onDeleted: () => void, onClose: () => void}} props */
function Delete({ picture, onDeleted, onClose }) {
  const [uses, setUses] = useState(/** @type {Use[]} */ ([]));
  const isOfHistory = uses.length > 0 && uses.every(({ place }) => place === 'revision');
  const run = async () => {
    try {
      const hash = picture.url.slice(picture.url.lastIndexOf('/') + 1);
      await remove(['assets', hash], isOfHistory ? { query: { fromHistory: true } } : {});
    } catch (/** @type {any} */ error) {
      if (error.code !== 'asset-in-use') throw error;
      setUses(error.body.uses);
      throw new Error(error.body.uses.every((/** @type {Use} */ { place }) => place === 'revision')
        ? t('Revisions that are kept have it. Whoever goes back to one of them gets the page without it.')
        : t('It is in use. Take it out there and publish before you delete it.'));
    }
    onDeleted();
    announce(t('The picture is deleted.'));
  };
  return html`<${Confirm}
    title=${t('Delete this picture?')}
    action=${isOfHistory ? t('Delete all the same') : t('Delete')}
    isGrave
    onConfirm=${run}
    onClose=${onClose}>
    <div class="doomed"><span class="preview"><${Picture} picture=${picture} title="" shape="icon" /></span>
      <p>${t('Nobody gets it from here any more. '
        + 'Phones and networks that have it keep it for as long as they like.')}</p></div>
    ${uses.length > 0 && html`<ul class="uses">${uses.map((use) => html`<li key=${JSON.stringify(use)}>
      <a href=${wayTo(use)}>${[use.page, use.section].filter(Boolean).join(' / ')}</a>${' '}
      <span class="hint">${placeWords(use)}</span></li>`)}</ul>`}
  <//>`;
}
