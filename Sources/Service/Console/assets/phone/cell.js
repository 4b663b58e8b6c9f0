// One cell, drawn from what its content holds, whatever its kind is called.

import { luminanceOf } from '../lib/contrast.js';
import { createContext, html, useContext, useState } from '../lib/ui.js';
import { edges, inset, pictureOf } from './measure.js';

/** A hue that stays the same for a picture. */
function hueOf(/** @type {string} */ text) {
  let hash = 0;
  for (const letter of text) hash = (hash * 31 + (letter.codePointAt(0) ?? 0)) % 360;
  return hash;
}

/** A picture, or its placeholder while and where it cannot be loaded. */
export function Picture(/** @type {{picture: any, title: any, shape?: any}} */ { picture, title, shape = 'fill' }) {
  const [known, setKnown] = useState({ url: '', state: 'loading' });
  // What was found out of another picture says nothing of this one.
  const state = known.url === picture.url ? known.state : 'loading';
  const setState = (/** @type {string} */ next) => setKnown({ url: picture.url, state: next });
  const size = picture.width ? `${picture.width} × ${picture.height}` : '';
  const label = shape === 'fill' ? title ?? size : [...(title ?? '')][0] ?? '';
  return html`<span class="picture ${shape} ${state} ${picture.mirrors ? 'mirrors' : ''}"
      style=${{ '--hue': hueOf(picture.url) }}>
    ${state !== 'loaded' && html`<span class="stand-in">${label}</span>`}
    ${state !== 'failed' && html`<img src=${picture.url} alt="" draggable=${false} referrerpolicy="no-referrer"
      onLoad=${() => setState('loaded')} onError=${() => setState('failed')} />`}
  </span>`;
}

/** The locale that a page is drawn in: an app's numbers follow it, whatever language the operator reads. */
export const PageLocale = createContext('en');

function Price(/** @type {{price?: any}} */ { price: { amount, currency = '' } }) {
  const locale = useContext(PageLocale);
  let text = `${amount} ${currency}`;
  if (typeof amount !== 'number' && typeof amount !== 'string') return null;
  try { text = new Intl.NumberFormat(locale, { style: 'currency', currency }).format(Number(amount)); } catch {
    // A currency that this browser does not know is shown as it is written.
  }
  return html`<span class="price">${text}</span>`;
}

function When(/** @type {{at: string}} */ { at }) {
  const locale = useContext(PageLocale);
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' }).format(new Date(at));
  return html`<time class="second" datetime=${at}>${date}</time>`;
}

/** How many watch, without a word: the page's languages are not the console's. */
function Viewers(/** @type {{count: number}} */ { count }) {
  const locale = useContext(PageLocale);
  return html`<span class="second">▸ ${new Intl.NumberFormat(locale).format(count)}</span>`;
}

/** Whether a phone is dark. */
export const Dark = createContext(false);

/** A colour or picture, of one for light and one for dark where there are two. */
export const themed = (/** @type {any} */ value, /** @type {boolean} */ isDark) =>
  value?.light !== undefined && value.dark !== undefined ? value[isDark ? 'dark' : 'light'] : value;

/** What a cell says, by the names that contents use. */
function partsOf(/** @type {any} */ content) {
  const text = (/** @type {string[]} */ ...names) =>
    names.map((name) => content[name]).find((value) => typeof value === 'string' && value);
  return {
    picture: pictureOf(content),
    title: text('title', 'text', 'name', 'label') ?? Object.values(content).find((value) => typeof value === 'string'),
    second: text('subtitle', 'summary', 'host', 'description', 'author'),
    trailing: text('value'), button: text('button'),
    badge: content.live === true ? 'LIVE' : text('badge'),
    price: typeof content.price === 'object' ? content.price : null,
    tags: Array.isArray(content.tags) ? content.tags.filter((/** @type {any} */ tag) => typeof tag === 'string') : [],
    date: Number.isNaN(Date.parse(text('date') ?? '')) ? null : content.date,
    viewers: typeof content.viewers === 'number' ? content.viewers : null,
    isDismissible: content.dismissible === true,
    color: [content.backgroundColor, content.color].find((color) => typeof color === 'string'),
    ink: typeof content.textColor === 'string' ? content.textColor : undefined,
  };
}

const isOnlyPicture = (/** @type {any} */ content) => pictureOf(content) !== null
  && Object.keys(content).every((name) => ['image', 'cover', 'title'].includes(name));

