// What waits to be published, line by line: a section, the page's settings, its order, a sort rule or an audience, each
// by the key that lib/parts.js gives it.

import { language, localTime } from './i18n.js';
import { differences, isEqual, merge } from './merge.js';
import { pageSettingsOf } from './past.js';

/** @typedef {PageSettings & {sections: Section[], sortRules?: Record<string, SortRule>}} State a draft or a revision */
/** @typedef {{by: string[], at: string}} Change who changed a part last, and when */
/** @typedef {{text: string, sentence: Sentence}} Said what a dry run says of one change, in words */
/**
 * @typedef {object} Line
 * @property {string} key
 * @property {Content} before as it is live, where that can be compared
 * @property {Content} after as it is in the draft
 * @property {boolean} isNew whether it is in the draft alone
 * @property {boolean} isGone whether it is live alone
 * @property {Change|undefined} change
 * @property {Said[]} said what its sentences say
 * @property {Trouble[]} problems
 */

/**
 * Who changed the part with a key last.
 * @param {Draft} draft
 * @param {string} key
 * @returns {Change|undefined}
 */
export function changeOf({ lastChanges: { sections, settings, order, rules, audiences } }, key) {
  if (key === ':settings') return settings;
  if (key === ':order') return order;
  const [kind, name] = key.split(':');
  return name === undefined ? sections?.[key] : (kind === 'rule' ? rules : audiences)?.[name];
}

/**
 * The line that a sentence is about; none where it is about nothing that can be ticked.
 * @param {Sentence} sentence
 * @param {string[]} keys
 */
export function keyOf({ code, values: { section, rule, name } }, keys) {
  const ofOrder = ['section-moved', 'section-put'].includes(code) && keys.includes(':order') ? ':order' : undefined;
  const wanted = rule !== undefined ? [`rule:${rule}`, section] : [ofOrder, section];
  if (code.startsWith('audience-') && section === undefined) wanted.push(`audience:${name}`);
  else if (section === undefined && rule === undefined) wanted.push(':settings');
  return wanted.find((key) => typeof key === 'string' && keys.includes(key));
}

/** A section as it is compared: where it stands is the order's. */
const withoutIndex = (/** @type {Section|undefined} */ section) => {
  if (!section) return undefined;
  const { index, ...rest } = section;
  return rest;
};

/**
 * What stands behind a key in a state of the page.
 * @param {State} state
 * @param {string} key
 */
function partIn(state, key) {
  if (key === ':settings') return pageSettingsOf(state);
  if (key.startsWith('rule:')) return state.sortRules?.[key.slice(5)];
  if (key.includes(':')) return undefined;
  return withoutIndex(state.sections.find(({ id }) => id === key));
}

/**
 * The lines of what differs from what is live, in the order of their keys.
 * @param {{draft: Draft, live: State|null, keys: string[], said: Said[], problems: Trouble[]}} given
 * @returns {Line[]}
 */
export const linesOf = ({ draft, live, keys, said, problems }) => keys.map((key) => {
  const [before, after] = [live ? partIn(live, key) : undefined, partIn(draft, key)];
  const isCompared = key.startsWith('rule:') || !key.includes(':');
  return {
    key, before, after, isNew: isCompared && before === undefined, isGone: isCompared && after === undefined,
    change: changeOf(draft, key), said: said.filter(({ sentence }) => keyOf(sentence, keys) === key),
    problems: problems.filter(({ section }) => section === key),
  };
});

/** The places at which a line differs, where both of its sides can be compared. */
export const placesOf = (/** @type {Line} */ { before, after }) =>
  before && after ? differences(before, after) : [];

/**
 * Whether a section is on the page at a local time of a zone.
 * @param {Partial<Section>|undefined} section
 * @param {{at: string, zone: string}} when
 */
function isShown(section, { at, zone }) {
  if (!section || section.hidden) return false;
  const { from, until } = section.schedule ?? {};
  return !(from && localTime(from, zone) > at) && !(until && localTime(until, zone) <= at);
}

/**
 * What becomes of a section for those who see it, once it is live at a time: `returns` says when its schedule shows
 * what disappears again, and `begins` when it shows what nobody sees yet.
 * @param {Line} line
 * @param {{at: string, zone: string}} when
 * @returns {{what: 'appears'|'disappears'|'changes'|'unseen', returns?: string, begins?: string, zone?: string}}
 */
export function effectOf(line, when) {
  const [before, after] = [line.before, line.after].map((side) => /** @type {Partial<Section>|undefined} */ (side));
  const [was, is] = [isShown(before, when), isShown(after, when)];
  if (is) return { what: was ? 'changes' : 'appears' };
  const { from, zone } = after?.schedule ?? {};
  const begins = from && !after?.hidden && localTime(from, when.zone) > when.at ? from : undefined;
  if (was) return { what: 'disappears', ...begins ? { returns: begins, zone } : {} };
  return { what: 'unseen', ...begins ? { begins, zone } : {} };
}

/**
 * Which lines are ticked: those that the operator ticked, and of the rest those that nobody else changed and that do
 * not wait in a schedule.
 * @param {{keys: string[], draft: Draft, waits: Map<string, unknown>, ticks: Record<string, boolean>,
 *   me: string}} given
 */
export const tickedOf = ({ keys, draft, waits, ticks, me }) => keys.filter((key) =>
  ticks[key] ?? (!waits.has(key) && changeOf(draft, key)?.by.every((name) => name === me) === true));

/**
 * The lines that somebody else changed between two looks at a draft.
 * @param {Draft} before
 * @param {Draft} now
 * @param {string} me
 */
export function changedByOthers(before, now, me) {
  const keys = new Set([...now.sections, ...before.sections].map(({ id }) => id));
  for (const draft of [before, now]) for (const name of Object.keys(draft.sortRules)) keys.add(`rule:${name}`);
  keys.delete('rule:default');
  const isMoved = (/** @type {string} */ key) => !isEqual(partIn(before, key), partIn(now, key));
  const moved = [...keys, ':settings'].filter(isMoved);
  if (!isEqual(before.sortRules.default, now.sortRules.default)) moved.push(':order');
  const isMine = (/** @type {string} */ key) => changeOf(now, key)?.by.every((name) => name === me) === true;
  return moved.filter((key) => !isMine(key));
}

/**
 * Those of the sections that changed of which a publish carries nothing else than before: what others changed in them
 * they have published as well, so that it is live already.
 * @param {{before: Draft, now: Draft, was: State, is: State, changed: string[]}} given `was` and `is` are what was live
 */
export function liveAlready({ before, now, was, is, changed }) {
  return changed.filter((key) => {
    if (key.includes(':')) return false;
    const [old, current] = [before, now].map((draft) => draft.sections.find(({ id }) => id === key));
    const [former, present] = [was, is].map((revision) => partIn(revision, key));
    if (!old || !current || !former || !present || old.index !== current.index) return false;
    const { value, conflicts } = merge(former, withoutIndex(old), present);
    return conflicts.length === 0 && isEqual(value, withoutIndex(current));
  });
}

/**
 * How long ago something was, in words.
 * @param {string} at
 * @param {number} now in milliseconds
 */
export function ageWords(at, now) {
  const seconds = Math.min(0, Math.round((Date.parse(at) - now) / 1000));
  /** @type {[number, Intl.RelativeTimeFormatUnit][]} */
  const units = [[86_400, 'day'], [3600, 'hour'], [60, 'minute']];
  const [size, unit] = units.find(([size]) => -seconds >= size) ?? [Infinity, 'second'];
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(Math.ceil(seconds / size), unit);
}
