// The list of the pictures that are kept, as far as it was asked for, and what it is searched by.

import { html, kept, options, t, titlesOf, useEffect, useParts, useState } from '../shared.js';

/** @typedef {import('../lib/pictures.js').Kept} Kept */
/** @typedef {{q?: string, tag?: string, kind?: string, page?: string}} Sought */

/** The name of a picture in the paths of the API. */
export const nameOf = (/** @type {string} */ url) => url.slice(url.lastIndexOf('/') + 1);

/** What a picture is called where it is spoken of. */
export const wordsOf = (/** @type {Kept} */ picture) =>
  picture.name ?? t('Picture of {width} × {height}', picture);

/** How long it is waited before what is typed is looked for, in milliseconds. */
const pause = 250;

/** @param {Sought} sought `page`: only those of its draft */
export function useKept(sought) {
  const [forgotten, setForgotten] = useState(/** @type {string[]} */ ([]));
  const [asked, setAsked] = useState(sought);
  const key = JSON.stringify(sought);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(sought), key === JSON.stringify(asked) ? 0 : pause);
    return () => clearTimeout(timer);
  }, [key]);
  const { parts, ...read } = useParts((cursor) => kept({ ...asked, cursor }), [JSON.stringify(asked)]);
  const list = parts.flatMap(({ assets }) => assets).filter(({ url }) => !forgotten.includes(url));
  const forget = (/** @type {string} */ url) => setForgotten([...forgotten, url]);
  const isSearch = Boolean(sought.q || sought.tag || sought.kind);
  return { ...read, list, tags: parts[0]?.tags ?? [], isSearch, forget };
}

/**
 * What the list is searched by.
 * @param {{sought: Sought, tags: string[], kinds: Kinds|undefined, onChange: (sought: Sought) => void}} props
 */
export function Search({ sought, tags, kinds, onChange }) {
  const set = (/** @type {string} */ name) => (/** @type {FieldEvent} */ event) =>
    onChange({ ...sought, [name]: event.target.value || undefined });
  const choices = [...new Set([...tags, ...sought.tag ? [sought.tag] : []])];
  return html`<div class="picture-search" role="search">
    <label>${t('Find by name or text')}
      <input type="search" maxlength="60" value=${sought.q ?? ''} onInput=${set('q')} /></label>
    ${choices.length > 0 && html`<label>${t('Tag')}<select onChange=${set('tag')}>
      ${options([['', t('any')], ...choices], sought.tag)}</select></label>`}
    ${kinds && html`<label>${t('Shown by')}<select onChange=${set('kind')}>
      ${options([['', t('any kind')], ...titlesOf(kinds.itemKinds)], sought.kind)}</select></label>`}
  </div>`;
}
