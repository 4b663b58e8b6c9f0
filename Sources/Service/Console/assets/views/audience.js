// Whose home the phone shows, and when.

import { formatInstant, instantIn, localTime, sideBySide, t, term } from '../lib/i18n.js';
import { Later } from '../lib/later.js';
import { keysOf, partsWords } from '../lib/parts.js';
import { attempt, html, useRef, useState } from '../lib/ui.js';

/** What a client can say, the attributes that every client has first. */
export const attributesOf = (/** @type {PageModel} */ { attributes }) =>
  [...new Set(['locale', 'platform', 'appVersion', 'bucket', ...Object.keys(attributes)])]
    .filter((name) => attributes[name]);

export const clientWords = (/** @type {PageModel} */ model, /** @type {Record<string, string>} */ client) =>
  attributesOf(model).map((name) => client[name]).filter(Boolean).join(' · ');

export function ClientChoice(/** @type {{model: PageModel, index: number}} */ { model, index }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef();
  const close = () => {
    button.current.focus();
    setOpen(false);
  };
  const summary = clientWords(model, model.clients[index]);
  return html`<div class="client-choice" onKeyDown=${(event) => { if (isOpen && event.key === 'Escape') close(); }}>
    <button ref=${button} title=${summary} aria-expanded=${String(isOpen)} onClick=${() => setOpen(!isOpen)}>
      <span class=${index === 0 ? 'sr-only' : ''}>${index === 0 ? t('Audience') : t('Second audience')}: </span>
      <strong>${summary}</strong> ▾</button>
    ${isOpen && html`<div class="popup form" role="group" aria-label=${t('Audience')}>
      <${Later} view="ClientMenu" model=${model} index=${index} />
      <button type="button" onClick=${close}>${t('Close')}</button>
    </div>`}
  </div>`;
}

/**
 * What a flip does, in words.
 * @param {(id: string) => string} nameOf
 * @param {Flip} flip
 */
export function flipWords(nameOf, flip) {
  const { section, item, rule, revision, what } = flip;
  if (what === 'publishes' && revision) return t('revision {revision} goes live', { revision });
  if (what === 'publishes') {
    const words = partsWords(flip, nameOf);
    return keysOf(flip).length > 1 ? t('{sections} go live', { sections: words })
      : t('{section} goes live', { section: words });
  }
  const name = rule ? t('order {rule}', { rule }) : nameOf(section ?? '');
  return `${name}${item ? ` / ${item}` : ''} ${term(what)}`;
}

export function TimeSlider(/** @type {{model: PageModel}} */ { model }) {
  const instants = [...new Set(model.flips.map(({ at }) => at))];
  // A time between two changes, or after all, stands where the last change before it does.
  const { at: time } = model;
  const at = time === null ? 0 : instants.filter((instant) => instant <= time).length;
  const flips = model.flips.filter((flip) => flip.at === (model.at ?? instants[0]));
  const go = (/** @type {number} */ number) => attempt(() => model.setTime(number === 0 ? null : instants[number - 1]));
  const own = (/** @type {FieldEvent} */ event) => {
    const { value } = event.target;
    attempt(() => model.setTime(value ? instantIn(value, model.zone) : null));
  };
  const label = model.at === null ? t('Now') : formatInstant(model.at, model.zone);
  const what = sideBySide(flips.map((flip) => flipWords((id) => model.nameOf(id), flip)));
  const coming = instants.length === 0 ? t('nothing is scheduled to change')
    : t('Changes to come: {count}, the next at {time}: {what}', {
      count: instants.length, time: formatInstant(instants[0], model.zone), what,
    });
  return html`<div class="time" role="group" aria-label=${t('Time')}>
    <div class="time-line">
      <button disabled=${model.at === null} onClick=${() => go(0)}>${t('Now')}</button>
      <input
        type="range"
        min="0"
        max=${instants.length}
        step="1"
        value=${at}
        disabled=${instants.length === 0}
        aria-label=${t('Coming changes')}
        aria-valuetext=${label}
        list="flips"
        onInput=${(event) => go(Number(event.target.value))} />
      <datalist id="flips">${instants.map((_, number) => html`<option value=${number + 1} />`)}</datalist>
      <input
        type="datetime-local"
        step="1"
        aria-label=${t('Another time')}
        value=${model.at ? localTime(model.at, model.zone) : ''}
        onChange=${own} />
    </div>
    <p class="hint"><strong>${label}</strong>
      ${model.at === null ? ` – ${coming}` : what && ` – ${what}`}</p>
  </div>`;
}
