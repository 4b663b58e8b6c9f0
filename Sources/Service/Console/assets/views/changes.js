// The changes of a page, as one list beside the phone: what each makes of what users see, whose it is, and what becomes
// of it. Whatever is ticked is published, scheduled or put back.

import {
  Back, Badge, Change, Check, Confirm, Followed, Memo, Problem, Reading, Side, Unreachable, ZoneOptions,
  ageWords, announce, attempt, changeWords, effectOf, explain, formatInstant, get, html, instantIn, isEqual, isPage,
  keysOf, linesOf, liveWords, localTime, nameIn, nodesWait, ownZone, partWords, partsOf, partsWords, placeWords,
  placesOf, post, predicateWords, problemOf, problemWords, putBackLive, repeatedIn, scheduleWords, serverNow,
  sideBySide, t, tellEarlier, tickedOf, toast, tryOut, useEffect, useLoad, useRef, useState, useTyped, waitingByKey,
  withPath, withinSection,
} from '../shared.js';
import { Collision, TimeWords, explainDoing, timeProblem, waitingAfter } from './waiting.js';

/** @typedef {import('../lib/changes.js').Line} Line */
/** @typedef {import('../lib/parts.js').Waiting} Waiting */
/** @typedef {import('./waiting.js').When} When */

/** @typedef {import('./scheduled.js').Revised} Revised */
/**
 * What a publish comes to; of somebody who may not publish, without whether it is.
 * @typedef {{sentences: Sentence[], summary: string[], problems?: Trouble[], waiting?: Waiting[],
 *   isPublishable?: boolean, nodes?: {problems: {name: string, problem: string}[]}}} Preview
 */
/**
 * What the panel goes by, as it was looked at.
 * @typedef {{draft: Draft, all: string[], live: Revised|null, waits: Map<string, Waiting>,
 *   whole: {preview: Preview, tag: string|null}|null, keys: string[]|null, preview: Preview|null,
 *   tag: string|null, ticks?: string}} Seen
 */

/**
 * What was sent without an answer: after which revision, with what message, for when, and what was scheduled before.
 * @typedef {{live: number, message: string, instant: string|null, scheduled: Set<number>}} Unanswered
 */

/** How often a publish is asked again by itself, when nothing that it carries has moved. */
const attemptsMax = 20;

/** The local time at which what is ticked goes live. */
const timeOf = (/** @type {When} */ { isLater, at, zone }) =>
  isLater && at ? { at, zone } : { at: localTime(new Date(serverNow()).toISOString(), ownZone), zone: ownZone };

/**
 * What the panel goes by: the changes as they are, what those come to that are ticked, and what is live.
 * @param {PageModel} model
 * @param {{once: Once}} typed
 */
