// What a publish changes, what lint says, and the message.

import { Unreachable, get, newKey, post, remove } from '../lib/api.js';
import { formatInstant, ownZone, t, zonesWith } from '../lib/i18n.js';
import { isEqual } from '../lib/merge.js';
import { changeWords, problemWords } from '../lib/sentences.js';
import { Badge, Dialog, Failure, Loading, announce, attempt, explain, html, toast, useLoad, useRef, useState } from '../lib/ui.js';
import { Comparison } from './compare.js';
import { Places } from './conflict.js';
import { liveWords, nodesWait } from './nodes.js';

export const Summary = (/** @type {{changes: any}} */ { changes }) => changes.summary.length === 0 ? html`<p class="nothing">${t('Nothing changes for clients.')}</p>`
  : html`<ul class="summary">${changeWords(changes).map((sentence) => html`<li>${sentence}</li>`)}</ul>`;

export function Problems(/** @type {{problems: Trouble[], nameOf: any}} */ { problems, nameOf }) {
  if (problems.length === 0) return html`<p class="hint">${t('No problems found.')}</p>`;
  return html`<ul class="problems">${problems.map((problem) => html`<li class=${problem.severity}>
    <${Badge} kind=${problem.severity}>${problem.severity === 'error' ? t('stops the publish') : t('note')}<//>
    ${problem.section && html`<strong>${nameOf(problem.section)}</strong>`} ${problemWords(problem)} <code>${problem.pointer}</code></li>`)}</ul>`;
}

/** The sections that somebody changed while the dialog was open. */
function changedMeanwhile(/** @type {any} */ before, /** @type {any} */ after) {
  const old = new Map(before.sections.map((/** @type {any} */ section) => [section.id, section]));
  const now = new Set(after.sections.map((/** @type {{id: string}} */ { id }) => id));
  return [...after.sections.filter((/** @type {any} */ section) => !isEqual(old.get(section.id), section)).map((/** @type {{id: string}} */ { id }) => id),
    ...before.sections.map((/** @type {{id: string}} */ { id }) => id).filter((/** @type {string} */ id) => !now.has(id))];
}

/** What a whole draft carries beside its sections. */
const restOf = (/** @type {Record<string, any>} */ { sections, changed, isChanged, live, order, orderTag, settingsTag, sectionTags, ...rest }) => rest;

/** How often a publish is asked again by itself, when nothing that it carries has moved. */
const attemptsMax = 20;

