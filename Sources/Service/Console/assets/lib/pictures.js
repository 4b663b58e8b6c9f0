// Pictures that Hearth keeps: what is said of one before it is sent, and the sending.

import { framesOf } from '../client/layout.js';
import { get, send } from './api.js';
import { language, t } from './i18n.js';
import { objectOf } from './members.js';
import { resolve } from './schema.js';

/** @typedef {{width: number, height: number}} Cell in points of a screen that is 375 wide */
/**
 * @typedef {object} Kept
 * @property {string} url
 * @property {number} width
 * @property {number} height
 * @property {number} [bytes]
 * @property {string} [createdAt]
 * @property {string} [createdBy]
 * @property {string} [name] what operators call it
 * @property {string|Record<string, string>} [alt] what those are told who do not see it: a text, or one for each locale
 * @property {string[]} [tags]
 * @property {{x: number, y: number}} [focus] in percent
 * @property {string} [original] what it was cut from
 * @property {Kept[]} [sizes] of a crop: all that were made, the smallest first
 */

const screen = { width: 375, height: 812 };
/** What a picture may weigh before it is said to be heavy: everybody who opens the app loads it. */
const heavy = 300_000;

/** The formats that are taken, as a file dialog asks for them. */
export const formats = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'];

/** A size as it is said, to so many digits of a megabyte behind the point. */
export function sizeWords(/** @type {number} */ bytes, digits = 1) {
  const [unit, maximumFractionDigits] = bytes < 1_000_000 ? [1000, digits - 1] : [1_000_000, digits];
  const count = new Intl.NumberFormat(language, { maximumFractionDigits })
    .format(Math.max(bytes / unit, 10 ** -maximumFractionDigits));
  return unit === 1000 ? t('{count} kB', { count }) : t('{count} MB', { count });
}

/**
 * A size and the most that it may be, as exact as it takes to tell them apart.
 * @param {number} bytes
 * @param {number} mostBytes
 */
function sizesApart(bytes, mostBytes) {
  let digits = 1;
  while (digits < 6 && sizeWords(bytes, digits) === sizeWords(mostBytes, digits)) digits += 1;
  return { size: sizeWords(bytes, digits), most: sizeWords(mostBytes, digits) };
}

/** How files of the formats begin: what stands where, a letter for each byte. The server tells them by the same. */
const beginnings = [
  { type: 'image/png', marks: { 0: '\x89PNG\r\n\x1a\n' } }, { type: 'image/jpeg', marks: { 0: '\xff\xd8\xff' } },
  { type: 'image/webp', marks: { 0: 'RIFF', 8: 'WEBP' } }, { type: 'image/gif', marks: { 0: 'GIF87a' } },
  { type: 'image/gif', marks: { 0: 'GIF89a' } }, { type: 'image/avif', marks: { 4: 'ftypavif' } },
  { type: 'image/avif', marks: { 4: 'ftypavis' } },
];

/** The media type of a picture by its first bytes, whatever it is called; empty when it is none that is taken. */
async function typeOf(/** @type {Blob} */ file) {
  const head = String.fromCharCode(...new Uint8Array(await file.slice(0, 16).arrayBuffer()));
  return beginnings.find(({ marks }) =>
    Object.entries(marks).every(([at, mark]) => head.startsWith(mark, Number(at))))?.type ?? '';
}

/**
 * The cell that a picture fills, where its kind says that it fills one: it is all that the kind requires.
 * @param {string} pointer where the picture is in a section's content
 * @param {{content: SectionContent, settings: Pick<Section, 'kind'|'layout'>}} section
 * @param {Kinds} kinds
 * @returns {Cell|null}
 */
export function cellOf(pointer, { content, settings }, kinds) {
  const [, place, name, part, member] = pointer.split('/');
  const item = place === 'items' ? content.items?.[Number(name)] : place === 'slots' ? content.slots?.[name] : null;
  if (!item || part !== 'content') return null;
  const schema = resolve(kinds.itemKinds?.[item.kind]?.content, kinds);
  if (schema.required?.length !== 1 || schema.required[0] !== member) return null;
  const layout = { ...kinds.sectionKinds?.[settings.kind]?.layout, ...settings.layout };
  // A height that follows the content is none.
  const { cells: [cell], leaves } = framesOf({ layout, items: [item] }, screen.width, () => NaN, { screen, scale: 3 });
  const { width, height } = { ...cell, ...leaves[0] };
  return width > 0 && height > 0 ? { width, height } : null;
}

/**
 * What there is to say of a picture that is taken.
 * @param {{width?: number, height?: number, bytes?: number}} picture
 * @param {Cell|null} cell
 */