function looking(model, { once }) {
  const { review, rights: { name: me } } = model;
  const outcomeOf = async (/** @type {string[]|null} */ keys) => {
    const { value, tag } = await tryOut([...model.path, 'publish'], keys ? partsOf(keys) : {});
    return { preview: value, tag };
  };
  /** @returns {Promise<Seen>} */
  const first = async () => {
    const { draft } = model;
    const all = keysOf(draft.changedParts);
    // What was sent without an answer may be done already, and is sent as it was.
    const sent = once.isUnanswered ? Object.keys(review.ticks).filter((key) => review.ticks[key]) : [];
    const none = { draft, all, live: null, waits: new Map(), whole: null, keys: sent, preview: null, tag: null };
    if (!draft.isChanged && sent.length === 0) return none;
    const isWhole = !draft.live || all.length === 0;
    /** @type {{preview: Preview, tag: string|null}} */
    const whole = model.mayPublish ? await outcomeOf(isWhole ? null : all)
      : { preview: (await get([...model.path, 'changes'])).value, tag: null };
    const waits = waitingByKey(whole.preview.waiting);
    /** @type {(before: Draft, key: string) => boolean} */
    const isTicked = (before, key) =>
      tickedOf({ keys: [key], draft: before, waits, ticks: review.ticks, me }).length > 0;
    const live = await review.meet(model.path, draft, me, isTicked);
    if (isWhole) {
      const given = sent.length > 0 && model.mayPublish ? { keys: sent, ...await outcomeOf(sent) }
        : { keys: null, ...whole };
      return { ...none, live, waits, whole, ...given };
    }
    const ticked = tickedOf({ keys: all, draft, waits, ticks: review.ticks, me });
    const keys = [...ticked, ...sent.filter((key) => !ticked.includes(key))];
    const seen = { ...none, live, waits, whole, keys };
    if (keys.length === 0 || !model.mayPublish) return seen;
    return { ...seen, ...isEqual([...keys].sort(), [...all].sort()) ? whole : await outcomeOf(keys) };
  };

  /** Looks again at what was to be published alone, as soon as can be: a source may be busy. */
  const again = async (/** @type {Seen} */ before) => {
    /** @type {{value: Draft}} */
    const { value: draft } = await get([...model.path, 'draft']);
    const keys = new Set(before.keys);
    const live = await review.meet(model.path, draft, me, (_, key) => keys.has(key));
    return { ...before, draft, live, ...await outcomeOf(before.keys) };
  };

  /** What came of something that was sent without an answer, in words; nothing as long as that is not known. */
  const cameOf = async (/** @type {Unanswered} */ { live, message, instant, scheduled }) => {
    const isIt = (/** @type {{author: string, message?: string}} */ each) =>
      each.author === me && (each.message ?? '') === message;
    if (instant) {
      const { value } = await get([...model.path, 'scheduled']);
      const found = value.scheduled.find((each) => isIt(each) && !scheduled.has(each.id)
        && Date.parse(each.at) === Date.parse(instant));
      return found && t('Your publish for {time} is scheduled.', { time: formatInstant(found.at, found.zone) });
    }
    const { value: { revisions } } = await get([...model.path, 'revisions'], { limit: 20 });
    const found = revisions.find((each) => isIt(each) && each.revision > live && each.kind !== 'scheduled');
    return found && (found.live ? t('Your publish went through: revision {number} is live.', { number: found.revision })
      : t('The first try had gone through already, as it was sent then.'));
  };
  return { first, again, cameOf };
}

/** Whether a publish comes to something else than what was seen. */
function saysMore(/** @type {Seen} */ before, /** @type {Seen} */ now) {
  const [told, tells] = [before, now].map(({ preview }) => preview?.sentences ?? []);
  // Where others published, less may be left to do; a rollback leaves more.
  return before.draft.live === now.draft.live ? !isEqual(told, tells)
    : tells.some((sentence) => !told.some((each) => isEqual(each, sentence)));
}

