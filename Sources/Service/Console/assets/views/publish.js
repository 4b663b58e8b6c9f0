// What a publish changes, what lint says, and the message.

import { get, post, remove } from '../lib/api.js';
import { formatInstant, ownZone, t, zonesWith } from '../lib/i18n.js';
import { Badge, Dialog, Failure, Loading, announce, attempt, html, toast, useLoad, useState } from '../lib/ui.js';
import { Places } from './conflict.js';

export const Summary = ({ sentences }) => sentences.length === 0 ? html`<p class="nothing">${t('Nothing changes for clients.')}</p>`
  : html`<ul class="summary">${sentences.map((sentence) => html`<li>${sentence}</li>`)}</ul>`;

export function Problems({ problems, nameOf }) {
  if (problems.length === 0) return html`<p class="hint">${t('No problems found.')}</p>`;
  return html`<ul class="problems">${problems.map((problem) => html`<li class=${problem.severity}>
    <${Badge} kind=${problem.severity}>${problem.severity === 'error' ? t('stops the publish') : t('note')}<//>
    ${problem.section && html`<strong>${nameOf(problem.section)}</strong>`} ${problem.detail} <code>${problem.pointer}</code></li>`)}</ul>`;
}

/** The sections that somebody changed while the dialog was open. */
function changedMeanwhile(before, after) {
  const old = new Map(before.sections.map((section) => [section.id, JSON.stringify(section)]));
  return after.sections.filter((section) => old.get(section.id) !== JSON.stringify(section)).map(({ id }) => id);
}

