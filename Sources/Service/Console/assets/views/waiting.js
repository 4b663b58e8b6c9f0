// What goes live meets what waits for a time already: what becomes of that then.

import {
  Unreachable, explain, formatInstant, html, localTime, partsWords, sentenceWords, serverNow, skippedWords, t,
  twiceWords,
} from '../shared.js';

/** @typedef {import('../lib/parts.js').Waiting} Waiting */
/** @typedef {{isLater: boolean, at: string, zone: string}} When */

/**
 * What waits for a time that comes after what is ticked goes live: it goes over that then.
 * @type {(waiting: Waiting[]|undefined, when: When) => Waiting[]|null}
 */
export function waitingAfter(waiting, { isLater, at, zone }) {
  if (!isLater) return waiting ?? null;
  const after = at ? (waiting ?? []).filter((each) => localTime(each.at, zone) > at) : [];
  return after.length > 0 ? after : null;
}

/** Why nothing can go live at a local time of a zone; empty where it can, and where none is given yet. */
export function timeProblem(/** @type {string} */ at, /** @type {string} */ zone) {
  if (at === '') return '';
  const now = localTime(new Date(serverNow()).toISOString(), zone);
  return skippedWords(at, zone) || (at <= now ? sentenceWords({ code: 'future-time', values: {} }) : '');
}

/** Why something was not done, or may have been. */
export const explainDoing = (/** @type {unknown} */ error) => error instanceof Unreachable
  ? t('No answer came, so that it is not known yet whether it was done. Try again: it is done once.') : explain(error);

/** What there is to say of a local time of a zone at which something is to go live. */
export function TimeWords(/** @type {{at: string, zone: string}} */ { at, zone }) {
  const problem = timeProblem(at, zone);
  if (problem) return html`<p class="error" role="alert">${problem}</p>`;
  const words = twiceWords(at, zone);
  return words && html`<p class="hint" role="status">${words}</p>`;
}

/**
 * What is to go live waits for a time already: what becomes of it then.
 * @param {{waiting: Waiting[], nameOf: (id: string) => string, choice: string|null,
 *   onChoose: (choice: string) => void}} props
 */
export function Collision({ waiting, nameOf, choice, onChoose }) {
  const radio = (/** @type {string} */ value, /** @type {string} */ words) => html`<label class="check">
    <input type="radio" name="waiting" checked=${choice === value} onChange=${() => onChoose(value)} />
    ${' '}${words}</label>`;
  return html`<fieldset class="waiting"><legend>${t('It waits for a time already')}</legend>
    <ul>${waiting.map((each) => html`<li key=${each.id}>${t('{what}: for {time}, by {name}', {
      what: partsWords(each, nameOf), time: formatInstant(each.at, each.zone), name: each.author,
    })}</li>`)}</ul>
    ${radio('carry', t('Carry this into what waits: it stays so at that time'))}
    ${radio('leave', t('Leave what waits: at that time it becomes as it was scheduled'))}</fieldset>`;
}