export function ChangesPanel(/** @type {{model: PageModel}} */ { model }) {
  const { review, draft } = model;
  const begun = { message: '', when: { isLater: false, at: '', zone: ownZone }, ticks: review.ticks };
  const typed = useTyped(`${model.path.join('/')} publish`, begun, () => {}, ['ticks', 'when']);
  const { once, values: { message, when } } = typed;
  const [round, setRound] = useState(() => {
    review.ticks = typed.values.ticks;
    return 0;
  });
  const [isBusy, setBusy] = useState(false);
  const isRunning = useRef(false);
  /** What waits for a time of what was to go live, as the server has answered. */
  const [refused, setRefused] = useState(/** @type {Waiting[]|null} */ (null));
  const [choice, setChoice] = useState(/** @type {string|null} */ (null));
  const [refusal, setRefusal] = useState(/** @type {string|null} */ (null));
  /** @type {{current: Unanswered|null}} until it is known what came of it */
  const unanswered = useRef(null);
  /** What came of it. */
  const [outcome, setOutcome] = useState(/** @type {string|null} */ (null));
  const [open, setOpen] = useState(/** @type {string|null} */ (null));
  const [current, setCurrent] = useState(/** @type {string|null} */ (null));
  /** What is to be put back, as it was looked at. */
  const [discarded, setDiscarded] = useState(/** @type {{keys: string[], seen: Seen}|null} */ (null));
  const panel = useRef();
  const looks = looking(model, typed);
  const ticks = JSON.stringify(review.ticks);
  const [seen, failure, reload] = useLoad(async () => {
    if (isRunning.current) return undefined;
    const came = unanswered.current && await looks.cameOf(unanswered.current);
    if (!came) return { ...await looks.first(), ticks };
    // What was typed meanwhile stays.
    const isMeant = typed.values.message.trim() !== unanswered.current?.message;
    settle(isMeant ? { message: typed.values.message } : {});
    setOutcome(came);
    await model.reload().catch(() => {});
    setRound((count) => count + 1);
    return undefined;
  }, [draft, model.latest, ticks, round]);
  const { preview } = seen ?? {};
  const all = seen?.all ?? [];
  const chosen = new Set(seen?.keys ? tickedOf({
    keys: all, draft: seen.draft, waits: seen.waits, ticks: review.ticks, me: model.rights.name,
  }) : all);
  // What is shown belongs to what is ticked, and has a line for each change there is. That something within a line
  // moved on meanwhile, as where a source fills it, is found out by the draft's tag.
  const isCurrent = seen?.ticks === ticks && isEqual(seen.all, keysOf(draft.changedParts));
  const waiting = refused ?? (isCurrent ? waitingAfter(preview?.waiting, when) : null);
  const lines = useLines(seen, model);
  const isReady = !isBusy && isCurrent && preview && preview.isPublishable !== false && !(waiting && !choice)
    // What was sent without an answer is sent as it was, and may be done already.
    && !(when.isLater && (!when.at || (!once.isUnanswered && timeProblem(when.at, when.zone))));

  // What opened the panel says where the focus goes, once that is there.
  useEffect(() => {
    const wanted = review.focus === 'publish' ? '.publish:enabled' : '.part-line input, .line-name';
    const element = review.focus && panel.current.querySelector(wanted);
    if (!element) return;
    review.focus = null;
    element.focus();
  });

  const tick = (/** @type {string[]} */ keys, /** @type {boolean} */ isTicked) => {
    review.tick(keys, isTicked);
    setRefused(null);
    setRefusal(null);
    setChoice(null);
    typed.set({ ticks: review.ticks });
  };

  const send = async (/** @type {{keys: string[]|null, tag: string|null}} */ { keys, tag }) => {
    const text = message.trim();
    const body = keys ? partsOf(keys) : {};
    const request = { ...body, ...(text ? { message: text } : {}), ...(choice ? { waiting: choice } : {}) };
    const { at, zone } = when;
    // What was meant to go live now and then later, or the other way round, is done once as well.
    const options = { ifMatch: tag, once, as: 'publish', wait: when.isLater ? undefined : nodesWait };
    review.ticks = { ...review.ticks, ...Object.fromEntries((keys ?? []).map((key) => [key, true])) };
    typed.set({ ticks: review.ticks });
    const answer = await (when.isLater ? post([...model.path, 'scheduled'], { ...request, at, zone }, options)
      : post([...model.path, 'publish'], request, options));
    tellEarlier(answer);
    const { value, done } = answer;
    if ('id' in value) {
      model.scheduled.add(value.id);
      const body = /** @type {{at: string, zone: string}} */ (done.body);
      toast(t('Scheduled for {time}', { time: `${body.at.replace('T', ' ')} ${body.zone}` }));
    } else {
      model.latest = value.revision;
      announce(t('Published'));
      toast(liveWords(value));
    }
  };

  /** Says at the lines why something was refused, and of the rest above them. */
  const refuse = (/** @type {unknown} */ error) => {
    /** @type {Trouble[]} */
    const places = error instanceof Problem ? error.errors : [];
    for (const place of places) {
      if (place.section && all.includes(place.section)) review.refusals.set(place.section, problemWords(place));
    }
    setRefusal(explainDoing(error));
  };

  /** It is done: what is typed next is for another one. */
  const settle = (/** @type {{message?: string}} */ kept = {}) => {
    unanswered.current = null;
    review.settle();
    setChoice(null);
    setRefused(null);
    setRefusal(null);
    typed.set({ ...begun, when: { ...begun.when, zone: when.zone }, ticks: review.ticks });
    typed.settle();
    if (kept.message) typed.set(kept);
  };

  const publish = async () => {
    if (isRunning.current || !isReady || !seen) return;
    isRunning.current = true;
    setBusy(true);
    setRefusal(null);
    setOutcome(null);
    /** @type {Unanswered} */
    const sent = {
      live: draft.live ?? 0, message: message.trim(), instant: when.isLater ? instantIn(when.at, when.zone) : null,
      scheduled: new Set(model.scheduled),
    };
    const marked = new Set(review.marks.keys());
    try {
      /** @type {Seen} */
      let now = seen;
      for (let attempts = 1; ; attempts += 1) {
        try {
          await send(now);
          break;
        } catch (error) {
          if (!(error instanceof Problem && error.isStale)) throw error;
          const before = now;
          now = await looks.again(before);
          const isLive = before.draft.live !== now.draft.live && now.preview?.sentences?.length === 0;
          if (isLive && !once.isUnanswered) {
            toast(t('Somebody else has published this already. Nothing of it is left.'));
            await model.reload();
            return;
          }
          const isLess = (before.keys ?? []).some((key) => review.marks.has(key) && !marked.has(key));
          if (!isLess && now.preview?.isPublishable !== false && attempts < attemptsMax
            && (review.following.size > 0 || !saysMore(before, now))) continue;
          await model.reload();
          setRefusal(isLess ? t('Others changed what was ticked. It is marked, and not ticked any more.')
            : t('What this comes to has changed meanwhile. Look at it again.'));
          return;
        }
      }
      settle();
      model.openChanges(null);
      panel.current?.querySelector('h2').focus();
      // It is done, whatever comes of reading it again: the model reads again by itself.
      await model.reload().catch(() => {});
    } catch (error) {
      if (error instanceof Problem && error.code === 'waits-in-schedule') {
        setRefused(error.body.waiting ?? null);
        setChoice(null);
        return;
      }
      if (error instanceof Unreachable) unanswered.current ??= sent;
      refuse(error);
    } finally {
      if (!once.isUnanswered) unanswered.current = null;
      isRunning.current = false;
      setBusy(false);
      // Nothing was looked at meanwhile.
      setRound((count) => count + 1);
    }
  };

  /** @type {(what: {keys: string[], seen: Seen}, putOnce: Once) => Promise<void>} */
  const discard = async ({ keys, seen: at }, putOnce) => {
    isRunning.current = true;
    try {
      const refusals = await putBackLive(model, at.draft, /** @type {Revised} */ (at.live), keys, putOnce);
      for (const [key, error] of refusals) review.refusals.set(key, explain(error));
      if (refusals.size === 0) announce(t('Done'));
    } finally {
      isRunning.current = false;
      // Nothing was looked at meanwhile: what goes, part by part, could not be asked for.
      setRound((count) => count + 1);
    }
  };

  const onKey = (/** @type {On<KeyboardEvent>} */ event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      publish();
      return;
    }
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    if (!(event.key in steps) || !event.target.matches('.part-line input[type=checkbox]')) return;
    event.preventDefault();
    const boxes = [...panel.current.querySelectorAll('.part-line input[type=checkbox]')];
    const next = boxes.indexOf(event.target) + steps[event.key];
    boxes[Math.max(0, Math.min(boxes.length - 1, next))].focus();
  };
  const point = (/** @type {string} */ key) => {
    setCurrent(key);
    if (!key.includes(':')) model.point(key);
  };
  const nameOf = (/** @type {string} */ key) => nameOfLine(model, seen?.live ?? null, key);
  const names = all.map(nameOf);
  const repeated = repeatedIn(names);
  const stop = all.includes(current ?? '') ? current : all[0];
  const own = all.filter((key) => chosen.has(key) && isPage(key));
  const mayPutBack = model.mayEdit && seen?.live;
  return html`<div class="changes" ref=${panel} onKeyDown=${onKey} aria-busy=${String(isBusy)}>
    <div class="panel-head"><h2 tabindex="-1">${t('Changes')}</h2>
      <button type="button" class="back" onClick=${() => model.closeChanges()}>‹ ${t('Sections')}</button></div>
    <div class="panel-body">
      <${Back} since=${typed.keptSince} />
      ${model.isDirty && html`<p class="banner warning" role="alert">
        ${t('You have unsaved changes, which are not part of this publish.')}</p>`}
      <${Reading} value=${seen} failure=${failure} words=${unanswered.current && refusal} onRetry=${reload} />
      ${preview?.nodes?.problems.map((node) => html`
        <p class="banner warning" role="alert">
          ${t('Node {name} would not serve it: {problem}', { name: node.name, problem: problemOf(node) })}</p>`)}
      ${refusal && !(failure && unanswered.current) && html`<p class="banner error" role="alert">${refusal}</p>`}
      ${outcome && html`<p class="banner" role="status">${outcome}</p>`}
      ${seen && !seen.draft.isChanged && html`<p class="nothing">${t('Nothing changes for clients.')}</p>`}
      ${seen?.draft.isChanged && !seen.draft.live && html`<p class="banner">
        ${t('The page was never live, and goes live as a whole.')}</p>`}
      ${all.length > 0 && model.mayEdit && html`<${All} all=${all} chosen=${chosen} isWhole=${!seen?.draft.live}
        onTick=${tick} />`}
      <${Memo} values=${[lines, ticks, open, stop, when, waiting, choice, round, refusal, isBusy]} draw=${() => html`
        <ul class="lines" aria-label=${t('Changes')}>${lines.map((line, number) => html`<${LineView}
          key=${line.key}
          model=${model}
          line=${line}
          name=${names[number]}
          isRepeated=${repeated.has(names[number])}
          when=${when}
          isTicked=${chosen.has(line.key)}
          mayTick=${model.mayEdit && Boolean(seen?.draft.live)}
          isStop=${line.key === stop}
          isOpen=${line.key === open}
          waits=${seen?.waits.get(line.key)}
          onTick=${() => tick([line.key], !chosen.has(line.key))}
          onPoint=${() => point(line.key)}
          onOpen=${() => setOpen(open === line.key ? null : line.key)}
          onDiscard=${mayPutBack && isPage(line.key) ? () => setDiscarded({ keys: [line.key], seen }) : null}>
          ${waiting && firstWaiting(waiting, all, chosen) === line.key && html`<${Collision}
            nameOf=${nameOf} waiting=${waiting} choice=${choice} onChoose=${setChoice} />`}<//>`)}</ul>`} />
      ${seen && seen.draft.isChanged && seen.keys?.length === 0 && html`<p class="banner" role="status">
        ${t('Nothing is ticked. Tick what is to go live.')}</p>`}
      <${Rest} seen=${seen} all=${all} nameOf=${nameOf} />
    </div>
    ${model.mayEdit && html`<div class="panel-foot changes-foot">
      ${model.mayPublish && html`<label class="grow"><span class="sr-only">${t('Message')}</span><textarea
          rows="1"
          readonly=${isBusy}
          placeholder=${t('Why, for the history')}
          value=${message}
          onInput=${(event) => typed.set({ message: event.target.value })} /></label>
        <${Later} model=${model} chosen=${seen?.keys ? chosen : null} when=${when}
          onChange=${(given) => typed.set({ when: given })} />`}
      <span class="actions">
        ${mayPutBack && html`<button type="button" disabled=${isBusy || own.length === 0}
          onClick=${() => setDiscarded({ keys: own, seen })}>${t('Put back…')}</button>`}
        ${model.mayPublish && html`<button type="button" class="primary publish" title="Ctrl+Enter"
          disabled=${!isReady} onClick=${publish}>${when.isLater ? t('Schedule') : t('Publish')}</button>`}</span>
    </div>`}
    ${discarded && html`<${Confirm}
      title=${t('Put back what is live?')}
      action=${t('Put back')}
      isGrave
      onConfirm=${(putOnce) => discard(discarded, putOnce)}
      onClose=${() => setDiscarded(null)}>
      <ul>${discarded.keys.map((key) => html`<li key=${key}>${nameOf(key)}</li>`)}</ul>
      <p class="hint">${t('These changes leave the draft. Earlier versions of a section keep what it had.')}</p><//>`}
  </div>`;
}

/** The lines, which stay the same ones while nothing of them is another. */
function useLines(/** @type {Seen|null} */ seen, /** @type {PageModel} */ model) {
  const kept = useRef(/** @type {{seen: Seen|null, lines: Line[]}} */ ({ seen: null, lines: [] }));
  if (kept.current.seen === seen) return kept.current.lines;
  const { whole = null, live = null } = seen ?? {};
  const said = whole === null ? [] : changeWords(whole.preview, (id) => nameOfLine(model, live, id))
    .map((text, place) => ({ text, sentence: whole.preview.sentences[place] }))
    .filter(({ sentence }) => sentence && sentence.code !== 'section-disappears');
  kept.current = {
    seen, lines: seen ? linesOf({
      draft: seen.draft, live: seen.live, keys: seen.all, said, problems: seen.preview?.problems ?? model.problems,
    }) : [],
  };
  return kept.current.lines;
}

/** What a line is called: a section that is gone by what it was. */
function nameOfLine(/** @type {PageModel} */ model, /** @type {Revised|null} */ live, /** @type {string} */ key) {
  return partWords(key, (id) => nameIn(model.section(id) || !live ? model.draft : live, model.kinds, id));
}

/**
 * The first line of those that are ticked and wait for a time already.
 * @type {(waiting: Waiting[], all: string[], chosen: Set<string>) => string}
 */
function firstWaiting(waiting, all, chosen) {
  const keys = new Set(waiting.flatMap((each) => keysOf(each)));
  return all.find((key) => keys.has(key) && chosen.has(key)) ?? all.find((key) => keys.has(key)) ?? all[0];
}

/**
 * How many lines are ticked, and all of them at once.
 * @param {{all: string[], chosen: Set<string>, isWhole: boolean, onTick: (keys: string[], isTicked: boolean) => void}}
 *   props
 */
function All({ all, chosen, isWhole, onTick }) {
  const count = all.filter((key) => chosen.has(key)).length;
  return html`<label class="check all"><input
    type="checkbox"
    disabled=${isWhole}
    checked=${isWhole || count === all.length}
    indeterminate=${!isWhole && count > 0 && count < all.length}
    onChange=${() => onTick(all, count === 0)} />${' '}${all.length === 1 ? t('One change')
      : isWhole || count === all.length ? t('All {all} changes', { all: all.length })
      : t('{count} of {all} changes', { count, all: all.length })}</label>`;
}

/**
 * What users see of a line once it is live, and who of them.
 * @param {Line} line
 * @param {When} when
 * @param {boolean} isTicked
 */
export function effectWords(line, when, isTicked) {
  const { what, returns, begins, zone } = effectOf(line, timeOf(when));
  const time = formatInstant(returns ?? begins, zone);
  const shown = /** @type {Partial<Section>} */ (line.after ?? line.before);
  const rest = { what, audience: predicateWords(shown.audience), until: shown.schedule };
  if (!isTicked && what !== 'unseen') {
    return { ...rest, words: {
      appears: t('appears once it is published'), disappears: t('disappears once it is published'),
      changes: t('changes once it is published'),
    }[what] };
  }
  const words = {
    appears: when.isLater ? t('appears at that time') : t('appears now'),
    disappears: returns ? when.isLater ? t('disappears at that time, returns at {time}', { time })
      : t('disappears now, returns at {time}', { time })
      : when.isLater ? t('disappears at that time') : t('disappears now'),
    changes: when.isLater ? t('changes at that time') : t('changes now'),
    unseen: begins ? t('appears at {time}', { time }) : t('users see nothing of it'),
  }[what];
  return { ...rest, words };
}

/**
 * One change.
 * @param {{model: PageModel, line: Line, name: string, isRepeated: boolean, when: When, isTicked: boolean,
 *   mayTick: boolean, isStop: boolean, isOpen: boolean, waits?: Waiting, onTick: () => void, onPoint: () => void,
 *   onOpen: () => void, onDiscard: (() => void)|null, children?: object}} props
 */
function LineView({
  model, line, name, isRepeated, when, isTicked, mayTick, isStop, isOpen, waits, onTick, onPoint, onOpen, onDiscard,
  children,
}) {
  const { key, change, isNew, isGone, said, problems } = line;
  const isSection = !key.includes(':');
  const mark = model.review.marks.get(key);
  const refusal = model.review.refusals.get(key);
  const effect = isSection ? effectWords(line, when, isTicked) : null;
  const stop = isStop ? undefined : -1;
  const id = `line-${key.replace(/\W/g, '-')}`;
  return html`<li
    class="part-line ${isTicked ? 'ticked' : ''}"
    data-key=${key}
    onFocusCapture=${onPoint}
    onClick=${onPoint}>
    <div class="line-head">
      ${mayTick && html`<input
        type="checkbox"
        id=${id}
        tabindex=${stop}
        checked=${isTicked}
        aria-describedby=${`${id}-what`}
        onChange=${onTick} />`}
      ${mayTick ? html`<label class="line-name" for=${id}>${name}</label>`
        : html`<strong class="line-name" tabindex=${stop ?? 0}>${name}</strong>`}
      ${isRepeated && html`<code>${key}</code>`}
      ${isNew && html`<${Badge} kind="live">${t('new')}<//>`}
      ${isGone && html`<${Badge} kind="error">${t('removed')}<//>`}
      ${waits && html`<${Badge} kind="scheduled">${t('waits for {time} ({name})', {
        time: formatInstant(waits.at, waits.zone), name: waits.author,
      })}<//>`}
    </div>
    <div class="line-body" id=${`${id}-what`}>
      ${effect && html`<p class="effect is-${effect.what}"><strong>${effect.words}</strong>${' '}
        <span class="hint">${t('for {audience}', { audience: effect.audience })}${
          effect.until && ` · ${scheduleWords(effect.until)}`}</span></p>`}
      <${Words} model=${model} line=${line} />
      <p class="hint">${change ? html`${sideBySide(change.by)} · <time
          datetime=${change.at} title=${formatInstant(change.at)}>${ageWords(change.at, serverNow())}</time>`
        : t('somebody')} · ${isTicked ? when.isLater && when.at
          ? t('goes live at {time}', { time: `${when.at.replace('T', ' ')} ${when.zone}` }) : t('goes live now')
          : t('stays in the draft')}</p>
      ${mark !== undefined && html`<p class="banner warning" role="status">
        ${t('{name} changed this at {time}, after you had read it.', {
          name: mark ? sideBySide(mark.by) : '?', time: formatInstant(mark?.at),
        })}${!isTicked && html` ${t('Tick it to publish their change too.')}`}</p>`}
      ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
      <${Problems} problems=${problems} />
    </div>
    ${children}
    <span class="line-actions">
      <button type="button" class="small" tabindex=${stop} aria-expanded=${String(isOpen)}
        aria-label=${t('Details of {what}', { what: name })}
        onClick=${onOpen}>${t('Details')} ${isOpen ? '▴' : '▾'}</button>
      ${isSection && !isGone && model.mayRead(key) && html`<button type="button" class="small" tabindex=${stop}
        aria-label=${t('Edit {name}', { name })}
        onClick=${() => attempt(() => model.select(key))}>${t('Edit')}</button>`}
      ${onDiscard && html`<button type="button" class="small" tabindex=${stop}
        aria-label=${t('Put back: {what}', { what: name })} onClick=${onDiscard}>${t('Put back')}</button>`}
    </span>
    ${isOpen && html`<${Details} model=${model} line=${line} />`}
    ${isOpen && said.length > 0 && html`<ul class="summary">${said.map(({ text }) => html`<li>${text}</li>`)}</ul>`}
  </li>`;
}

/** What is in a line of its differences: the first of them, old and new. */
function Words(/** @type {{model: PageModel, line: Line}} */ { model, line }) {
  const [first, ...others] = placesOf(line);
  const { before, after, said } = line;
  const rest = (/** @type {number} */ count) => count > 0
    && html` <span class="hint">${t('and {count} more', { count })}</span>`;
  if (!first) {
    return said.length > 0 && html`<p class="old-new">${said[0].text}${rest(said.length - 1)}</p>`;
  }
  const locale = model.draft.locales[0];
  const place = { ...first, root: before, theirRoot: after };
  return html`<div class="old-new"><span class="hint">${placeWords(first.path, [before, after], locale)}</span>${' '}
    <del><${Side} conflict=${place} name="mine" locale=${locale} /></del> →${' '}
    <ins><${Side} conflict=${place} name="theirs" locale=${locale} /></ins>${rest(others.length)}</div>`;
}

/** Every place at which a line differs, and who changed the section before; each with the way to put it back. */
function Details(/** @type {{model: PageModel, line: Line}} */ { model, line: { key, before, after } }) {
  const isSection = !key.includes(':');
  const locale = model.draft.locales[0];
  /** @type {import('./follow.js').PutBack} */
  const putBack = (value, path = [], former = undefined) => {
    const section = path.length === 0 ? value : withPath(model.section(key) ?? value, path, value, former);
    attempt(() => model.putBack({ .../** @type {Section} */ (section), id: key }));
  };
  const may = isSection && model.mayEdit && after ? putBack : null;
  if (!isSection) {
    return before && after && html`<div class="details">
      <${Change}
        change=${{ from: before, to: after }} now=${after} isWhole locale=${locale} onPutBack=${null} /></div>`;
  }
  return html`<div class="details">
    ${before && after && html`<${Change}
      change=${{ from: before, to: after }} now=${after} isWhole locale=${locale} onPutBack=${may} />`}
    ${after && html`<h3>${t('Earlier versions')}</h3><${Followed}
      path=${[...model.path, 'sections', key]} place=${{ pointer: '' }} isWhole now=${after} locale=${locale}
      onPutBack=${may} />`}</div>`;
}

/** What is said of the whole: what is about no line, and problems that are at none. */
function Rest(/** @type {{seen: Seen|null, all: string[], nameOf: (key: string) => string}} */ { seen, all, nameOf }) {
  const problems = (seen?.preview?.problems ?? [])
    .filter(({ section }) => !all.includes(section ?? ''));
  if (!seen?.preview) return null;
  if (seen.preview.problems?.length === 0) return html`<p class="hint">${t('No problems found.')}</p>`;
  return html`<${Problems} problems=${problems} nameOf=${nameOf} />`;
}

function Problems(/** @type {{problems: Trouble[], nameOf?: (key: string) => string}} */ { problems, nameOf }) {
  if (problems.length === 0) return null;
  return html`<ul class="problems">${problems.map((problem) => html`<li class=${problem.severity}>
    <${Badge} kind=${problem.severity}>${problem.severity === 'error' ? t('stops the publish') : t('note')}<//>
    ${nameOf && problem.section && html`<strong>${nameOf(problem.section)}</strong>`}${' '}
    ${problemWords(problem)} <span class="hint">${withinSection(problem)}</span></li>`)}</ul>`;
}

/**
 * Whether it goes live now or later, and when.
 * @param {{model: PageModel, chosen: Set<string>|null, when: When, onChange: (when: When) => void}} props
 */
function Later({ model, chosen, when, onChange }) {
  const exactly = (/** @type {{sections: string}} */ names) => [...chosen ?? []].some((key) => key.includes(':'))
    ? t('At that time exactly these go live, as they are in the draft now: {sections}. '
      + 'All else stays as it is live then.', names)
    : t('At that time exactly these sections go live, as they are in the draft now: {sections}. '
      + 'All else stays as it is live then.', names);
  const set = (/** @type {'at'|'zone'} */ name) => (/** @type {FieldEvent} */ event) =>
    onChange({ ...when, [name]: event.target.value });
  const setLater = (/** @type {boolean} */ isLater) => onChange({ ...when, isLater });
  return html`<${Check} checked=${when.isLater} onChange=${setLater}>${t('Later, at a set time')}<//>
    ${when.isLater && html`<div class="later">
      <p class="hint">${chosen
        ? exactly({ sections: partsWords(partsOf([...chosen]), (id) => model.nameOf(id)) })
        : t('At that time the whole page goes live as its draft is now. What sources publish until then stays.')}</p>
      <div class="pair">
        <label>${t('Time')}
          <input type="datetime-local" step="1" required value=${when.at} onInput=${set('at')} /></label>
        <label>${t('Zone')}<select value=${when.zone} onChange=${set('zone')}>
          <${ZoneOptions} zone=${when.zone} /></select></label></div>
      <${TimeWords} at=${when.at} zone=${when.zone} /></div>`}`;
}
