// The selected section: its content, its settings, and both as JSON.

import { RawJSON, memberControls } from '../forms/field.js';
import { ItemForm, ItemList } from '../forms/item.js';
import { LineField, ProblemAt, Problems, SelectField, clock } from '../forms/labelled.js';
import { PredicateField } from '../forms/predicate.js';
import { ScheduleField } from '../forms/schedule.js';
import { t } from '../lib/i18n.js';
import { newItem } from '../lib/item.js';
import { Later } from '../lib/later.js';
import { tooLong } from '../lib/lengths.js';
import { dragging, dropPlace, moveItem, takesHere, targetsOf } from '../lib/moving.js';
import { withAt, withItem, withPath } from '../lib/past.js';
import { cellOf, picturesIn } from '../lib/pictures.js';
import { Back, Check, Failure, Guard, Loading, Tool, attempt, html, useEffect, useRef, useState } from '../lib/ui.js';
import { guard } from '../lib/unsaved.js';
import { sectionName, titlesOf } from '../lib/words.js';
import { FollowDialog, placeOf } from './follow.js';
import { GoneSection } from './gone.js';

/** @typedef {import('../lib/moving.js').Dragged} Dragged */

/**
 * How the items of a section go to other places.
 * @param {PageModel} model
 * @param {Editor} editor
 * @returns {Form['moves']}
 */
const movesOf = (model, editor) => ({
  begin: (item, from) => { dragging.begin({ editor, item, from }); },
  targets: (item, from) => targetsOf(model, { editor, item, from }),
  to: (item, from, target) => attempt(() => moveItem(model, { editor, item, from }, target)),
  /** What is dragged may be dropped into a slot, or into the list. */
  place: (slot) => dropPlace(
    () => dragging.current?.editor === editor && takesHere(model, dragging.current, slot),
    () => attempt(() => moveItem(model, /** @type {Dragged} */ (dragging.current), { slot })),
  ),
});

