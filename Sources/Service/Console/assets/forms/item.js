// One item: its content by its kind's schema, its action, its children, and when and for whom it shows.

import { folded } from '../lib/commands.js';
import { t } from '../lib/i18n.js';
import { newID } from '../lib/ids.js';
import { idsIn, itemTitle, newItem } from '../lib/item.js';
import { Later } from '../lib/later.js';
import { objectOf } from '../lib/members.js';
import { resolve } from '../lib/schema.js';
import { Check, Memo, Tool, html, options, useEffect, useRef, useState } from '../lib/ui.js';
import { repeatedIn } from '../lib/words.js';
import { useDropped } from './dropped.js';
import { List, Members, RawJSON, memberControls, memberFields } from './field.js';
import { LineField, Problems, SelectField, problemsAt, requiredMark } from './labelled.js';
import { accessibilitySchema, actionsSchema, insetSchema } from './layout-members.js';
import { NumberField } from './number.js';
import { PredicateField } from './predicate.js';
import { ScheduleField } from './schedule.js';
import { longFrom, useSeen } from './seen.js';

const copyIcon = html`<svg
  width="14"
  height="14"
  viewBox="0 0 14 14"
  fill="none"
  stroke="currentColor"
  aria-hidden="true">
  <rect x="4.500" y="4.500" width="8" height="8" rx="1.500" />
  <path d="M9.500 2.500a1 1 0 0 0-1-1h-6a1 1 0 0 0-1 1v6a1 1 0 0 0 1 1" /></svg>`;

/**
 * @typedef {{form: Form, item: Item, from?: string|null, pointer: string, kinds: string[], depth?: number,
 *   hasID?: boolean, onChange: (value: Item) => void}} ItemProps
 */

/**
 * What tells an item from others, its id and its kind.
 * @param {Pick<ItemProps, 'form'|'item'|'pointer'|'kinds'|'hasID'|'onChange'>} props
 */
function Identity({ form, item, pointer, kinds, hasID, onChange }) {
  const choices = [...new Set([...(kinds ?? []).filter((kind) => !form.kinds.itemKinds?.[kind]?.removed), item.kind])];
  return html`<div class="pair">
    ${hasID && html`<${LineField} form=${form} pointer="${pointer}/id" label=${t('Id')} value=${item.id}
      onText=${(id) => onChange({ ...item, id })} />`}
    ${choices.length > 1 && html`<${SelectField} form=${form} pointer="${pointer}/kind" label=${t('Kind')}
      choices=${choices.map((name) => [name, form.kinds.itemKinds?.[name]?.title ?? name])} value=${item.kind}
      onChange=${(kind) => onChange({ ...item, kind })} />`}
  </div>`;
}

/**
 * The other places that take an item.
 * @param {{form: Form, item: Item, from: string|null}} props
 */
function MoveTo({ form, item, from }) {
  const latest = useRef();
  latest.current = item;
  const targets = form.moves?.targets(item, from) ?? [];
  const move = (/** @type {FieldEvent} */ event) => {
    const target = targets[Number(event.target.value)];
    event.target.value = '';
    form.moves?.to(latest.current, from, target);
  };
  // There may be hundreds, which a key that is typed into the item leaves as they are.
  return targets.length > 0 && html`<${Memo} values=${[JSON.stringify([item.id, targets])]} draw=${() => html`<label>
    ${t('Move to')}<select data-move=${item.id} onChange=${move}>
      ${options([['', '–'], ...targets.map(({ text }, number) => [number, text])], null)}</select></label>`} />`;
}

