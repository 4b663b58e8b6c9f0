// What a JSON Pointer of a refusal leads to, by the names that the form has for it.

import { t } from './i18n.js';
import { itemTitle } from './item.js';
import { memberOf, objectOf } from './members.js';
import { namesIn } from './merge.js';
import { labelOf } from './schema.js';

/** Members of settings that their fields call otherwise. */
const labels = () => ({
  pollInterval: t('Seconds between two polls'), firstItems: t('How many items stand in the page'),
  freshFor: t('Seconds for which the content counts'), asks: t('Endpoint'),
  aspect: t('Width divided by height'), inset: t('Space around it, in points'), rows: t('Columns of each row'),
  columns: t('As many columns as fit, each of so many points at least'), rowCount: t('How many rows'),
  paging: t('Where it comes to rest'), peek: t('How much of its neighbours is seen, in points'),
  itemSpacing: t('Between items of a row, in points'), lineSpacing: t('Between rows, in points'),
  separator: t('Line between rows'),
  stickyHeader: t('While the section scrolls below its header'), sticky: t('While what is below it scrolls'),
  backgroundFrame: t('Where it is drawn'),
  group: t('Group of cells that repeats'), gradient: t('Gradient'), border: t('Border'), shadow: t('Shadow'),
  cornerRadius: t('Roundness of the corners, in points'), itemSize: t('Size of the items'),
  headerSize: t('Size of the header'), footerSize: t('Size of the footer'),
  displayTitle: t('Title of the screen, for users'), defaultLocale: t('Default locale'), locales: t('Locales'),
  emptyState: t('What shows when there is no section'), from: t('Shows from'), until: t('Until, not included'),
  zone: t('Zone'), priority: t('Priority'), style: t('Style'), background: t('Background'), schedule: t('Schedule'),
  audience: t('Audience'), action: t('Action'), actions: t('More actions'), kind: t('Kind'), id: t('Id'),
  layout: t('Layout'), items: t('Items'),
  children: t('Children'), content: t('Content'), header: t('Header'), footer: t('Footer'), name: t('Name'),
  itemOrder: t('Order of the items'), accessibility: t('Accessibility'),
  arguments: t('What the handler is given (JSON)'),
  handler: t('Handler'), event: t('Tracking event'), reason: t('Why'), scopes: t('For'),
});
/** Members that name nothing where more follows: what is in them has a name itself. */
const silent = new Set(['content', 'items', 'children', 'slots']);
/** A locale's tag, as far as it cannot be a member's name. */
const tag = /^([a-z]{2}|[a-z]{2,3}(-[A-Za-z0-9]{2,8})+)$/;

/** What a member is called; those of contents as their fields are. */
export function memberWords(/** @type {string} */ name, isContent = true) {
  /** @type {Record<string, string>} */
  const known = isContent ? { '*': t('others') } : { '*': t('others'), ...labels() };
  return Object.hasOwn(known, name) ? known[name] : tag.test(name) ? name : labelOf(name);
}

const written = (/** @type {Content} */ value) => JSON.isRawJSON?.(value) ? value.rawJSON
  : ['string', 'number', 'boolean'].includes(typeof value) && value !== '' ? String(value) : null;

/**
 * Where a problem of a page is, in the section that is named beside it.
 * @param {{pointer: string, section?: string}} problem
 */
export const withinSection = ({ pointer, section }) =>
  pointerWords(section === undefined ? pointer : pointer.replace(/^\/sections\/\d+/, ''));

/**
 * A place in words, with what stands there: `Item Scan / Title / en “…”`.
 * @param {string} pointer
 * @param {Content} [root] what it leads into, as far as that is known
 * @param {string} [locale] that items are named in
 * @returns {string} nothing for the whole
 */
export function pointerWords(pointer, root, locale = 'en') {
  const names = namesIn(pointer);
  /** @type {string[]} */
  const words = [];
  let [value, isContent, isCondition] = [root, false, objectOf(root).attribute !== undefined];
  names.forEach((name, place) => {
    const isElement = Array.isArray(value) || (value === undefined && /^\d+$/.test(name));
    const isLast = place === names.length - 1;
    value = memberOf(value, name);
    const { id, attribute } = objectOf(value);
    // A condition is told by what it compares.
    if (isCondition) words.push(String(attribute ?? ''));
    else if (isElement) {
      isContent = false;
      const number = String(Number(name) + 1);
      const isItem = id !== undefined || ['items', 'children'].includes(names[place - 1]);
      words.push(isItem ? t('Item {name}', { name: (value && itemTitle(value, locale)) || number }) : number);
    } else if (names[place - 1] === 'slots') words.push(t('Slot {name}', { name }));
    else if (isLast || !silent.has(name)) words.push(memberWords(name, isContent));
    if (name === 'audience') words.push(String(attribute ?? ''));
    isContent ||= name === 'content';
    isCondition ||= name === 'audience';
  });
  const what = written(value);
  return `${words.filter(Boolean).join(' / ')}${what === null || names.length === 0 ? '' : ` “${what}”`}`;
}