/** @param {{model: PageModel, onSave: () => Promise<unknown>}} props */
export function SectionForm({ model, onSave }) {
  const { editor } = model;
  const [tab, setTab] = useState('content');
  const [followed, setFollowed] = useState(/** @type {Followed|null} */ (null));
  /** The section whose table is open. */
  const [tabled, setTabled] = useState(/** @type {string|null} */ (null));
  const [head, shown] = [useRef(), useRef(0)];
  const isReady = Boolean(editor?.mine);
  useEffect(() => {
    if (!isReady || shown.current === model.choice) return;
    shown.current = model.choice;
    // Where it stands below the list and the phone, it comes to whoever chose.
    if (!matchMedia('(max-width: 940px)').matches) return;
    head.current.closest('.panel').scrollIntoView();
    if (!model.wanted) head.current.focus({ preventScroll: true });
  });
  if (!editor) {
    return html`<div class="nothing-selected">
      <p>${t('Choose a section, in the list or on the phone, to edit it.')}</p></div>`;
  }
  if (editor.failure) return html`<${Failure} error=${editor.failure} onRetry=${() => editor.load()} />`;
  if (!editor.mine) return html`<${Loading} />`;
  const formOf = (/** @type {'settings'|'content'} */ part, /** @type {boolean} */ mayEdit) => ({
    kinds: model.kinds, attributes: model.attributes, locales: model.draft.locales, audiences: model.audiences,
    errors: editor.errors.filter((error) => error.part === part), mayEdit,
    lists: editor.values.settings.lists,
    follow: (/** @type {string} */ pointer, /** @type {string} */ label, isWhole = false) =>
      setFollowed({ part, pointer, label, isWhole, may: mayEdit }),
    wanted: part === 'content' ? model.wanted : null,
    moves: part === 'content' && mayEdit ? movesOf(model, editor) : null,
    whole: {
      get value() { return editor.values[part]; },
      set: (/** @type {Content} */ value) => editor.set(part, value),
      isThere: () => model.editor === editor,
      isDirty: () => editor.isDirty,
      save: onSave,
      sending: editor.sending,
    },
    pictures: {
      page: model.rights.scopes.length > 0 ? model.page : undefined,
      cellOf: (/** @type {string} */ pointer) =>
        part === 'content' ? cellOf(pointer, editor.values, model.kinds) : null,
      inUse: () => picturesIn(model.draft.sections),
    },
    texts: editor.textsOf(part),
  });
  // A part's text that is no JSON counts, not its form: what was typed there would go when the text is mended.
  const isLocked = tab !== 'json' && editor.textAt(tab, '') !== undefined;
  const settings = formOf('settings', editor.mayEdit && !isLocked);
  const content = formOf('content', editor.mayFill && !isLocked);
  const may = tab === 'content' ? editor.mayFill : editor.mayEdit;
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onSave();
  };
  /** @type {(part: 'settings'|'content', form: object, label: string, rows: number) => object} */
  const json = (part, form, label, rows) => html`<${RawJSON}
    form=${form}
    value=${editor.values[part]}
    label=${label}
    pointer=""
    rows=${rows}
    isWhole
    onChange=${(value) => editor.set(part, value)} />`;
  const unshown = html`<p class="banner warning" role="alert">
    ${t('This JSON cannot be shown as a form. Correct it there, or discard it.')}</p>`;
  const goBack = () => {
    model.change({ isFormOpen: false });
    // Once the list is drawn again.
    requestAnimationFrame(() => {
      /** @type {HTMLElement|null} */ (document.querySelector(`.row[data-id="${editor.id}"] .row-main`))?.focus();
    });
  };
  return html`<div class="panel-head">
      <h2 ref=${head} tabindex="-1">${sectionName(
    model.section(editor.id) ?? editor.base?.settings, model.kinds, editor.id)} <code>${editor.id}</code></h2>
      <${Tool}
        label=${t('Earlier versions')}
        title=${t('Earlier versions')}
        onClick=${() => settings.follow('', model.nameOf(editor.id), true)}>${clock}<//>
      <button type="button" class="back" onClick=${goBack}>‹ ${t('Sections')}</button></div>
    ${editor.goneBy && html`<${GoneSection} model=${model} editor=${editor} />`}
    <${Back} since=${editor.keptSince} />
    ${editor.isBehind && html`<p class="banner warning" role="alert">
      ${t('This section was saved elsewhere. Save to see both and choose.')}${' '}
      <button class="link" onClick=${() => editor.load()}>${t('Drop mine and take theirs')}</button></p>`}
    <${Strays} editor=${editor} locale=${model.draft.locales[0]} />
    <${Tabs} editor=${editor} tab=${tab} onChoose=${setTab} />
    <div
      class="panel-body"
      id="tab-panel"
      role="tabpanel"
      aria-labelledby="tab-${tab}"
      key=${`${editor.id} ${tab}`}><form class="form" onSubmit=${submit}>
      ${!may && html`<p class="banner">${t('You can look at this, but not change it.')}</p>`}
      ${isLocked && html`<p class="banner warning" role="alert">
        ${t('The JSON of this tab is broken. Until it is mended or discarded, the fields show what was there before.')}
        ${' '}<button type="button" class="link" onClick=${() => setTab('json')}>${t('Go to the JSON')}</button></p>`}
      ${tab !== 'json' && html`<${Guard} instead=${unshown}>
        ${tab === 'content'
          ? html`<${Content} form=${content} editor=${editor} onTable=${() => setTabled(editor.id)} />`
          : html`<${Settings} form=${settings} editor=${editor} />`}<//>`}
      ${tab === 'json' && html`${json('settings', settings, t('Settings'), 14)}
        ${json('content', content, t('Content'), 22)}`}
    </form></div>
    ${tabled === editor.id && html`<${Later} view="TableDialog" model=${model} editor=${editor} onSave=${onSave}
      onClose=${() => setTabled(null)} />`}
    ${followed && html`<${Following} model=${model} editor=${editor} followed=${followed}
      onClose=${() => setFollowed(null)} />`}
    ${(editor.mayEdit || editor.mayFill) && html`<div class="panel-foot">
      <span class="grow hint">
        ${editor.isDirty
          ? t('Not saved. The phone already shows texts and items, and the rest once you save.') : ''}</span>
      <button disabled=${!editor.isDirty} onClick=${() => editor.drop()}>${t('Discard')}</button>
      <button class="primary save-section" disabled=${!editor.maySave} title="Ctrl+S" onClick=${onSave}>
        ${t('Save')}</button></div>`}`;
}

/**
 * What of a section is followed: a place in one of its parts, an item or the section as a whole.
 * @typedef {{part: 'settings'|'content', pointer: string, label: string, isWhole: boolean, may: boolean}} Followed
 */

/**
 * Who changed a place of the section, and the way back, as an edit of the form.
 * @param {{model: PageModel, editor: Editor, followed: Followed, onClose: () => void}} props
 */
function Following({ model, editor, followed, onClose }) {
  const { pointer, label, isWhole, may } = followed;
  const [place] = useState(() => placeOf(pointer, editor.values));
  /** The section with what stands at the place changed, wherever its item stands by now. */
  const changed = (/** @type {(value: Content) => Content} */ change) => place.item === undefined
    ? /** @type {Editor['section']} */ (withAt(editor.section, place.pointer, change))
    : withItem(editor.section, place.item, (item) => /** @type {Item} */ (withAt(item, place.pointer, change)));
  /** @type {Content} */
  let now;
  changed((value) => { now = value; return value; });
  /** @type {import('../views/follow.js').PutBack} */
  const putBack = async (value, path = [], former = undefined) => {
    if (pointer === '' && path.length === 0 && !await guard.mayLeave([editor])) return;
    editor.take(changed((was) => withPath(was, path, value, former)), pointer);
  };
  return html`<${FollowDialog}
    path=${[...model.path, 'sections', editor.id]}
    place=${place}
    label=${label}
    isWhole=${isWhole}
    now=${now}
    locale=${model.draft.locales[0]}
    onPutBack=${may ? putBack : null}
    onClose=${onClose} />`;
}

/**
 * The parts of the section as tabs, each with the number of its problems.
 * @param {{editor: Editor, tab: string, onChoose: (name: string) => void}} props
 */
function Tabs({ editor, tab, onChoose }) {
  const tabs = { content: t('Content'), settings: t('Settings'), json: 'JSON' };
  const broken = [...editor.texts.values()];
  const counts = (/** @type {string} */ part) => new Set([
    ...editor.errors.filter((error) => error.part === part),
    ...broken.filter(({ name }) => name === part),
  ].map(({ pointer }) => pointer)).size;
  const onKey = (/** @type {On<KeyboardEvent, HTMLElement>} */ event) => {
    const names = Object.keys(tabs);
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step) return;
    const next = /** @type {string} */ (names.at((names.indexOf(tab) + step) % names.length));
    onChoose(next);
    /** @type {HTMLElement|null} */ (event.currentTarget.querySelector(`#tab-${next}`))?.focus();
  };
  return html`<div class="tabs" role="tablist" aria-label=${t('Parts of the section')} onKeyDown=${onKey}>
    ${Object.entries(tabs).map(([name, text]) => html`<button
      role="tab"
      id="tab-${name}"
      aria-controls="tab-panel"
      aria-selected=${String(name === tab)}
      tabindex=${name === tab ? 0 : -1}
      onClick=${() => onChoose(name)}>
      ${text}${counts(name) > 0 ? html` <span class="badge error">${counts(name)}</span>` : ''}</button>`)}</div>`;
}

