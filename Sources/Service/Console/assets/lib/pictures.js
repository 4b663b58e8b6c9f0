// Pictures that Hearth keeps: what is said of one before it is sent, and the sending.

import { resolve } from '../forms/schema.js';
import { heightOf, inset, rowsOf, widthOf } from '../phone/measure.js';
import { get, request } from './api.js';
import { language, t } from './i18n.js';
import { useLoad, useState } from './ui.js';

/** @typedef {{width: number, height: number}} Cell in points of a screen that is 375 wide */
/**
 * @typedef {object} Kept
 * @property {string} url
 * @property {number} width
 * @property {number} height
 * @property {number} [bytes]
 * @property {string} [createdAt]
 * @property {string} [createdBy]
 */

const screen = 375;
/** What a picture may weigh before it is said to be heavy: everybody who opens the app loads it. */
const heavy = 300_000;

/** The formats that are taken, as a file dialog asks for them. */
export const formats = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'];

const size = (/** @type {number} */ bytes) => bytes < 1_000_000
  ? t('{count} kB', { count: new Intl.NumberFormat(language).format(Math.max(1, Math.round(bytes / 1000))) })
  : t('{count} MB', { count: new Intl.NumberFormat(language, { maximumFractionDigits: 1 }).format(bytes / 1_000_000) });

/** A size as it is said. */
export const sizeWords = size;

/**
 * The cell that a picture fills, where its kind says that it fills one: it is all that the kind requires.
 * @param {string} pointer where the picture is in a section's content
 * @param {{content: any, settings: any}} section
 * @param {Kinds} kinds
 * @returns {Cell|null}
 */
export function cellOf(pointer, { content, settings }, kinds) {
  const [, place, name, part, member] = pointer.split('/');
  const item = place === 'items' ? content.items?.[name] : place === 'slots' ? content.slots?.[name] : null;
  if (!item || part !== 'content') return null;
  const schema = resolve(kinds.itemKinds?.[item.kind]?.content, kinds);
  if (schema.required?.length !== 1 || schema.required[0] !== member) return null;
  const layout = { ...kinds.sectionKinds?.[settings.kind]?.layout, ...settings.layout };
  const { leading, trailing } = inset(layout);
  const [{ columns }] = [...rowsOf(1, layout.rows), { columns: 1 }];
  const spacing = layout.itemSpacing ?? 0;
  const width = widthOf(layout.itemSize, { inner: screen - leading - trailing, columns, spacing });
  const { height } = heightOf(layout.itemSize, width, item);
  return typeof width === 'number' && typeof height === 'number' && width > 0 && height > 0 ? { width, height } : null;
}

/**
 * What there is to say of a picture that is taken.
 * @param {{width?: number, height?: number, bytes?: number}} picture
 * @param {Cell|null} cell
 */
export function notesOn({ width, height, bytes }, cell) {
  const notes = [];
  if (bytes !== undefined && bytes > heavy) {
    notes.push(t('It is heavy: {size}. Whoever opens the app loads it; up to {most} is good.', {
      size: size(bytes), most: size(heavy),
    }));
  }
  if (!cell || !width || !height) return notes;
  const [wide, high] = [cell.width, cell.height].map((points) => Math.round(points * 3));
  const shape = cell.width / cell.height;
  if (Math.abs(width / height - shape) / shape > 0.05) {
    notes.push(t('It has another shape than its cell: {width} × {height} where {wide} × {high} would fit. ' +
      'It is cut, or leaves a margin.', { width, height, wide, high }));
  }
  if (width < cell.width * 2) {
    notes.push(t('It is small for its cell: {width} pixels wide where {wanted} look sharp.', { width, wanted: wide }));
  }
  if (width > cell.width * 5) {
    notes.push(t('It is larger than screens show: {width} pixels wide where {wanted} are enough.', {
      width, wanted: wide,
    }));
  }
  return notes;
}

/**
 * Why a picture will not be taken, before it is sent; `null` when nothing is known against it.
 * @param {{type: string, bytes: number, width?: number, height?: number}} file
 * @param {{bytes: number, pixels: number}|null} limits
 */
