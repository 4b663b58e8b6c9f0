// A section's items as a file, and what a file would make of them: told row by row before anything is changed.

import { idsIn, labelOf, newID, newItem, sentenceWords, sideBySide, t } from '../shared.js';
import { cellText, controlIn, fixedReason, missing, valueAt, withDecimalComma, writtenItem } from './columns.js';
import { guarded, unguarded } from './csv.js';

/** The most rows of a file that are read: as many items as a section has by default at most. */
export const fileRowsMax = 10_000;
/** The largest file that is read, in bytes. */
export const fileBytesMax = 16 * 1024 * 1024;

/** How the columns that tell an item are called in a file, whatever the interface's language. */
const idName = 'id';
const kindName = 'kind';
const idPattern = /^[A-Za-z0-9._:-]{1,128}$/;

/** @typedef {import('./columns.js').Column} Column */
/** @typedef {{name: string, before: string, after: string}} Difference */
/** @typedef {{name?: string, reason: string}} Refusal at a column, or of the whole row */
/**
 * @typedef {object} Outcome of a row of the file, or of an item that it does not have
 * @property {number} [line] of the file
 * @property {string} id
 * @property {'added'|'changed'|'same'|'removed'|'refused'} what
 * @property {Difference[]} differences
 * @property {Refusal[]} refusals
 */
/** @typedef {{rows: string[][], lines: number[], separator: string}} File */
/**
 * @typedef {object} Table
 * @property {Kinds} kinds
 * @property {Column[]} columns
 * @property {Item[]} items
 * @property {string[]} allowed the kinds that new items may have
 * @property {number} maximum how many items the section takes
 * @property {Set<string>} taken the ids that are another's
 */

/** What names the columns of a file: what they are called, or their pointers where a name is that of two. */
function headerOf(/** @type {Column[]} */ columns, isPlain = false) {
  const names = columns.map(({ label }) => label.toLowerCase());
  const isOwn = (/** @type {string} */ name) =>
    names.indexOf(name) === names.lastIndexOf(name) && ![idName, kindName].includes(name);
  return [idName, kindName, ...columns.map(({ label, pointer }, place) =>
    isPlain && isOwn(names[place]) ? label : pointer)];
}

/**
 * The rows of a file.
 * @param {Pick<Table, 'columns'|'items'>} table
 * @param {{hasLabels: boolean, separator: string}} how
 */
export function fileRows({ columns, items }, { hasLabels, separator }) {
  const cell = (/** @type {Column} */ column, /** @type {Item} */ item) => {
    const text = cellText(column, item);
    const isNumber = controlIn(column, item) === 'number';
    return isNumber ? (separator === ';' ? withDecimalComma(text) : text) : guarded(text);
  };
  const header = headerOf(columns, hasLabels).map(guarded);
  return [header, ...items.map((item) => [item.id, item.kind, ...columns.map((column) => cell(column, item))])];
}

/** Which column each name of a file's first row means, or why it means none. */
function columnsIn(/** @type {string[]} */ header, /** @type {Column[]} */ columns) {
  /** @type {(Column|'id'|'kind'|null)[]} */
  const found = [];
  /** @type {Refusal[]} */
  const refusals = [];
  const known = headerOf(columns, true);
  header.forEach((text, place) => {
    const name = unguarded(text).trim();
    const lower = name.toLowerCase();
    const labelled = columns.filter(({ label }) => label.toLowerCase() === lower);
    const column = [idName, t('Id').toLowerCase()].includes(lower) ? 'id'
      : [kindName, t('Kind').toLowerCase()].includes(lower) ? 'kind'
        : columns.find(({ pointer }) => pointer === name) ?? (labelled.length === 1 ? labelled[0] : null);
    if (column && found.includes(column)) {
      refusals.push({ name, reason: t('This column is there twice. Take one of them out.') });
    }
    found.push(column);
    if (column || name === '') return;
    refusals.push({
      name, reason: t('There is no column “{name}” here. There are: {list}.', { name, list: sideBySide(known) }),
    });
    found[place] = null;
  });
  if (!found.includes('id')) {
    refusals.push({ reason: t('The first row has no column “id”, which says what item a row is of.') });
  }
  return { found, refusals };
}

/**
 * What a file would make of the items.
 * @param {File} file
 * @param {Table} table
 * @param {{removes?: boolean, ordersBy?: boolean}} [how] whether items that it does not have go, and whether its order
 *   counts
 * @returns {{header: Refusal[], outcomes: Outcome[], items: Item[], isRefused: boolean}}
 */
