// Who changed a field, when, and from what.

import { get } from '../lib/api.js';
import { formatInstant, sideBySide, t } from '../lib/i18n.js';
import { Dialog, Failure, Loading, attempt, html, useLoad, useState } from '../lib/ui.js';
import { scheduledOf, timesOf } from './scheduled.js';

/**
 * Where a field of a form is for the API: in an item by its id, or in the section.
 * @param {string} pointer
 * @param {{content: any}} values
 * @returns {{item?: string, pointer: string}}
 */
export function placeOf(pointer, { content }) {
  const [, list, ...rest] = pointer.split('/');
  if (list !== 'items') return { pointer };
  let item = content.items?.[Number(rest.shift())];
  while (rest[0] === 'children' && rest.length > 1) item = item?.children?.[Number(rest.splice(0, 2)[1])];
  return { item: item?.id, pointer: rest.map((part) => `/${part}`).join('') };
}

const valueWords = (/** @type {any} */ value) =>
  value === undefined ? t('nothing') : typeof value === 'string' ? value : JSON.stringify(value);

/** Who made a change; where that is not known, who may have. */
const whoWords = (/** @type {{by: string[], publishedBy?: string}} */ { by, publishedBy }) =>
  by.length > 1 ? t('one of {names}', { names: sideBySide(by) }) : by[0] ?? publishedBy ?? t('somebody');

/**
 * Where a change is, and who brought it there.
 * @param {any} change
 * @param {Map<number, string>} times when what is scheduled goes live
 */
function stateWords({ revision, publishedBy: name = t('somebody') }, times) {
  if (!revision) return t('in the draft');
  const time = times.get(revision);
  return time ? t('with revision {revision} by {name}, scheduled for {time}', { revision, name, time })
    : t('with revision {revision} by {name}', { revision, name });
}

/**
 * @param {{path: string[], place: {item?: string, pointer: string}, label: string, onClose: () => void}} props
 */
export function FollowDialog({ path, place, label, onClose }) {
  const [older, setOlder] = useState(/** @type {{changes: any[], next?: string}|null} */ (null));
  const ask = async (/** @type {string} */ cursor = '') =>
    (await get([...path, 'history'], { ...place, cursor })).value;
  const [found, failure, reload] = useLoad(() => ask(), []);
  const [times, untimed] = useLoad(async () => timesOf(await scheduledOf(path[1])), []);
  const changes = [...found?.changes ?? [], ...older?.changes ?? []];
  const next = older ? older.next : found?.next;
  const more = () => attempt(async () => {
    const value = await ask(next);
    setOlder({ changes: [...older?.changes ?? [], ...value.changes], next: value.next });
  });
  return html`<${Dialog} title=${t('Who changed {field}', { field: label })} onClose=${onClose}><div class="body">
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    ${!(found && (times || untimed)) && !failure && html`<${Loading} />`}
    ${found && changes.length === 0 && !next && html`<p class="nothing">
      ${t('Nobody has changed it, as far as is known.')}</p>`}
    <ol class="followed">${(times || untimed) && changes.map((change, number) => html`<li key=${number}>
      <p><strong>${whoWords(change)}</strong> · ${formatInstant(change.at)}${' '}
        <span class="hint">${stateWords(change, times ?? new Map())}</span></p>
      <p class="change"><del>${valueWords(change.from)}</del> → <ins>${valueWords(change.to)}</ins></p></li>`)}</ol>
    ${next && html`<button type="button" onClick=${more}>${t('Older ones')}</button>`}
  </div><//>`;
}
