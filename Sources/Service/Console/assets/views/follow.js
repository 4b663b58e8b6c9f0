// Who changed a field, an item or a section, when, and from what; and the way back.

import { get } from '../lib/api.js';
import { formatInstant, sideBySide, t } from '../lib/i18n.js';
import { differences, isEqual, placeKey } from '../lib/merge.js';
import { Dialog, Reading, html, useLoad, useParts } from '../lib/ui.js';
import { Side } from './conflict.js';
import { scheduledOf, timesOf } from './scheduled.js';
import { Value, placeWords } from './value.js';

/**
 * Where a field of a form is for the API: in an item by its id, or in the section.
 * @param {string} pointer
 * @param {{content: {items?: Item[]}}} values
 * @returns {{item?: string, pointer: string}}
 */
export function placeOf(pointer, { content }) {
  const [, list, ...rest] = pointer.split('/');
  if (list !== 'items') return { pointer };
  /** @type {Item|undefined} */
  let item = content.items?.[Number(rest.shift())];
  while (rest[0] === 'children' && rest.length > 1) item = item?.children?.[Number(rest.splice(0, 2)[1])];
  return { item: item?.id, pointer: rest.map((part) => `/${part}`).join('') };
}

/** Who made a change; where that is not known, who may have. */
const whoWords = (/** @type {{by: string[], publishedBy?: string}} */ { by, publishedBy }) =>
  by.length > 1 ? t('one of {names}', { names: sideBySide(by) }) : by[0] ?? publishedBy ?? t('somebody');

/**
 * Where a change is, and who brought it there.
 * @param {FieldChange} change
 * @param {Map<number, string>} times when what is scheduled goes live
 */
function stateWords({ revision, publishedBy: name = t('somebody') }, times) {
  if (!revision) return t('in the draft');
  const time = times.get(revision);
  return time ? t('with revision {revision} by {name}, scheduled for {time}', { revision, name, time })
    : t('with revision {revision} by {name}', { revision, name });
}

/** The most places of one change that are listed. */
const placesMax = 40;

/**
 * What a change made of something, each value with the way to put the old one back.
 * @param {{change: {from?: Content, to?: Content}, now: Content, isWhole: boolean, locale: string,
 *   onPutBack: PutBack|null}} props
 */
export function Change({ change: { from, to }, now, isWhole, locale, onPutBack }) {
  const back = (/** @type {string} */ what, /** @type {() => void} */ action) => onPutBack && html`${' '}<button
    type="button"
    class="small"
    aria-label=${t('Put back: {what}', { what })}
    onClick=${action}>${t('Put back')}</button>`;
  if (!isWhole || from === undefined || to === undefined) {
    const isThere = from !== undefined || !isWhole;
    return html`<div class="change"><del><${Value} value=${from} locale=${locale} /></del> →${' '}
      <ins><${Value} value=${to} locale=${locale} /></ins>
      ${isThere && !isEqual(from, now) && back(typeof from === 'string' ? from : t('as it was'),
        () => onPutBack?.(from))}</div>`;
  }
  const places = differences(from, to);
  return html`${!isEqual(from, now) && onPutBack && html`<button
      type="button"
      class="small"
      onClick=${() => onPutBack(from)}>${t('Put all of it back')}</button>`}
    <dl class="places">${places.slice(0, placesMax).map((place) => {
      const words = placeWords(place.path, [from, to], locale);
      const side = (/** @type {'mine'|'theirs'} */ name) => html`<${Side}
        conflict=${{ ...place, root: from, theirRoot: to }} name=${name} locale=${locale} />`;
      return html`<dt key=${placeKey(place.path)}>${words}
          ${back(words, () => onPutBack?.(place.mine, [...place.path], from))}</dt>
        <dd><del>${side('mine')}</del> → <ins>${side('theirs')}</ins></dd>`;
    })}</dl>
    ${places.length > placesMax && html`<p class="hint">
      ${t('and {count} more', { count: places.length - placesMax })}</p>`}`;
}

/**
 * Puts a value back: all of what is followed, or one place in it, with what that is from.
 * @typedef {(value: Content, path?: import('../lib/merge.js').Path, former?: Content) => void} PutBack
 */

/**
 * Who changed something, and when, the latest first; each with the way to put the old one back.
 * @param {{path: ['pages', string, 'sections', string], place: {item?: string, pointer: string}, isWhole?: boolean,
 *   now: Content, locale: string, onPutBack: PutBack|null}} props
 *   `isWhole` is said of an item or a section, `now` is what the form has
 */
export function Followed({ path, place, isWhole = false, now, locale, onPutBack }) {
  const { parts, isThere, next, failure, reload, goOn } = useParts(
    async (cursor) => (await get([...path, 'history'], { ...place, cursor })).value, []);
  const [times, untimed] = useLoad(async () => timesOf(await scheduledOf(path[1])), []);
  const changes = parts.flatMap((part) => part.changes);
  return html`<${Reading} value=${isThere && (times || untimed)} failure=${failure} onRetry=${reload} />
    ${isThere && changes.length === 0 && !next && html`<p class="nothing">
      ${t('Nobody has changed it, as far as is known.')}</p>`}
    <ol class="followed">${(times || untimed) && changes.map((change, number) => html`<li key=${number}>
      <p><strong>${whoWords(change)}</strong> · ${formatInstant(change.at)}${' '}
        <span class="hint">${stateWords(change, times ?? new Map())}</span></p>
      <${Change} change=${change} now=${now} isWhole=${isWhole} locale=${locale} onPutBack=${onPutBack} /></li>`)}</ol>
    ${next && html`<button type="button" onClick=${goOn}>${t('Older ones')}</button>`}`;
}

/** @param {Parameters<typeof Followed>[0] & {label: string, onClose: () => void}} props */
export function FollowDialog({ label, onPutBack, onClose, ...given }) {
  const putBack = onPutBack && ((/** @type {Parameters<PutBack>} */ ...back) => {
    onPutBack(...back);
    onClose();
  });
  const title = given.isWhole ? t('Earlier versions of {name}', { name: label })
    : t('Who changed {field}', { field: label });
  return html`<${Dialog} title=${title} onClose=${onClose}><div class="body">
    <${Followed} ...${given} onPutBack=${putBack} /></div><//>`;
}