export function planOf({ rows, lines, separator }, table, how = {}) {
  const { removes = false, ordersBy = false } = how;
  const { kinds, columns, items, allowed, maximum, taken } = table;
  const [first = [], ...others] = rows;
  const { found, refusals: header } = columnsIn(first, columns);
  if (others.length > fileRowsMax) {
    header.push({ reason: t('The file has {count} rows. At most {most} are read at once.', {
      count: others.length, most: fileRowsMax,
    }) });
  }
  if (header.length > 0) return { header, outcomes: [], items, isRefused: true };
  const known = new Map(items.map((item) => [item.id, item]));
  /** @type {Map<string, Item>} */
  const next = new Map();
  /** @type {Outcome[]} */
  const outcomes = [];
  others.forEach((row, place) => {
    if (row.every((text) => text.trim() === '')) return;
    outcomes.push(outcomeOf(row, lines[place + 1]));
  });

  /** @type {(row: string[], line: number) => Outcome} */
  function outcomeOf(row, line) {
    const texts = found.map((_, place) => unguarded(row[place] ?? ''));
    const textOf = (/** @type {'id'|'kind'} */ name) => (texts[found.indexOf(name)] ?? '').trim();
    const [given, kind] = [textOf('id'), textOf('kind')];
    /** @type {Refusal[]} */
    const refusals = [];
    const refuse = (/** @type {string} */ reason, /** @type {string} */ name) => { refusals.push({ name, reason }); };
    if (row.slice(found.length).some((text) => text !== '')) {
      refusals.push({
        reason: t('This row has more cells than the first one. Put cells that have a separator into quotes.'),
      });
    }
    const standing = known.get(given);
    if (given && next.has(given)) refuse(t('This id is in the file twice.'), idName);
    if (standing && kind && kind !== standing.kind) {
      refuse(t('The kind of an item stays as it is: {kind}.', { kind: standing.kind }), kindName);
    }
    let item = standing;
    if (!item) {
      if (given && !idPattern.test(given)) {
        refuse(t('An id has 1 to 128 letters, digits and signs of these: . _ : -'), idName);
      } else if (taken.has(given)) refuse(t('Something else in this section has this id.'), idName);
      const wanted = kind || (allowed.length === 1 ? allowed[0] : '');
      if (!allowed.includes(wanted)) {
        refuse(t('A new item needs one of these kinds: {list}.', { list: sideBySide(allowed) }), kindName);
        return { line, id: given, what: 'refused', differences: [], refusals };
      }
      item = newItem(wanted, kinds, given || newID(wanted));
    }
    const begun = /** @type {Item} */ (item);
    /** @type {Difference[]} */
    const differences = [];
    found.forEach((column, at) => {
      if (!column || typeof column === 'string') return;
      const current = /** @type {Item} */ (item);
      const before = cellText(column, begun);
      const written = writtenItem(column, current, texts[at], separator === ';');
      // An empty cell of a column that this kind has not says nothing.
      if (texts[at] === '' && fixedReason(column, current) && before === '') return;
      const refusal = written.reason ?? written.problem;
      if (refusal) refuse(refusal, column.label);
      else if (written.item !== current) {
        item = written.item;
        differences.push({ name: column.label, before, after: cellText(column, item) });
      }
    });
    const made = /** @type {Item} */ (item);
    if (!standing) refusals.push(...lackOf(made, refusals));
    if (refusals.length === 0) next.set(made.id, made);
    const what = refusals.length > 0 ? 'refused' : !standing ? 'added' : made === standing ? 'same' : 'changed';
    return { line, id: made.id, what, differences, refusals };
  }

  /** What a new item must have, and has not. */
  function lackOf(/** @type {Item} */ item, /** @type {Refusal[]} */ told) {
    const lacking = columns.filter(({ at, path }) =>
      at.get(item.kind)?.isRequired && valueAt(item, path) === undefined);
    const names = [...new Map(lacking.map(({ path, label }) => [path.join('/'), label])).values()]
      .filter((name) => !told.some((each) => each.name === name));
    const lack = names.map((name) => ({ name, reason: missing() }));
    if (kinds.itemKinds?.[item.kind]?.action !== 'required' || item.action !== undefined) return lack;
    const reason = sentenceWords({ code: 'action-required', values: { kind: item.kind } });
    return [...lack, { name: labelOf('action'), reason }];
  }

  const inFile = new Set(outcomes.map(({ id }) => id));
  const gone = removes ? items.filter(({ id }) => !inFile.has(id)) : [];
  for (const { id } of gone) outcomes.push({ id, what: 'removed', differences: [], refusals: [] });
  const result = arranged(items.filter((item) => !gone.includes(item)).map((item) => next.get(item.id) ?? item),
    [...next.values()], ordersBy);
  if (result.length > maximum) {
    header.push({ reason: t('There would be {count} items, and this section takes {most}.', {
      count: result.length, most: maximum,
    }) });
  }
  const isRefused = header.length > 0 || outcomes.some(({ what }) => what === 'refused');
  return { header, outcomes, items: isRefused ? items : result, isRefused };
}

/** The items with those of the file among them: in its order, or each new one behind what it stands behind there. */
function arranged(/** @type {Item[]} */ items, /** @type {Item[]} */ inFile, /** @type {boolean} */ ordersBy) {
  const ids = new Set(inFile.map(({ id }) => id));
  if (ordersBy) return [...inFile, ...items.filter(({ id }) => !ids.has(id))];
  const had = new Set(items.map(({ id }) => id));
  /** @type {Map<string, Item[]>} */
  const behind = new Map();
  let last = '';
  for (const item of inFile) {
    if (had.has(item.id)) last = item.id;
    else behind.set(last, [...behind.get(last) ?? [], item]);
  }
  // What is new before all others is new at the end: nothing says that it comes first.
  return [...items.flatMap((item) => [item, ...behind.get(item.id) ?? []]), ...behind.get('') ?? []];
}

/** All ids of a section that no new item may have. */
export function takenIDs(/** @type {Editor['values']} */ { settings, content }) {
  const others = [...Object.values(content.slots ?? {}), settings.header ?? [], settings.footer ?? []].flat();
  return idsIn([...content.items ?? [], ...others]);
}
