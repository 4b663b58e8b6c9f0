// Who the phone is for and when it is there: clients by name, the attributes one by one, and a time in their zone.

import {
  NumberInput, attempt, attributesOf, browserStorage, clientWords, folded, formatInstant, html, instantIn, languageName,
  localTime, options, readNumber, serverNow, skippedWords, t, useEffect, useLayoutEffect, useRef, useState,
  writtenNumber,
} from '../shared.js';
import { places, zoneNamed, zoneOf } from './zones.js';

/** Under which name the browser keeps the clients that were chosen last, and how many. */
const rememberedKey = 'hearth.clients';
const rememberedMax = 5;
/** How many clients are offered at once. */
const offeredMax = 8;

/** @typedef {Record<string, string>} Client */

/** @returns {Client[]} the clients that were chosen last, the latest first */
function remembered() {
  try {
    const list = JSON.parse(browserStorage.get(rememberedKey) ?? '[]');
    return Array.isArray(list) ? list.filter((each) => each && typeof each === 'object') : [];
  } catch { return []; }
}

/** Keeps what a client says, so that it is offered first from now on. */
function remember(/** @type {Client} */ client) {
  const said = Object.fromEntries(Object.entries(client).filter(([, value]) => value));
  const isSame = (/** @type {Client} */ other) => JSON.stringify(Object.entries(other).sort())
    === JSON.stringify(Object.entries(said).sort());
  const list = [said, ...remembered().filter((each) => !isSame(each))].slice(0, rememberedMax);
  browserStorage.set(rememberedKey, JSON.stringify(list));
}

/** Clients to choose from: those that were chosen last, then each locale of the page on each platform. */
function offered(/** @type {PageModel} */ model) {
  const { locales } = model.draft;
  const platforms = model.attributes.platform?.values ?? [''];
  const known = remembered().filter((client) => locales.includes(client.locale)
    && Object.keys(client).every((name) => model.attributes[name]));
  const all = locales.flatMap((locale) => platforms.map((/** @type {string} */ platform) =>
    ({ locale, ...(platform ? { platform } : {}) })));
  const isKnown = (/** @type {Client} */ client) => known.some((each) => clientWords(model, each)
    === clientWords(model, client));
  return [...known, ...all.filter((client) => !isKnown(client))].map((client) => {
    const { locale, ...rest } = client;
    const words = [languageName(locale), ...Object.values(rest)].join(' · ');
    return { client, words, text: folded(`${words} ${locale}`) };
  });
}

/**
 * The clients by name. What is typed leaves those that have all of its words; Enter takes the first.
 * @param {{model: PageModel, index: number, onChoose: (client: Client) => void}} props
 */
function Clients({ model, index, onChoose }) {
  const [text, setText] = useState('');
  const field = useRef();
  useLayoutEffect(() => field.current.focus(), []);
  const [all] = useState(() => offered(model));
  const wanted = folded(text.trim()).split(/\s+/);
  const found = all.filter((each) => wanted.every((word) => each.text.includes(word))).slice(0, offeredMax);
  const current = clientWords(model, model.clients[index]);
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    if (found[0]) onChoose(found[0].client);
  };
  return html`<label>${t('Client')}<input
      ref=${field}
      type="search"
      placeholder=${t('Find a client…')}
      value=${text}
      onKeyDown=${onKey}
      onInput=${(/** @type {FieldEvent} */ event) => setText(event.target.value)} /></label>
    <ul class="clients" aria-label=${t('Clients')}>${found.map(({ client, words }) => html`<li key=${words}><button
      type="button"
      class="link"
      aria-pressed=${String(clientWords(model, client) === current)}
      onClick=${() => onChoose(client)}>${words}</button></li>`)}
      ${found.length === 0 && html`<li class="hint">${t('None of these. Choose below what the client sends.')}</li>`}
    </ul>`;
}

/**
 * A zone by its name, or by a city or country that is typed.
 * @param {{zone: string, onChange: (zone: string) => void}} props
 */
