// The items of a section as a table. What is written into it is an edit of the form, and saved as one.

import {
  Dialog, announce, html, isEqual, isSame, language, merge, newID, newItem, problemWords, t, toast, useMemo, useRef,
  useState,
} from '../shared.js';
import {
  cellText, choicesOf, columnsOf, controlIn, fixedReason, standingProblem, writtenItem,
} from './columns.js';
import { ExportDialog, ItemsImport } from './files.js';
import { Grid } from './grid.js';
import { takenIDs } from './items-file.js';

/** @typedef {import('./columns.js').Column} Column */
/** @typedef {Editor['values']['content']} Content */
/** @typedef {Editor['texts']} Texts */
/** @typedef {{before: Content, after: Content, texts: Texts}} Step the content on both sides, the texts before */

/** @typedef {{pointer: string, text: string|null, reason?: string}} Noted a text that is no value, or none any more */

/** How wide a column is, in pixels, by its control. */
const widths = { paragraph: 300, number: 110, flag: 90, choice: 120, instant: 190, color: 110, json: 220 };
/** How many steps can be undone. */
const stepsMax = 100;

/** The columns that an item is known by, before those of its content. */
const leading = (/** @type {boolean} */ hasKinds) =>
  [{ key: 'id', label: t('Id'), width: 170 }, ...hasKinds ? [{ key: 'kind', label: t('Kind'), width: 120 }] : []];

/** Items by what stands in a column, as the interface's language orders it; empty cells come last. */
function sorted(/** @type {Item[]} */ items, /** @type {(item: Item) => string} */ textOf,
  /** @type {boolean} */ isNumber, /** @type {boolean} */ isDescending) {
  const collator = new Intl.Collator(language, { numeric: true });
  const texts = new Map(items.map((item) => [item, textOf(item)]));
  const way = isDescending ? -1 : 1;
  return [...items].sort((left, right) => {
    const [own, other] = [texts.get(left) ?? '', texts.get(right) ?? ''];
    if (own === '' || other === '') return Number(own === '') - Number(other === '');
    return way * (isNumber ? Number(own) - Number(other) : collator.compare(own, other));
  });
}

