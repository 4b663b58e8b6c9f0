// A picture of a content: pasted, dropped, chosen, taken from those that are there, or named by its address.

import { t } from '../lib/i18n.js';
import { fileIn, formats, keep, notesOn, sizeWords, useKept } from '../lib/pictures.js';
import { isEqual } from '../lib/merge.js';
import { follow, withAt } from '../lib/place.js';
import { Dialog, Failure, announce, explain, html, toast, useEffect, useRef, useState } from '../lib/ui.js';
import { Picture } from '../phone/cell.js';

const sizeMembers = ['width', 'height'];

/**
 * A picture's place with the picture, its other members as they are.
 * @param {Schema} schema
 * @param {any} value
 * @param {import('../lib/pictures.js').Kept} picture
 */
function withPicture(schema, value, { url, width, height }) {
  const sized = sizeMembers.every((name) => schema.properties[name]) ? { width, height } : {};
  return { ...value, url, ...sized };
}

/**
 * Puts a picture that was sent where its place is by now.
 * @param {{form: Form, schema: Schema, pointer: string}} place as it was when the sending began
 * @param {any} before what the whole form said then
 * @param {import('../lib/pictures.js').Kept} picture
 * @returns {boolean} false when the place is gone, or says something else by now
 */
function put({ form: { whole, texts }, schema, pointer }, before, picture) {
  const now = whole.value;
  const found = whole.isThere() ? follow(before, now, pointer) : null;
  if (!found) return false;
  const { was, is } = found;
  const isPicture = is === undefined
    || (typeof is === 'object' && is !== null && Object.keys(is).every((name) => schema.properties[name]));
  const isSame = ['url', ...sizeMembers].every((name) => isEqual(was?.[name], is?.[name]));
  // A text that is no JSON yet has the place in it, and is what counts.
  const parts = found.pointer.split('/');
  const isText = parts.some((_, number) => texts.at(parts.slice(0, number + 1).join('/')));
  if (!isPicture || !isSame || isText) return false;
  whole.set(withAt(now, found.pointer, withPicture(schema, is, picture)));
  return true;
}

/**
 * What brings a picture: its drop place with the buttons, and what is said of it.
 * @param {{form: Form, schema: Schema, value: any, label: string, pointer: string, isRequired?: boolean,
 *   onChange: (value: any) => void, children?: any}} props
 */
