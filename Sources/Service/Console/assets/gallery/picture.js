// One picture of the library: what is said of it, and where it is used.

import {
  Dialog, Failure, Field, Loading, Picture, Problem, Reading, announce, formatInstant, get, html, put, sideBySide,
  sizeWords, t, useAction, useLoad, useState, useTyped,
} from '../shared.js';
import { nameOf, wordsOf } from './list.js';
import { ReplaceDialog } from './replace.js';
import { Uses } from './uses.js';

/** @typedef {import('../lib/pictures.js').Kept} Kept */

/** The server's limits: bytes of a name, of a text and of a tag, and how many tags there may be. */
const most = { name: 200, alt: 1000, tag: 50, tags: 20 };
/** How many pages are asked for their locales. */
const pagesMax = 10;

const altSchema = { type: 'string', minLength: 1, maxLength: most.alt, 'x-localized': true };

/** The locales of the first pages, the first one's first. */
async function localesOfPages() {
  const { value: { pages } } = await get(['pages'], { limit: pagesMax });
  const all = await Promise.all(pages.map(({ id }) => get(['pages', id])));
  return [...new Set(all.flatMap(({ value }) => value.locales ?? []))];
}

/** Tags as they are typed: with commas between them, of either width. */
const tagsIn = (/** @type {string} */ text) =>
  [...new Set(text.split(/[,，、\n]/).map((tag) => tag.trim()).filter(Boolean))];

const fieldsOf = (/** @type {Asset} */ { name, alt, tags = [] }) =>
  ({ name: name ?? '', alt, tags: sideBySide(tags) });

/** A text, or those of all locales. */
const textsOf = (/** @type {Asset['alt']} */ alt) =>
  typeof alt === 'object' ? Object.values(alt) : [alt].filter(Boolean);

/** @param {{url: string, rights: Rights, onChange: () => void, onClose: () => void}} props */
export function PictureDialog({ url, rights, onChange, onClose }) {
  /** @type {['assets', string]} */
  const path = ['assets', nameOf(url)];
  const [found, failure, reload] = useLoad(
    () => Promise.all([get(path), localesOfPages().catch(() => /** @type {string[]} */ ([]))]), [url]);
  if (found) {
    const [{ value, tag }, locales] = found;
    return html`<${Details}
      path=${path} picture=${value} tag=${tag} locales=${locales} rights=${rights} onChange=${onChange}
      onClose=${onClose} />`;
  }
  return html`<${Dialog} title=${t('Picture')} onClose=${onClose}>
    ${failure ? html`<div class="body"><${Failure} error=${failure} onRetry=${reload} /></div>` : html`<${Loading} />`}
  <//>`;
}

/**
 * @param {{path: ['assets', string], picture: Asset, tag: string|null, locales: string[], rights: Rights,
 *   onChange: () => void, onClose: () => void}} props
 */
