// Several sections and a time: their changes go live then, or they are shown from or until then. What becomes of each
// is said before.

import {
  DialogForm, ScheduleField, ZoneOptions, get, html, instantIn, isEqual, keysOf, linesOf, manyPlaceOf,
  objectOf, ownZone, post, put, repeatedIn, serverNow, skippedWords, t, toast, tryOut, useLoad, useState, useTyped,
} from '../shared.js';
import { effectWords } from './changes.js';
import { Collision, TimeWords, explainDoing, timeProblem, waitingAfter } from './waiting.js';

/** What of the form a schedule field needs. */
const form = { mayEdit: true, errors: [], texts: { at: () => undefined, set: () => {} } };

/** A schedule as the server has it: what is typed are the times of its zone's clocks. */
function instants(/** @type {Schedule} */ { zone = ownZone, ...times }) {
  const known = Object.entries(times).map(([name, time]) => [name, instantIn(/** @type {string} */ (time), zone)]);
  return { zone, ...Object.fromEntries(known.filter(([, instant]) => instant)) };
}

/** @param {{model: PageModel, ids: string[], onClose: () => void}} props */
export function ScheduleTogether({ model, ids, onClose }) {
  const { draft } = model;
  const changed = keysOf(draft.changedParts).filter((key) => ids.includes(key));
  const mayPublish = model.mayPublish && draft.live !== undefined && changed.length > 0;
  const typed = useTyped(`${manyPlaceOf(model)} schedule`, {
    ids, way: mayPublish ? 'publish' : 'show', at: '', zone: ownZone,
    schedule: /** @type {Schedule|undefined} */ (undefined),
  }, onClose);
  const { way: wanted, at, zone, schedule } = typed.values;
  const way = mayPublish ? wanted : 'show';
  const [live] = useLoad(async () => draft.live
    ? (await get([...model.path, 'revisions', String(draft.live)])).value : null, [draft.live]);
  // What it meets; where that cannot be found out, the server says why it refuses it.
  const [met] = useLoad(() => mayPublish ? tryOut([...model.path, 'publish'], { sections: changed })
    .then(({ value }) => value.waiting ?? [], () => []) : Promise.resolve([]), [draft]);
  const waiting = way === 'publish' ? waitingAfter(met ?? undefined, { isLater: true, at, zone }) : null;
  const [choice, setChoice] = useState(/** @type {string|null} */ (null));
  const publish = async () => {
    const chosen = waiting && choice ? { waiting: choice } : {};
    const { value, done } = await post([...model.path, 'scheduled'], { sections: changed, at, zone, ...chosen }, {
      ifMatch: model.draftTag, once: typed.once, as: 'publish',
    });
    model.scheduled.add(value.id);
    const body = /** @type {{at: string, zone: string}} */ (done.body);
    toast(t('Scheduled for {time}', { time: `${body.at.replace('T', ' ')} ${body.zone}` }));
    await model.reload().catch(() => {});
  };
  const show = () => model.together(ids, async (id) => {
    const path = /** @type {const} */ ([...model.path, 'sections', id]);
    const { value: { id: _, index, ...settings }, tag } = await get(path);
    const { schedule: old, ...rest } = settings;
    await put(path, schedule ? { ...rest, schedule } : rest, { ifMatch: tag });
  });
  const radio = (/** @type {string} */ value, /** @type {string} */ words) => html`<label class="check">
    <input type="radio" name="way" checked=${way === value} onChange=${() => typed.set({ way: value })} />
    ${' '}${words}</label>`;
  const { zone: ofSchedule = ownZone, ...times } = schedule ?? {};
  const isThere = Object.values(times).every((time) => !skippedWords(time, ofSchedule));
  const isReady = way === 'show' ? isThere : at !== '' && !timeProblem(at, zone) && met && !(waiting && !choice);
  return html`<${DialogForm}
    title=${t('Schedule the chosen sections')}
    action=${way === 'publish' ? t('Schedule') : t('Save')}
    isReady=${isReady}
    onSubmit=${way === 'publish' ? publish : show}
    words=${explainDoing}
    typed=${typed}>
    ${model.isDirty && html`<p class="banner warning" role="alert">
      ${t('You have unsaved changes, which are not part of this.')}</p>`}
    ${mayPublish && html`<fieldset class="ways"><legend>${t('At that time')}</legend>
      ${radio('publish', t('Their changes go live; what is live stays until then'))}
      ${radio('show', t('They are shown, or no longer'))}</fieldset>`}
    ${way === 'publish' ? html`<label>${t('Time')}<input
          type="datetime-local"
          step="1"
          required
          autofocus
          value=${at}
          onInput=${(/** @type {FieldEvent} */ event) => typed.set({ at: event.target.value })} /></label>
        <label>${t('Zone')}<select onChange=${(event) => typed.set({ zone: event.target.value })}>
          <${ZoneOptions} zone=${zone} /></select></label>
      <${TimeWords} at=${at} zone=${zone} />`
      : html`<${ScheduleField}
        form=${form}
        value=${schedule}
        pointer="/schedule"
        onChange=${(value) => typed.set({ schedule: value })} />
      <p class="hint">${t('Without a time, what they have is taken off.')}</p>`}
    <${Outcome} model=${model} ids=${ids} changed=${changed} live=${live} way=${way} at=${at} zone=${zone}
      schedule=${schedule} />
    ${waiting && html`<${Collision} waiting=${waiting} nameOf=${(/** @type {string} */ id) => model.nameOf(id)}
      choice=${choice} onChoose=${setChoice} />`}
  <//>`;
}

/**
 * What becomes of each section until then, and then.
 * @param {{model: PageModel, ids: string[], changed: string[], live: RevisionDetail|null, way: string,
 *   at: string, zone: string, schedule: Schedule|undefined}} props
 */
function Outcome({ model, ids, changed, live, way, at, zone, schedule }) {
  const given = schedule && instants(schedule);
  const isLater = Date.parse(given?.from ?? '') > serverNow();
  const lines = linesOf({ draft: model.draft, live, keys: ids, said: [], problems: [] });
  const words = (/** @type {import('../lib/changes.js').Line} */ line) => {
    if (way === 'publish' && !changed.includes(line.key)) return t('nothing of it waits to go live');
    if (way === 'publish') {
      return [
        line.before && !objectOf(line.before).hidden ? t('stays until then as it is live') : t('not shown until then'),
        effectWords(line, { isLater: true, at, zone }, true).words,
      ].join(' · ');
    }
    const { schedule: old, ...rest } = objectOf(line.after);
    const shown = { ...line, after: given ? { ...rest, schedule: given } : rest };
    if (isEqual(shown.before, shown.after)) return t('stays as it is live');
    return effectWords(shown, { isLater: false, at: '', zone }, true).words;
  };
  const repeated = repeatedIn(model.order.map((id) => model.nameOf(id)));
  const name = (/** @type {string} */ id) => html`<strong>${model.nameOf(id)}</strong>${
    repeated.has(model.nameOf(id)) && html` <code>${id}</code>`}`;
  return html`${way === 'show' && isLater && html`<p class="banner warning" role="status">
      ${t('Once this is published, users do not see these sections until then.')}${' '}
      ${t('To keep what is live until then, have their changes go live at that time instead.')}</p>`}
    ${way === 'show' && html`<p class="hint">${t('Once this is published:')}</p>`}
    <ul class="outcome">${lines.map((line) => html`<li key=${line.key}>
      ${name(line.key)}${live !== null && (way === 'show' || at) ? ` – ${words(line)}` : ''}</li>`)}</ul>`;
}