export function PictureInput({ form, schema, value, label, pointer, onChange, children }) {
  const chooser = useRef();
  /** @type {{isBusy?: boolean, isOver?: boolean, refusal?: string, bytes?: number, url?: string}} */
  const begun = {};
  const [state, setState] = useState(begun);
  const [isOffering, setOffering] = useState(false);
  const isShown = useRef(true);
  useEffect(() => () => { isShown.current = false; }, []);
  /** Says it here, or above all where the operator has gone on to something else. */
  const refuse = (/** @type {string} */ refusal) =>
    isShown.current ? setState({ refusal }) : toast(refusal, 'failure');
  const bring = async (/** @type {Blob|null} */ file) => {
    if (!file || !form.mayEdit) return;
    const { whole } = form;
    const before = whole.value;
    const sending = {};
    whole.sending.add(sending);
    setState({ isBusy: true });
    try {
      const picture = await keep(file, form.pictures?.page);
      // Whoever left it meanwhile has given it up.
      if (!whole.sending.delete(sending) || !put({ form, schema, pointer }, before, picture)) {
        refuse(t('The picture is kept as {url}, but its place was left or changed meanwhile. '
          + '“Take one that is there” has it.', { url: picture.url }));
        return;
      }
      setState({ bytes: picture.bytes, url: picture.url });
      announce(t('The picture is there: {width} × {height}.', { width: picture.width, height: picture.height }));
    } catch (error) { refuse(explain(error)); } finally { whole.sending.delete(sending); }
  };
  const onPaste = (/** @type {any} */ event) => {
    const file = fileIn(event.clipboardData);
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    bring(file);
  };
  const onDrag = (/** @type {any} */ event) => {
    if (![...event.dataTransfer?.types ?? []].includes('Files')) return;
    event.preventDefault();
    event.stopPropagation();
    setState((before) => (before.isOver ? before : { ...before, isOver: true }));
  };
  const onDrop = (/** @type {any} */ event) => {
    const file = fileIn(event.dataTransfer);
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    bring(file);
  };
  const bytes = state.url === value?.url ? state.bytes : undefined;
  const notes = value?.url
    ? notesOn({ width: value.width, height: value.height, bytes }, form.pictures?.cellOf(pointer) ?? null) : [];
  const onChoose = (/** @type {any} */ event) => {
    bring(event.target.files[0]);
    event.target.value = '';
  };
  const onTake = (/** @type {any} */ picture) => {
    setOffering(false);
    setState({ bytes: picture.bytes, url: picture.url });
    onChange(withPicture(schema, value, picture));
  };
  return html`<div
      class="image-row ${state.isOver ? 'over' : ''}"
      data-picture=${pointer}
      onPaste=${onPaste}
      onDragEnter=${onDrag}
      onDragOver=${onDrag}
      onDragLeave=${() => setState((before) => ({ ...before, isOver: false }))}
      onDrop=${onDrop}>
      <span class="preview">${value?.url
        ? html`<${Picture} key=${value.url} picture=${value} title="" shape="icon" />`
        : html`<span class="no-picture" aria-hidden="true" />`}</span>
      <div class="image-parts">
        ${form.mayEdit && html`<div class="picture-tools">
          <button
            type="button"
            disabled=${state.isBusy}
            onClick=${() => chooser.current.click()}
            aria-label=${t('{label}: choose a picture', { label })}>
            ${state.isBusy ? t('Sending…') : t('Choose…')}</button>
          <button type="button" class="link small" onClick=${() => setOffering(true)}>
            ${t('Take one that is there')}</button>
          <input ref=${chooser} type="file" hidden accept=${formats.join(',')} onChange=${onChoose} />
          <span class="hint">${t('or drop or paste it here')}</span></div>`}
        ${state.refusal && html`<p class="error" role="alert">${state.refusal}</p>`}
        ${notes.map((note) => html`<p class="hint note" key=${note}>${note}</p>`)}
        ${children}
      </div>
      ${isOffering && html`<${Offer} form=${form} onClose=${() => setOffering(false)} onTake=${onTake} />`}
    </div>`;
}

/**
 * The pictures that are there: those of this page first, whoever brought them, then all that are kept.
 * @param {{form: Form, onClose: () => void, onTake: (picture: any) => void}} props
 */
function Offer({ form, onClose, onTake }) {
  const { list, next, isThere, failure, reload, goOn } = useKept(form.pictures?.page);
  const ofPage = form.pictures?.inUse() ?? [];
  const known = new Set(ofPage.map(({ url }) => url));
  const bytes = new Map(list.map((picture) => [picture.url, picture.bytes]));
  const all = [
    ...ofPage.map((picture) => ({ ...picture, bytes: bytes.get(picture.url) })),
    ...list.filter(({ url }) => !known.has(url)),
  ];
  return html`<${Dialog} title=${t('Pictures')} onClose=${onClose}><div class="body">
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    ${isThere && all.length === 0 && html`<p class="nothing">${t('There are none yet.')}</p>`}
    <ul class="pictures">${all.map((picture) => html`<li key=${picture.url}><button
      type="button"
      onClick=${() => onTake(picture)}
      aria-label=${picture.width ? t('Picture of {width} × {height}', picture) : picture.url}>
      <span class="preview"><${Picture} picture=${picture} title="" shape="icon" /></span>
      <span class="hint">
        ${picture.width ? `${picture.width} × ${picture.height}` : ''}${' '}
        ${picture.bytes ? sizeWords(picture.bytes) : ''}</span></button></li>`)}</ul>
    ${next && html`<button type="button" onClick=${goOn}>${t('Older ones')}</button>`}
  </div><//>`;
}