function Zone({ zone, onChange }) {
  const [text, setText] = useState(/** @type {string|null} */ (null));
  const means = text === null ? zone : zoneNamed(text);
  // There are hundreds.
  const [isAsked, setAsked] = useState(false);
  const onFocus = (/** @type {FieldEvent} */ event) => {
    setAsked(true);
    event.target.select();
  };
  const take = () => {
    setText(null);
    if (means && means !== zone) onChange(means);
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => { if (event.key === 'Enter') take(); };
  return html`<label>${t('Zone, city or country')}<input
      list="places"
      value=${text ?? zone}
      aria-invalid=${means ? undefined : 'true'}
      onFocus=${onFocus}
      onKeyDown=${onKey}
      onBlur=${take}
      onInput=${(/** @type {FieldEvent} */ event) => setText(event.target.value)} />
    ${text !== null && html`<span class="hint" role="status">${means ?? t('No zone is called so.')}</span>`}</label>
    <datalist id="places">${isAsked && places().map(({ zone: name, words }) => html`
      <option key=${name} value=${name}>${words}</option>`)}</datalist>`;
}

/**
 * When: a local time of the client's zone.
 * @param {{model: PageModel, onZone: (zone: string) => void}} props
 */
function Time({ model, onZone }) {
  const { at, zone } = model;
  const [problem, setProblem] = useState(/** @type {string|null} */ (null));
  const set = (/** @type {string} */ local) => {
    const instant = local ? instantIn(local, zone) : null;
    setProblem(skippedWords(local, zone));
    if (!local || instant) attempt(() => model.setTime(instant));
  };
  const tomorrow = () => {
    const day = localTime(new Date(serverNow()).toISOString(), zone).slice(0, 10);
    set(`${new Date(Date.parse(`${day}T12:00Z`) + 86_400_000).toISOString().slice(0, 10)}T09:00`);
  };
  return html`<label>${t('When')}<input
      type="datetime-local"
      step="1"
      value=${at ? localTime(at, zone) : ''}
      onChange=${(/** @type {FieldEvent} */ event) => set(event.target.value)} /></label>
    ${problem && html`<p class="error" role="alert">${problem}</p>`}
    <p class="times">
      <button type="button" class="small" disabled=${at === null} onClick=${() => set('')}>${t('Now')}</button>
      <button type="button" class="small" onClick=${tomorrow}>${t('Tomorrow 9:00')}</button></p>
    <${Zone} zone=${zone} onChange=${onZone} />
    <p class="hint" role="status">${at === null ? t('It shows the present.') : formatInstant(at, zone)}</p>`;
}

/** @param {{model: PageModel, index: number}} props */
export function ClientMenu({ model, index }) {
  const client = model.clients[index];
  const names = attributesOf(model);
  /** Whether the zone is one that was chosen here: no country takes its place then. */
  const isChosen = useRef(false);
  // The clocks' time stays, and means another instant.
  const setZone = (/** @type {string} */ zone) => attempt(async () => {
    const local = model.at && localTime(model.at, model.zone);
    model.change({ zone });
    if (local) await model.setTime(instantIn(local, zone) ?? model.at);
  });
  const set = (/** @type {Client} */ patch) => attempt(async () => {
    const zone = isChosen.current ? null : zoneOf({ ...client, ...patch });
    if (zone && zone !== model.zone) await setZone(zone);
    await model.setClient(index, patch);
  });
  const latest = useRef();
  latest.current = client;
  // What was chosen here is offered first the next time.
  useEffect(() => {
    const before = latest.current;
    return () => { if (latest.current !== before) remember(latest.current); };
  }, []);
  const choose = (/** @type {Client} */ chosen) =>
    set({ ...Object.fromEntries(Object.keys(client).map((name) => [name, ''])), ...chosen });
  return html`<${Clients} model=${model} index=${index} onChoose=${choose} />
    <details class="attributes" open=${names.some((name) => !['locale', 'platform'].includes(name) && client[name])}>
      <summary>${t('What it sends')}</summary>
      <div class="form">${names.map((name) => html`<${Attribute}
        key=${name}
        name=${name}
        declaration=${model.attributes[name]}
        value=${client[name]}
        locales=${model.draft.locales}
        onChange=${(/** @type {string} */ value) => set({ [name]: value })} />`)}</div></details>
    <${Time} model=${model} onZone=${(/** @type {string} */ zone) => {
      isChosen.current = true;
      setZone(zone);
    }} />`;
}

/**
 * One attribute of a client as a form control.
 * @param {{name: string, declaration: Attribute, value?: string, locales: string[],
 *   onChange: (value: string) => void}} props
 */
function Attribute({ name, declaration, value, locales, onChange }) {
  const change = (/** @type {FieldEvent} */ event) => onChange(event.target.value);
  /** @type {Record<string, string>} */
  const labels = {
    platform: t('Platform'), appVersion: t('App version'), locale: t('Locale'), bucket: t('Bucket'),
  };
  const label = labels[name] ?? name;
  const choices = name === 'locale' ? locales : declaration.type === 'flag' ? ['true', 'false'] : declaration.values;
  if (choices) {
    return html`<label>${label}<select value=${value ?? ''} onChange=${change}>
      ${options([...name === 'locale' ? [] : [['', t('not sent')]], ...choices], value ?? '')}</select></label>`;
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
 * @param {{label: string, declaration: Attribute, value?: string, onChange: (value: string) => void}} props
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
