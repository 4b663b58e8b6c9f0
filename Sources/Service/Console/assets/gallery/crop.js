// A crop of a picture for a cell: the part that is kept is chosen by a focal point and how near it is. The sizes are
// made here, in the browser, and each is kept as a picture of its own.

import {
  Dialog, Failure, Loading, get, html, keep, options, put, t, useAction, useEffect, useLoad, useRef, useState,
} from '../shared.js';
import { cropOf, formatOf, isAnimated, sizesOf, zoomMax } from './cropping.js';
import { nameOf } from './list.js';

/** @typedef {import('../lib/pictures.js').Kept} Kept */
/** @typedef {import('./cropping.js').Focus} Focus */

const middle = { x: 50, y: 50 };
/** How good a crop is that loses something, from 0 to 1. */
const quality = 0.9;
/** The shapes to choose from where no cell says one. */
const shapes = { '16:9': 16 / 9, '4:3': 4 / 3, '1:1': 1, '3:4': 3 / 4 };
/** The width of a cell where none is known, in points. */
const usualWidth = 375;

/**
 * What a crop is made of: what is said of the picture, or of the one that it was cut from, and what it looks like.
 * @param {string} url
 */
async function originalOf(url) {
  let { value, tag } = await get(['assets', nameOf(url)]);
  if (value.original) {
    // It may have been deleted since.
    const original = await get(['assets', nameOf(value.original)]).catch(() => null);
    if (original) ({ value, tag } = original);
  }
  const blob = await (await fetch(value.url)).blob();
  if (isAnimated(new Uint8Array(await blob.arrayBuffer()))) return { picture: value, tag, blob, bitmap: null };
  return { picture: value, tag, blob, bitmap: await createImageBitmap(blob) };
}

/** @typedef {Awaited<ReturnType<typeof originalOf>>} Original */

/** Remembers the focal point, unless the operator may not say anything of the picture; a crop does not wait for it. */
async function remember(/** @type {Original} */ { picture, tag }, /** @type {Focus} */ focus) {
  const { name, alt, tags } = picture;
  if (JSON.stringify(picture.focus ?? middle) === JSON.stringify(focus)) return;
  await put(['assets', nameOf(picture.url)], { name, alt, tags, focus }, { ifMatch: tag }).catch(() => {});
}

/**
 * A part of a picture in one size.
 * @param {ImageBitmap} bitmap
 * @param {ReturnType<typeof cropOf>} crop
 * @param {{width: number, height: number}} size
 * @param {string} type
 * @returns {Promise<Blob>}
 */
function draw(bitmap, crop, { width, height }, type) {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  context.imageSmoothingQuality = 'high';
  context.drawImage(bitmap, crop.x, crop.y, crop.width, crop.height, 0, 0, width, height);
  return new Promise((done, fail) => {
    canvas.toBlob((blob) => {
      if (blob) done(blob); else fail(new Error(t('This browser could not make the crop.')));
    }, type, quality);
  });
}

/**
 * @param {{picture: Kept, cell: {width: number, height: number}|null, page?: string,
 *   onTake: (make: () => Promise<Kept>) => void, onClose: () => void}} props `onTake` gets what keeps the sizes and
 *   tells the largest
 */
export function CropDialog({ picture: { url }, cell, page, onTake, onClose }) {
  const [found, failure, reload] = useLoad(() => originalOf(url), [url]);
  return html`<${Dialog} title=${t('Crop')} onClose=${onClose}>
    ${failure && html`<div class="body"><${Failure} error=${failure} onRetry=${reload} /></div>`}
    ${!found && !failure && html`<${Loading} />`}
    ${found && !found.bitmap && html`<div class="body"><p>
      ${t('It moves, and a crop would keep its first moment alone: it is kept whole.')}</p></div>`}
    ${found?.bitmap && html`<${Crop} found=${found} cell=${cell} page=${page} onTake=${onTake} onClose=${onClose} />`}
  <//>`;
}

/**
 * @param {{found: Original & {bitmap: ImageBitmap}, cell: {width: number, height: number}|null, page?: string,
 *   onTake: (make: () => Promise<Kept>) => void, onClose: () => void}} props
 */
