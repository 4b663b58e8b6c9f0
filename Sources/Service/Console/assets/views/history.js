// Every revision, what it changed, and the way back.

import {
  Badge, Check, Comparison, Confirm, Failure, Problem, Reading, Scheduled, changeWords, formatInstant, get, handOver,
  html, isEqual, liveWords, nameIn, nodesWait, options, pageSettingsOf, post, predicateWords, problemWords, put, remove,
  scheduledOf, sectionIn, t, tellEarlier, term, timesOf, toast, tryOut, useAttempt, useEffect, useLoad, useState,
  withinSection,
} from '../shared.js';
import { Collision } from './waiting.js';

/** @typedef {import('./scheduled.js').Publish} Publish */

export function HistoryView(/** @type {{page: string, setup: Setup}} */ { page, setup }) {
  const mayPublish = setup.rights.mayPublish(page);
  const [limit, setLimit] = useState(50);
  const [list, failure, reload] = useLoad(() => load(page, limit), [page, limit]);
  const [selected, setSelected] = useState(/** @type {number|null} */ (null));
  const [rollback, setRollback] = useState(/** @type {number|null} */ (null));
  const times = timesOf(list?.scheduled ?? []);
  const current = selected ?? list?.revisions[0]?.revision ?? null;
  return html`<main class="view history">
    <div class="heading"><h1>${t('History of {page}', { page })}</h1></div>
    ${list && html`<${Scheduled}
      page=${page}
      list=${list.scheduled}
      nameOf=${(id) => nameIn(list.draft, setup.kinds, id)}
      mayPublish=${mayPublish}
      onChange=${reload} />`}
    <${Reading} value=${list} failure=${failure} onRetry=${reload} />
    ${list?.revisions.length === 0 && html`<p class="nothing">${t('Nothing is published yet.')}</p>`}
    ${list && list.revisions.length > 0 && html`<div class="split">
      <ol class="revisions" aria-label=${t('Revisions')}>
        ${list.revisions.map((revision) => html`<${Entry}
          key=${revision.revision}
          revision=${revision}
          time=${times.get(revision.revision)}
          isSelected=${revision.revision === current}
          onSelect=${() => setSelected(revision.revision)} />`)}
        ${list.next && limit < 200 && html`<li><button onClick=${() => setLimit(200)}>${t('Older ones')}</button></li>`}
      </ol>
      <${Detail}
        key=${current}
        page=${page}
        kinds=${setup.kinds}
        revision=${list.revisions.find(({ revision }) => revision === current)}
        all=${list.revisions}
        time=${times.get(current ?? 0)}
        mayPublish=${mayPublish}
        mayEdit=${setup.rights.mayEdit(page)}
        onRollback=${setRollback}
        onChange=${reload} />
    </div>`}
    ${rollback && html`<${RollBack}
      page=${page}
      number=${rollback}
      time=${times.get(rollback)}
      own=${(list?.scheduled ?? []).flatMap(({ id, revision }) => revision === rollback ? id : [])}
      nameOf=${(id) => nameIn(list?.draft ?? null, setup.kinds, id)}
      onDone=${reload}
      onClose=${() => setRollback(null)} />`}
  </main>`;
}

/**
 * A revision in the list.
 * @param {{revision: Revision, time?: string, isSelected: boolean, onSelect: () => void}} props
 */
