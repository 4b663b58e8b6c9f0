// The choice of a picture that is kept.

import { Dialog, Failure, Picture, html, sizeWords, t, useState } from '../shared.js';
import { Search, useKept, wordsOf } from './list.js';

/** @typedef {import('../lib/pictures.js').Kept} Kept */

/**
 * The pictures that are there: those of this page first, whoever brought them, then all that are kept.
 * @param {{title?: string, page?: string, kinds?: Kinds, ofPage?: Kept[], without?: string,
 *   onTake: (picture: Kept) => void, onClose: () => void}} props `without` is a picture that is no choice
 */
export function PickDialog({ title = t('Pictures'), page, kinds, ofPage = [], without, onTake, onClose }) {
  const [sought, setSought] = useState(/** @type {import('./list.js').Sought} */ ({ page }));
  const { list, next, tags, isSearch, isThere, failure, reload, goOn } = useKept(sought);
  const known = new Map(list.map((picture) => [picture.url, picture]));
  const shown = isSearch ? [] : ofPage.map((picture) => ({ ...picture, ...known.get(picture.url) }));
  const all = [...shown, ...list.filter(({ url }) => !shown.some((picture) => picture.url === url))]
    .filter(({ url }) => url !== without);
  return html`<${Dialog} title=${title} onClose=${onClose}><div class="body">
    <${Search} sought=${sought} tags=${tags} kinds=${kinds} onChange=${setSought} />
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    ${isThere && all.length === 0 && html`<p class="nothing">
      ${isSearch ? t('Nothing is like that.') : t('There are none yet.')}</p>`}
    <ul class="pictures">${all.map((picture) => html`<li key=${picture.url}><button
      type="button"
      onClick=${() => onTake(picture)}
      aria-label=${picture.width ? wordsOf(picture) : picture.url}>
      <span class="preview"><${Picture} picture=${picture} /></span>
      ${picture.name && html`<span class="picture-name" dir="auto">${picture.name}</span>`}
      <span class="hint">
        ${picture.width ? `${picture.width} × ${picture.height}` : ''}${' '}
        ${picture.bytes ? sizeWords(picture.bytes) : ''}</span></button></li>`)}</ul>
    ${next && html`<button type="button" onClick=${goOn}>${t('Older ones')}</button>`}
  </div><//>`;
}
