// A picture of a content: pasted, dropped, chosen, taken from those that are there, or named by its address.

import { t } from '../lib/i18n.js';
import { Later } from '../lib/later.js';
import { fileIn, formats, isKept, keep, notesOn, withAlt } from '../lib/pictures.js';
import { memberOf, objectOf } from '../lib/members.js';
import { isEqual } from '../lib/merge.js';
import { follow, withAt } from '../lib/place.js';
import { announce, explain, html, toast, useEffect, useRef, useState } from '../lib/ui.js';
import { Picture } from '../phone/thumbnail.js';

/** @typedef {import('../lib/pictures.js').Kept} Kept */

const sizeMembers = ['width', 'height'];

/**
 * A picture's place with the picture, its other members as they are.
 * @param {Schema} schema
 * @param {Content} value
 * @param {Kept} picture
 */
function withPicture({ properties = {} }, value, { url, width, height, sizes }) {
  const sized = sizeMembers.every((name) => properties[name]) ? { width, height } : {};
  // Those of the picture before say nothing of this one.
  const { sizes: _, sources: __, ...rest } = objectOf(value);
  const all = properties.sizes && sizes
    ? { sizes: sizes.map((each) => ({ url: each.url, width: each.width, height: each.height })) } : {};
  const sources = properties.sources && sizes && sizes.length > 1
    ? { sources: sizes.map((each) => ({ url: each.url, width: each.width })) } : {};
  return { ...rest, url, ...sized, ...all, ...sources };
}

/**
 * Puts a picture where its place is by now, and its text into the label of the item where that says nothing.
 * @param {{form: Form, schema: Schema, pointer: string}} place as it was when the sending began
 * @param {Content} before what the whole form said then
 * @param {Kept} picture
 * @returns {{isLabelled: boolean}|null} `null` when the place is gone, or says something else by now
 */
function put({ form: { whole, texts }, schema, pointer }, before, picture) {
  const now = whole.value;
  const found = whole.isThere() ? follow(before, now, pointer) : null;
  if (!found) return null;
  const { was, is } = found;
  const isPicture = is === undefined
    || (typeof is === 'object' && is !== null && Object.keys(is).every((name) => schema.properties?.[name]));
  const isSame = ['url', ...sizeMembers].every((name) => isEqual(memberOf(was, name), memberOf(is, name)));
  // A text that is no JSON yet has the place in it, and is what counts.
  const parts = found.pointer.split('/');
  const isText = parts.some((_, number) => texts.at(parts.slice(0, number + 1).join('/')));
  if (!isPicture || !isSame || isText) return null;
  const next = withAt(now, found.pointer, withPicture(schema, is, picture));
  const owner = found.pointer.slice(0, Math.max(found.pointer.lastIndexOf('/content/'), 0));
  const item = owner.split('/').slice(1).reduce(memberOf, next);
  const labelled = owner && item ? withAt(next, owner, withAlt(item, picture.alt)) : next;
  whole.set(labelled);
  return { isLabelled: !isEqual(labelled, next) };
}

/**
 * What brings a picture: its drop place with the buttons, and what is said of it.
 * @param {{form: Form, schema: Schema, value?: Partial<Kept>, label: string, pointer: string, children?: object}} props
 */
