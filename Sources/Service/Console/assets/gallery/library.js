// The pictures that are kept: found, named, replaced, and their end.

import {
  Confirm, Picture, Problem, Reading, announce, attempt, formatInstant, formats, html, keep, remove, sizeWords,
  t, useRef, useState,
} from '../shared.js';
import { Search, nameOf, useKept, wordsOf } from './list.js';
import { PictureDialog } from './picture.js';
import { Uses } from './uses.js';

/** @typedef {import('../lib/pictures.js').Kept} Kept */

/** The most bytes of a name that a file gives: the server's limit, in letters that take up to four. */
const nameMax = 50;

/** What a picture is called at first: what its file is, without the ending. */
const nameOfFile = (/** @type {File} */ { name }) =>
  name.replace(/\.[^.]*$/, '').replace(/\p{Cc}/gu, ' ').trim().slice(0, nameMax) || undefined;

export function PicturesView(/** @type {{setup: Setup}} */ { setup }) {
  const { rights, kinds } = setup;
  const [sought, setSought] = useState(/** @type {import('./list.js').Sought} */ ({}));
  const { list, next, tags, isSearch, isThere, failure, reload, goOn, forget } = useKept(sought);
  const [doomed, setDoomed] = useState(/** @type {Kept|null} */ (null));
  const [chosen, setChosen] = useState(/** @type {string|null} */ (null));
  const [isBusy, setBusy] = useState(false);
  const chooser = useRef();
  const bring = async (/** @type {FieldEvent} */ event) => {
    const files = [...event.target.files ?? []];
    event.target.value = '';
    setBusy(true);
    for (const file of files) await attempt(() => keep(file, undefined, { name: nameOfFile(file) }));
    setBusy(false);
    reload();
  };
  return html`<main class="view">
    <div class="heading"><h1>${t('Pictures')}</h1>
      ${rights.rank >= 1 && html`<button class="primary" disabled=${isBusy} onClick=${() => chooser.current.click()}>
        ${isBusy ? t('Sending…') : t('Add pictures…')}</button>
        <input ref=${chooser} type="file" hidden multiple accept=${formats.join(',')} onChange=${bring} />`}</div>
    <p class="hint">${t('Pictures come with the items that show them, or are added here. '
      + 'Those that nothing refers to go by themselves after some weeks.')}</p>
    <${Search} sought=${sought} tags=${tags} kinds=${kinds} onChange=${setSought} />
    <${Reading} value=${isThere} failure=${failure} onRetry=${reload} />
    ${isThere && list.length === 0 && html`<p class="nothing">
      ${isSearch ? t('Nothing is like that.') : t('There are none yet.')}</p>`}
    <ul class="pictures kept">${list.map((picture) => html`<li key=${picture.url}>
      <button
        class="open-picture"
        aria-label=${t('Details of {name}', { name: wordsOf(picture) })}
        onClick=${() => setChosen(picture.url)}>
        <span class="preview"><${Picture} picture=${picture} /></span></button>
      ${picture.name && html`<strong class="picture-name" dir="auto">${picture.name}</strong>`}
      <span>${picture.width} × ${picture.height} · ${sizeWords(picture.bytes)}</span>
      <span class="hint">
        ${t('brought by {name}', { name: picture.createdBy })} · ${formatInstant(picture.createdAt)}</span>
      ${picture.tags && html`<span class="picture-tags">
        ${picture.tags.map((tag) => html`<button
          class="small"
          key=${tag}
          aria-pressed=${String(sought.tag === tag)}
          onClick=${() => setSought({ ...sought, tag: sought.tag === tag ? undefined : tag })}>
          ${tag}</button>`)}</span>`}
      ${rights.mayRemovePictures && html`<button
        class="grave small"
        aria-label=${t('Delete the picture of {width} × {height}', picture)}
        onClick=${() => setDoomed(picture)}>${t('Delete…')}</button>`}</li>`)}</ul>
    ${next && html`<button onClick=${goOn}>${t('Older ones')}</button>`}
    ${chosen && html`<${PictureDialog}
      key=${chosen}
      url=${chosen}
      rights=${rights}
      onChange=${reload}
      onClose=${() => setChosen(null)} />`}
    ${doomed && html`<${Delete}
      picture=${doomed}
      onDeleted=${() => forget(doomed.url)}
      onClose=${() => setDoomed(null)} />`}
  </main>`;
}

/** @param {{picture: Kept, onDeleted: () => void, onClose: () => void}} props */
function Delete({ picture, onDeleted, onClose }) {
  const [uses, setUses] = useState(/** @type {import('./uses.js').Use[]} */ ([]));
  const isOfHistory = uses.length > 0 && uses.every(({ place }) => place === 'revision');
  const run = async (/** @type {Once} */ once) => {
    try {
      await remove(['assets', nameOf(picture.url)], { once, query: isOfHistory ? { fromHistory: true } : {} });
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'asset-in-use') throw error;
      const { uses = [] } = error.body;
      setUses(uses);
      throw new Error(uses.every(({ place }) => place === 'revision')
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
    <div class="doomed"><span class="preview"><${Picture} picture=${picture} /></span>
      <p>${t('Nobody gets it from here any more. '
        + 'Phones and networks that have it keep it for as long as they like.')}</p></div>
    ${uses.length > 0 && html`<${Uses} uses=${uses} />`}
  <//>`;
}
