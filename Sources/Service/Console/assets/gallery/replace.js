// Another picture in the place of one, in all drafts: what that would change is told first.

import {
  Dialog, Picture, Reading, announce, explain, html, post, t, tryOut, useAction, useLoad, useOnce, useState,
} from '../shared.js';
import { nameOf, wordsOf } from './list.js';
import { PickDialog } from './pick.js';
import { Uses, wayTo } from './uses.js';

/** @typedef {import('../lib/pictures.js').Kept} Kept */
/** @typedef {{page: string, section?: string, count: number, reason?: string}} Place */

const reasonWords = () => /** @type {Record<string, string>} */ ({
  scope: t('your token is not for it'), kind: t('its kind does not take this picture'),
  text: t('the address stands within another text'),
});

const Places = (/** @type {{places: Place[]}} */ { places }) => html`<ul class="uses">
  ${places.map(({ page, section, count, reason }) => html`<li key=${`${page} ${section}`}>
    <a href=${wayTo({ page, section })}>
      ${section ? `${page} / ${section}` : t('Settings of {page}', { page })}</a>${' '}
    <span class="hint">${reason ? reasonWords()[reason] : count > 1 ? `${count} ×` : ''}</span></li>`)}</ul>`;

/** @param {{picture: Kept, onReplaced: () => void, onClose: () => void}} props */
export function ReplaceDialog({ picture, onReplaced, onClose }) {
  const [other, setOther] = useState(/** @type {Kept|null} */ (null));
  return other
    ? html`<${Replacement} picture=${picture} other=${other} onReplaced=${onReplaced} onClose=${onClose} />`
    : html`<${PickDialog}
        title=${t('Replace by')}
        without=${picture.url}
        onTake=${setOther}
        onClose=${onClose} />`;
}

/** @param {{picture: Kept, other: Kept, onReplaced: () => void, onClose: () => void}} props */
function Replacement({ picture, other, onReplaced, onClose }) {
  const path = /** @type {const} */ (['assets', nameOf(picture.url), 'replace']);
  const body = { with: other.url };
  const [plan, failure, reload] = useLoad(() => tryOut(path, body), []);
  const once = useOnce();
  const { isBusy, failure: refusal, run } = useAction((error) => {
    if (!error.isStale) return explain(error);
    // What it would change now is what is to be looked at.
    reload();
    return t('Somebody has changed where it is shown meanwhile. Look at the places again.');
  });
  const replace = async () => {
    if (!plan) return;
    const { value } = await post(path, body, { ifMatch: plan.tag, once });
    onReplaced();
    announce(t('Replaced in {count} places. Publish the pages when you are ready.', { count: value.replaced.length }));
  };
  /** @type {{replaced: Place[], refused: Place[], remaining: import('./uses.js').Use[]}} */
  const { replaced, refused, remaining } = plan?.value ?? { replaced: [], refused: [], remaining: [] };
  return html`<${Dialog} title=${t('Replace everywhere')} onClose=${onClose}><div class="body">
      <div class="replacement">${[picture, other].map((each, place) => html`
        ${place === 1 && html`<span aria-hidden="true">→</span>`}
        <figure><span class="preview"><${Picture} picture=${each} /></span>
          <figcaption dir="auto">${wordsOf(each)}</figcaption></figure>`)}</div>
      <${Reading} value=${plan} failure=${failure} onRetry=${reload} />
      ${plan && html`
        <h3>${t('These drafts change')}</h3>
        ${replaced.length > 0 ? html`<${Places} places=${replaced} />` : html`<p class="hint">${t('None.')}</p>`}
        ${refused.length > 0 && html`<h3>${t('These stay as they are')}</h3><${Places} places=${refused} />`}
        ${remaining.length > 0 && html`<h3>${t('Until it is published, it stays here')}</h3>
          <${Uses} uses=${remaining} />`}
        <p class="hint">${t('Nothing goes live by this. The old picture stays in the library.')}</p>`}
      ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
    </div>
    <footer>
      <button type="button" onClick=${onClose}>${t('Cancel')}</button>
      <button type="button" class="primary" disabled=${isBusy || replaced.length === 0} onClick=${() => run(replace)}>
        ${t('Replace')}</button>
    </footer><//>`;
}