/** @param {ItemProps} props */
export function ItemForm({
  form, item, from = null, pointer, kinds: allowed, depth = 0, hasID = true, onChange,
}) {
  const set = (/** @type {keyof Item} */ name) => (/** @type {unknown} */ part) => {
    const { [name]: _, ...rest } = item;
    onChange(/** @type {Item} */ (part === undefined ? rest : { ...item, [name]: part }));
  };
  const kind = form.kinds.itemKinds?.[item.kind] ?? {};
  const schema = resolve(kind.content, form.kinds);
  const whole = { form, value: /** @type {Content} */ (item), pointer, set };
  const [control, member] = [memberControls(whole), memberFields(whole)];
  const flag = (/** @type {'expanded'|'keepOnTop'} */ name, /** @type {string} */ label) => html`<${Check}
    disabled=${!form.mayEdit}
    checked=${item[name] === true}
    onChange=${(isTicked) => set(name)(isTicked || undefined)}>${label}<//>`;
  return html`<${Problems} form=${form} pointer=${pointer} /><${Problems} form=${form} pointer="${pointer}/content" />
    <${Identity} form=${form} item=${item} pointer=${pointer} kinds=${allowed} hasID=${hasID} onChange=${onChange} />
    ${schema.properties ? html`<${Members}
        form=${form}
        schema=${schema}
        value=${item.content ?? {}}
        pointer="${pointer}/content"
        onChange=${set('content')} />`
      : control(RawJSON, 'content', { label: t('Content') })}
    ${hasID && depth === 0 && form.lists && html`<${Later} view="ListsOfItem" form=${form} value=${item.lists}
      pointer=${pointer} onChange=${set('lists')} />`}
    ${kind.action !== 'forbidden' && html`${control(ActionField, 'action', { isRequired: kind.action === 'required' })}
    <details class="more"><summary>${t('More actions')}</summary>${control(ActionsField, 'actions')}</details>`}
    ${kind.children && !form.isForEveryone && depth < 8 && html`<fieldset><legend>${t('Children')}</legend>
      ${flag('expanded', t('Starts expanded'))}
      <${ItemList}
        form=${form}
        items=${item.children ?? []}
        pointer="${pointer}/children"
        kinds=${kind.children}
        depth=${depth + 1}
        onChange=${(list) => set('children')(list.length ? list : undefined)} /></fieldset>`}
    <details class="more"><summary>${t('For those who do not see it')}</summary>
      ${member('accessibility', accessibilitySchema, t('Accessibility'))}
    </details>
    <details class="more"><summary>${form.isForEveryone ? t('Size') : t('When, for whom, size')}</summary>
      ${!form.isForEveryone && html`${control(ScheduleField, 'schedule')}${control(PredicateField, 'audience')}`}
      ${control(NumberField, 'aspect', { label: t('Width divided by height') })}
      ${member('inset', insetSchema, t('Space around it, in points'))}
      ${flag('keepOnTop', t('Keep on top'))}
      ${!form.isForEveryone && html`<${Check}
        disabled=${!form.mayEdit}
        checked=${item.hidden === true}
        onChange=${set('hidden')}>${t('Hidden')}<//>`}
      ${depth === 0 && html`<${MoveTo} form=${form} item=${item} from=${from} />`}
    </details>
    ${form.follow && html`<button
      type="button"
      class="link"
      onClick=${() => form.follow?.(pointer, itemTitle(item, form.locales[0]), true)}>
      ${t('Earlier versions')}</button>`}`;
}

/** What an item offers by a swipe or in a menu. */
function ActionsField(/** @type {FieldProps} */ { form, value, pointer, onChange }) {
  return html`<${List}
    form=${form}
    schema=${actionsSchema}
    value=${value}
    label=${t('More actions')}
    pointer=${pointer}
    onChange=${onChange}
    draw=${(element, { pointer: place, label, set }) => {
      const { action, ...rest } = objectOf(element);
      return html`<fieldset><legend>${label}</legend>
        <${Problems} form=${form} pointer=${place} />
        <${Members} form=${form} schema=${actionsSchema.items} value=${rest} pointer=${place}
          onChange=${(next) => set({ ...next, action })} />
        <${ActionField} form=${form} value=${action} pointer="${place}/action" words=${t('What it does')} isRequired
          onChange=${(next) => set({ ...rest, action: next })} /></fieldset>`;
    }} />`;
}

/** @param {FieldProps<Record<string, Content>> & {words?: string}} props */
function ActionField({ form, value, pointer, words = t('What a tap does'), isRequired, onChange }) {
  const [notice, replace] = useDropped(value, onChange);
  const leads = [['handler', value?.handler], ['url', value?.url]]
    .filter(([, target]) => target !== undefined).map(([name]) => name);
  const what = value === undefined ? 'none' : leads.join(' ') || 'event';
  const set = (/** @type {string} */ name) => (/** @type {string} */ text) => {
    /** @type {Record<string, Content>} */
    const next = { ...value, [name]: text };
    if (text === '' && name === 'event') delete next.event;
    onChange(next);
  };
  const choose = (/** @type {FieldEvent} */ event) => {
    if (event.target.value === 'none') return replace(undefined);
    const { url = '', handler = '', arguments: given, ...rest } = value ?? {};
    const names = event.target.value.split(' ');
    const next = {
      ...(names.includes('url') ? { url } : {}),
      ...(names.includes('handler') ? { handler, ...(given ? { arguments: given } : {}) } : {}),
      ...(names.includes('event') ? { event: '' } : {}), ...rest,
    };
    return (url && !names.includes('url')) || (handler && !names.includes('handler')) ? replace(next) : onChange(next);
  };
  const setJSON = (/** @type {string} */ name) => (/** @type {Content} */ part) => {
    const { [name]: _, ...rest } = value ?? {};
    onChange(part === undefined ? rest : { ...rest, [name]: part });
  };
  const json = memberControls({ form, value, pointer, set: setJSON });
  const text = (/** @type {string} */ name, /** @type {string} */ label) => html`<${LineField}
    form=${form}
    pointer="${pointer}/${name}"
    label=${label}
    spellcheck=${false}
    value=${value?.[name]}
    onText=${set(name)} />`;
  const choices = {
    none: t('Nothing'), url: t('Opens an address'), handler: t('Calls a handler of the app'),
    'handler url': t('Calls a handler, or opens an address in apps without it'),
    event: t('Is tracked, and leads nowhere'),
  };
  return html`<fieldset><legend>${t('Action')}${requiredMark(isRequired)}</legend>
    <${Problems} form=${form} pointer=${pointer} />
    <select aria-label=${words} disabled=${!form.mayEdit} onChange=${choose}>
      ${options(Object.entries(choices), what)}</select>
    ${notice}
    ${leads.includes('url') && text('url', t('Address'))}
    ${leads.includes('handler') && html`${text('handler', t('Handler'))}
      ${json(RawJSON, 'arguments', { label: t('What the handler is given (JSON)'), rows: 2 })}`}
    ${what !== 'none' && html`${text('event', t('Tracking event'))}
      ${json(RawJSON, 'attributes', { label: t('Tracking attributes (JSON)'), rows: 2 })}`}
  </fieldset>`;
}

let itemNumber = 0;

/**
 * Keys that stay with their items when others come and go around them, and when an id is typed; and a way to add one.
 * @param {Item[]} items
 * @returns {[number[], (next: Item[]) => number]}
 */
function useKeys(items) {
  const known = useRef(/** @type {{items: Item[], keys: number[]}} */ ({ items: [], keys: [] }));
  const before = known.current;
  if (before.items !== items) {
    let renamed = Math.abs(items.length - before.items.length) * 2;
    for (let place = 0; place < items.length && renamed <= 1; place += 1) {
      if (items[place].id !== before.items[place].id) renamed += 1;
    }
    if (renamed <= 1) known.current = { items, keys: before.keys };
    else {
      const free = before.items.map(({ id }, place) => ({ id, key: before.keys[place] }));
      const keyOf = (/** @type {{id: string}} */ { id }) => {
        const place = free.findIndex((each) => each.id === id);
        return place < 0 ? ++itemNumber : free.splice(place, 1)[0].key;
      };
      known.current = { items, keys: items.map(keyOf) };
    }
  }
  const add = (/** @type {Item[]} */ next) => {
    known.current = { items: next, keys: [...known.current.keys, ++itemNumber] };
    return itemNumber;
  };
  return [known.current.keys, add];
}

/**
 * The way to move an item of a list, copy it and remove it.
 * @param {{id: string, isFirst: boolean, isLast: boolean, isFull: boolean, onMove: (step: number) => void,
 *   onCopy: () => void, onRemove: () => void}} props
 */
function ItemTools({ id: item, isFirst, isLast, isFull, onMove, onCopy, onRemove }) {
  return html`<span class="element-tools">
    <${Tool} label=${t('Move {item} up', { item })} disabled=${isFirst} onClick=${() => onMove(-1)}>↑<//>
    <${Tool} label=${t('Move {item} down', { item })} disabled=${isLast} onClick=${() => onMove(1)}>↓<//>
    <${Tool} label=${t('Copy {item}', { item })} disabled=${isFull} onClick=${onCopy}>${copyIcon}<//>
    <${Tool} label=${t('Remove {item}', { item })} onClick=${onRemove}>✕<//></span>`;
}