/** @param {{model: PageModel, editor: Editor, onSave: () => void, onClose: () => void}} props */
export function TableDialog({ model, editor, onSave, onClose }) {
  const { content, settings } = editor.values;
  const items = content.items ?? [];
  const kind = model.kinds.sectionKinds?.[settings.kind] ?? {};
  const allowed = (kind.items?.kinds ?? []).filter((name) => !model.kinds.itemKinds?.[name]?.removed);
  const maximum = kind.items?.maximum ?? Infinity;
  const mayEdit = editor.mayFill && !editor.textAt('content', '') && !editor.goneBy;
  const shown = useRef(/** @type {Column[]} */ ([]));
  const known = useMemo(() => columnsOf({ kinds: model.kinds, allowed, items, locales: model.draft.locales }),
    [items, model.kinds, language]);
  // Those of kinds that no item has are known to files alone.
  const columns = useMemo(() => {
    const used = new Set(items.map((item) => item.kind));
    const found = known.filter(({ at }) => used.size === 0 || [...at.keys()].some((name) => used.has(name)));
    const pointers = new Set(found.map(({ pointer }) => pointer));
    // What was shown stays: a cell that is emptied takes no column away.
    const left = shown.current.filter(({ pointer }) => !pointers.has(pointer));
    shown.current = left.length === 0 ? found : [...found, ...left];
    return shown.current;
  }, [known]);
  const lead = leading(new Set([...allowed, ...items.map((item) => item.kind)]).size > 1);
  const [sort, setSort] = useState(/** @type {{column: number, isDescending: boolean, ids: string[]}|null} */ (null));
  const [dialog, setDialog] = useState(/** @type {'in'|'out'|null} */ (null));
  const [selected, setSelected] = useState(/** @type {number[]} */ ([]));
  const steps = useRef(/** @type {{done: Step[], undone: Step[]}} */ ({ done: [], undone: [] }));

  const places = useMemo(() => new Map(items.map((item, place) => [item.id, place])), [items]);
  const view = useMemo(() => {
    if (!sort) return items;
    const known = new Set(sort.ids);
    const there = sort.ids.flatMap((id) => items[places.get(id) ?? -1] ?? []);
    return [...there, ...items.filter(({ id }) => !known.has(id))];
  }, [items, sort]);
  const problems = useMemo(() => new Map(editor.errors.filter(({ part }) => part === 'content')
    .map((error) => [error.pointer, problemWords(error)])), [editor.errors, language]);

  const pointerAt = (/** @type {number} */ place, /** @type {Column} */ { pointer }) => `/items/${place}${pointer}`;
  /** @type {import('./grid.js').GridProps['cellOf']} */
  const cellOf = (row, number) => {
    const item = view[row];
    if (number < lead.length) {
      const { key } = lead[number];
      const fixed = key === 'id' ? t('An id stays as it is.') : t('The kind is changed in the form.');
      return { text: key === 'id' ? item.id : item.kind, fixed, mark: 'id' };
    }
    const column = columns[number - lead.length];
    const place = places.get(item.id) ?? 0;
    const pointer = pointerAt(place, column);
    const broken = editor.textAt('content', pointer);
    const whole = `/items/${place}/${column.path.join('/')}`;
    return {
      text: broken?.text ?? cellText(column, item),
      fixed: mayEdit ? fixedReason(column, item) : t('You can look at this, but not change it.'),
      problem: broken?.reason ?? problems.get(pointer) ?? problems.get(whole) ?? standingProblem(column, item),
      choices: choicesOf(column, item),
    };
  };

  const textsNow = () => new Map([...editor.texts].filter(([, { name }]) => name === 'content'));
  /** Makes an edit that can be undone. */
  const edit = (/** @type {Item[]} */ next, /** @type {Noted[]} */ noted = []) => {
    const before = editor.values.content;
    const after = isSame(next, before.items ?? []) ? before : { ...before, items: next };
    const step = { before, after, texts: textsNow() };
    steps.current = { done: [...steps.current.done, step].slice(-stepsMax), undone: [] };
    editor.set('content', step.after, noted);
  };
  const goBack = (/** @type {'undo'|'redo'} */ way) => {
    const ways = /** @type {const} */ (['done', 'undone']);
    const [from, to] = way === 'undo' ? ways : [ways[1], ways[0]];
    const step = steps.current[from].at(-1);
    if (!step) return;
    // What others changed since stays, and what they changed at the same place is theirs.
    const { value, conflicts } = merge(step.after, step.before, editor.values.content);
    if (conflicts.length > 0) {
      toast(t('Somebody has changed the same since: it is not undone.'), 'failure');
      return;
    }
    const texts = textsNow();
    const noted = [
      ...[...texts.values()].map(({ pointer }) => ({ pointer, text: null })), ...step.texts.values(),
    ];
    steps.current = {
      ...steps.current, [from]: steps.current[from].slice(0, -1),
      [to]: [...steps.current[to], { before: step.after, after: step.before, texts }],
    };
    editor.set('content', isEqual(value, editor.values.content) ? editor.values.content : value, noted);
    announce(way === 'undo' ? t('Undone') : t('Done again'));
  };

  const kindOfNew = (/** @type {string|undefined} */ wanted) =>
    allowed.find((name) => name === wanted) ?? allowed.find((name) => name === view.at(-1)?.kind) ?? allowed[0];
  /** @type {import('./grid.js').GridProps['onEdit']} */
  const onEdit = (edits) => {
    // What was written a moment ago may not be drawn yet.
    const current = editor.values.content.items ?? [];
    const placesNow = current === items ? places : new Map(current.map((item, place) => [item.id, place]));
    const next = [...current];
    /** @type {Noted[]} */
    const noted = [];
    /** @type {string[]} */
    const refused = [];
    const taken = takenIDs(editor.values);
    for (let row = view.length; row <= Math.max(...edits.map((each) => each.row)); row += 1) {
      const textIn = (/** @type {string} */ key) => edits.find((each) =>
        each.row === row && lead[each.column]?.key === key)?.text.trim();
      const given = textIn('id');
      const name = kindOfNew(textIn('kind'));
      const isFree = given && /^[A-Za-z0-9._:-]{1,128}$/.test(given) && !taken.has(given);
      if (isFree) taken.add(given);
      next.push(newItem(name, model.kinds, isFree ? given : newID(name)));
    }
    for (const { row, column: number, text } of edits) {
      const place = row < view.length ? placesNow.get(view[row].id) ?? -1 : current.length + row - view.length;
      const item = next[place];
      // Somebody took it away meanwhile.
      if (!item) continue;
      if (number < lead.length) {
        const own = lead[number].key === 'id' ? item.id : item.kind;
        if (text.trim() !== '' && text.trim() !== own) refused.push(cellWords(row, lead[number].label, text));
        continue;
      }
      const column = columns[number - lead.length];
      const pointer = pointerAt(place, column);
      const written = writtenItem(column, item, text);
      if (written.isFixed || !mayEdit) {
        refused.push(cellWords(row, column.label, text));
      } else if (written.reason) noted.push({ pointer, text, reason: written.reason });
      else {
        if (editor.textAt('content', pointer)) noted.push({ pointer, text: null });
        next[place] = written.item;
      }
    }
    edit(next, noted);
    if (refused.length > 0) {
      toast(t('Not taken, since nothing can be written there: {list}', {
        list: refused.slice(0, 3).join(' · ') + (refused.length > 3 ? ` … (${refused.length})` : ''),
      }), 'failure');
    }
    const broken = noted.filter(({ text }) => text !== null).length;
    if (edits.length > 1) {
      const words = broken > 0 ? t('Written: {count} cells, {broken} of them with a problem', {
        count: edits.length, broken,
      }) : t('Written: {count} cells', { count: edits.length });
      announce(words);
    }
  };
  const cellWords = (/** @type {number} */ row, /** @type {string} */ name, /** @type {string} */ text) =>
    `${t('{field}, row {row}', { field: name, row: row + 1 })} “${text}”`;

  const sortBy = (/** @type {number} */ number) => {
    const isDescending = sort?.column === number && !sort.isDescending;
    if (sort?.column === number && sort.isDescending) return setSort(null);
    const key = lead[number]?.key;
    const column = columns[number - lead.length];
    const textOf = (/** @type {Item} */ item) =>
      key === 'id' ? item.id : key === 'kind' ? item.kind : cellText(column, item);
    const isNumber = !key && items.every((item) => controlIn(column, item) === 'number');
    const ids = sorted(items, textOf, isNumber, isDescending).map(({ id }) => id);
    return setSort({ column: number, isDescending, ids });
  };
  const add = (/** @type {string} */ name) =>
    edit([...editor.values.content.items ?? [], newItem(name, model.kinds, newID(name))]);
  const remove = () => {
    const gone = new Set(selected.map((row) => view[row]?.id));
    edit((editor.values.content.items ?? []).filter(({ id }) => !gone.has(id)));
    announce(t('Removed: {count} rows', { count: gone.size }));
  };
  const take = (/** @type {Item[]} */ next) => {
    edit(next);
    setSort(null);
  };
  const keepOrder = () => {
    take(view);
    announce(t('This is the order of the items now. Save to keep it.'));
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's' || dialog) return;
    event.preventDefault();
    onSave();
  };
  const wrong = editor.errors.length;
  const table = { kinds: model.kinds, items, allowed, maximum, taken: takenIDs(editor.values) };
  return html`<${Dialog} title=${t('Table of {section}', { section: model.nameOf(editor.id) })} size="whole"
      onClose=${onClose}>
    <div class="sheet-tools" onKeyDown=${onKey}>
      ${mayEdit && items.length < maximum && allowed.map((/** @type {string} */ name) => html`<button
        type="button" key=${name} onClick=${() => add(name)}>
        + ${model.kinds.itemKinds?.[name]?.title ?? name}</button>`)}
      ${mayEdit && html`<button type="button" disabled=${selected.length === 0} onClick=${remove}>
        ${t('Remove rows: {count}', { count: selected.length })}</button>`}
      ${sort && mayEdit && html`<button type="button" onClick=${keepOrder}>${t('Keep this order')}</button>`}
      <span class="grow hint" role="status">${t('{count} items', { count: items.length })}${sort
        ? ` · ${t('sorted in this view alone')}` : ''}</span>
      ${mayEdit && html`<button type="button" onClick=${() => setDialog('in')}>${t('Read a CSV file…')}</button>`}
      <button type="button" onClick=${() => setDialog('out')}>${t('As a CSV file…')}</button>
    </div>
    ${editor.goneBy && html`<p class="banner error in-dialog" role="alert">${editor.goneWords}</p>`}
    ${editor.isBehind && html`<p class="banner warning in-dialog" role="alert">
      ${t('This section was saved elsewhere. Save to see both and choose.')}</p>`}
    ${wrong > 0 && html`<p class="banner error in-dialog" role="alert">
      ${t('Not saved. Problems: {count}', { count: wrong })}</p>`}
    <div class="sheet-place" onKeyDown=${onKey}>
      ${items.length === 0 && html`<p class="hint">${t('There are no items yet.')}</p>`}
      <${Grid}
        label=${t('Table of {section}', { section: model.nameOf(editor.id) })}
        columns=${[...lead, ...columns.map((column) => ({
          key: column.pointer, label: column.label,
          // Whatever is in it, what it is called is read as a whole.
          width: Math.max(
            widths[/** @type {keyof typeof widths} */ (column.control)] ?? 200, 8 * column.label.length + 24),
        }))]}
        count=${view.length}
        keyOf=${(/** @type {number} */ row) => view[row].id}
        cellOf=${cellOf}
        onEdit=${onEdit}
        room=${mayEdit && allowed.length > 0 ? maximum - items.length : 0}
        onStep=${goBack}
        sort=${sort}
        onSort=${sortBy}
        onSelect=${setSelected}
        takesFocus /></div>
    <footer>
      <span class="grow hint">${editor.isDirty ? t('Not saved yet.') : ''}</span>
      <button type="button" onClick=${onClose}>${t('Close')}</button>
      <button type="button" class="primary" disabled=${!editor.maySave} title="Ctrl+S" onClick=${onSave}>
        ${t('Save')}</button>
    </footer>
    ${dialog === 'out' && html`<${ExportDialog} name=${`${model.page} ${editor.id}`} table=${{ ...table, columns }}
      onClose=${() => setDialog(null)} />`}
    ${dialog === 'in' && html`<${ItemsImport} table=${{ ...table, columns: known }} onTake=${take}
      onClose=${() => setDialog(null)} />`}
  <//>`;
}
