// The sections in their order: drag them, move them by keyboard, type an index, and what else can be done to one.

import { get } from '../lib/api.js';
import { folded } from '../lib/commands.js';
import { joinSentences, t, term } from '../lib/i18n.js';
import { dragging, dropPlace, moveItem, takes } from '../lib/moving.js';
import { readNumber } from '../lib/numbers.js';
import { positionBetween } from '../lib/order.js';
import { makeSortable } from '../lib/sorting.js';
import { browserStorage } from '../lib/storage.js';
import { typedIn } from '../lib/typed.js';
import {
  Badge, Pure, Tool, attempt, html, options, useAttempt, useEffect, useLoad, useRef, useState,
} from '../lib/ui.js';
import { nameIn, repeatedIn } from '../lib/words.js';
import { SectionMenu } from './section-menu.js';
import { scheduleWords } from './value.js';

/** What a row says about a section, as one text so that rows redraw only when it changes. */
function statesOf(/** @type {PageModel} */ model) {
  const hidden = /** @type {Hidden[]} */ (model.payloads[0]?.hidden ?? []);
  const absent = new Map(hidden.map(({ section, reason }) => [section, reason]));
  const changed = new Set(model.draft.changed);
  const problems = new Map();
  for (const problem of model.problems) {
    const id = problem.section ?? sectionOf(model, problem.pointer);
    if (id) problems.set(id, problem.severity === 'error' || problems.get(id) === 'error' ? 'error' : 'warning');
  }
  return (/** @type {Section} */ section) => JSON.stringify({
    changed: changed.has(section.id), hidden: section.hidden === true, absent: absent.get(section.id),
    problem: problems.get(section.id), schedule: section.schedule,
    audience: section.audience !== undefined,
  });
}

function sectionOf(/** @type {PageModel} */ model, pointer = '') {
  const [, place, number] = pointer.split('/');
  return place === 'sections' ? model.draft.sections[Number(number)]?.id : undefined;
}