/**
 * Rows of a list, and a gap as high as they would be in the place of those that are not drawn.
 * @param {number[]} rows those that are drawn, ascending
 * @param {number} count of all
 * @param {number} height of a row, in pixels
 * @param {(row: number) => object} draw
 */
function withGaps(rows, count, height, draw) {
  let begin = 0;
  return [...rows, count].flatMap((row) => {
    // The list has some space between two of its children.
    const gap = row > begin ? [html`<li key=${`gap ${begin}`} data-gap=${begin} class="gap" aria-hidden="true"
      style=${{ height: `${(row - begin) * height - 4}px` }} />`] : [];
    begin = row + 1;
    return row < count ? [...gap, draw(row)] : gap;
  });
}

/** @type {Map<string, WeakMap<Item, string>>} what each item is called, by locale */
const titles = new Map();

/** What items are called, and the names that several have: most are those that they were at the key before. */
function titlesOf(/** @type {Item[]} */ items, /** @type {string} */ locale) {
  const known = titles.get(locale) ?? new WeakMap();
  titles.set(locale, known);
  const all = items.map((item) => {
    if (!known.has(item)) known.set(item, itemTitle(item, locale));
    return /** @type {string} */ (known.get(item));
  });
  return { titles: all, repeated: repeatedIn(all) };
}