export function refusalOf({ type, bytes, width = 0, height = 0 }, limits) {
  if (!formats.includes(type)) return t('This is no picture that is taken. PNG, JPEG, WebP, GIF and AVIF are.');
  if (limits && bytes > limits.bytes) {
    return t('It is too heavy: {size} where {most} is allowed. Make it smaller, or save it as WebP or AVIF.', {
      size: size(bytes), most: size(limits.bytes),
    });
  }
  if (limits && width * height > limits.pixels) {
    return t('It is too large: {width} × {height}. Make it smaller.', { width, height });
  }
  return null;
}

/** The size of a file's picture where this browser can read it; the server reads it too. */
async function sizeOf(/** @type {Blob} */ file) {
  try {
    const bitmap = await createImageBitmap(file);
    const found = { width: bitmap.width, height: bitmap.height };
    bitmap.close();
    return found;
  } catch {
    return {};
  }
}

/** @type {{bytes: number, pixels: number}|null} */
let limits = null;

/** The pictures that are kept, a page of the list; those of one page alone where the token is for some pages. */
export async function kept(/** @type {{page?: string, cursor?: string, limit?: number}} */ query = {}) {
  const { value } = await get(['assets'], query);
  limits = value.limits;
  return value;
}

/**
 * The list of the pictures that are kept, as far as it was asked for.
 * @param {string} [page] only those of its draft
 */
export function useKept(page) {
  const [older, setOlder] = useState(/** @type {{list: Required<Kept>[], next?: string}|null} */ (null));
  const [forgotten, setForgotten] = useState(/** @type {string[]} */ ([]));
  const [first, failure, reload] = useLoad(() => kept({ page }), []);
  /** @type {Required<Kept>[]} */
  const list = [...first?.assets ?? [], ...older?.list ?? []].filter(({ url }) => !forgotten.includes(url));
  /** @type {string|undefined} */
  const next = older ? older.next : first?.next;
  const goOn = async () => {
    const { assets, next: after } = await kept({ page, cursor: next });
    setOlder({ list: [...older?.list ?? [], ...assets], next: after });
  };
  const forget = (/** @type {string} */ url) => setForgotten([...forgotten, url]);
  return { list, next, isThere: first !== null, failure, reload, goOn, forget };
}

/**
 * Sends a file, unless something is known against it.
 * @param {Blob} file
 * @param {string|undefined} page where the token is for some pages
 * @returns {Promise<Kept>}
 */
export async function keep(file, page) {
  const found = await sizeOf(file);
  // The server says the same; who cannot ask for the limits hears it from there.
  if (!limits) await kept({ page, limit: 1 }).catch(() => {});
  const refusal = refusalOf({ type: file.type, bytes: file.size, ...found }, limits);
  if (refusal) throw new Error(refusal);
  return (await request('POST', ['assets'], { blob: file })).value;
}

/**
 * The pictures that some sections have, each once.
 * @param {Section[]} sections
 * @returns {Kept[]}
 */
export function picturesIn(sections) {
  /** @type {Map<string, Kept>} */
  const found = new Map();
  const look = (/** @type {any} */ value) => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof value.url === 'string' && typeof value.width === 'number') found.set(value.url, value);
    for (const part of Object.values(value)) look(part);
  };
  for (const { items, slots, header, footer } of sections) {
    look([items, slots, header, footer].map((part) => contentsOf(part)));
  }
  return [...found.values()].filter(({ url }) => /^(https?:\/)?\/[^/]/.test(url)).slice(0, 200);
}

/** What items hold, without what they do: an action has an address, too, and no picture. */
const contentsOf = (/** @type {any} */ part) =>
  JSON.parse(JSON.stringify(part ?? null, (name, value) => (name === 'action' ? undefined : value)));

/** The first picture among what is pasted or dropped. */
export const fileIn = (/** @type {DataTransfer|null} */ transfer) => {
  const files = [...transfer?.files ?? []];
  return files.find((file) => file.type.startsWith('image/')) ?? files[0] ?? null;
};
