// Plain drawings for items of any kind, from what their contents hold. The element brings them when there is an item
// that the app draws nothing for.

import { inkOn, made, themed } from './nodes.js';

export { rules } from './plain-sheet.js';

import { sourceOf } from './pictures.js';

/** @typedef {import('./element.js').Room} Room */

/** A picture, and what stands there while and where it cannot be loaded. */
export function pictureOf(
  /** @type {any} */ picture, /** @type {string} */ words,
  /** @type {Pick<Room, 'resolve' | 'width'>} */ { resolve, width },
) {
  let hue = 0;
  for (const letter of picture.url) hue = (hue * 31 + letter.codePointAt(0)) % 360;
  const image = made('img', picture.mirrors ? 'hp-mirrors' : '');
  Object.assign(image, { alt: '', decoding: 'async', draggable: false, referrerPolicy: 'no-referrer' });
  const frame = made('span', 'hp-picture', made('span', 'hp-stand-in', words), image);
  frame.style.setProperty('--hp-hue', String(hue));
  image.addEventListener('load', () => frame.classList.add('hp-loaded'));
  image.addEventListener('error', () => image.remove());
  /** @type {HTMLImageElement} */ (image).src = resolve(sourceOf(picture, width, devicePixelRatio));
  return frame;
}

const numberIn = (/** @type {string} */ locale, /** @type {any} */ number, /** @type {any} */ options = {}) => {
  try { return new Intl.NumberFormat(locale, options).format(Number(number)); } catch { return String(number); }
};

/** @type {any} what writes dates in a locale, which takes a while to make */
let dates = null;
let datesOf = '';

function dateIn(/** @type {string} */ locale, /** @type {string} */ text) {
  const date = new Date(text);
  if (Number.isNaN(+date)) return null;
  if (datesOf !== locale) dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
  datesOf = locale;
  const time = made('time', 'hp-second', dates.format(date));
  /** @type {HTMLTimeElement} */ (time).dateTime = text;
  return time;
}

/** Tabs: one in the order of the keyboard, arrows between them. */
function tabs(/** @type {any} */ { lists, list }) {
  const all = lists.map((/** @type {any} */ { id, title }) => {
    const tab = made('button', 'hp-tab', title);
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-selected', String(id === list));
    tab.tabIndex = id === list ? 0 : -1;
    tab.dataset.list = id;
    return tab;
  });
  const row = made('div', 'hp-tabs', ...all);
  row.setAttribute('role', 'tablist');
  row.addEventListener('keydown', (event) => {
    const at = all.indexOf(event.target);
    const back = row.closest('[dir=rtl]') ? 1 : -1;
    const next = { ArrowLeft: at + back, ArrowRight: at - back, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length).click();
  });
  return row;
}

/**
 * @param {import('./index.js').Item} item
 * @param {Room} room
 */
export function plain(item, room) {
  if (room.part === 'tabs') return tabs(item);
  const { isDark, locale, form: given, width } = room;
  /** @type {Record<string, any>} */
  const content = {};
  for (const name in item.content) content[name] = themed(item.content[name], isDark);
  const text = (/** @type {string[]} */ ...names) =>
    names.map((name) => content[name]).find((value) => typeof value === 'string' && value);
  const picture = Object.values(content).find((value) => typeof value?.url === 'string') ?? null;
  const title = text('title', 'text', 'name', 'label')
    ?? Object.values(content).find((value) => typeof value === 'string') ?? '';
  const color = text('backgroundColor', 'color');
  const isPicture = picture && Object.keys(content).every((name) => ['image', 'cover', 'title'].includes(name));
  const form = given === 'tile' ? isPicture ? 'banner' : picture ? 'card' : 'row'
    : given === 'card' && !content.price ? '' : given;
  // A narrow cell has a small picture above its words, or a large one.
  const shape = form || (width >= 150 ? isPicture ? 'banner' : 'row' : picture?.width >= 200 ? 'card' : 'upright');
  const node = made('div', `hp-${shape}${room.height < 76 ? ' hp-short' : ''}`);
  const height = /** @type {any} */ (room.part === 'item' && room.section?.layout.itemSize?.height);
  node.style.setProperty('--hp-lines', height?.content?.lines ?? '');
  const painted = shape === 'banner' ? undefined : color;
  node.style.background = painted ?? '';
  node.style.color = text('textColor') ?? inkOn([painted]);
  const ratio = picture?.width ? `${picture.width} / ${picture.height}` : '4 / 3';
  if (shape === 'banner') {
    node.style.aspectRatio = ratio;
    node.append(pictureOf(picture, title, room));
    return node;
  }
  if (shape === 'line') {
    node.append(title);
    return node;
  }
  const badge = content.live === true ? 'LIVE' : text('badge');
  const { price, tags: list, viewers } = content;
  const tags = (Array.isArray(list) ? list : []).filter((tag) => typeof tag === 'string');
  if (badge && !picture) tags.push(badge);
  const amount = typeof price?.amount;
  const words = made('span', 'hp-words', made('span', 'hp-title', title),
    shape !== 'card' && made('span', 'hp-second', text('subtitle', 'summary', 'host', 'description', 'author')),
    (amount === 'number' || amount === 'string') && made('span', 'hp-price', price.currency
      ? numberIn(locale, price.amount, { style: 'currency', currency: price.currency }) : String(price.amount)),
    text('date') && dateIn(locale, content.date),
    typeof viewers === 'number' && made('span', 'hp-second', `▸ ${numberIn(locale, viewers)}`),
    tags.length > 0 && made('span', 'hp-tags', ...tags.map((tag) => made('span', '', tag))));
  for (const part of [...words.childNodes]) if (!part.textContent || part.nodeType === 3) part.remove();
  if (picture) {
    const drawn = pictureOf(picture, shape === 'card' ? title : [...title][0] ?? '', room);
    // The words beside it say it; a banner's are all that is read out.
    drawn.ariaHidden = 'true';
    const frame = made('span', shape === 'card' ? 'hp-cover' : 'hp-thumbnail', drawn,
      badge && made('span', 'hp-corner', badge));
    if (shape === 'card') frame.style.aspectRatio = ratio;
    node.append(frame);
  }
  node.append(words);
  for (const [name, value] of [['hp-pill', text('button')], ['hp-value', text('value')]]) {
    if (value) node.append(made('span', String(name), value));
  }
  if (content.dismissible === true) {
    const cross = made('span', 'hp-value', '✕');
    cross.setAttribute('aria-hidden', 'true');
    node.append(cross);
  }
  return node;
}