/** Problems at places that no field on this tab shows are listed, so that none is lost. */
function Strays(/** @type {{editor: Editor, locale: string}} */ { editor, locale }) {
  if (editor.errors.length === 0) return null;
  return html`<div class="banner error" role="alert" tabindex="0">
    <p>${t('Not saved. Problems: {count}', { count: editor.errors.length })}</p>
    <ul>${editor.errors.map((problem) => html`<${ProblemAt}
      problem=${problem}
      root=${problem.part === 'settings' ? editor.values.settings : editor.values.content}
      locale=${locale} />`)}</ul></div>`;
}

function Content(/** @type {{form: Form, editor: Editor, onTable: () => void}} */ { form, editor, onTable }) {
  const { content, settings } = editor.values;
  const kind = form.kinds.sectionKinds?.[settings.kind] ?? {};
  const set = (/** @type {string} */ name) => (/** @type {unknown} */ value) =>
    editor.set('content', { ...content, [name]: value });
  const slots = Object.entries(kind.slots ?? {});
  const setSlot = (/** @type {string} */ name, /** @type {Item|undefined} */ item) => {
    const next = { ...content.slots };
    if (item === undefined) delete next[name]; else next[name] = item;
    set('slots')(next);
  };
  return html`<${Problems} form=${form} pointer="" />
    ${slots.map(([name, slot]) => html`<${Slot}
      key=${name}
      form=${form}
      name=${name}
      slot=${slot}
      item=${content.slots?.[name]}
      onChange=${(item) => setSlot(name, item)} />`)}
    ${kind.items && html`<button type="button" class="table-button" onClick=${onTable}>${t('Table…')}</button>
      <div class="item-list" ...${form.moves?.place(null)}><${ItemList}
      form=${form}
      items=${content.items ?? []}
      pointer="/items"
      kinds=${kind.items.kinds ?? []}
      maximum=${kind.items.maximum}
      onChange=${set('items')} /></div>`}
    ${!kind.items && slots.length === 0 && html`<p class="hint">${t('This kind takes no content.')}</p>`}`;
}

