// What a publish changes, what lint says, and the message.

import { Unreachable, get, newKey, post } from '../lib/api.js';
import { useTyped } from '../lib/guard.js';
import { formatInstant, isSkipped, ownZone, sideBySide, skippedWords, t } from '../lib/i18n.js';
import { isEqual, merge } from '../lib/merge.js';
import { withinSection } from '../lib/pointers.js';
import { changeWords, problemWords } from '../lib/sentences.js';
import {
  Badge, Dialog, Failure, Loading, ZoneOptions, announce, explain, html, toast, useLoad, useRef, useState,
} from '../lib/ui.js';
import { Comparison } from './compare.js';
import { Choice, Places } from './conflict.js';
import { liveWords, nodesWait, problemOf } from './nodes.js';

export const Summary = (/** @type {{changes: any}} */ { changes }) => changes.summary.length === 0
  ? html`<p class="nothing">${t('Nothing changes for clients.')}</p>`
  : html`<ul class="summary">${changeWords(changes).map((sentence) => html`<li>${sentence}</li>`)}</ul>`;

export function Problems(/** @type {{problems: Trouble[], nameOf: any}} */ { problems, nameOf }) {
  if (problems.length === 0) return html`<p class="hint">${t('No problems found.')}</p>`;
  return html`<ul class="problems">${problems.map((problem) => html`<li class=${problem.severity}>
    <${Badge} kind=${problem.severity}>${problem.severity === 'error' ? t('stops the publish') : t('note')}<//>
    ${problem.section && html`<strong>${nameOf(problem.section)}</strong>`}${' '}
    ${problemWords(problem)} <span class="hint">${withinSection(problem)}</span></li>`)}</ul>`;
}

/** The sections that somebody changed while the dialog was open. */
function changedMeanwhile(/** @type {Draft} */ before, /** @type {Draft} */ after) {
  const old = new Map(before.sections.map((section) => [section.id, section]));
  const now = new Set(after.sections.map(({ id }) => id));
  const changed = after.sections.filter((section) => !isEqual(old.get(section.id), section));
  const removed = before.sections.filter(({ id }) => !now.has(id));
  return [...changed, ...removed].map(({ id }) => id);
}

/** The sections of a revision, by id. */
async function sectionsOf(/** @type {string[]} */ path, /** @type {number} */ revision) {
  const { value } = await get([...path, 'revisions', String(revision)]);
  return new Map(value.sections.map((/** @type {Section} */ section) => [section.id, section]));
}

/**
 * Those of the sections that changed of which a publish carries nothing else than before: what others changed in them
 * they have published as well, so that it is live already.
 * @param {string[]} path
 * @param {Draft} before
 * @param {Draft} now
 * @param {string[]} changed
 * @returns {Promise<Set<string>>}
 */
async function liveAlready(path, before, now, changed) {
  if (changed.length === 0 || !before.live || !now.live || before.live === now.live) return new Set();
  const revisions = [before.live, now.live].map((revision) => sectionsOf(path, revision));
  // History may be cut: then it is not known, and asked about.
  const [was, is] = await Promise.all(revisions).catch(() => [new Map(), new Map()]);
  const drafts = [before, now].map(({ sections }) => new Map(sections.map((section) => [section.id, section])));
  const isLive = (/** @type {string} */ id) => {
    const [old, current] = drafts.map((sections) => sections.get(id));
    if (!old || !current || !was.has(id) || !is.has(id) || old.index !== current.index) return false;
    // A revision says an index only where one was given.
    const bare = (/** @type {any} */ { index, ...rest }) => rest;
    const { value, conflicts } = merge(bare(was.get(id)), bare(old), bare(is.get(id)));
    return conflicts.length === 0 && isEqual(value, bare(current));
  };
  return new Set(changed.filter(isLive));
}

