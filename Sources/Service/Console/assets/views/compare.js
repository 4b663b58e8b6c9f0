// Before and after: two phones side by side, and below them each place that differs, field by field.

import { read as readValue } from '../client/index.js';
import { get } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { differences as placesOf, placeKey } from '../lib/merge.js';
import { pageSettingsOf } from '../lib/past.js';
import { Failure, Loading, Tool, html, options, useEffect, useLoad, useRef, useState } from '../lib/ui.js';
import { nameIn, repeatedIn } from '../lib/words.js';
import { Phone, heightOfScreen } from '../phone/phone.js';
import { Side } from './conflict.js';
import { differences as marksOf } from './marks.js';
import { placeWords } from './value.js';

/** @typedef {import('./scheduled.js').Revised} Revised */
/** @typedef {string|number} State a revision's number, or `live`, or `draft` */
/**
 * @typedef {{payload: Payload, sections: Section[], settings: Partial<PageSettings>, written: Revised|null}} Contents
 *   a state as clients get it, and as operators wrote it
 */

/**
 * How much the phones shrink to stand beside each other, and the height that they have.
 * @param {{current: HTMLElement}} stage
 * @param {number} count
 * @param {number} screen in points
 * @param {boolean} [isWhole] whether a screen is seen as high as a device's, where there is room beside the phone
 */
export function useRoom(stage, count, screen, isWhole = false) {
  const [room, setRoom] = useState({ zoom: 1, height: 700 });
  useEffect(() => {
    const observer = new ResizeObserver(() => {
      const width = stage.current.clientWidth - 32 - (count - 1) * 20;
      // Below each phone stands what it does not show, above two of them what each is.
      const height = stage.current.clientHeight - 32 - 28 - (count - 1) * 28;
      const fits = isWhole && innerWidth > 700 ? height / (heightOfScreen(screen) + 20) : 1;
      setRoom({ zoom: Math.max(0.4, Math.min(1, width / (count * (screen + 22)), fits)), height });
    });
    observer.observe(stage.current);
    return () => observer.disconnect();
  }, [count, screen]);
  return room;
}

/**
 * Brings a section into view on each phone, or where it is not, the one above its place.
 * @param {HTMLElement} stage
 * @param {(Payload|null)[]} payloads
 * @param {string} wanted
 */
function show(stage, payloads, wanted) {
  const orders = payloads.map((payload) => payload?.sections.map(({ id }) => id) ?? []);
  stage.querySelectorAll('hearth-page').forEach((page, number) => {
    const [order, other] = [orders[number], orders[1 - number]];
    /** @type {string|undefined} */
    let id = wanted;
    while (id !== undefined && !order.includes(id)) id = other[other.indexOf(id) - 1];
    // It stays there, whatever section is selected.
    page.dispatchEvent(new Event('leave'));
    /** @type {Element & {reveal(id: string): void}} */ (page).reveal(id ?? order[0]);
  });
}

/**
 * How many sections differ, and the way from one to the next on both phones.
 * @param {{marks: Map<string, string>[], payloads: (Payload|null)[], stage: {current: HTMLElement},
 *   opensAtFirst?: boolean}} props
 */
export function Differences({ marks, payloads, stage, opensAtFirst = false }) {
  const [at, setAt] = useState(-1);
  const ids = [...new Set([...marks[0].keys(), ...marks[1].keys()])];
  const orders = payloads.map((payload) => payload?.sections.map(({ id }) => id) ?? []);
  // In the order of the phone that has it, else where it would be.
  const place = (/** @type {string} */ id) => Math.max(orders[0].indexOf(id), orders[1].indexOf(id));
  ids.sort((left, right) => place(left) - place(right));
  const go = (/** @type {number} */ step) => {
    const next = (at + step + ids.length) % ids.length;
    setAt(next);
    show(stage.current, payloads, ids[next]);
  };
  const isThere = payloads.every(Boolean) && ids.length > 0;
  useEffect(() => { if (opensAtFirst && isThere) go(0 - at); }, [isThere]);
  return html`<p class="differences" role="group" aria-label=${t('Differences')}>
    ${ids.length === 0 ? html`<span class="hint">${t('Both show the same.')}</span>` : html`
      <strong>${t('Sections that differ: {count}', { count: ids.length })}</strong>
      <${Tool} label=${t('Difference before')} class="icon framed" onClick=${() => go(at < 0 ? 0 : -1)}>↑<//>
      <${Tool} label=${t('Next difference')} class="icon framed" onClick=${() => go(1)}>↓<//>`}</p>`;
}

