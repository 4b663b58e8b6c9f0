// What is to change on all pages, by week and by month, in the clocks of a zone.

import { addDays, addMonths, dayOf, daysOf, isShifted } from '../lib/days.js';
import {
  Failure, Loading, ZoneOptions, allPages, browserStorage, flipWords, formatInstant, get, html, language, nameIn,
  options, ownZone, serverNow, sideBySide, t, useLoad, useState,
} from '../shared.js';

/**
 * @typedef {object} Entry
 * @property {{id: string, title: string}} page
 * @property {Flip} flip
 * @property {(id: string) => string} nameOf
 * @property {boolean} isDraft whether it happens only if the draft is published
 * @property {boolean} isLive whether the draft has it no more
 */

/** How long it is until everything is asked for again, in milliseconds: that is two timelines a page, and drafts. */
const lookAgain = 5_000;

/** @type {Map<string, {tag: string|null, value: Draft}>} the drafts as they were read last, for their names */
const drafts = new Map();

/** What operators call the sections of a page; by their ids where its draft cannot be read. */
async function namesOf(/** @type {string} */ page, /** @type {Kinds} */ kinds) {
  const known = drafts.get(page);
  const draft = await get(['pages', page, 'draft'], {}, { ifNoneMatch: known?.tag })
    .then(({ status, value, tag }) => status === 304 && known ? known : { value, tag }, () => null);
  if (draft) drafts.set(page, draft);
  return (/** @type {string} */ id) => nameIn(draft?.value ?? null, kinds, id);
}

/** What tells one flip of a page from another. */
const keyOf = (/** @type {Flip} */ { at, what, section, item, rule }) =>
  JSON.stringify([at, what, section, item, rule]);

/**
 * What changes from a day on, and what only the draft would change, of every page that the token reaches.
 * @param {string} day
 * @param {Kinds} kinds
 * @returns {Promise<Entry[]>}
 */
async function load(day, kinds) {
  const pages = await allPages();
  // No zone's day begins more than a day before that of UTC.
  const at = `${addDays(day, -1)}T00:00:00Z`;
  const lists = await Promise.all(pages.map(async (page) => {
    const read = (/** @type {string} */ revision) => get(['pages', page.id, 'timeline'], { at, revision });
    const [decided, draft] = await Promise.all([read('live'), read('draft')]);
    const [known, drafted] = [decided, draft].map(({ value }) => new Set(value.flips.map(keyOf)));
    const flips = [
      ...decided.value.flips.map((/** @type {Flip} */ flip) => ({
        flip, isDraft: false, isLive: flip.what !== 'publishes' && !drafted.has(keyOf(flip)),
      })),
      ...draft.value.flips.filter((/** @type {Flip} */ flip) => flip.what !== 'publishes' && !known.has(keyOf(flip)))
        .map((/** @type {Flip} */ flip) => ({ flip, isDraft: true, isLive: false })),
    ];
    if (flips.length === 0) return [];
    const nameOf = await namesOf(page.id, kinds);
    return flips.map((flip) => ({ page, nameOf, ...flip }));
  }));
  return lists.flat().sort((left, right) => left.flip.at < right.flip.at ? -1 : left.flip.at > right.flip.at ? 1 : 0);
}

/** A day in words, whatever the zone: it is one already. */
const dayWords = (/** @type {string} */ day, /** @type {Intl.DateTimeFormatOptions} */ style) =>
  new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' }).format(new Date(`${day}T00:00:00Z`));

const clock = /** @type {Intl.DateTimeFormatOptions} */ ({ hour: 'numeric', minute: '2-digit' });
const clockOfZone = /** @type {Intl.DateTimeFormatOptions} */ ({ ...clock, timeZoneName: 'short' });