export function PublishDialog(/** @type {{model: PageModel, onClose: () => void}} */ { model, onClose }) {
  const [chosen, setChosen] = useState(null);
  const [message, setMessage] = useState('');
  const [when, setWhen] = useState({ isLater: false, at: '', zone: ownZone });
  const [isBusy, setBusy] = useState(false);
  const [stale, setStale] = useState(null);
  const [refusal, setRefusal] = useState(null);
  const [round, setRound] = useState(0);
  /** What may move on until the publish, as the operator said. */
  const [following, setFollowing] = useState(new Set());
  const once = useRef(newKey());
  const [isComparing, setComparing] = useState(false);
  const body = chosen ? { sections: [...chosen] } : {};
  const key = `${round} ${chosen && [...chosen].join(' ')}`;

  /** What the publish comes to now, with the tag that says so. */
  const look = async () => {
    const { value: draft } = await get([...model.path, 'draft']);
    const { value: preview, tag } = await post([...model.path, 'publish'], body, { ifMatch: '*', query: { dryRun: true } });
    return { key, draft, preview, tag };
  };
  const [looked, failure, reload] = useLoad(look, [key]);
  const seen = looked?.key === key ? looked : null;
  const preview = seen?.preview;
  const isUnsaved = model.isDirty;

  const send = async (/** @type {{tag: any}} */ { tag }) => {
    const text = message.trim();
    const request = { ...body, ...(text ? { message: text } : {}) };
    if (when.isLater) {
      await post([...model.path, 'scheduled'], { ...request, at: when.at, zone: when.zone }, { ifMatch: tag, once: once.current });
      toast(t('Scheduled for {time}', { time: `${when.at.replace('T', ' ')} ${when.zone}` }));
    } else {
      const { value } = await post([...model.path, 'publish'], request, { ifMatch: tag, once: once.current, wait: nodesWait });
      model.latest = value.revision;
      announce(t('Published'));
      toast(liveWords(value));
    }
  };

  /** Whether the operator must look again: null when nothing that the publish carries moved on from what was seen. */
  const moved = (/** @type {any} */ before, /** @type {any} */ now, /** @type {any} */ error) => {
    const carried = (/** @type {string} */ id) => !chosen || chosen.has(id);
    const sections = changedMeanwhile(before.draft, now.draft).filter((id) => carried(id) && !following.has(id));
    const isRest = !chosen && !isEqual(restOf(before.draft), restOf(now.draft));
    const isOther = following.size === 0 && !isEqual(before.preview.summary, now.preview.summary);
    return sections.length > 0 || isRest || isOther || now.preview.isPublishable === false
      ? { by: error.body.changedBy, at: error.body.changedAt, sections, seen: before.draft, now: now.draft } : null;
  };

  const publish = async () => {
    setBusy(true);
    setRefusal(null);
    try {
      let current = seen;
      for (let attempt = 1; ; attempt += 1) {
        try {
          await send(current);
          break;
        } catch (/** @type {any} */ error) {
          // Whether an answer that never came was a yes is found out by asking once more with the same key.
          if (!(error instanceof Unreachable)) once.current = newKey();
          if (!error.isStale) throw error;
          const now = await look();
          const change = moved(seen, now, error);
          if (change || attempt === attemptsMax) {
            setStale(change ?? { by: error.body.changedBy, at: error.body.changedAt, sections: [], seen: seen.draft, now: now.draft });
            return;
          }
          current = now;
        }
      }
      await model.reload();
      onClose();
    } catch (/** @type {any} */ error) { setRefusal(explain(error)); } finally { setBusy(false); }
  };
  const accept = (/** @type {any} */ sections, /** @type {Set<string>} */ taken) => {
    if (sections) setChosen(new Set(sections));
    setFollowing(new Set([...following, ...taken]));
    setRound(round + 1);
    setStale(null);
  };
  if (stale) return html`<${Stale} model=${model} stale=${stale} onAccept=${accept} onClose=${onClose} />`;

  const candidates = (seen?.draft ?? model.draft).changed;
  const toggle = (/** @type {string} */ id) => {
    const next = new Set(chosen ?? candidates);
    if (next.has(id)) next.delete(id); else next.add(id);
    setChosen(next.size === candidates.length ? null : next);
  };
  return html`<${Dialog} title=${t('Publish {page}', { page: model.draft.title })} onClose=${onClose} size=${isComparing ? 'wide' : 'large'}>
    <div class="body">
      ${isUnsaved && html`<p class="banner warning" role="alert">${t('You have unsaved changes, which are not part of this publish.')}</p>`}
      ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
      ${preview?.nodes?.problems.map((/** @type {{name: string, problem: string}} */ node) => html`<p class="banner warning" role="alert">${t('Node {name} would not serve it: {problem}', node)}</p>`)}
      ${!preview && !failure && html`<${Loading} />`}
      ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
      ${preview && html`
        <h3>${t('What changes')}</h3><${Summary} changes=${preview} />
        <button type="button" aria-expanded=${String(isComparing)} onClick=${() => setComparing(!isComparing)}>${t('Before and after')} ${isComparing ? '▴' : '▾'}</button>
        ${isComparing && html`<${Comparison} key=${key} page=${model.page} kinds=${model.kinds} from="live" to="draft" sections=${chosen && [...chosen]} client=${model.clients[0]} />`}
        <h3>${t('Checks')}</h3><${Problems} problems=${preview.problems ?? []} nameOf=${(id) => model.nameOf(id)} />`}
      ${candidates.length > 1 && html`<details><summary>${chosen ? t('{count} of {all} changed sections', { count: chosen.size, all: candidates.length }) : t('All {all} changed sections', { all: candidates.length })}</summary>
        <ul class="checks">${candidates.map((/** @type {string} */ id) => html`<li><label><input type="checkbox" checked=${!chosen || chosen.has(id)} onChange=${() => toggle(id)} /> ${model.nameOf(id)}</label></li>`)}</ul></details>`}
      <div class="form">
        <label>${t('Message')}<textarea rows="2" maxlength="500" placeholder=${t('Why, for the history')} value=${message}
          onInput=${(event) => setMessage(event.target.value)} /></label>
        <label class="check"><input type="checkbox" checked=${when.isLater} onChange=${(event) => setWhen({ ...when, isLater: event.target.checked })} /> ${t('Later, at a set time')}</label>
        ${when.isLater && html`<p class="hint">${chosen ? t('At that time exactly these sections go live, as they are in the draft now: {sections}. All else stays as it is live then.', { sections: [...chosen].map((id) => model.nameOf(id)).join(', ') })
          : t('At that time the whole page goes live as its draft is now. What sources publish until then stays.')}</p><div class="pair">
          <label>${t('Time')}<input type="datetime-local" step="1" required value=${when.at} onInput=${(event) => setWhen({ ...when, at: event.target.value })} /></label>
          <label>${t('Zone')}<select value=${when.zone} onChange=${(event) => setWhen({ ...when, zone: event.target.value })}>
            ${zonesWith(ownZone).map((zone) => html`<option value=${zone} selected=${zone === when.zone}>${zone}</option>`)}</select></label></div>`}
      </div>
    </div>
    <footer><button onClick=${onClose}>${t('Cancel')}</button>
      <button class="primary" onClick=${publish}
        disabled=${isBusy || !preview || preview.isPublishable === false || (chosen && chosen.size === 0) || (when.isLater && !when.at)}>
        ${when.isLater ? t('Schedule') : t('Publish')}</button></footer>
  <//>`;
}