/**
 * A state of a page: as a client gets it, and as operators wrote it.
 * @param {string} page
 * @param {State} state
 * @param {Record<string, string>} client
 * @param {Draft} draft
 * @returns {Promise<Contents>}
 */
async function read(page, state, client, draft) {
  const revision = state === 'live' ? draft.live : state;
  if (revision === undefined) {
    return { payload: { sections: [], hidden: [], isAbsent: true }, sections: [], settings: {}, written: null };
  }
  const path = /** @type {const} */ (['pages', page]);
  /** @type {[{value: Payload}, {value: Revised}]} */
  const [{ value: payload }, { value: written }] = await Promise.all([
    get([...path, 'preview'], { ...client, revision }, { read: readValue }),
    revision === 'draft' ? { value: draft } : get([...path, 'revisions', String(revision)]),
  ]);
  // Only a draft tells the indices that nobody gave.
  const indices = written.sortRules.default?.indices ?? {};
  const sections = written.sections
    .map((section) => ({ ...section, index: indices[section.id] }));
  return { payload, sections, settings: pageSettingsOf(written), written };
}

/** What differs of two texts, marked; of other values, each as it is. */
function Sides(/** @type {{conflict: Parameters<typeof Side>[0]['conflict'], locale: string}} */ { conflict, locale }) {
  const { mine, theirs } = conflict;
  if (typeof mine !== 'string' || typeof theirs !== 'string') {
    return html`<td><${Side} conflict=${conflict} name="mine" locale=${locale} /></td>
      <td><${Side} conflict=${conflict} name="theirs" locale=${locale} /></td>`;
  }
  const [before, after] = [[...mine], [...theirs]];
  const least = Math.min(before.length, after.length);
  let start = 0;
  while (start < least && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < least - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const cut = (/** @type {string[]} */ text, /** @type {'del'|'ins'} */ tag) => {
    const tail = text.length - end;
    const middle = text.slice(start, tail).join('');
    return html`${text.slice(0, start).join('')}${middle && html`<${tag}>${middle}<//>`}${text.slice(tail).join('')}`;
  };
  return html`<td>${cut(before, 'del')}</td><td>${cut(after, 'ins')}</td>`;
}

/**
 * Each place at which a section differs, before and after, or the settings of the page; with the way to put back what
 * either side had.
 * @param {{id: string, before?: Content, after?: Content, name: string, isRepeated?: boolean, locale: string,
 *   backs: ((() => void)|null)[], onShow?: () => void}} props
 */
function Fields({ id, before, after, name, isRepeated = false, locale, backs, onShow }) {
  const places = before && after ? placesOf(before, after) : [];
  const back = (/** @type {(() => void)|null} */ action) => html`<td>${action && html`<button
    type="button"
    class="small"
    aria-label=${t('Put back: {what}', { what: name })}
    onClick=${action}>${t('Put this back')}</button>`}</td>`;
  const isBack = backs.some(Boolean);
  return html`<tbody data-section=${id}>
    <tr><th colspan=${isBack ? 1 : 3} scope="rowgroup">
      ${onShow ? html`<button type="button" class="link" onClick=${onShow}>${name}</button>${
        isRepeated && html` <code>${id}</code>`}` : name}
      ${!before && html` <span class="badge live">${t('new')}</span>`}
      ${!after && html` <span class="badge error">${t('removed')}</span>`}</th>
      ${isBack && backs.map(back)}</tr>
    ${places.map((conflict) => html`<tr key=${placeKey(conflict.path)}>
      <th scope="row">${placeWords(conflict.path, [before, after], locale)}</th>
      <${Sides} conflict=${{ ...conflict, root: before, theirRoot: after }} locale=${locale} /></tr>`)}</tbody>`;
}

/**
 * Two states of a page side by side.
 * @param {{page: string, kinds: Kinds, from: State, to: State, onPutBack?: OnPutBack}} props
 */
export function Comparison({ page, kinds, from, to, onPutBack }) {
  const stage = useRef();
  const [locale, setLocale] = useState(/** @type {string|undefined} */ (undefined));
  const [seen, failure, reload] = useLoad(async () => {
    /** @type {{value: Draft}} */
    const { value: draft } = await get(['pages', page, 'draft']);
    const client = { locale: locale ?? draft.defaultLocale };
    return { draft, states: await Promise.all([from, to].map((state) => read(page, state, client, draft))) };
  }, [page, from, to, locale]);
  if (failure) return html`<${Failure} error=${failure} onRetry=${reload} />`;
  if (!seen) return html`<${Loading} />`;
  const [before, after] = seen.states;
  const labels = [from, to].map((state) => state === 'live' ? t('Live') : state === 'draft' ? t('Draft')
    : t('Revision {number}', { number: state }));
  const wanted = locale ?? seen.draft.defaultLocale;
  return html`<div class="comparison">
    <label class="compact">${t('Locale')} <select onChange=${(event) => setLocale(event.target.value)}>
      ${options(seen.draft.locales, wanted)}</select></label>
    <${Pair} stage=${stage} states=${[before, after]} labels=${labels} />
    <${FieldTable} stage=${stage} states=${[before, after]} labels=${labels} kinds=${kinds} locale=${wanted}
      onPutBack=${(/** @type {string|null} */ what, /** @type {number} */ side) => {
    const { written } = [before, after][side];
    return [from, to][side] !== 'draft' && onPutBack && written ? () => onPutBack(what, written) : null;
  }} />
  </div>`;
}

/**
 * The two phones.
 * @param {{stage: {current: HTMLElement}, states: Contents[], labels: string[]}} props
 */
function Pair({ stage, states, labels }) {
  const screen = 375;
  // One below the other where both are too small beside each other.
  const isNarrow = innerWidth <= 700;
  const { zoom, height } = useRoom(stage, isNarrow ? 1 : 2, screen);
  const payloads = states.map(({ payload }) => payload);
  const marks = marksOf(payloads[0], payloads[1]);
  const [selected, setSelected] = useState(/** @type {string|null} */ (null));
  const select = (/** @type {string} */ id) => {
    setSelected(id);
    show(stage.current, payloads, id);
  };
  return html`<${Differences} marks=${marks} payloads=${payloads} stage=${stage} />
    <div class="phones" ref=${stage}>
      ${payloads.map((payload, number) => html`<figure key=${number}><figcaption>${labels[number]}</figcaption>
        <${Phone}
          payload=${payload}
          screen=${screen}
          zoom=${zoom}
          room=${isNarrow ? innerHeight * .7 : height}
          label=${labels[number]}
          selected=${selected}
          marks=${marks[number]}
          canDrag=${false}
          onSelect=${select}
          onMove=${() => {}} /></figure>`)}</div>`;
}

/**
 * Puts a section of a revision back, or without one the settings of the page.
 * @typedef {(section: string|null, revision: Revised) => void} OnPutBack
 */

/**
 * Every field that differs, of every section, in the order of the second state; the settings of the page first.
 * @param {{stage: {current: HTMLElement}, states: Contents[], labels: string[], kinds: Kinds, locale: string,
 *   onPutBack: (section: string|null, side: number) => (() => void)|null}} props
 */
function FieldTable({ stage, states, labels, kinds, locale, onPutBack }) {
  const [before, after] = states.map(({ sections }) => new Map(sections.map((section) => [section.id, section])));
  const ids = [...after.keys(), ...[...before.keys()].filter((id) => !after.has(id))];
  const differing = ids.filter((id) => placesOf(before.get(id), after.get(id)).length > 0);
  const nameOf = (/** @type {string} */ id) =>
    nameIn({ sections: [...states[1].sections, ...states[0].sections] }, kinds, id);
  const repeated = repeatedIn(ids.map(nameOf));
  const settings = states.map((state) => state.settings);
  const isSettings = placesOf(settings[0], settings[1]).length > 0;
  const backs = (/** @type {string} */ id) => [before, after].map((sections, side) =>
    sections.has(id) ? onPutBack(id, side) : null);
  if (differing.length === 0 && !isSettings) return html`<p class="nothing">${t('No field differs.')}</p>`;
  return html`<div class="table" tabindex="0" role="region" aria-label=${t('Fields that differ')}><table class="fields">
    <thead><tr>
      <th scope="col">${t('Field')}</th>
      ${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead>
    ${isSettings && html`<${Fields}
      key=":settings"
      id=":settings"
      before=${settings[0]}
      after=${settings[1]}
      name=${t('The page’s settings')}
      backs=${[0, 1].map((side) => onPutBack(null, side))}
      locale=${locale} />`}
    ${differing.map((id) => html`<${Fields}
      key=${id}
      id=${id}
      before=${before.get(id)}
      after=${after.get(id)}
      name=${nameOf(id)}
      isRepeated=${repeated.has(nameOf(id))}
      locale=${locale}
      backs=${backs(id)}
      onShow=${() => show(stage.current, states.map(({ payload }) => payload), id)} />`)}</table></div>`;
}