/** Black or white, whichever can be read on a colour. */
export function inkOn(/** @type {any} */ color) {
  const luminance = luminanceOf(color?.slice?.(0, 7));
  return luminance === null ? undefined : luminance > 0.179 ? '#1c1b1a' : '#ffffff';
}

function Card(/** @type {{id: string|undefined, parts: any, style: any}} */ { id, parts, style }) {
  const { picture, price, tags } = parts;
  const shape = { aspectRatio: picture?.width ? `${picture.width} / ${picture.height}` : '4 / 3' };
  return html`<div class="cell card" data-item=${id} style=${style}>
    ${picture && html`<span class="cover" style=${style.height ? { flex: '1', minHeight: 0 } : shape}>
      <${Picture} picture=${picture} title=${parts.title} /></span>`}
    <span class="words">
      <span class="title">${parts.title}</span>
      ${price && html`<${Price} price=${price} />`}
      ${tags.length > 0 && html`<span class="tags">
        ${tags.map((/** @type {any} */ tag) => html`<span>${tag}</span>`)}</span>`}
    </span>
  </div>`;
}

/**
 * @param {object} props
 * @param {Item} props.item
 * @param {number} props.width
 * @param {Size} props.size
 * @param {{least: number, most: number}} [props.bounds] those of a width that follows the text
 * @param {string} [props.form] how to draw it: `upright`, `row`, `banner`, `card`, `chip`; by its content and width
 *   when absent
 * @param {any} [props.children]
 */
export function Cell({ item, width: room, size, bounds, form, children }) {
  const isDark = useContext(Dark);
  const content = Object.fromEntries(Object.entries(item.content ?? {})
    .map(([name, value]) => [name, themed(value, isDark)]));
  const edge = inset(item);
  const width = Math.max(0, room - edge.leading - edge.trailing);
  const parts = partsOf(content);
  const shape = form ?? (isOnlyPicture(content) && width >= 150 ? 'banner' : width < 150 ? 'upright' : 'row');
  /** @type {Record<string, string|undefined>} */
  const style = {
    width: bounds ? 'max-content' : `${width}px`,
    minWidth: bounds && `${bounds.least}px`, maxWidth: bounds && `${bounds.most}px`,
    background: parts.color, color: parts.ink ?? inkOn(parts.color),
  };
  if (item.inset) {
    const { block, inline } = edges(edge);
    Object.assign(style, { marginBlock: block, marginInline: inline });
  }
  if (size.height !== undefined) style.height = `${size.height}px`;
  if (size.minHeight !== undefined) style.minHeight = `${size.minHeight}px`;
  if (shape === 'banner') {
    // A height that follows the content is the picture's own.
    const { width: wide, height: high } = parts.picture;
    if (size.height === undefined) style.height = `${Math.max(size.minHeight ?? 0, wide ? width * high / wide : 0)}px`;
    return html`<div class="cell banner" data-item=${item.id} style=${style}>
      <${Picture} picture=${parts.picture} title=${parts.title} /></div>`;
  }
  if (shape === 'card') return html`<${Card} id=${item.id} parts=${parts} style=${style} />`;
  const isShort = size.height !== undefined && size.height < 76;
  return html`<div class="cell ${shape} ${isShort ? 'short' : ''}" data-item=${item.id} style=${style}>
    ${parts.picture && html`<span class="thumbnail">
      <${Picture} picture=${parts.picture} title=${parts.title} shape="icon" />
      ${parts.badge && html`<span class="corner">${parts.badge}</span>`}</span>`}
    <span class="words">
      <span class="title">${parts.title}</span>
      ${parts.second && !(shape === 'upright' && isShort) && html`<span class="second">${parts.second}</span>`}
      ${parts.price && html`<${Price} price=${parts.price} />`}
      ${parts.date && html`<${When} at=${parts.date} />`}
      ${parts.viewers !== null && html`<${Viewers} count=${parts.viewers} />`}
      ${!parts.picture && parts.badge && html`<span class="tags"><span>${parts.badge}</span></span>`}
    </span>
    ${parts.button && html`<span class="pill">${parts.button}</span>`}
    ${parts.trailing && html`<span class="trailing">${parts.trailing}</span>`}
    ${parts.isDismissible && html`<span class="trailing" aria-hidden="true">✕</span>`}
    ${children}
  </div>`;
}
