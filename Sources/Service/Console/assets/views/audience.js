// Whose home the phone shows, and when.

import { NumberInput } from '../forms/number.js';
import { formatInstant, localTime, ownZone, sideBySide, t, term } from '../lib/i18n.js';
import { readNumber, writtenNumber } from '../lib/numbers.js';
import { keysOf, partWords } from '../lib/parts.js';
import { attempt, html, useRef, useState } from '../lib/ui.js';

/**
 * One attribute of a client as a form control.
 * @param {{name: string, declaration: any, value: any, locales: string[], onChange: (value: any) => void}} props
 */
function Attribute({ name, declaration, value, locales, onChange }) {
  const change = (/** @type {any} */ event) => onChange(event.target.value);
  /** @type {Record<string, string>} */
  const labels = {
    platform: t('Platform'), appVersion: t('App version'), locale: t('Locale'), bucket: t('Bucket'),
  };
  const label = labels[name] ?? name;
  const choices = name === 'locale' ? locales : declaration.type === 'flag' ? ['true', 'false'] : declaration.values;
  if (choices) {
    return html`<label>${label}<select value=${value ?? ''} onChange=${change}>
      ${name !== 'locale' && html`<option value="" selected=${!value}>${t('not sent')}</option>`}
      ${choices.map((/** @type {any} */ choice) => html`
        <option value=${choice} selected=${choice === value}>${choice}</option>`)}</select></label>`;
  }
  if (declaration.type === 'integer') {
    return html`<${Whole} label=${label} declaration=${declaration} value=${value} onChange=${onChange} />`;
  }
  return html`<label>${label}<input
    value=${value ?? ''}
    placeholder=${t('not sent')}
    onChange=${change} /></label>`;
}

/**
 * A whole number that a client says; the phone takes it once it is left, or by Enter.
 * @param {{label: string, declaration: any, value: any, onChange: (value: string) => void}} props
 */
function Whole({ label, declaration, value, onChange }) {
  const [text, setText] = useState(/** @type {string|null} */ (null));
  const wanted = { isWhole: true, least: declaration.minimum, most: declaration.maximum };
  const take = () => {
    const { value: next, reason } = readNumber(text ?? '', wanted);
    if (text === null || reason) return;
    setText(null);
    if (writtenNumber(next) !== writtenNumber(value)) onChange(writtenNumber(next));
  };
  return html`<div class="whole" onfocusout=${take} onKeyDown=${(event) => { if (event.key === 'Enter') take(); }}>
    <${NumberInput}
      label=${label}
      text=${text ?? writtenNumber(value)}
      wanted=${wanted}
      placeholder=${t('not sent')}
      onText=${setText} /></div>`;
}

export function ClientChoice(/** @type {{model: PageModel, index: number}} */ { model, index }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef();
  const close = () => {
    button.current.focus();
    setOpen(false);
  };
  const client = model.clients[index];
  const names = ['locale', 'platform', 'appVersion', 'bucket', ...Object.keys(model.attributes)]
    .filter((name, place, all) => model.attributes[name] && all.indexOf(name) === place);
  const summary = names.map((name) => client[name]).filter(Boolean).join(' · ');
  return html`<div class="client-choice" onKeyDown=${(event) => { if (isOpen && event.key === 'Escape') close(); }}>
    <button ref=${button} aria-expanded=${String(isOpen)} onClick=${() => setOpen(!isOpen)}>
      <span class=${index === 0 ? 'sr-only' : ''}>${index === 0 ? t('Audience') : t('Second audience')}: </span>
      <strong>${summary}</strong> ▾</button>
    ${isOpen && html`<div class="popup form" role="group" aria-label=${t('Audience')}>
      ${names.map((name) => html`<${Attribute}
        key=${name}
        name=${name}
        declaration=${model.attributes[name]}
        value=${client[name]}
        locales=${model.draft.locales}
        onChange=${(value) => attempt(() => model.setClient(index, { [name]: value }))} />`)}
      <button onClick=${close}>${t('Close')}</button>
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
    const parts = keysOf(flip).map((key) => partWords(key, nameOf));
    return parts.length === 1 ? t('{section} goes live', { section: parts[0] })
      : t('{sections} go live', { sections: sideBySide(parts) });
  }
  const name = rule ? t('order {rule}', { rule }) : nameOf(section ?? '');
  return `${name}${item ? ` / ${item}` : ''} ${term(what)}`;
}

export function TimeSlider(/** @type {{model: PageModel}} */ { model }) {
  const instants = [...new Set(model.flips.map((/** @type {{at: any}} */ { at }) => at))];
  // A time between two changes, or after all, stands where the last change before it does.
  const { at: time } = model;
  const at = time === null ? 0 : instants.filter((instant) => instant <= time).length;
  const flips = model.flips.filter((flip) => flip.at === (model.at ?? instants[0]));
  const go = (/** @type {any} */ number) => attempt(() => model.setTime(number === 0 ? null : instants[number - 1]));
  const own = (/** @type {any} */ event) => {
    const time = new Date(event.target.value);
    const isTime = event.target.value && !Number.isNaN(time.getTime());
    attempt(() => model.setTime(isTime ? `${time.toISOString().slice(0, 19)}Z` : null));
  };
  const label = model.at === null ? t('Now') : formatInstant(model.at);
  const what = sideBySide(flips.map((flip) => flipWords((id) => model.nameOf(id), flip)));
  const coming = instants.length === 0 ? t('nothing is scheduled to change')
    : t('Changes to come: {count}, the next at {time}: {what}', {
      count: instants.length, time: formatInstant(instants[0]), what,
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
        value=${model.at ? localTime(model.at, ownZone) : ''}
        onChange=${own} />
    </div>
    <p class="hint"><strong>${label}</strong>
      ${model.at === null ? ` – ${coming}` : what && ` – ${what}`}</p>
  </div>`;
}