/** Whether a text of the address names a day that there is. */
const isDay = (/** @type {string} */ text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

/**
 * The address says what is shown, so that the way back from a phone leads to it.
 * @param {{setup: Setup, span?: string, day?: string}} props
 */
export function CalendarView({ setup, span: wanted, day }) {
  const [zone, setZone] = useState(browserStorage.get('hearth.zone') ?? ownZone);
  const span = wanted === 'week' ? 'week' : 'month';
  // The browser's clock may be wrong.
  const today = dayOf(new Date(serverNow()).toISOString(), zone);
  const shown = day && isDay(day) ? day : today;
  const show = (/** @type {string[]} */ ...place) => { location.hash = `#/${['calendar', ...place].join('/')}`; };
  const days = daysOf(shown, span);
  const [loaded, failure, reload] = useLoad(async () => ({ first: days[0], entries: await load(days[0], setup.kinds) }),
    [days[0]], lookAgain);
  // What was read for other days says too little of these: that nothing changes is not known yet.
  const isRead = loaded?.first === days[0];
  const step = (/** @type {number} */ count) =>
    show(span, span === 'week' ? addDays(shown, 7 * count) : addMonths(shown, count));
  const chooseZone = (/** @type {FieldEvent} */ event) => {
    browserStorage.set('hearth.zone', event.target.value);
    setZone(event.target.value);
  };
  /** @type {Map<string, Entry[]>} */
  const byDay = new Map(days.map((day) => [day, []]));
  for (const entry of loaded?.entries ?? []) byDay.get(dayOf(entry.flip.at, zone))?.push(entry);
  const title = span === 'month' ? dayWords(shown, { year: 'numeric', month: 'long' })
    : `${dayWords(days[0], { dateStyle: 'medium' })} – ${dayWords(days[6], { dateStyle: 'medium' })}`;
  const weeks = Array.from({ length: days.length / 7 }, (_, number) => days.slice(number * 7, number * 7 + 7));
  return html`<main class="view calendar">
    <div class="heading"><h1>${t('Calendar')}</h1><h2 aria-live="polite">${title}</h2>
      <span class="actions">
        <button
          class="icon framed"
          aria-label=${span === 'week' ? t('The week before') : t('The month before')}
          onClick=${() => step(-1)}>‹</button>
        <button onClick=${() => show(span)}>${t('Today')}</button>
        <button
          class="icon framed"
          aria-label=${span === 'week' ? t('The week after') : t('The month after')}
          onClick=${() => step(1)}>›</button>
        <label class="compact"><span class="sr-only">${t('Span')}</span>
          <select onChange=${(event) => show(event.target.value, ...day ? [shown] : [])}>
            ${options([['month', t('Month')], ['week', t('Week')]], span)}</select></label>
        <label class="compact"><span class="sr-only">${t('Zone')}</span><select onChange=${chooseZone}>
          <${ZoneOptions} zone=${zone} /></select></label>
      </span></div>
    <p class="hint">${t('All times are those of {zone}.', { zone })}</p>
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    <div class="table" tabindex="0" role="region" aria-label=${`${title}, ${zone}`}><table class="days ${span}">
      <thead><tr>${weeks[0].map((day) => html`
        <th scope="col">${dayWords(day, { weekday: 'short' })}</th>`)}</tr></thead>
      <tbody>${weeks.map((week) => html`<tr key=${week[0]}>${week.map((day) => html`<${Day}
        key=${day}
        day=${day}
        entries=${byDay.get(day)}
        zone=${zone}
        isToday=${day === today}
        isOutside=${span === 'month' && day.slice(0, 7) !== shown.slice(0, 7)} />`)}</tr>`)}</tbody>
    </table></div>
    ${!isRead && !failure && html`<${Loading} />`}
    ${isRead && ![...byDay.values()].some((list) => list.length > 0) && html`<p class="nothing" role="status">
      ${t('Nothing changes in these days.')}</p>`}
  </main>`;
}

/** The ids of the sections that it is about. */
const idsOf = (/** @type {Flip} */ { section, sections }) => sections ?? (section ? [section] : []);

/** @param {{day: string, entries?: Entry[], zone: string, isToday: boolean, isOutside: boolean}} props */
function Day({ day, entries, zone, isToday, isOutside }) {
  // Where the clocks are put back, a time alone may be either of two.
  const style = entries && entries.length > 0 && isShifted(day, zone) ? clockOfZone : clock;
  return html`<td data-day=${day} class="${isToday ? 'today' : ''} ${isOutside ? 'outside' : ''}">
    <time
      datetime=${day}
      data-words=${dayWords(day, { weekday: 'short', month: 'short', day: 'numeric' })}
      aria-label=${dayWords(day, { dateStyle: 'full' })}
      aria-current=${isToday ? 'date' : undefined}>${Number(day.slice(8))}</time>
    <ul>${entries?.map(({ page, flip, nameOf, isDraft, isLive }) => html`<li><a
      class="${flip.what} ${isDraft ? 'draft' : ''}"
      href="#/pages/${encodeURIComponent(page.id)}/at/${flip.at}${isLive ? '/live' : ''}"
      title=${formatInstant(flip.at, zone)}>
      <b>${formatInstant(flip.at, zone, style)}</b> ${t('{page}: {what}', {
        page: page.title, what: flipWords(nameOf, flip),
      })} ${idsOf(flip).length > 0 && html`<code>${sideBySide(idsOf(flip))}</code>`}${' '}
      ${isDraft && html`<em>${t('In the draft, not published')}</em>`}</a></li>`)}</ul>
  </td>`;
}