function Details({ path, picture: begun, tag: begunTag, locales, rights, onChange, onClose }) {
  const [[picture, tag], setKnown] = useState([begun, begunTag]);
  const typed = useTyped(path.join('/'), fieldsOf(begun), onClose);
  const [uses, usesFailure, reloadUses] = useLoad(() => get([...path, 'uses']), []);
  const [isReplacing, setReplacing] = useState(false);
  const [theirs, setTheirs] = useState(/** @type {Asset|null} */ (null));
  const mayEdit = rights.rank >= 2 || (rights.rank === 1 && picture.createdBy === rights.name);
  const { isBusy, failure, run } = useAction();
  const { name, alt, tags } = typed.values;
  const form = {
    kinds: {}, attributes: {}, locales: [...new Set([...locales, ...typeof alt === 'object' ? Object.keys(alt) : []])]
      .filter((locale) => locale !== '*'),
    audiences: [], errors: [], mayEdit,
    texts: { at: () => undefined, set: () => {} },
    whole: { value: {}, set: () => {}, isThere: () => true, sending: new Set() },
  };
  const save = async () => {
    const details = { name: name.trim() || undefined, alt, tags: tagsIn(tags), focus: picture.focus };
    try {
      await put(path, details, { ifMatch: tag, once: typed.once });
    } catch (error) {
      if (!(error instanceof Problem) || !error.isStale) throw error;
      const now = await get(path);
      setTheirs(now.value);
      setKnown([now.value, now.tag]);
      throw new Error(t('{name} has changed this meanwhile. Save again to put yours in its place.', {
        name: error.body.changedBy || t('Somebody'),
      }));
    }
    onChange();
    announce(t('Saved.'));
    typed.done();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(save);
  };
  const now = theirs && fieldsOf(theirs);
  const hint = (/** @type {'name'|'tags'} */ field) => now && now[field] !== typed.values[field]
    && html`<span class="hint">${t('There by now: {text}', { text: now[field] || '–' })}</span>`;
  const text = (/** @type {'name'|'tags'} */ field, /** @type {string} */ label) => html`<label>${label}<input
    dir="auto"
    readonly=${!mayEdit}
    value=${typed.values[field]}
    onInput=${(/** @type {FieldEvent} */ event) => typed.set({ [field]: event.target.value })} />
    ${hint(field)}</label>`;
  if (isReplacing) {
    return html`<${ReplaceDialog}
      picture=${picture}
      onReplaced=${() => {
        setReplacing(false);
        reloadUses();
      }}
      onClose=${() => setReplacing(false)} />`;
  }
  return html`<${Dialog} title=${wordsOf(picture)} typed=${typed}><form onSubmit=${submit}>
    <div class="body form">
      <div class="doomed">
        <a href=${picture.url} target="_blank" rel="noreferrer" class="preview"
          aria-label=${t('Picture of {width} × {height}', picture)}>
          <${Picture} picture=${picture} /></a>
        <p>${picture.width} × ${picture.height} · ${sizeWords(picture.bytes)}<br />
          <span class="hint">${t('brought by {name}', { name: picture.createdBy })} ·
            ${formatInstant(picture.createdAt)}</span>
          ${picture.original && html`<br /><span class="hint">${t('cut from')}${' '}
            <a href=${picture.original} target="_blank" rel="noreferrer">${t('its original')}</a></span>`}</p></div>
      ${text('name', t('Name'))}
      <${Field} form=${form} schema=${altSchema} value=${alt} name="alt" label=${t('Text for those who do not see it')}
        pointer="/alt" onChange=${(/** @type {Asset['alt']} */ alt) => typed.set({ alt })} />
      ${now && JSON.stringify(now.alt) !== JSON.stringify(alt) && html`<p class="hint">
        ${t('There by now: {text}', { text: sideBySide(textsOf(now.alt)) || '–' })}</p>`}
      ${text('tags', t('Tags, with commas between them'))}
      <h3>${t('Used in')}</h3>
      <${Reading} value=${uses} failure=${usesFailure} onRetry=${reloadUses} />
      ${uses?.value.count === 0 && html`<p class="hint">${t('Nothing shows it.')}</p>`}
      ${uses && html`<${Uses} uses=${uses.value.uses} />`}
      ${uses && uses.value.count > uses.value.uses.length && html`<p class="hint">
        ${t('and {count} more', { count: uses.value.count - uses.value.uses.length })}</p>`}
      ${failure && html`<p class="banner error" role="alert">${failure}</p>`}
    </div>
    <footer>
      ${rights.rank >= 2 && html`<button type="button" onClick=${() => setReplacing(true)}>
        ${t('Replace everywhere…')}</button><span class="grow" />`}
      <button type="button" onClick=${typed.leave}>${mayEdit ? t('Cancel') : t('Close')}</button>
      ${mayEdit && html`<button class="primary" disabled=${isBusy}>${t('Save')}</button>`}
    </footer>
  </form><//>`;
}