/** What a whole draft carries beside its sections. */
function restOf(/** @type {Record<string, any>} */ draft) {
  const { sections, changed, isChanged, live, order, orderTag, settingsTag, sectionTags, ...rest } = draft;
  return rest;
}

/**
 * What moved on between a look and the next, by the answer that said so.
 * @param {{before: any, now: Draft, error: any, sections: string[]}} given
 */
const staleBy = ({ before: { draft: seen, preview }, now, error: { body }, sections }) =>
  ({ by: body.changedBy, at: body.changedAt, sections, seen, preview, now });

/**
 * A request that publishes now or later, done once by its key however often it is sent.
 * @typedef {{path: string[], body: any, options: import('../lib/api.js').Options}} Asked
 */

/** How often a publish is asked again by itself, when nothing that it carries has moved. */
const attemptsMax = 20;

export function PublishDialog(/** @type {{model: PageModel, onClose: () => void}} */ { model, onClose }) {
  const typed = useTyped(`${model.path.join('/')} publish`, {
    message: '', when: { isLater: false, at: '', zone: ownZone }, sections: /** @type {string[]|null} */ (null),
    // What was sent by the key, and never answered: whether it was done is found out before anything is said.
    once: newKey(), sent: /** @type {Asked[]} */ ([]),
  }, onClose);
  const { message, when, once, sent } = typed.values;
  const ticked = typed.values.sections;
  const setChosen = (/** @type {Set<string>|null} */ ids) => typed.set({ sections: ids && [...ids] });
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [stale, setStale] = useState(null);
  const [refusal, setRefusal] = useState(null);
  const [round, setRound] = useState(0);
  /** What may move on until the publish, as the operator said. */
  const [following, setFollowing] = useState(new Set());
  const [isComparing, setComparing] = useState(false);
  const key = `${round} ${ticked?.join(' ')}`;

  /**
   * What a publish of a draft names: of the ticked sections those that have a change, since what was deleted or
   * published meanwhile has no box any more. What was sent and never answered is asked about as it was sent.
   * @type {(draft: {changed: string[]}) => {sections?: string[]}}
   */
  const bodyOf = ({ changed }) => {
    if (!ticked || (changed.length === 0 && sent.length === 0)) return {};
    return { sections: sent.length > 0 ? ticked : ticked.filter((id) => changed.includes(id)) };
  };

  /** What the publish comes to now, with the tag that says so; another look names what the one before did. */
  const look = async (/** @type {{sections?: string[]}|undefined} */ before = undefined) => {
    const { value: draft } = await get([...model.path, 'draft']);
    const body = before ?? bodyOf(draft);
    const options = { ifMatch: '*', query: { dryRun: true } };
    const { value: preview, tag } = await post([...model.path, 'publish'], body, options);
    return { key, body, draft, preview, tag };
  };
  const [looked, failure, reload] = useLoad(() => look(), [key]);
  const seen = looked?.key === key ? looked : null;
  const preview = seen?.preview;
  /** @type {string[]} */
  const candidates = (seen?.draft ?? model.draft).changed;
  const { sections: named } = seen?.body ?? bodyOf(model.draft);
  const chosen = named ? new Set(named) : null;
  const isUnsaved = model.isDirty;

  const send = async (/** @type {{body: {sections?: string[]}, tag: any}} */ { body, tag }) => {
    const text = message.trim();
    const request = { ...body, ...(text ? { message: text } : {}) };
    const options = { ifMatch: tag, once };
    const { at, zone } = when;
    /** @type {Asked} */
    const asked = when.isLater
      ? { path: [...model.path, 'scheduled'], body: { ...request, at, zone }, options }
      : { path: [...model.path, 'publish'], body: request, options: { ...options, wait: nodesWait } };
    typed.set({ sections: body.sections ?? null });
    const { value, done } = await doneOnce(asked, sent);
    if (done.body.at) {
      model.scheduled?.add(value.id);
      toast(t('Scheduled for {time}', { time: `${done.body.at.replace('T', ' ')} ${done.body.zone}` }));
    } else {
      model.latest = value.revision;
      announce(t('Published'));
      toast(liveWords(value));
    }
  };

  /** Whether the operator must look again: null when nothing that the publish carries moved on from what was seen. */
  const moved = async (/** @type {any} */ before, /** @type {any} */ now, /** @type {any} */ error) => {
    const carried = (/** @type {string} */ id) => !chosen || chosen.has(id);
    const changed = changedMeanwhile(before.draft, now.draft).filter((id) => carried(id) && !following.has(id));
    const live = await liveAlready(model.path, before.draft, now.draft, changed);
    const sections = changed.filter((id) => !live.has(id));
    const isRest = !chosen && !isEqual(restOf(before.draft), restOf(now.draft));
    const [told, tells] = [before, now].map(({ preview }) =>
      preview.sentences.filter((/** @type {any} */ { values }) => !live.has(values?.section)));
    // Where others published, less may be left to do; a rollback leaves more.
    const isMore = before.draft.live === now.draft.live ? !isEqual(told, tells)
      : tells.some((/** @type {any} */ sentence) => !told.some((/** @type {any} */ each) => isEqual(each, sentence)));
    return sections.length > 0 || isRest || (isMore && following.size === 0) || now.preview.isPublishable === false
      ? staleBy({ before, now: now.draft, error, sections }) : null;
  };

  const publish = async () => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setRefusal(null);
    try {
      let current = seen;
      for (let attempt = 1; ; attempt += 1) {
        try {
          await send(current);
          break;
        } catch (/** @type {any} */ error) {
          if (!error.isStale) throw error;
          const now = await look(seen.body);
          const change = await moved(seen, now, error);
          if (change || attempt === attemptsMax) {
            setStale(change ?? staleBy({ before: seen, now: now.draft, error, sections: [] }));
            return;
          }
          current = now;
        }
      }
      // It is done, whatever comes of reading it again: the model reads again by itself.
      await model.reload().catch(() => {});
      typed.done();
    } catch (/** @type {any} */ error) {
      setRefusal(error instanceof Unreachable
        ? t('No answer came, so that it is not known yet whether it was done. Try again: it is done once.')
        : explain(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  const accept = (/** @type {any} */ sections, /** @type {Set<string>} */ taken) => {
    if (sections) setChosen(new Set(sections));
    setFollowing(new Set([...following, ...taken]));
    setRound(round + 1);
    setStale(null);
  };
  if (stale) return html`<${Stale} model=${model} stale=${stale} onAccept=${accept} onClose=${typed.leave} />`;

  const toggle = (/** @type {string} */ id) => {
    const next = new Set(chosen ?? candidates);
    if (next.has(id)) next.delete(id); else next.add(id);
    setChosen(candidates.every((each) => next.has(each)) ? null : next);
  };
  const isReady = !isBusy && preview && preview.isPublishable !== false && !(chosen && chosen.size === 0)
    && !(when.isLater && (!when.at || isSkipped(when.at, when.zone)));
  const title = t('Publish {page}', { page: model.draft.title });
  return html`<${Dialog} title=${title} typed=${typed} size=${isComparing ? 'wide' : 'large'}>
    <div class="body">
      ${isUnsaved && html`<p class="banner warning" role="alert">
        ${t('You have unsaved changes, which are not part of this publish.')}</p>`}
      ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
      ${preview?.nodes?.problems.map((/** @type {{name: string, problem: string}} */ node) => html`
        <p class="banner warning" role="alert">
          ${t('Node {name} would not serve it: {problem}', { name: node.name, problem: problemOf(node) })}</p>`)}
      ${!preview && !failure && html`<${Loading} />`}
      ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
      ${preview && html`
        <h3>${t('What changes')}</h3><${Summary} changes=${preview} />
        <button type="button" aria-expanded=${String(isComparing)} onClick=${() => setComparing(!isComparing)}>
          ${t('Before and after')} ${isComparing ? '▴' : '▾'}</button>
        ${isComparing && html`<${Comparison}
          key=${key}
          page=${model.page}
          kinds=${model.kinds}
          from="live"
          to="draft"
          sections=${chosen && [...chosen]}
          client=${model.clients[0]} />`}
        <h3>${t('Checks')}</h3><${Problems} problems=${preview.problems ?? []} nameOf=${(id) => model.nameOf(id)} />`}
      ${(chosen || candidates.length > 1) && html`<${Picks}
        model=${model}
        candidates=${candidates}
        chosen=${chosen}
        onToggle=${toggle} />`}
      <div class="form">
        <label>${t('Message')}<textarea
          rows="2"
          readonly=${isBusy}
          placeholder=${t('Why, for the history')}
          value=${message}
          onInput=${(event) => typed.set({ message: event.target.value })} /></label>
        <${When} model=${model} chosen=${chosen} when=${when} onChange=${(when) => typed.set({ when })} />
      </div>
    </div>
    <footer><button onClick=${typed.leave}>${t('Cancel')}</button>
      <button class="primary" onClick=${publish} disabled=${!isReady}>
        ${when.isLater ? t('Schedule') : t('Publish')}</button></footer>
  <//>`;
}

/**
 * Sends it, once more where no answer came, and tells what was done in the end: it, or what was sent by its key before.
 * @param {Asked} asked
 * @param {Asked[]} sent takes note of it
 * @returns {Promise<{value: any, done: Asked}>}
 */
export async function doneOnce(asked, sent) {
  const send = (/** @type {Asked} */ { path, body, options }) => post(path, body, options);
  const isKnown = sent.some(({ path, body }) => isEqual([path, body], [asked.path, asked.body]));
  if (!isKnown) sent.push(asked);
  try {
    const { value } = await send(asked).catch((error) => {
      if (error instanceof Unreachable) return send(asked);
      throw error;
    });
    return { value, done: asked };
  } catch (/** @type {any} */ error) {
    // What was done by the key answers before any of these does.
    if ([404, 409, 412, 422].includes(error.status) && !/^idempotency/.test(error.code)) sent.length = 0;
    if (error.code !== 'idempotency-key-reused') throw error;
    // The key was used up: a try before, whose answer never came, had gone through.
    for (const earlier of sent) {
      const answer = await send(earlier).catch((other) => {
        if (other.code === 'idempotency-key-reused') return null;
        throw other;
      });
      if (!answer) continue;
      toast(t('The first try had gone through already, as it was sent then.'));
      return { value: answer.value, done: earlier };
    }
    throw error;
  }
}

/**
 * Which of the changed sections come along; all of them when none is chosen.
 * @param {{model: PageModel, candidates: string[], chosen: Set<string>|null, onToggle: (id: string) => void}} props
 */
function Picks({ model, candidates, chosen, onToggle }) {
  const all = candidates.length;
  return html`<details>
    <summary>${chosen ? t('{count} of {all} changed sections', { count: chosen.size, all })
      : t('All {all} changed sections', { all })}</summary>
    <ul class="checks">${candidates.map((id) => html`<li><label>
      <input type="checkbox" checked=${!chosen || chosen.has(id)} onChange=${() => onToggle(id)} />${' '}
      ${model.nameOf(id)}</label></li>`)}</ul></details>`;
}

/**
 * Whether it goes live now or later, and when.
 * @param {{model: PageModel, chosen: Set<string>|null, when: {isLater: boolean, at: string, zone: string},
 *   onChange: (when: {isLater: boolean, at: string, zone: string}) => void}} props
 */
function When({ model, chosen, when, onChange }) {
  const set = (/** @type {'at'|'zone'} */ name) => (/** @type {any} */ event) =>
    onChange({ ...when, [name]: event.target.value });
  const setLater = (/** @type {any} */ event) => onChange({ ...when, isLater: event.target.checked });
  const skipped = skippedWords(when.at, when.zone);
  return html`<label class="check">
      <input type="checkbox" checked=${when.isLater} onChange=${setLater} /> ${t('Later, at a set time')}</label>
    ${when.isLater && html`
      <p class="hint">${chosen
        ? t('At that time exactly these sections go live, as they are in the draft now: {sections}. '
          + 'All else stays as it is live then.', { sections: sideBySide([...chosen].map((id) => model.nameOf(id))) })
        : t('At that time the whole page goes live as its draft is now. What sources publish until then stays.')}</p>
      <div class="pair">
        <label>${t('Time')}
          <input type="datetime-local" step="1" required value=${when.at} onInput=${set('at')} /></label>
        <label>${t('Zone')}<select value=${when.zone} onChange=${set('zone')}>
          <${ZoneOptions} zone=${when.zone} /></select></label></div>
      ${skipped && html`<p class="error" role="alert">${skipped}</p>`}`}`;
}

/**
 * The draft changed between looking and publishing: each changed section may come along or stay behind.
 * @param {{model: PageModel, stale: any, onAccept: (...given: any[]) => any, onClose: () => void}} props
 */
function Stale({ model, stale, onAccept, onClose }) {
  const [taken, setTaken] = useState(new Set(stale.sections));
  const locale = model.draft.locales[0];
  const section = (/** @type {Draft} */ draft, /** @type {string} */ id) =>
    draft.sections.find((each) => each.id === id);
  /** What would have gone live of a section before others changed it. */
  const ownIn = (/** @type {string} */ id) => changeWords(stale.preview).filter((/** @type {string} */ _, place) =>
    stale.preview.sentences[place]?.values?.section === id);
  const set = (/** @type {string} */ id, /** @type {boolean} */ isTheirs) => {
    const next = new Set(taken);
    if (isTheirs) next.add(id); else next.delete(id);
    setTaken(next);
  };
  const goOn = () => {
    const left = stale.sections.filter((/** @type {string} */ id) => !taken.has(id));
    const carried = stale.now.changed.filter((/** @type {string} */ id) => !left.includes(id));
    onAccept(left.length === 0 ? null : carried, taken);
  };
  return html`<${Dialog} title=${t('The draft has changed')} onClose=${onClose} size="large">
    <div class="body">
      <p>${t('{name} changed this at {time}, after you had read it.', {
        name: stale.by ?? '?', time: formatInstant(stale.at),
      })}</p>
      ${stale.sections.length === 0 && html`<p>
        ${t('The order, a rule or the page itself changed; no section did.')}</p>`}
      ${stale.sections.map((/** @type {string} */ id) => html`<fieldset class="conflict" key=${id}>
        <legend>${model.nameOf(id)}</legend><div class="columns">
        <${Choice}
          name=${id}
          isChosen=${!taken.has(id)}
          title=${t('Leave it out of this publish')}
          onChoose=${() => set(id, false)}>
          <${Places} value=${section(stale.seen, id)} other=${section(stale.now, id)} locale=${locale} />
          ${ownIn(id).length > 0 && html`<p>${t('The whole section stays as it is live. Left out as well:')}</p>
            <ul>${ownIn(id).map((sentence) => html`<li>${sentence}</li>`)}</ul>`}<//>
        <${Choice}
          name=${id}
          isChosen=${taken.has(id)}
          title=${t('Publish their change too')}
          onChoose=${() => set(id, true)}>
          <${Places} value=${section(stale.now, id)} other=${section(stale.seen, id)} locale=${locale} /><//>
      </div></fieldset>`)}
    </div>
    <footer>
      <button onClick=${onClose}>${t('Cancel')}</button>
      <button class="primary" onClick=${goOn}>${t('Look again')}</button>
    </footer>
  <//>`;
}