/** @type {WeakMap<object, string>} what is looked for in each item */
const texts = new WeakMap();

/** Whether an item has a text: in its id, or anywhere in its content. */
function matches(/** @type {Item} */ item, /** @type {string} */ sought) {
  const words = folded(sought.trim()).split(/\s+/);
  let text = texts.get(item);
  if (text === undefined) {
    text = folded(`${item.id} ${JSON.stringify(Object.values(item.content ?? {}))}`);
    texts.set(item, text);
  }
  return words.every((word) => /** @type {string} */ (text).includes(word));
}

/**
 * A field that leaves those items in the list that have its text.
 * @param {{text: string, found: number, all: number, onChange: (text: string) => void}} props
 */
const Sought = ({ text, found, all, onChange }) => html`<label class="sought">${t('Find in the items')}
  <input type="search" value=${text} onInput=${(/** @type {FieldEvent} */ event) => onChange(event.target.value)} />
  <span class="hint" role="status">${text.trim() ? t('{found} of {all} items', { found, all }) : ''}</span></label>`;

/**
 * Items that open one at a time, and can be moved, copied, removed and added.
 * @param {{form: Form, items: Item[], pointer: string, kinds: string[], maximum?: number, depth?: number,
 *   onChange: (items: Item[]) => void}} props
 */