/**
 * Buttons that make an item, one for each kind.
 * @param {{form: Form, kinds: string[], onAdd: (item: Item) => void}} props
 */
function Adders({ form, kinds, onAdd }) {
  const declared = kinds.filter((kind) => !form.kinds.itemKinds?.[kind]?.removed);
  const add = (/** @type {string} */ kind) => onAdd(newItem(kind, form.kinds));
  return declared.map((kind) => html`<button type="button" onClick=${() => add(kind)}>
    + ${form.kinds.itemKinds?.[kind]?.title ?? kind}</button>`);
}

/**
 * A slot with its item, or with what it takes.
 * @param {{form: Form, name: string, slot: {kinds: string[], required?: boolean}, item?: Item,
 *   onChange: (item: Item|undefined) => void}} props
 */
function Slot({ form, name, slot, item, onChange }) {
  const drag = (/** @type {Drag} */ event) => {
    event.dataTransfer.setData('text/plain', name);
    if (item) form.moves?.begin(item, name);
  };
  return html`<fieldset class="slot" data-slot=${name} ...${form.moves?.place(name)}>
    <legend><span class="slot-name" draggable=${form.moves && item ? true : undefined} onDragStart=${drag}>
      ${t('Slot {name}', { name })}</span></legend>
    ${slot.required && !item && html`<p class="hint">
      ${t('The section is not in the page until this slot is filled.')}</p>`}
    ${item ? html`<${ItemForm}
          form=${form}
          item=${item}
          from=${name}
          pointer="/slots/${name}"
          kinds=${slot.kinds}
          onChange=${onChange} />
        ${form.mayEdit && html`<button type="button" onClick=${() => onChange(undefined)}>
          ${t('Empty this slot')}</button>`}`
      : form.mayEdit ? html`<${Adders} form=${form} kinds=${slot.kinds} onAdd=${onChange} />`
        : html`<p class="hint">${t('empty')}</p>`}</fieldset>`;
}

/**
 * The header or the footer, with what stands there, or with what it takes.
 * @param {{form: Form, name: string, kinds: string[]|undefined, item?: Item,
 *   onChange: (item: Item|undefined) => void}} props
 */