function Entry({ revision: entry, time, isSelected, onSelect }) {
  const { revision, kind, message, author, madeAt, live, pinned, source } = entry;
  return html`<li>
    <button aria-pressed=${String(isSelected)} class="revision ${isSelected ? 'selected' : ''}" onClick=${onSelect}>
      <span class="number">${revision}</span>
      <span class="names"><strong>${message ?? t('No message')}</strong>
        <span class="hint">${author} · ${formatInstant(madeAt)}</span></span>
      <span class="badges">
        ${live && html`<${Badge} kind="live">${t('live')}<//>`}
        ${time && html`<${Badge} kind="scheduled" title=${time}>${t('scheduled')}<//>`}
        ${!['publish', 'partial'].includes(kind) && html`<${Badge} kind="scheduled">
          ${term(kind)}${source ? ` ${source}` : ''}<//>`}
        ${pinned && html`<${Badge} kind="audience">${t('kept')}<//>`}</span>
    </button></li>`;
}

async function load(/** @type {string} */ page, /** @type {number} */ limit) {
  /** @type {[{value: {revisions: Revision[], next?: string}}, Publish[]]} */
  const [{ value }, scheduled] = await Promise.all([
    get(['pages', page, 'revisions'], { limit }), scheduledOf(page),
  ]);
  // Some sections are called what they are called in the draft.
  const isNamed = scheduled.some(({ revision }) => !revision);
  /** @type {Draft|null} */
  const draft = isNamed ? await get(['pages', page, 'draft']).then((read) => read.value, () => null) : null;
  return { ...value, scheduled, draft };
}

/**
 * A revision with what it changed against another one.
 * @param {{page: string, kinds: Kinds, revision: Revision, all: Revision[], time?: string, mayPublish: boolean,
 *   mayEdit: boolean, onRollback: (number: number) => void, onChange: () => void}} props
 */
function Detail({ page, kinds, revision, all, time, mayPublish, mayEdit, onRollback, onChange }) {
  const before = all.find(({ revision: number }) => number < revision.revision)?.revision;
  const [against, setAgainst] = useState(before === undefined ? '' : String(before));
  const attempt = useAttempt();
  const [loaded, failure] = useLoad(async () => {
    if (against === '') return { changes: null, states: [] };
    /** @type {(state: string) => Promise<import('./scheduled.js').Revised>} */
    const read = async (state) =>
      (await get(state === 'draft' ? ['pages', page, state] : ['pages', page, 'revisions', state])).value;
    const { value: changes } = await get(['pages', page, 'changes'], { from: against, to: revision.revision });
    return { changes, states: await Promise.all([
      read(String(revision.revision)), read(against),
    ]) };
  }, [against]);
  const { changes, states } = loaded ?? { changes: null, states: [] };
  // What is gone is called what it was.
  const nameOf = (/** @type {string} */ id) => nameIn(
    states.find(({ sections }) => sections.some((each) => each.id === id)) ?? null, kinds, id);
  const pin = () => attempt(async () => {
    const path = ['pages', page, 'revisions', String(revision.revision), 'pin'];
    if (revision.pinned) await remove(path); else await put(path, undefined);
    onChange();
  });
  /** @type {import('./compare.js').OnPutBack} */
  const putBack = (id, written) => handOver(
    id === null ? { page, settings: pageSettingsOf(written) } : { page, ...sectionIn(written, id) });
  const warnings = Array.isArray(revision.problems) ? revision.problems : [];
  const others = all.filter(({ revision: number }) => number !== revision.revision);
  return html`<section class="detail" aria-label=${t('Revision {number}', { number: revision.revision })}>
    <div class="heading"><h2>${t('Revision {number}', { number: revision.revision })}</h2>
      ${mayPublish && html`<span class="actions">
        <button onClick=${pin}>${revision.pinned ? t('Keep no longer') : t('Keep for ever')}</button>
        ${!revision.live && html`<button class="primary" onClick=${() => onRollback(revision.revision)}>
          ${time ? t('Publish it now') : t('Roll back to this')}</button>`}</span>`}</div>
    ${time && html`<p class="banner">${t('It is scheduled, and goes live at {time}.', { time })}</p>`}
    <p>${revision.message ?? t('No message')}</p>
    ${revision.withheld?.map(({ family, kind, audience }) => html`<p
      key=${`${family} ${kind}`}
      class="banner warning">${t('It withholds {kind} from: {audience}', {
        kind: kinds[family === 'items' ? 'itemKinds' : 'sectionKinds']?.[kind]?.title ?? kind,
        audience: predicateWords(audience),
      })}</p>`)}
    <p class="hint">
      ${revision.author} · ${formatInstant(revision.madeAt)} · <code>${revision.fingerprint?.slice(0, 12)}</code></p>
    <label class="compact">${t('Compared with')}${' '}
      <select value=${against} onChange=${(event) => setAgainst(event.target.value)}>
        ${options([
          ['', '–'], ...others.map(({ revision: number }) => [String(number), t('Revision {number}', { number })]),
          ['draft', t('Draft')],
        ], against)}</select></label>
    ${failure && html`<${Failure} error=${failure} />`}
    ${changes && against !== '' && html`${changes.summary.length === 0
        ? html`<p class="nothing">${t('Nothing changes for clients.')}</p>`
        : html`<ul class="summary">${changeWords(changes, nameOf).map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
      <${Comparison}
        key=${`${against} ${revision.revision}`}
        page=${page}
        kinds=${kinds}
        from=${against === 'draft' ? 'draft' : Number(against)}
        to=${revision.revision}
        onPutBack=${mayEdit ? putBack : undefined} />
      <details><summary>${t('As clients get it')}</summary>
        <pre tabindex="0">${JSON.stringify(changes.changes, null, 2)}</pre></details>`}
    ${warnings.length > 0 && html`<details><summary>${t('Notes: {count}', { count: warnings.length })}</summary>
      <ul>${warnings.map((problem) => html`
        <li>${problem.section && html`<strong>${problem.section}</strong> `}${problemWords(problem)}${' '}
          <span class="hint">${withinSection(problem)}</span></li>`)}</ul></details>`}
  </section>`;
}

/** What operators decided in a draft, in tags. */
const decidedOf = (/** @type {Draft} */ { settingsTag, orderTag, sectionTags }) => ({
  settingsTag, orderTag,
  sections: Object.fromEntries(Object.entries(sectionTags).map(([id, { settings }]) => [id, settings])),
});

/**
 * @param {{page: string, number: number, time?: string, own: number[], nameOf: (id: string) => string,
 *   onDone: () => void, onClose: () => void}} props `own` are the schedules of this very revision
 */
function RollBack({ page, number, time, own, nameOf, onDone, onClose }) {
  const [resets, setResets] = useState(false);
  const [seen, setSeen] = useState(null);
  const read = () => get(['pages', page, 'draft']);
  const [choice, setChoice] = useState(/** @type {string|null} */ (null));
  // What it meets; where that cannot be found out, the server says why it refuses it.
  const path = /** @type {const} */ (['pages', page, 'rollback']);
  const [meeting] = useState(() => tryOut(path, { revision: number }).then(({ value: { waiting = [] } }) => {
    // What it is itself stays so in either way.
    const others = waiting.filter(({ id }) => !own.includes(id));
    return others.length > 0 ? others : null;
  }, () => null));
  const [waiting] = useLoad(() => meeting, []);
  useEffect(() => { read().then(setSeen, () => {}); }, []);
  const send = (/** @type {string|null} */ tag, /** @type {Once} */ once) =>
    post(path, { revision: number, draft: resets ? 'reset' : 'keep', ...(choice ? { waiting: choice } : {}) }, {
      ifMatch: tag, once, wait: nodesWait,
    });

  /** Sets the draft back too, as it was seen; that sources fill it meanwhile is no reason to ask again. */
  const reset = async (/** @type {Once} */ once) => {
    const before = seen ?? await read();
    let { tag } = before;
    for (let attempt = 1; ; attempt += 1) {
      try { return await send(tag, once); } catch (error) {
        if (!(error instanceof Problem && error.isStale) || attempt === 20) throw error;
        const now = await read();
        const isFilled = isEqual(decidedOf(before.value), decidedOf(now.value));
        setSeen(now);
        if (!isFilled) throw error;
        ({ tag } = now);
      }
    }
  };
  const run = async (/** @type {Once} */ once) => {
    if (await meeting && !choice) throw new Error(t('Choose first what becomes of what waits.'));
    // What is not published is not touched, unless it is to go.
    const answer = await (resets ? reset(once) : send('*', once));
    tellEarlier(answer);
    toast(liveWords(answer.value));
    onDone();
  };
  return html`<${Confirm}
    title=${time ? t('Publish revision {number} now?', { number }) : t('Roll back to revision {number}?', { number })}
    action=${time ? t('Publish') : t('Roll back')}
    onConfirm=${run}
    onClose=${onClose}>
    <p>${time ? t('Clients get revision {number} at once, as a new revision. It stays scheduled for {time} as well.', {
      number, time,
    }) : t('Clients get revision {number} again, as a new revision. Nothing is deleted.', { number })}</p>
    <${Check} checked=${resets} onChange=${setResets}>
      ${t('Reset the draft as well, which drops what is not published')}<//>
    ${waiting && html`<${Collision} waiting=${waiting} nameOf=${nameOf} choice=${choice} onChoose=${setChoice} />`}
  <//>`;
}