/** The draft changed between looking and publishing: each changed section may come along or stay behind. */
function Stale(/** @type {{model: PageModel, stale: any, onAccept: (...given: any[]) => any, onClose: () => void}} */ { model, stale, onAccept, onClose }) {
  const [taken, setTaken] = useState(new Set(stale.sections));
  const locale = model.draft.locales[0];
  const section = (/** @type {Draft} */ draft, /** @type {string} */ id) => draft.sections.find((each) => each.id === id);
  const set = (/** @type {string} */ id, /** @type {boolean} */ isTheirs) => {
    const next = new Set(taken);
    if (isTheirs) next.add(id); else next.delete(id);
    setTaken(next);
  };
  const goOn = () => {
    const left = stale.sections.filter((/** @type {string} */ id) => !taken.has(id));
    onAccept(left.length === 0 ? null : stale.now.changed.filter((/** @type {string} */ id) => !left.includes(id)), taken);
  };
  return html`<${Dialog} title=${t('The draft has changed')} onClose=${onClose} size="large">
    <div class="body">
      <p>${t('{name} changed this at {time}, after you had read it.', { name: stale.by ?? '?', time: formatInstant(stale.at) })}</p>
      ${stale.sections.length === 0 && html`<p>${t('The order, a rule or the page itself changed; no section did.')}</p>`}
      ${stale.sections.map((/** @type {string} */ id) => html`<fieldset class="conflict" key=${id}><legend>${model.nameOf(id)}</legend><div class="columns">
        <label class="choice ${taken.has(id) ? '' : 'chosen'}"><span class="choice-head"><input type="radio" name=${id} checked=${!taken.has(id)} onChange=${() => set(id, false)} /> ${t('Leave it out of this publish')}</span><${Places} value=${section(stale.seen, id)} other=${section(stale.now, id)} locale=${locale} /></label>
        <label class="choice ${taken.has(id) ? 'chosen' : ''}"><span class="choice-head"><input type="radio" name=${id} checked=${taken.has(id)} onChange=${() => set(id, true)} /> ${t('Publish their change too')}</span><${Places} value=${section(stale.now, id)} other=${section(stale.seen, id)} locale=${locale} /></label>
      </div></fieldset>`)}
    </div>
    <footer><button onClick=${onClose}>${t('Cancel')}</button><button class="primary" onClick=${goOn}>${t('Look again')}</button></footer>
  <//>`;
}

/** What is scheduled to be published. */
export function Scheduled(/** @type {{page: any, mayPublish: boolean}} */ { page, mayPublish }) {
  const [list, failure, reload] = useLoad(async () => (await get(['pages', page, 'scheduled'])).value.scheduled, [page]);
  if (failure) return html`<${Failure} error=${failure} onRetry=${reload} />`;
  if (!list?.length) return null;
  return html`<section class="upcoming"><h2>${t('Scheduled publishes')}</h2><ul class="cards">${list.map((/** @type {any} */ entry) => html`<li key=${entry.id} class="line-card">
    <span><strong>${formatInstant(entry.at, entry.zone)}</strong> ${entry.zone} – ${entry.sections ? entry.sections.join(', ') : t('revision {number}', { number: entry.revision })}${entry.missed ? ` · ${t('not run, because history was cut')}` : ''} · ${entry.author}${entry.message ? ` · ${entry.message}` : ''}</span>
    ${mayPublish && html`<button onClick=${() => attempt(async () => { await remove(['pages', page, 'scheduled', String(entry.id)]); reload(); })}>${t('Cancel it')}</button>`}</li>`)}</ul></section>`;
}