function End({ form, name, kinds, item, onChange }) {
  return html`<fieldset class="slot"><legend>${name === 'header' ? t('Header') : t('Footer')}</legend>
    ${item ? html`<${ItemForm}
          form=${form}
          item=${item}
          pointer="/${name}"
          kinds=${kinds}
          hasID=${false}
          onChange=${onChange} />
        ${form.mayEdit && html`<button type="button" onClick=${() => onChange(undefined)}>${t('Remove')}</button>`}`
      : form.mayEdit && html`<${Adders} form=${form} kinds=${kinds ?? []} onAdd=${onChange} />`}</fieldset>`;
}

/** @typedef {{by?: string, descending?: boolean}} Order */

/**
 * By what the items are ordered.
 * @param {{form: Form, value?: Order, onChange: (value: Order|undefined) => void}} props
 */
function ItemOrder({ form, value, onChange }) {
  return html`<fieldset><legend>${t('Order of the items')}</legend>
    <${LineField}
      form=${form}
      pointer="/itemOrder/by"
      label=${t('By this member of their content, such as /date')}
      value=${value?.by}
      onText=${(by) => onChange(by ? { ...value, by } : undefined)} />
    ${value && html`<${Check}
      disabled=${!form.mayEdit}
      checked=${value.descending === true}
      onChange=${(descending) => onChange({ ...value, descending })}>${t('Greatest first')}<//>`}</fieldset>`;
}

function Settings(/** @type {{form: Form, editor: Editor}} */ { form, editor }) {
  const { settings } = editor.values;
  const set = (/** @type {string} */ name) => (/** @type {Content} */ value) => {
    /** @type {Members} */
    const next = { ...settings };
    if (value === undefined) delete next[name]; else next[name] = value;
    editor.set('settings', next);
  };
  const kind = form.kinds.sectionKinds?.[settings.kind] ?? {};
  const ends = /** @type {const} */ (['header', 'footer']).filter((name) => kind[name] || settings[name]);
  const isWrong = form.errors.some(({ pointer }) => pointer === '/layout' || pointer.startsWith('/layout/'));
  const control = memberControls({ form, value: /** @type {Content} */ (settings), pointer: '', set });
  const kinds = titlesOf(form.kinds.sectionKinds)
    .filter(([name]) => name === settings.kind || !form.kinds.sectionKinds?.[name].removed);
  const patch = (/** @type {Partial<SectionSettings>} */ members) => {
    const next = Object.entries({ ...settings, ...members }).filter(([, value]) => value !== undefined);
    editor.set('settings', Object.fromEntries(next));
  };
  return html`<${Problems} form=${form} pointer="" />
    <${LineField}
      form=${form}
      pointer="/title"
      label=${t('Title, for operators only')}
      problem=${tooLong(settings.title, 200, 'bytes')}
      dir="auto"
      value=${settings.title}
      onText=${(text) => set('title')(text || undefined)} />
    <${SelectField} form=${form} pointer="/kind" label=${t('Kind')} choices=${kinds} value=${settings.kind}
      onChange=${set('kind')} />
    <${Check}
      disabled=${!form.mayEdit}
      checked=${settings.hidden === true}
      onChange=${(isTicked) => set('hidden')(isTicked || undefined)}>${t('Hidden')}<//>
    ${control(ScheduleField, 'schedule')}${control(PredicateField, 'audience', { key: `audience ${editor.id}` })}
    ${ends.map((name) => html`<${End}
      key=${name}
      form=${form}
      name=${name}
      kinds=${kind[name]}
      item=${settings[name]}
      onChange=${set(name)} />`)}
    <details class="more" open=${settings.layout !== undefined || isWrong || undefined}>
      <summary>${t('Layout')}</summary><${Problems} form=${form} pointer="/layout" />
      <${Later}
        view="LayoutField"
        key=${`${editor.id} layout`}
        form=${form}
        settings=${settings}
        content=${editor.values.content}
        onChange=${set('layout')} /></details>
    <${Later} view="Coming" form=${form} settings=${settings} editor=${editor} onChange=${patch} />
    <${ItemOrder} form=${form} value=${settings.itemOrder} onChange=${set('itemOrder')} />`;
}