export function notesOn({ width, height, bytes }, cell) {
  const notes = [];
  if (bytes !== undefined && bytes > heavy) {
    const sizes = sizesApart(bytes, heavy);
    notes.push(t('It is heavy: {size}. Whoever opens the app loads it; up to {most} is good.', sizes));
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
 * @param {{type: string, bytes: number, width?: number, height?: number}} file without a size when this browser cannot
 *   draw it
 * @param {{bytes: number, pixels: number}|null} limits
 */
function refusalOf({ type, bytes, width = 0, height = 0 }, limits) {
  if (!formats.includes(type)) return t('This is no picture that is taken. PNG, JPEG, WebP, GIF and AVIF are.');
  if (limits && bytes > limits.bytes) {
    return t('It is too heavy: {size} where {most} is allowed. Make it smaller, or save it as WebP or AVIF.',
      sizesApart(bytes, limits.bytes));
  }
  if (limits && width * height > limits.pixels) {
    return t('It is too large: {width} × {height}. Make it smaller.', { width, height });
  }
  if (width === 0) {
    return t('This browser cannot draw it: it is damaged, or cut short. It was not sent, since the server looks at ' +
      'the beginning of a file only, and would have taken it.');
  }
  return null;
}

/** The size of a file's picture, where this browser can draw all of it; the server reads the size alone. */
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

/**
 * The pictures that are kept, a part of the list; those of one page alone where the token is for some pages.
 * @param {{page?: string, q?: string, tag?: string, kind?: string, cursor?: string, limit?: number}} [query]
 */
export async function kept(query = {}) {
  const { value } = await get(['assets'], query);
  limits = value.limits;
  return value;
}

/**
 * Sends a file, unless something is known against it.
 * @param {Blob} file
 * @param {string|undefined} page where the token is for some pages
 * @param {{name?: string, original?: string}} [query] what it is called, or what it was cut from, where it is new
 * @returns {Promise<Kept>}
 */
export async function keep(file, page, query = {}) {
  const type = await typeOf(file);
  const picture = file.type === type ? file : new Blob([file], { type });
  const found = await sizeOf(picture);
  // The server says the same; who cannot ask for the limits hears it from there.
  if (!limits) await kept({ page, limit: 1 }).catch(() => {});
  const refusal = refusalOf({ type, bytes: file.size, ...found }, limits);
  if (refusal) throw new Error(refusal);
  return (await send('POST', ['assets'], { blob: picture, query })).value;
}

/**
 * The pictures that some sections have, each once.
 * @param {Section[]} sections
 * @returns {Kept[]}
 */
export function picturesIn(sections) {
  /** @type {Map<string, Kept>} */
  const found = new Map();
  const look = (/** @type {Content} */ value) => {
    if (typeof value !== 'object' || value === null) return;
    const { url, width } = objectOf(value);
    if (typeof url === 'string' && typeof width === 'number') found.set(url, /** @type {Kept} */ (value));
    for (const part of Object.values(value)) look(part);
  };
  for (const { items, slots, header, footer } of sections) {
    look([items, slots, header, footer].map((part) => contentsOf(part)));
  }
  return [...found.values()].filter(({ url }) => /^(https?:\/)?\/[^/]/.test(url)).slice(0, 200);
}

/** What items hold, without what they do: an action has an address, too, and no picture. */
const contentsOf = (/** @type {unknown} */ part) =>
  JSON.parse(JSON.stringify(part ?? null, (name, value) => (/^actions?$/.test(name) ? undefined : value)));

/** The first picture among what is pasted or dropped. */
export const fileIn = (/** @type {DataTransfer|null} */ transfer) => {
  const files = [...transfer?.files ?? []];
  return files.find((file) => file.type.startsWith('image/')) ?? files[0] ?? null;
};

/** Whether an address is that of a picture that Hearth keeps. */
export const isKept = (/** @type {Content} */ url) =>
  typeof url === 'string' && /^\/v1\/assets\/[0-9a-f]{64}\.\w+$/.test(url);

/** Whether a content says something in words: no address, colour, time or picture (as lint has it). */
/** @returns {boolean} */
function hasText(/** @type {Content} */ value) {
  if (typeof value === 'string') {
    const isOther = value.includes('://') || /^#[0-9a-f]{6,8}$/i.test(value) || /^\d{4}-\d\d-\d\dT/.test(value);
    return !isOther && /[\p{L}\p{N}]/u.test(value);
  }
  if (typeof value !== 'object' || value === null || typeof objectOf(value).url === 'string') return false;
  return Object.values(value).some((each) => hasText(each));
}

/**
 * An item with the text of a picture as its label for assistive technologies, where neither a label nor its content
 * says what it is, and it is no decoration.
 * @param {Content} item
 * @param {Content} alt
 * @returns {Content}
 */
export function withAlt(item, alt) {
  const { accessibility, content } = objectOf(item);
  const { label, hidden } = objectOf(accessibility);
  if (!alt || label || hidden || hasText(content)) return item;
  return { ...objectOf(item), accessibility: { ...objectOf(accessibility), label: alt } };
}