export function PictureInput({ form, schema, value, label, pointer, children }) {
  const chooser = useRef();
  /**
   * @type {{isBusy?: boolean, isOver?: boolean, refusal?: string, bytes?: number, url?: string, isLabelled?: boolean}}
   */
  const begun = {};
  const [state, setState] = useState(begun);
  const [open, setOpen] = useState(/** @type {'pick'|'crop'|null} */ (null));
  const isShown = useRef(true);
  useEffect(() => () => { isShown.current = false; }, []);
  /** Says it here, or above all where the operator has gone on to something else. */
  const refuse = (/** @type {string} */ refusal) =>
    isShown.current ? setState({ refusal }) : toast(refusal, 'failure');
  /** Puts what is made into the place, whatever has become of that meanwhile. */
  const take = async (/** @type {() => Promise<Kept>|Kept} */ make) => {
    const { whole } = form;
    const before = whole.value;
    const sending = {};
    whole.sending.add(sending);
    setState({ isBusy: true });
    try {
      const picture = await make();
      const isAlone = whole.isDirty?.() === false;
      // Whoever left it meanwhile has given it up.
      const made = whole.sending.delete(sending) ? put({ form, schema, pointer }, before, picture) : null;
      if (!made) {
        refuse(t('The picture is kept as {url}, but its place was left or changed meanwhile. '
          + '“Take one that is there” has it.', { url: picture.url }));
        return;
      }
      setState({ bytes: picture.bytes, url: picture.url, isLabelled: made.isLabelled });
      announce(t('The picture is there: {width} × {height}.', { width: picture.width, height: picture.height }));
      // Whatever else is not saved waits for its author; alone, a picture is all that was meant.
      if (isAlone) await whole.save?.();
    } catch (error) { refuse(explain(error)); } finally { whole.sending.delete(sending); }
  };
  const bring = (/** @type {Blob|null} */ file) => {
    if (file && form.mayEdit) take(() => keep(file, form.pictures?.page));
  };
  /** Takes what is pasted or dropped. */
  const onFile = (/** @type {Clip & Drag} */ event) => {
    const file = fileIn(event.clipboardData ?? event.dataTransfer);
    if (!file) return;
    event.preventDefault();
    event.stopPropagation();
    bring(file);
  };
  const onDrag = (/** @type {DragEvent} */ event) => {
    if (![...event.dataTransfer?.types ?? []].includes('Files')) return;
    event.preventDefault();
    event.stopPropagation();
    setState((before) => (before.isOver ? before : { ...before, isOver: true }));
  };
  const [isOwn, cell] = [state.url === value?.url, form.pictures?.cellOf(pointer) ?? null];
  const notes = value?.url
    ? notesOn({ width: value.width, height: value.height, bytes: isOwn ? state.bytes : undefined }, cell) : [];
  if (isOwn && state.isLabelled) {
    notes.push(t('The label for assistive technologies was empty, and says now what the library says of the picture.'));
  }
  const onChoose = (/** @type {FieldEvent} */ event) => {
    bring(event.target.files?.[0] ?? null);
    event.target.value = '';
  };
  const close = () => setOpen(null);
  /** Ends the dialog, and puts what it has chosen or made. */
  const onTake = (/** @type {Kept|(() => Promise<Kept>)} */ chosen) => {
    close();
    take(typeof chosen === 'function' ? chosen : () => chosen);
  };
  return html`<div
      class="image-row ${state.isOver ? 'over' : ''}"
      data-picture=${pointer}
      onPaste=${onFile}
      onDragEnter=${onDrag}
      onDragOver=${onDrag}
      onDragLeave=${() => setState((before) => ({ ...before, isOver: false }))}
      onDrop=${onFile}>
      <span class="preview">${value?.url
        ? html`<${Picture} key=${value.url} picture=${value} />`
        : html`<span class="no-picture" aria-hidden="true" />`}</span>
      <div class="image-parts">
        ${form.mayEdit && html`<div class="picture-tools">
          <button
            type="button"
            disabled=${state.isBusy}
            onClick=${() => chooser.current.click()}
            aria-label=${t('{label}: choose a picture', { label })}>
            ${state.isBusy ? t('Sending…') : t('Choose…')}</button>
          <button type="button" class="link small" onClick=${() => setOpen('pick')}>
            ${t('Take one that is there')}</button>
          ${isKept(value?.url) && html`<button type="button" class="link small" onClick=${() => setOpen('crop')}>
            ${t('Crop…')}</button>`}
          <input ref=${chooser} type="file" hidden accept=${formats.join(',')} onChange=${onChoose} />
          <span class="hint">${t('or drop or paste it here')}</span></div>`}
        ${state.refusal && html`<p class="error" role="alert">${state.refusal}</p>`}
        ${notes.map((note) => html`<p class="hint note" key=${note}>${note}</p>`)}
        ${children}
      </div>
      ${open === 'pick' && html`<${Later} of="gallery" view="PickDialog"
        page=${form.pictures?.page}
        kinds=${form.kinds}
        ofPage=${form.pictures?.inUse() ?? []}
        onTake=${onTake}
        onClose=${close} />`}
      ${open === 'crop' && html`<${Later} of="gallery" view="CropDialog"
        picture=${value}
        cell=${cell}
        page=${form.pictures?.page}
        onTake=${onTake}
        onClose=${close} />`}
    </div>`;
}