export function PublishDialog({ model, onClose }) {
  const [chosen, setChosen] = useState(null);
  const [message, setMessage] = useState('');
  const [when, setWhen] = useState({ isLater: false, at: '', zone: ownZone });
  const [isBusy, setBusy] = useState(false);
  const [stale, setStale] = useState(null);
  const [seen, setSeen] = useState({ draft: model.draft, tag: model.draftTag });
  const body = chosen ? { sections: [...chosen] } : {};
  const [preview, failure, reload] = useLoad(
    async () => (await post([...model.path, 'publish'], body, { ifMatch: seen.tag, query: { dryRun: true } })).value,
    [seen.tag, chosen && [...chosen].join(' ')]);
  const isUnsaved = model.isDirty;

  const publish = async () => {
    setBusy(true);
    await attempt(async () => {
      try {
        const text = message.trim();
        if (when.isLater) {
          await post([...model.path, 'scheduled'], { ...body, at: when.at, zone: when.zone, ...(text ? { message: text } : {}) }, { ifMatch: seen.tag, isOnce: true });
          toast(t('Scheduled for {time}', { time: `${when.at.replace('T', ' ')} ${when.zone}` }));
        } else {
          const { value } = await post([...model.path, 'publish'], { ...body, ...(text ? { message: text } : {}) }, { ifMatch: seen.tag, isOnce: true });
          model.latest = value.revision;
          announce(t('Published'));
          toast(t('Revision {number} is live', { number: value.revision }));
        }
        await model.reload();
        onClose();
      } catch (error) {
        if (!error.isStale) throw error;
        await model.reload();
        setStale({ by: error.body.changedBy, at: error.body.changedAt, sections: changedMeanwhile(seen.draft, model.draft) });
      }
    });
    setBusy(false);
  };
  const accept = (sections) => {
    setSeen({ draft: model.draft, tag: model.draftTag });
    if (sections) setChosen(new Set(sections));
    setStale(null);
  };
  if (stale) return html`<${Stale} model=${model} stale=${stale} seen=${seen.draft} onAccept=${accept} onClose=${onClose} />`;

  const candidates = model.draft.changed;
  const toggle = (id) => {
    const next = new Set(chosen ?? candidates);
    if (next.has(id)) next.delete(id); else next.add(id);
    setChosen(next.size === candidates.length ? null : next);
  };
  return html`<${Dialog} title=${t('Publish {page}', { page: model.draft.title })} onClose=${onClose} size="large">
    <div class="body">
      ${isUnsaved && html`<p class="banner warning" role="alert">${t('You have unsaved changes, which are not part of this publish.')}</p>`}
      ${failure && html`<${Failure} error=${failure} onRetry=${async () => { await model.reload(); accept(); reload(); }} />`}
      ${!preview && !failure && html`<${Loading} />`}
      ${preview && html`
        <h3>${t('What changes')}</h3><${Summary} sentences=${preview.summary ?? []} />
        <h3>${t('Checks')}</h3><${Problems} problems=${preview.problems ?? []} nameOf=${(id) => model.nameOf(id)} />`}
      ${candidates.length > 1 && !when.isLater && html`<details><summary>${chosen ? t('{count} of {all} changed sections', { count: chosen.size, all: candidates.length }) : t('All {all} changed sections', { all: candidates.length })}</summary>
        <ul class="checks">${candidates.map((id) => html`<li><label><input type="checkbox" checked=${!chosen || chosen.has(id)} onChange=${() => toggle(id)} /> ${model.nameOf(id)}</label></li>`)}</ul></details>`}
      <div class="form">
        <label>${t('Message')}<textarea rows="2" maxlength="500" placeholder=${t('Why, for the history')} value=${message}
          onInput=${(event) => setMessage(event.target.value)} /></label>
        <label class="check"><input type="checkbox" checked=${when.isLater} onChange=${(event) => setWhen({ ...when, isLater: event.target.checked })} /> ${t('Later, at a set time')}</label>
        ${when.isLater && html`<div class="pair">
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
function Stale({ model, stale, seen, onAccept, onClose }) {
  const [taken, setTaken] = useState(new Set(stale.sections));
  const locale = model.draft.locales[0];
  const section = (draft, id) => draft.sections.find((each) => each.id === id);
  const set = (id, isTheirs) => {
    const next = new Set(taken);
    if (isTheirs) next.add(id); else next.delete(id);
    setTaken(next);
  };
  const goOn = () => {
    const left = stale.sections.filter((id) => !taken.has(id));
    onAccept(left.length === 0 ? null : model.draft.changed.filter((id) => !left.includes(id)));
  };
  return html`<${Dialog} title=${t('The draft has changed')} onClose=${onClose} size="large">
    <div class="body">
      <p>${t('{name} changed this at {time}, after you had read it.', { name: stale.by ?? '?', time: formatInstant(stale.at) })}</p>
      ${stale.sections.length === 0 && html`<p>${t('The order, a rule or the page itself changed; no section did.')}</p>`}
      ${stale.sections.map((id) => html`<fieldset class="conflict" key=${id}><legend>${model.nameOf(id)}</legend><div class="columns">
        <label class="choice ${taken.has(id) ? '' : 'chosen'}"><span class="choice-head"><input type="radio" name=${id} checked=${!taken.has(id)} onChange=${() => set(id, false)} /> ${t('Leave it out of this publish')}</span><${Places} value=${section(seen, id)} other=${section(model.draft, id)} locale=${locale} /></label>
        <label class="choice ${taken.has(id) ? 'chosen' : ''}"><span class="choice-head"><input type="radio" name=${id} checked=${taken.has(id)} onChange=${() => set(id, true)} /> ${t('Publish their change too')}</span><${Places} value=${section(model.draft, id)} other=${section(seen, id)} locale=${locale} /></label>
      </div></fieldset>`)}
    </div>
    <footer><button onClick=${onClose}>${t('Cancel')}</button><button class="primary" onClick=${goOn}>${t('Look again')}</button></footer>
  <//>`;
}

/** What is scheduled to be published. */
export function Scheduled({ page, mayPublish }) {
  const [list, failure, reload] = useLoad(async () => (await get(['pages', page, 'scheduled'])).value.scheduled, [page]);
  if (failure) return html`<${Failure} error=${failure} onRetry=${reload} />`;
  if (!list?.length) return null;
  return html`<section class="upcoming"><h2>${t('Scheduled publishes')}</h2><ul class="cards">${list.map((entry) => html`<li key=${entry.id} class="line-card">
    <span><strong>${formatInstant(entry.at, entry.zone)}</strong> ${entry.zone} – ${entry.sections ? entry.sections.join(', ') : t('revision {number}', { number: entry.revision })}${entry.missed ? ` · ${t('not run, because history was cut')}` : ''} · ${entry.author}${entry.message ? ` · ${entry.message}` : ''}</span>
    ${mayPublish && html`<button onClick=${() => attempt(async () => { await remove(['pages', page, 'scheduled', String(entry.id)]); reload(); })}>${t('Cancel it')}</button>`}</li>`)}</ul></section>`;
}