function States(/** @type {{state: string, isMoved: boolean, isUnsaved: boolean}} */ { state, isMoved, isUnsaved }) {
  const { changed, hidden, absent, problem, schedule, audience } = JSON.parse(state);
  return html`<span class="badges">
    ${isMoved && html`<${Badge} kind="moved">${t('moved, not saved')}<//>`}
    ${isUnsaved && html`<${Badge} kind="moved">${t('edited, not saved')}<//>`}
    ${problem && html`<${Badge} kind=${problem}>${problem === 'error' ? t('problem') : t('note')}<//>`}
    ${changed && html`<${Badge} kind="changed">${t('changed')}<//>`}
    ${hidden && html`<${Badge} kind="hidden">${t('hidden')}<//>`}
    ${schedule && html`<${Badge} kind="scheduled" title=${scheduleWords(schedule)}>${t('scheduled')}<//>`}
    ${audience && html`<${Badge} kind="audience">${t('audience')}<//>`}
    ${absent === 'empty' && html`<${Badge} kind="hidden">${t('empty')}<//>`}
    ${absent === 'expired' && html`<${Badge} kind="error" title=${term(absent)}>${t('expired')}<//>`}
    ${absent && !hidden && !['empty', 'expired'].includes(absent) && html`<${Badge} kind="absent" title=${term(absent)}>
      ${t('not shown')}<//>`}
  </span>`;
}

/** What was typed in the list, and until when it goes on, by the page's clock in milliseconds. */
const typing = { text: '', until: 0 };

/**
 * The section that letters typed in the list lead to: the next whose name or id begins with them, or has them.
 * @param {PageModel} model
 * @param {string} id where it begins
 * @param {KeyboardEvent} event
 */
function typedTo(model, id, { key, timeStamp }) {
  const isOn = timeStamp < typing.until && typing.text !== '';
  if (key === ' ' && !isOn) return undefined;
  typing.text = folded(isOn ? typing.text + key : key);
  typing.until = timeStamp + 1000;
  const start = model.order.indexOf(id) + (isOn ? 0 : 1);
  const ids = [...model.order.slice(start), ...model.order.slice(0, start)];
  const names = ids.map((each) => [each, model.nameOf(each)].map(folded));
  const at = [
    names.findIndex((each) => each.some((name) => name.startsWith(typing.text))),
    names.findIndex((each) => each.some((name) => name.includes(typing.text))),
  ].find((place) => place >= 0);
  return at === undefined ? null : ids[at];
}

class Row extends Pure {
  /** @type {ReturnType<typeof dropPlace>|null} what takes an item that is dropped */
  place = null;

  onKey(/** @type {On<KeyboardEvent, HTMLElement>} */ event) {
    const { model, id, position } = this.props;
    /** @type {Record<string, number>} */
    const targets = { ArrowUp: position - 1, ArrowDown: position + 1, Home: 0, End: Infinity };
    const row = event.currentTarget;
    /** @type {HTMLElement[]} */
    const rows = Array.from(row.closest('ol')?.querySelectorAll('.row-main') ?? []);
    if (event.altKey && event.key in targets && model.mayEdit) {
      event.preventDefault();
      model.ordering.move(id, targets[event.key]);
      requestAnimationFrame(() => row.isConnected && row.focus());
    } else if (!event.altKey && event.key in targets) {
      event.preventDefault();
      if (event.shiftKey && model.mayEdit) {
        const next = model.order[Math.max(0, Math.min(rows.length - 1, targets[event.key]))];
        if (next !== id || !model.chosen.has(id)) model.chooseOn(id, next);
      }
      rows[Math.max(0, Math.min(rows.length - 1, targets[event.key]))].focus();
    } else if (event.key.length === 1 && !event.altKey && !event.ctrlKey && !event.metaKey) {
      const to = typedTo(model, id, event);
      if (to === undefined) return;
      event.preventDefault();
      rows.find((each) => each.closest('.row')?.dataset.id === to)?.focus();
    }
  }

  /** An item of the section that is edited may be dropped on another one. */
  takesItem() {
    const { model, id } = this.props;
    return dragging.current && dragging.current.editor.id !== id && takes(model, id, dragging.current.item);
  }

  takeItem() {
    const { model, id } = this.props;
    const dragged = /** @type {import('../lib/moving.js').Dragged} */ (dragging.current);
    return attempt(() => moveItem(model, dragged, { section: id }));
  }

  onClick(/** @type {MouseEvent} */ event) {
    const { model, id } = this.props;
    // The first of a range is the section that is open, unless something is chosen.
    if (!event.shiftKey || !model.mayEdit) attempt(() => model.select(id));
    else if (model.chosen.size > 0 || !model.editor) model.choose(id, true);
    else model.chooseOn(model.editor.id, id);
  }

  choose(/** @type {On<MouseEvent>} */ event) {
    // The state says what is checked, a range too.
    event.target.checked = !event.target.checked;
    this.props.model.choose(this.props.id, event.shiftKey);
  }

  /**
   * @param {{model: PageModel, id: string, name: string, isRepeated: boolean, position: number, index: number|null,
   *   refused: Refused|undefined, isTyped: boolean, isMoved: boolean, isSelected: boolean, isUnsaved: boolean,
   *   isCurrent: boolean, state: string, mayEdit: boolean, mayRead: boolean, isChosen: boolean,
   *   onMenu: (id: string, opener: HTMLElement) => void, onEnter: (id: string) => void,
   *   onInsert: (after: string) => void}} props
   */
  render({
    model, id, name, isRepeated, position, index, refused, isTyped, isMoved, isSelected, isUnsaved, isCurrent, state,
    mayEdit, mayRead, isChosen, onMenu, onEnter, onInsert,
  }) {
    const tabindex = isCurrent ? 0 : -1;
    this.place ??= dropPlace(() => this.takesItem(), () => this.takeItem());
    return html`<li
      class="row ${isSelected ? 'selected' : ''} ${isChosen ? 'chosen' : ''} ${isMoved ? 'moved' : ''}"
      data-id=${id}
      onfocusin=${() => onEnter(id)}
      ...${this.place}>
      ${mayEdit && html`<input
        type="checkbox"
        class="choose"
        tabindex=${tabindex}
        checked=${isChosen}
        aria-label=${t('Choose {section}', { section: name })}
        onClick=${(event) => this.choose(event)} />`}
      ${mayEdit && html`<span class="handle" aria-hidden="true" title=${t('Drag to move')}>⠿</span>`}
      <span class="position" aria-hidden="true">${position + 1}</span>
      ${index !== null && html`<${Index}
        tabindex=${tabindex}
        key=${model.rule}
        value=${index}
        refused=${refused}
        isTyped=${isTyped}
        isMoved=${isMoved}
        name=${name}
        mayEdit=${mayEdit}
        onType=${(value) => model.ordering.typeIndex(id, value)}
        onRefuse=${(text) => model.ordering.noteIndex(id, text)} />`}
      <button
        class="row-main"
        tabindex=${tabindex}
        aria-pressed=${String(isSelected)}
        aria-disabled=${mayRead ? undefined : 'true'}
        title=${mayRead ? undefined : t('Your token is not for this section.')}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Alt+Home Alt+End Shift+ArrowUp Shift+ArrowDown"
        onClick=${(event) => this.onClick(event)}
        onKeyDown=${(event) => this.onKey(event)}>
        <span class="names"><strong>${name}</strong>${isRepeated && html`<code>${id}</code>`}</span>
        <${States} state=${state} isMoved=${isMoved || isTyped} isUnsaved=${isUnsaved} />
      </button>
      ${mayEdit && html`<button
        class="icon menu-button"
        tabindex=${tabindex}
        aria-haspopup="menu"
        aria-label=${t('More for {section}', { section: name })}
        onClick=${(event) => onMenu(id, event.currentTarget)}>⋯</button>
      <button
        class="insert"
        tabindex="-1"
        title=${t('Insert below {section}', { section: name })}
        aria-label=${t('Insert below {section}', { section: name })}
        onClick=${() => onInsert(id)}>+</button>`}
    </li>`;
  }
}

/** The indices that a section may have. */
const wantedIndex = { isWhole: true, least: -1_000_000, most: 1_000_000 };

/** @typedef {{text: string, reason: string}} Refused what was typed as an index and is none */

/**
 * The index of a section, which may be typed. What is refused is not saved, and waits with the moves.
 * @param {{tabindex: number, value: number|null, refused: Refused|undefined, isTyped: boolean,
 *   isMoved: boolean, name: string, mayEdit: boolean, onType: (index: number) => void,
 *   onRefuse: (refused: Refused|null) => void}} props
 */
function Index({ tabindex, value, refused, isTyped, isMoved, name, mayEdit, onType, onRefuse }) {
  const [typed, setTyped] = useState(/** @type {string|null} */ (null));
  // Where indices are shown no more, nobody could mend it.
  useEffect(() => () => onRefuse(null), []);
  if (!mayEdit) return html`<span class="index">${value}</span>`;
  const text = typed ?? refused?.text;
  // The server finds the fewest indices that make the order.
  const isOpen = isMoved && !isTyped;
  const commit = () => {
    const { value: number, reason } = readNumber(text ?? '', wantedIndex);
    onRefuse(reason && text ? { text, reason } : null);
    setTyped(null);
    if (!reason && typeof number === 'number') onType(number);
  };
  const type = (/** @type {string|null} */ next) => {
    setTyped(next);
    onRefuse(null);
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === 'Enter') commit();
    if (event.key === 'Escape') type(null);
  };
  return html`<input
      tabindex=${tabindex}
      class="index ${isTyped ? 'typed' : ''}"
      inputmode="decimal"
      autocomplete="off"
      aria-label=${t('Index of {section}', { section: name })}
      aria-invalid=${refused ? 'true' : undefined}
      value=${text ?? (isOpen ? '' : value)}
      placeholder=${isOpen ? '…' : undefined}
      title=${isOpen ? t('It gets its index when the order is saved.') : undefined}
      onFocus=${(event) => event.target.select()}
      onInput=${(event) => type(event.target.value)}
      onBlur=${commit}
      onKeyDown=${onKey} />
    ${refused && html`<span class="error of-index" role="alert">${refused.reason}</span>`}`;
}

/**
 * What stands above the list: the search, the rule by which it is ordered, its indices, and the way to the rules.
 * @param {{model: PageModel, filter: string, showsIndices: boolean, onFilter: (text: string) => void,
 *   onFound: () => void, onIndices: () => void, onRules: () => void}} props
 */
function ListTools({ model, filter, showsIndices, onFilter, onFound, onIndices, onRules }) {
  const ruleShown = model.payloads[0]?.sortRule;
  const chooseRule = (/** @type {FieldEvent} */ event) => {
    model.ordering.setRule(event.target.value);
    event.target.value = model.rule;
  };
  const isSeveral = Object.keys(model.draft.sortRules ?? {}).length > 1;
  const titleOf = (/** @type {string} */ rule) =>
    rule === 'default' ? t('Default order') : t('Order: {rule}', { rule });
  return html`<div class="list-tools">
    <input
      type="search"
      placeholder=${t('Find…')}
      aria-label=${t('Find a section')}
      value=${filter}
      onKeyDown=${(event) => { if (event.key === 'Enter') onFound(); }}
      onInput=${(event) => onFilter(event.target.value)} />
    ${isSeveral && html`<label class="compact"><span class="sr-only">${t('Sort rule')}</span>
      <select value=${model.rule} onChange=${chooseRule}>
        ${options(Object.keys(model.draft.sortRules).map((rule) => [rule, titleOf(rule)]), model.rule)}
      </select></label>`}
    <${Tool} label=${t('Indices')} title=${t('Indices')} class="icon framed" aria-pressed=${String(showsIndices)}
      onClick=${onIndices}>#<//>
    <button class="icon framed" aria-label=${t('Sort rules')} title=${t('Sort rules')} onClick=${onRules}>⇅</button>
    ${ruleShown && ruleShown !== model.rule && html`<p class="hint">
      ${t('The phone shows another order: {rule}. Choose a client above it to see this one.', {
        rule: ruleShown === 'default' ? t('Default order') : ruleShown,
      })}</p>`}
  </div>`;
}

/**
 * The section in whose dialog something was typed when the tab was loaded anew.
 * @returns {{id: string, left?: string, opener?: HTMLElement}|null}
 */
function leftMenu(/** @type {PageModel} */ model) {
  for (const { dialog } of typedIn(`${model.path.join('/')} section`)) {
    const [left, id] = dialog.split(' ');
    if (model.mayEdit && model.section(id)) return { left, id };
  }
  return null;
}

/** Scrolls the list alone, as far as it must for a row to be in sight. */
function reveal(/** @type {HTMLElement} */ list, /** @type {string} */ id) {
  const row = list.querySelector(`.row[data-id="${CSS.escape(id)}"]`);
  if (!row) return;
  const [{ top, bottom }, seen] = [row.getBoundingClientRect(), list.getBoundingClientRect()];
  if (top < seen.top) list.scrollTop += Math.floor(top - seen.top) - 4;
  else if (bottom > seen.bottom) list.scrollTop += Math.ceil(bottom - seen.bottom) + 4;
}

/** The sections that are live and deleted in the draft, each with the way back. */
function Deleted(/** @type {{model: PageModel}} */ { model }) {
  const attempt = useAttempt();
  // What they are called is live alone.
  const { live } = model.draft;
  const [revision] = useLoad(async () => (await get([...model.path, 'revisions', String(live)])).value, [live]);
  const nameOf = (/** @type {string} */ id) => nameIn(revision, model.kinds, id);
  const repeated = repeatedIn(model.deletedIDs.map(nameOf));
  return html`<div class="deleted"><p class="hint">${t('Deleted, and still live until you publish:')}</p>
    <ul>${model.deletedIDs.map((id) => html`<li key=${id}><span>${nameOf(id)}${
      repeated.has(nameOf(id)) && html` <code>${id}</code>`}</span>${' '}<button
      type="button"
      class="small"
      aria-label=${t('Put back: {what}', { what: nameOf(id) })}
      onClick=${() => attempt(() => model.putBackLive(id), id)}>${t('Put back')}</button></li>`)}</ul></div>`;
}

/**
 * @param {{model: PageModel, onRules: () => void, onInsert: (after: string) => void}} props
 */
export function SectionList({ model, onRules, onInsert }) {
  const list = useRef();
  const [menu, setMenu] = useState(() => leftMenu(model));
  const [filter, setFilter] = useState('');
  const [showsIndices, setShowsIndices] = useState(browserStorage.get('hearth.indices') === 'true');
  const toggleIndices = () => {
    browserStorage.set('hearth.indices', String(!showsIndices));
    setShowsIndices(!showsIndices);
  };
  /** The row that Tab leads to; arrows lead from row to row. */
  const [entered, setEntered] = useState(/** @type {string|null} */ (null));
  const isFiltered = filter.trim() !== '';
  const canDrag = model.mayEdit && !isFiltered;
  useEffect(() => {
    if (!canDrag) return undefined;
    const move = (/** @type {string} */ id, /** @type {Parameters<typeof positionBetween>[2]} */ neighbours) =>
      model.ordering.move(id, positionBetween(model.order, id, neighbours));
    return makeSortable(list.current, '.row', move, '.handle');
  }, [canDrag, model]);
  const opened = model.editor?.id;
  useEffect(() => { if (opened !== undefined) reveal(list.current, opened); }, [opened, model.choice]);
  const { indices, movedIDs, order, pending, texts } = model.ordering;
  const state = statesOf(model);
  const sections = new Map(model.draft.sections.map((section) => [section.id, section]));
  const wanted = folded(filter.trim());
  const shown = order.map((id, position) => ({
    section: /** @type {Section} */ (sections.get(id)), name: model.nameOf(id), position,
  })).filter(({ section, name }) => !wanted || folded(`${section.id} ${section.kind} ${name}`).includes(wanted));
  const repeated = repeatedIn(order.map((id) => model.nameOf(id)));
  const isShown = (/** @type {string} */ id) => shown.some(({ section }) => section.id === id);
  const current = [entered, model.editor?.id].find((id) => id && isShown(id)) ?? shown[0]?.section.id;
  /** Goes to the first that was found, in the whole list again. */
  const goToFound = () => {
    const id = shown[0]?.section.id;
    if (!id) return;
    setFilter('');
    setEntered(id);
    list.current.querySelector(`.row[data-id="${CSS.escape(id)}"] .row-main`)?.focus();
    requestAnimationFrame(() => reveal(list.current, id));
  };
  return html`
    <${ListTools}
      model=${model}
      filter=${filter}
      showsIndices=${showsIndices}
      onFilter=${setFilter}
      onFound=${goToFound}
      onIndices=${toggleIndices}
      onRules=${onRules} />
    <ol class="rows" ref=${list} aria-label=${t('Sections')}>
      ${shown.map(({ section, name, position }) => html`<${Row}
        key=${section.id}
        model=${model}
        id=${section.id}
        name=${name}
        isRepeated=${repeated.has(name)}
        index=${showsIndices ? indices[section.id] : null}
        refused=${texts.get(section.id)}
        isTyped=${pending?.typed[section.id] !== undefined}
        isMoved=${movedIDs.has(section.id)}
        isSelected=${model.editor?.id === section.id}
        isUnsaved=${model.editor?.id === section.id && model.editor?.isDirty}
        state=${state(section)}
        mayEdit=${model.mayEdit}
        mayRead=${model.mayRead(section.id)}
        isChosen=${model.chosen.has(section.id)}
        position=${position}
        isCurrent=${section.id === current}
        onEnter=${setEntered}
        onInsert=${onInsert}
        onMenu=${(id, opener) => setMenu({ id, opener })} />`)}
    </ol>
    ${shown.length === 0 && html`<p class="nothing">
      ${joinSentences([
    isFiltered ? t('There is no section of that name.') : t('This page has no sections yet.'),
    !isFiltered && model.mayEdit && t('“Add section” makes the first one.'),
  ])}</p>`}
    ${model.mayEdit && model.deletedIDs.length > 0 && html`<${Deleted} model=${model} />`}
    ${menu && html`<${SectionMenu} model=${model} ...${menu} onInsert=${onInsert} onClose=${() => setMenu(null)} />`}`;
}