export function ItemList({ form, items, pointer, kinds, maximum = Infinity, depth = 0, onChange }) {
  const [open, setOpen] = useState(/** @type {number|null} */ (null));
  const [keys, addKey] = useKeys(items);
  useEffect(() => {
    const wanted = form.wanted?.item;
    const place = items.findIndex((item) => item.id === wanted || idsIn(item.children).has(wanted));
    if (place >= 0) setOpen(keys[place]);
  }, [form.wanted]);
  // The head of a row is drawn anew when it changes, and not at each key.
  const latest = useRef();
  latest.current = { items, form, onChange };
  const swap = (/** @type {number} */ left, /** @type {number} */ right) => {
    const { items, onChange } = latest.current;
    onChange(items.with(left, items[right]).with(right, items[left]));
  };
  const add = (/** @type {Item} */ item) => {
    const next = [...latest.current.items, item];
    setOpen(addKey(next));
    latest.current.onChange(next);
  };
  const drag = (/** @type {Drag} */ event, /** @type {Item} */ item) => {
    event.dataTransfer.setData('text/plain', item.id);
    event.dataTransfer.effectAllowed = 'move';
    latest.current.form.moves?.begin(item, null);
  };
  const remove = (/** @type {number} */ number) => {
    const { items, onChange } = latest.current;
    setOpen(null);
    onChange(items.toSpliced(number, 1));
    // What had the focus goes with it: the next item has it, or what adds one.
    const { parentElement: around } = list.current;
    requestAnimationFrame(() => {
      if (document.activeElement !== document.body) return;
      const toggles = around.querySelectorAll(`[data-row="${Math.min(number, items.length - 2)}"] .item-toggle`);
      (toggles[0] ?? around.querySelector('.adders button'))?.focus();
    });
  };
  const { titles, repeated } = titlesOf(items, form.locales[0]);
  const list = useRef();
  const [sought, setSought] = useState('');
  const wrong = new Set(form.errors.filter(({ pointer: at }) => at.startsWith(`${pointer}/`))
    .map(({ pointer: at }) => Number(at.slice(pointer.length + 1).split('/')[0])));
  const opened = new Set([...wrong, open === null ? -1 : keys.indexOf(open)].filter((number) => items[number]));
  // What is open stays in the list, whatever its text is by now.
  const all = [...items.keys()];
  const rows = sought.trim() ? all.filter((number) => matches(items[number], sought) || opened.has(number)) : all;
  const { drawnWith, height } = useSeen(list, rows.length);
  const draw = (/** @type {number} */ row) => {
    const number = rows[row];
    const item = items[number];
    const place = `${pointer}/${number}`;
    const isOpen = opened.has(number);
    const [key, title] = [keys[number], titles[number]];
    const isRepeated = repeated.has(title);
    const isPart = sought.trim() !== '';
    const [isFirst, isLast] = [isPart || number === 0, isPart || number === items.length - 1];
    const [isFull, canMove] = [items.length >= maximum, depth === 0 && Boolean(form.moves)];
    const values = [item, key, number, title, isOpen, isRepeated, isFirst, isLast, isFull, canMove, form.mayEdit];
    return html`<li
      key=${key}
      data-id=${item.id}
      data-row=${row}
      aria-setsize=${rows.length > longFrom ? rows.length : undefined}
      aria-posinset=${rows.length > longFrom ? row + 1 : undefined}
      class="item ${isOpen ? 'open' : ''} ${wrong.has(number) ? 'wrong' : ''}">
      <${Memo} values=${values} draw=${() => html`<div
        class="item-head"
        draggable=${canMove ? true : undefined}
        onDragStart=${(event) => drag(event, item)}>
        <button
          type="button"
          class="item-toggle"
          aria-expanded=${String(isOpen)}
          onClick=${() => setOpen(isOpen ? null : key)}>
          <span class="names">
            <strong dir="auto">${title}</strong>${isRepeated && html`
              <code>${item.id}</code>`}</span></button>
        ${form.mayEdit && html`<${ItemTools}
          id=${item.id}
          isFirst=${isFirst}
          isLast=${isLast}
          isFull=${isFull}
          onMove=${(step) => swap(number, number + step)}
          onCopy=${() => add(copyOf(item))}
          onRemove=${() => remove(number)} />`}
      </div>`} />
      ${isOpen && html`<div class="item-body"><${ItemForm}
        form=${form}
        item=${item}
        pointer=${place}
        kinds=${kinds}
        depth=${depth}
        onChange=${(next) => onChange(items.with(number, next))} /></div>`}</li>`;
  };
  const openRows = [...opened].map((number) => rows.indexOf(number));
  return html`${items.length > longFrom && html`<${Sought}
    text=${sought} found=${rows.length} all=${items.length} onChange=${setSought} />`}
  <ol class="items" ref=${list}>${withGaps(drawnWith(openRows), rows.length, height, draw)}</ol>
  ${problemsAt(form, pointer).length > 0 && html`<${Problems} form=${form} pointer=${pointer} />`}
  ${form.mayEdit && items.length < maximum && html`<div class="adders">
    ${kinds.map((/** @type {string} */ kind) => html`<button
      type="button"
      key=${kind}
      onClick=${() => add(newItem(kind, form.kinds, newID(kind)))}>
      + ${form.kinds.itemKinds?.[kind]?.title ?? kind}</button>`)}</div>`}`;
}

/**
 * A copy whose ids are new, those of its children too.
 * @param {Item} item
 * @returns {Item}
 */
function copyOf(item) {
  const children = item.children?.map(copyOf);
  return { ...item, id: newID(item.id), ...(children ? { children } : {}) };
}
