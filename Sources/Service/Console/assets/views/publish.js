// What a publish changes, what lint says, and the message.

import { Unreachable, get, newKey, post } from '../lib/api.js';
import { useTyped } from '../lib/guard.js';
import { formatInstant, isSkipped, localTime, ownZone, skippedWords, t } from '../lib/i18n.js';
import { isEqual, merge } from '../lib/merge.js';
import { carriedRest, keysOf, partWords, partsOf, partsWords, waitingByKey } from '../lib/parts.js';
import { withinSection } from '../lib/pointers.js';
import { changeWords, problemWords } from '../lib/sentences.js';
import {
  Badge, Dialog, Failure, Loading, ZoneOptions, announce, explain, html, toast, useLoad, useRef, useState,
} from '../lib/ui.js';
import { Comparison } from './compare.js';
import { Choice, Places } from './conflict.js';
import { liveWords, nodesWait, problemOf } from './nodes.js';

/** @typedef {import('../lib/parts.js').Parts} Parts */
/** @typedef {import('../lib/parts.js').Waiting} Waiting */

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
  const setChosen = (/** @type {Set<string>} */ keys) => typed.set({ sections: [...keys] });
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  const [stale, setStale] = useState(null);
  const [refusal, setRefusal] = useState(null);
  /** What waits for a time of what was to go live, as the server has answered. */
  const [refused, setRefused] = useState(/** @type {Waiting[]|null} */ (null));
  const [choice, setChoice] = useState(/** @type {string|null} */ (null));
  const [round, setRound] = useState(0);
  /** What may move on until the publish, as the operator said. */
  const [following, setFollowing] = useState(new Set());
  const [isComparing, setComparing] = useState(false);
  const key = `${round} ${ticked?.join(' ')}`;
  const path = [...model.path, 'publish'];
  const tryOut = async (/** @type {Parts} */ body) => {
    const { value, tag } = await post(path, body, { ifMatch: '*', query: { dryRun: true } });
    return { preview: value, tag };
  };

  /**
   * What the publish comes to now, with the tag that says so; another look names what the one before did. What nobody
   * has ticked or unticked goes live, but for what waits in a schedule. A page that was never live goes live whole.
   * @param {Parts} [before]
   */
  const look = async (before) => {
    const { value: draft } = await get([...model.path, 'draft']);
    const all = keysOf(draft.changedParts);
    if (!draft.live || all.length === 0) {
      const body = before ?? (sent.length > 0 && ticked ? partsOf(ticked) : {});
      return { key, draft, all: [], waits: new Map(), keys: null, body, ...await tryOut(body) };
    }
    const whole = await tryOut(partsOf(all));
    const waits = waitingByKey(whole.preview.waiting);
    const keys = before ? keysOf(before)
      : ticked ? ticked.filter((each) => sent.length > 0 || all.includes(each))
      : all.filter((each) => !waits.has(each));
    const body = partsOf(keys);
    // Nothing is ticked: there is nothing to look at.
    if (keys.length === 0) return { key, draft, all, waits, keys, body, preview: null, tag: null };
    const isAll = isEqual([...keys].sort(), [...all].sort());
    return { key, draft, all, waits, keys, body, ...isAll ? whole : await tryOut(body) };
  };
  const [looked, failure, reload] = useLoad(() => look(), [key]);
  const seen = looked?.key === key ? looked : null;
  const preview = seen?.preview;
  // What was looked at last stands while the next look is under way.
  /** @type {string[]} */
  const candidates = looked?.all ?? [];
  /** @type {Set<string>|null} */
  const chosen = looked?.keys
    ? new Set(ticked ? ticked.filter((each) => candidates.includes(each)) : looked.keys) : null;
  const waiting = refused ?? (when.isLater ? null : preview?.waiting ?? null);
  const isUnsaved = model.isDirty;

  const send = async (/** @type {{body: Parts, keys: string[]|null, tag: any}} */ { body, keys, tag }) => {
    const text = message.trim();
    const request = { ...body, ...(text ? { message: text } : {}), ...(choice ? { waiting: choice } : {}) };
    const options = { ifMatch: tag, once };
    const { at, zone } = when;
    /** @type {Asked} */
    const asked = when.isLater
      ? { path: [...model.path, 'scheduled'], body: { ...request, at, zone }, options }
      : { path, body: request, options: { ...options, wait: nodesWait } };
    typed.set({ sections: keys });
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
    const isRest = !isEqual(carriedRest(before.draft, chosen), carriedRest(now.draft, chosen));
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
      if (error.code === 'waits-in-schedule') {
        setRefused(error.body.waiting);
        setChoice(null);
        return;
      }
      setRefusal(error instanceof Unreachable
        ? t('No answer came, so that it is not known yet whether it was done. Try again: it is done once.')
        : explain(error));
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  const accept = (/** @type {string[]} */ left, /** @type {Set<string>} */ taken) => {
    if (chosen && left.length > 0) setChosen(new Set([...chosen].filter((each) => !left.includes(each))));
    setFollowing(new Set([...following, ...taken]));
    setRound(round + 1);
    setStale(null);
  };
  if (stale) return html`<${Stale} model=${model} stale=${stale} onAccept=${accept} onClose=${typed.leave} />`;

  const toggle = (/** @type {string} */ id) => {
    const next = new Set(chosen ?? candidates);
    if (next.has(id)) next.delete(id); else next.add(id);
    setRefused(null);
    setChoice(null);
    setChosen(next);
  };
  const isReady = !isBusy && preview && preview.isPublishable !== false && !(waiting && !choice)
    && !(when.isLater && (!when.at || isSkipped(when.at, when.zone)));
  const title = t('Publish {page}', { page: model.draft.title });
  return html`<${Dialog} title=${title} typed=${typed} size=${isComparing ? 'wide' : 'large'}>
    <div class="body">
      ${isUnsaved && html`<p class="banner warning" role="alert">
        ${t('You have unsaved changes, which are not part of this publish.')}</p>`}
      <div class="outcome">${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
      ${preview?.nodes?.problems.map((/** @type {{name: string, problem: string}} */ node) => html`
        <p class="banner warning" role="alert">
          ${t('Node {name} would not serve it: {problem}', { name: node.name, problem: problemOf(node) })}</p>`)}
      ${!seen && !failure && html`<${Loading} />`}
      ${seen && !preview && html`<p class="banner" role="status">
        ${t('Nothing is ticked. Tick what is to go live.')}</p>`}
      ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
      ${preview && html`
        <h3>${t('What changes')}</h3><${Summary} changes=${when.isLater ? laterWords(preview, when) : preview} />
        <button type="button" aria-expanded=${String(isComparing)} onClick=${() => setComparing(!isComparing)}>
          ${t('Before and after')} ${isComparing ? '▴' : '▾'}</button>
        ${isComparing && html`<${Comparison}
          key=${key}
          page=${model.page}
          kinds=${model.kinds}
          from="live"
          to="draft"
          sections=${chosen && chosen.size < candidates.length ? partsOf([...chosen]).sections ?? [] : null}
          client=${model.clients[0]} />`}
        <h3>${t('Checks')}</h3><${Problems} problems=${preview.problems ?? []} nameOf=${(id) => model.nameOf(id)} />`}
      ${waiting && html`<${Collision} model=${model} waiting=${waiting} choice=${choice} onChoose=${setChoice} />`}
      </div>
      ${chosen && html`<${Picks}
        model=${model}
        candidates=${candidates}
        chosen=${chosen}
        waits=${looked?.waits}
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
 * What a schedule changes: what it takes off is said of its time, unless the section is back by then.
 * @param {any} changes
 * @param {{at: string, zone: string}} when
 */
function laterWords({ summary, sentences }, { at, zone }) {
  /** @type {{text: string, sentence?: any}[]} */
  const said = sentences.flatMap((/** @type {any} */ sentence, /** @type {number} */ place) => {
    const { section, returns } = sentence.values;
    if (sentence.code !== 'section-disappears') return [{ text: summary[place], sentence }];
    if (!at || (returns && localTime(returns, zone) <= at)) return [];
    return [{ text: returns
      ? t('{section} disappears at that time, returns at {time}', { section, time: formatInstant(returns, zone) })
      : t('{section} disappears at that time', { section }) }];
  });
  return { summary: said.map(({ text }) => text), sentences: said.map(({ sentence }) => sentence) };
}

/**
 * Which of the changed parts come along. What waits in a schedule says so.
 * @param {{model: PageModel, candidates: string[], chosen: Set<string>, waits: Map<string, Waiting>,
 *   onToggle: (id: string) => void}} props
 */
function Picks({ model, candidates, chosen, waits, onToggle }) {
  const all = candidates.length;
  const isWhole = candidates.every((id) => chosen.has(id));
  return html`<details open=${waits.size > 0 || chosen.size === 0 ? true : undefined}>
    <summary>${isWhole ? t('All {all} changes', { all })
      : t('{count} of {all} changes', { count: chosen.size, all })}</summary>
    <ul class="checks">${candidates.map((id) => html`<li key=${id}><label>
      <input type="checkbox" checked=${chosen.has(id)} onChange=${() => onToggle(id)} />${' '}
      ${partWords(id, (section) => model.nameOf(section))}</label>${waits.has(id) && html`
      <${Badge} kind="scheduled">${t('waits for {time} ({name})', {
        time: formatInstant(waits.get(id)?.at, waits.get(id)?.zone), name: waits.get(id)?.author,
      })}<//>`}</li>`)}</ul></details>`;
}

/**
 * What is to go live waits for a time already: what becomes of it then.
 * @param {{model: PageModel, waiting: Waiting[], choice: string|null, onChoose: (choice: string) => void}} props
 */
function Collision({ model, waiting, choice, onChoose }) {
  const radio = (/** @type {string} */ value, /** @type {string} */ words) => html`<label class="check">
    <input type="radio" name="waiting" checked=${choice === value} onChange=${() => onChoose(value)} />
    ${' '}${words}</label>`;
  return html`<fieldset class="waiting"><legend>${t('It waits for a time already')}</legend>
    <ul>${waiting.map((each) => html`<li key=${each.id}>${t('{what}: for {time}, by {name}', {
      what: partsWords(each, (id) => model.nameOf(id)),
      time: formatInstant(each.at, each.zone), name: each.author,
    })}</li>`)}</ul>
    ${radio('carry', t('Carry this into what waits: it stays so at that time'))}
    ${radio('leave', t('Leave what waits: at that time it becomes as it was scheduled'))}</fieldset>`;
}

/**
 * Whether it goes live now or later, and when.
 * @param {{model: PageModel, chosen: Set<string>|null, when: {isLater: boolean, at: string, zone: string},
 *   onChange: (when: {isLater: boolean, at: string, zone: string}) => void}} props
 */
function When({ model, chosen, when, onChange }) {
  const exactly = (/** @type {{sections: string}} */ names) => [...chosen ?? []].some((key) => key.includes(':'))
    ? t('At that time exactly these go live, as they are in the draft now: {sections}. '
      + 'All else stays as it is live then.', names)
    : t('At that time exactly these sections go live, as they are in the draft now: {sections}. '
      + 'All else stays as it is live then.', names);
  const set = (/** @type {'at'|'zone'} */ name) => (/** @type {any} */ event) =>
    onChange({ ...when, [name]: event.target.value });
  const setLater = (/** @type {any} */ event) => onChange({ ...when, isLater: event.target.checked });
  const skipped = skippedWords(when.at, when.zone);
  return html`<label class="check">
      <input type="checkbox" checked=${when.isLater} onChange=${setLater} /> ${t('Later, at a set time')}</label>
    ${when.isLater && html`
      <p class="hint">${chosen
        ? exactly({ sections: partsWords(partsOf([...chosen]), (id) => model.nameOf(id)) })
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
    onAccept(stale.sections.filter((/** @type {string} */ id) => !taken.has(id)), taken);
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