function Crop({ found, cell: known, page, onTake, onClose }) {
  const { picture, blob, bitmap } = found;
  const [focus, setFocus] = useState(/** @type {Focus} */ (picture.focus ?? middle));
  const [zoom, setZoom] = useState(1);
  const [shape, setShape] = useState('16:9');
  const stage = useRef();
  const { isBusy, failure, run } = useAction();
  useEffect(() => () => bitmap.close(), []);
  const cell = known ?? { width: usualWidth, height: usualWidth / shapes[/** @type {'1:1'} */ (shape)] };
  const whole = { width: bitmap.width, height: bitmap.height };
  const crop = cropOf(whole, cell.width / cell.height, focus, zoom);
  const sizes = sizesOf(cell, crop);
  const within = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) =>
    Math.min(Math.max(value, least), most);
  const move = (/** @type {number} */ x, /** @type {number} */ y) =>
    setFocus((before) => ({ x: within(before.x + x, 0, 100), y: within(before.y + y, 0, 100) }));
  const near = (/** @type {number} */ step) =>
    setZoom((before) => within(Math.round((before + step) * 100) / 100, 1, zoomMax));
  const point = (/** @type {PointerEvent} */ event) => {
    if (event.buttons !== 1) return;
    const { left, top, width, height } = stage.current.getBoundingClientRect();
    const percent = (/** @type {number} */ part, /** @type {number} */ all) =>
      within(Math.round(part / all * 100), 0, 100);
    setFocus({ x: percent(event.clientX - left, width), y: percent(event.clientY - top, height) });
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    const step = event.shiftKey ? 10 : 1;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => move(-step, 0), ArrowRight: () => move(step, 0), ArrowUp: () => move(0, -step),
      ArrowDown: () => move(0, step), '+': () => near(0.1), '=': () => near(0.1), '-': () => near(-0.1),
    };
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  const take = async () => {
    const type = formatOf(blob.type);
    const blobs = await Promise.all(sizes.map((size) => draw(bitmap, crop, size, type)));
    onTake(async () => {
      await remember(found, focus);
      const made = [];
      for (const each of blobs) made.push(await keep(each, page, { original: nameOf(picture.url) }));
      return { ...made[made.length - 1], sizes: made };
    });
  };
  const percent = (/** @type {number} */ part, /** @type {number} */ all) => `${part / all * 100}%`;
  return html`<div class="body crop">
      <div
        ref=${stage}
        class="crop-stage"
        style=${{ aspectRatio: `${whole.width} / ${whole.height}`, '--shape': whole.width / whole.height }}
        role="application"
        tabindex="0"
        aria-label=${t('Focal point')}
        aria-describedby="crop-keys"
        onKeyDown=${onKey}
        onPointerDown=${(/** @type {On<PointerEvent>} */ event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          point(event);
        }}
        onPointerMove=${point}>
        <img src=${picture.url} alt="" draggable=${false} />
        <span class="crop-frame" style=${{
          left: percent(crop.x, whole.width), top: percent(crop.y, whole.height),
          width: percent(crop.width, whole.width), height: percent(crop.height, whole.height),
        }} />
        <span class="crop-focus" style=${{ left: `${focus.x}%`, top: `${focus.y}%` }} />
      </div>
      <p class="hint" id="crop-keys">
        ${t('Click what has to stay in view. '
          + 'Arrows move the point (with Shift further), + and − come nearer and go back.')}</p>
      <div class="pair">
        <label>${t('Zoom')}<input type="range" min="100" max=${zoomMax * 100} step="5" value=${Math.round(zoom * 100)}
          onInput=${(/** @type {FieldEvent} */ event) => setZoom(Number(event.target.value) / 100)} /></label>
        ${!known && html`<label>${t('Shape')}<select
          onChange=${(/** @type {FieldEvent} */ event) => setShape(event.target.value)}>
          ${options(Object.keys(shapes), shape)}</select></label>`}
      </div>
      <p role="status">${t('Focal point {x} % from the left, {y} % from above; zoom {zoom} %.', {
        ...focus, zoom: Math.round(zoom * 100),
      })}</p>
      <ul class="crop-sizes">${sizes.map(({ times, width, height }) => html`<li key=${times}>
        ${Number.isInteger(times) ? `${times}× · ` : ''}${width} × ${height}</li>`)}</ul>
      ${(sizes.length < 3) && html`<p class="hint note">
        ${t('The picture has no more pixels there: nothing is made larger than it is.')}</p>`}
      ${failure && html`<p class="error" role="alert">${failure}</p>`}
    </div>
    <footer>
      <button type="button" onClick=${onClose}>${t('Cancel')}</button>
      <button type="button" class="primary" disabled=${isBusy} onClick=${() => run(take)}>${t('Crop')}</button>
    </footer>`;
}
