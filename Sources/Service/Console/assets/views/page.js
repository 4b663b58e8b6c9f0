// The page view: sections, phone, form.

import { ProblemAt } from '../forms/labelled.js';
import { arrive, formPlaces, itemPlaces, offer } from '../lib/commands.js';
import { formatInstant, t, term } from '../lib/i18n.js';
import { Later } from '../lib/later.js';
import { PageModel } from '../lib/model.js';
import { positionBetween } from '../lib/order.js';
import { keysOf } from '../lib/parts.js';
import { taken } from '../lib/past.js';
import { typedIn } from '../lib/typed.js';
import {
  Badge, Check, Component, Failure, Loading, Memo, Tool, attempt, explain, html, options, useRef,
} from '../lib/ui.js';
import { guard } from '../lib/unsaved.js';
import { viewBefore } from '../lib/viewed.js';
import { predicateWords } from '../lib/words.js';
import { Phone } from '../phone/phone.js';
import { ClientChoice, TimeSlider } from './audience.js';
import { Differences, useRoom } from './compare.js';
import { OrderConflict, SectionConflict } from './conflict.js';
import { CopyPage } from './copy-page.js';
import { GoneSection } from './gone.js';
import { ManyBar, leftOverMany } from './many.js';
import { differences } from './marks.js';
import { leftIn } from './resource.js';
import { SectionForm } from './section.js';
import { SectionList } from './sections.js';

/** A drawing for a button, in the colour of its text; the button has its name in words. */
const icon = (/** @type {object} */ strokes) => html`<svg
  width="18"
  height="18"
  viewBox="0 0 18 18"
  fill="none"
  stroke="currentColor"
  stroke-width="1.5"
  aria-hidden="true">${strokes}</svg>`;

const gear = icon(html`<path d="M2 5h7m4 0h3M2 13h3m4 0h7" stroke-linecap="round" />
  <circle cx="11" cy="5" r="2" /><circle cx="7" cy="13" r="2" />`);

const phoneIcon = icon(html`
  <path d="M2 2h5v5H2zM11 2h5v5h-5zM2 11h5v5H2zM11 11h2v2h-2zM14 14h2v2h-2z" />`);

/**
 * Who may open again what was typed into a dialog.
 * @type {Record<string, (model: PageModel) => boolean>}
 */
const mayOpen = {
  publish: ({ mayPublish }) => mayPublish, phone: ({ mayEdit }) => mayEdit, add: ({ mayEdit }) => mayEdit,
};

/** @typedef {{page: string, setup: Setup, at: string|null, isLive: boolean, find: string[]|null}} PageProps */

export class PageView extends Component {
  constructor(/** @type {PageProps} */ { page, setup, at, isLive, find }) {
    super();
    this.find = find;
    this.model = new PageModel(page, setup);
    this.model.at = at;
    // What is live and not in the draft is seen on the phone beside it.
    if (at && isLive) this.model.compare = 'live';
    // A tab that is loaded anew shows what it showed.
    this.before = viewBefore(page);
    if (this.before) {
      const { at, zone = this.model.zone, compare, clients } = this.before;
      Object.assign(this.model, { at, zone, compare, clients });
    }
    /** @type {(() => void)[]} */
    this.ends = [];
    this.state = { dialog: null };
  }

  componentDidMount() {
    const onKey = (/** @type {KeyboardEvent} */ event) => this.shortcut(event);
    addEventListener('keydown', onKey);
    this.ends = [
      this.model.subscribe(() => this.setState({})), this.model.hold(), offer(() => this.commands()),
      () => removeEventListener('keydown', onKey),
    ];
    this.open();
  }

  /** What a search has found is shown once the page is there. */
  async open() {
    await this.model.open();
    if (this.model.isClosed) return;
    await this.show(this.find);
    const { section } = this.before ?? {};
    if (section && !this.find && !this.model.editor && this.model.section(section)) await this.select(section);
    if (!this.find) {
      arrive('.rows .row-main[tabindex="0"]');
      // Where nothing else has the focus, the keys are the list's.
      const active = document.activeElement;
      if (active === document.body || active?.matches('main')) {
        requestAnimationFrame(() => {
          if (document.activeElement !== active) return;
          /** @type {HTMLElement|null} */ (document.querySelector('.rows .row-main[tabindex="0"]'))?.focus();
        });
      }
    }
    this.takeUp();
    await this.takeBack();
  }

  /** Has the form, or the dialog of the settings, take what the history has handed over. */
  async takeBack() {
    const { section, rules, settings } = taken(this.model.page) ?? {};
    if (!this.model.draft || !this.model.mayEdit) return;
    if (section) await attempt(() => this.model.putBack(section, rules));
    if (settings) this.setState({ dialog: 'settings', settings });
  }

  /** Opens again what was edited in a dialog when the tab was loaded anew. */
  takeUp() {
    if (!this.model.draft) return;
    const left = typedIn(this.model.path.join('/')).map(({ dialog }) => dialog)
      .find((dialog) => mayOpen[dialog]?.(this.model));
    const many = leftOverMany(this.model);
    if (many) this.model.change({ chosen: new Set(many.ids.filter((id) => this.model.section(id))) });
    if (leftIn(['pages'])?.name === this.model.page) this.setState({ dialog: 'settings' });
    else if (leftIn([...this.model.path, 'sort-rules'])) this.setState({ dialog: 'rules' });
    else if (left === 'publish') this.model.openChanges('line');
    else if (left) this.setState({ dialog: left });
  }

  /** Opens a section, and an item of it. It stays one function: for another one the phone's sections are drawn anew. */
  select = (/** @type {string} */ id, /** @type {string} */ item) =>
    attempt(() => item ? this.model.find(id, item) : this.model.select(id));

  async show(/** @type {string[]|null} */ find) {
    if (!find || !this.model.draft) return;
    await attempt(() => this.model.find(find[0], find[1]));
    if (this.model.editor?.id === find[0]) arrive(...find[1] ? itemPlaces : formPlaces);
  }

  componentWillUnmount() {
    for (const end of this.ends) end();
    this.model.close();
  }

  /** Somebody else may have signed in meanwhile. */
  componentWillReceiveProps(/** @type {{setup: Setup, at: string|null, find: string[]|null}} */ { setup, at, find }) {
    if (find && find.join('/') !== this.props.find?.join('/')) this.show(find);
    this.model.rights = setup.rights;
    // A link of the calendar names a time.
    if (at !== this.props.at) attempt(() => this.model.setTime(at));
  }

  shortcut(/** @type {KeyboardEvent} */ event) {
    if (!(event.ctrlKey || event.metaKey) || document.querySelector('dialog:modal')) return;
    const isField = event.target?.closest?.('input, textarea, select');
    const name = event.key.toLowerCase();
    if (name === 's') {
      event.preventDefault();
      this.saveAll();
    } else if (!isField && (name === 'z' || name === 'y')) {
      event.preventDefault();
      if (name === 'y' || event.shiftKey) this.model.ordering.redo(); else this.model.ordering.undo();
    }
  }

  async saveAll() {
    await this.saveOrder();
    await this.saveSection();
  }

  saveOrder = () => attempt(() => this.model.ordering.save());

  saveSection = () => attempt(async () => this.model.editor?.save());

  /** What opens a dialog. */
  opening(/** @type {string} */ dialog) { return () => this.setState({ dialog }); }

  /** What can be done here by name: actions, and sections by what they are called. */
  commands() {
    const { model } = this;
    if (!model.draft) return [];
    const { mayEdit, mayPublish, draft: { isChanged } } = model;
    return [
      mayPublish && isChanged && { text: t('Publish…'), run: () => model.openChanges('publish') },
      mayEdit && isChanged && { text: t('Changes'), run: () => model.openChanges('line') },
      model.isDirty && { text: t('Save'), detail: 'Ctrl S', run: () => this.saveAll() },
      mayEdit && { text: t('Add section'), run: () => this.add() },
      mayEdit && { text: t('On a phone…'), run: this.opening('phone') },
      model.rights.mayAddPages && { text: t('Duplicate this page…'), run: this.opening('copy') },
      { text: t('Settings of the page'), run: this.opening('settings') },
      { text: t('Sort rules'), run: this.opening('rules') },
      ...model.order.filter((id) => model.mayRead(id))
        .map((id) => ({ text: model.nameOf(id), detail: id, run: () => this.show([id]) })),
    ].flatMap((each) => each || []);
  }

  /** A new section, below another one or last. It is opened, so that what is unsaved of another must be left. */
  add = async (/** @type {string|undefined} */ after = undefined) => {
    if (await guard.mayLeave([this.model.editor])) this.setState({ dialog: 'add', after });
  };

  render(
    /** @type {{page: string}} */ { page },
    /** @type {{dialog: string|null, settings?: PageSettings, after?: string}} */ { dialog, settings, after },
  ) {
    const { model } = this;
    if (model.failure) {
      return html`<main class="view"><h1>${page}</h1>
        <${Failure} error=${model.failure} onRetry=${() => model.open()} />
        ${model.editor?.goneBy && html`<${GoneSection} model=${model} editor=${model.editor} />`}</main>`;
    }
    if (!model.draft) return html`<main class="view"><${Loading} /></main>`;
    const close = () => this.setState({ dialog: null, settings: null });
    // What a key typed into the form changes is drawn anew, and nothing beside it.
    const { draft, problems, ordering, payloads, rights, editor } = model;
    const { pending, rule } = ordering;
    const { isReviewing } = model;
    const isFormOpen = (editor || isReviewing) && model.isFormOpen;
    return html`<main class="page ${model.isComparing ? 'comparing' : ''} ${isFormOpen ? 'form-open' : ''}">
      <h1 class="sr-only">${model.draft.title}</h1>
      <aside class="panel left" aria-label=${t('Sections')}>
        <div class="panel-head">
          <div><h2>${model.draft.title}</h2>
            <${Memo} values=${[draft, problems]} draw=${() => html`<${PageState} model=${model} />`} /></div>
          <span class="actions">
            <${Tool}
              label=${t('Settings of the page')}
              title=${t('Settings of the page')}
              onClick=${this.opening('settings')}>${gear}<//>
            ${model.mayEdit && html`<button onClick=${() => this.add()}>${t('Add section')}</button>`}</span></div>
        <${Memo}
          values=${[draft, problems, pending, rule, payloads[0]?.hidden, payloads[0]?.sortRule, rights, model.chosen,
            ordering.texts, editor?.id, editor?.isDirty]}
          draw=${() => html`<${SectionList}
            model=${model}
            onRules=${this.opening('rules')}
            onInsert=${this.add} />`} />
        ${model.mayEdit && model.chosen.size > 0 && html`<${ManyBar} model=${model} />`}
        ${model.mayEdit && html`<${Memo}
          values=${[draft, pending, ordering.done, ordering.undone]}
          draw=${() => html`<${OrderBar} ordering=${ordering} onSave=${this.saveOrder} />`} />`}
      </aside>
      <section class="stage" aria-label=${t('Preview')}>
        <${Memo}
          values=${[draft, rights, model.clients, model.screen, model.isDark, model.compare, isReviewing, model.at,
            model.zone]}
          draw=${() => html`<${StageBar} model=${model} onPhone=${this.opening('phone')} />`} />
        <div class="stage-notes">
          ${model.isGone && !model.editor?.goneBy && html`<p class="banner error" role="alert">
            ${t('This page was deleted. What you typed is still here, to be copied.')}</p>`}
          ${model.connection === 'lost' && html`<p class="banner warning" role="alert">
            ${t('The connection is lost. Your edits are kept, and the phone shows what it did; '
    + 'it connects again by itself.')}</p>`}
          <${Refusal} model=${model} />
        </div>
        <${Phones} model=${model} onSelect=${this.select} />
        <${Memo}
          values=${[draft, model.flips, model.at, model.zone]}
          draw=${() => html`<${TimeSlider} model=${model} />`} />
      </section>
      <aside class="panel right" aria-label=${isReviewing ? t('Changes') : t('Selected section')}>
        ${isReviewing ? html`<${Later} view="ChangesPanel" model=${model} />`
          : html`<${SectionForm} model=${model} onSave=${this.saveSection} />`}
      </aside>
      ${dialog === 'phone' && html`<${Later} view="PreviewLinkDialog" model=${model} onClose=${close} />`}
      ${dialog === 'add' && html`<${Later} view="AddSection" model=${model} after=${after}
        onClose=${close} />`}
      ${dialog === 'copy' && html`<${CopyPage} page=${draft} taken=${[page]} onClose=${close} />`}
      ${dialog === 'settings' && html`<${Later} view="PageSettingsDialog"
        model=${model} former=${settings} onClose=${close} />`}
      ${dialog === 'rules' && html`<${Later} view="RulesDialog" model=${model} onClose=${close} />`}
      ${ordering.conflict ? html`<${OrderConflict} model=${model} />`
    : editor?.conflict && html`<${SectionConflict} model=${model} editor=${editor} />`}
    </main>`;
  }
}

function OrderBar(/** @type {{ordering: Ordering, onSave: () => void}} */ { ordering, onSave }) {
  const { pending, done, undone, movedIDs } = ordering;
  const count = movedIDs.size + Object.keys(pending?.typed ?? {}).length;
  return html`<div class="panel-foot order-bar">
    <${Tool} label=${t('Undo')} title="Ctrl+Z" disabled=${done.length === 0} onClick=${() => ordering.undo()}>↶<//>
    <${Tool}
      label=${t('Do again')}
      title="Ctrl+Shift+Z"
      disabled=${undone.length === 0}
      onClick=${() => ordering.redo()}>↷<//>
    <span class="grow">${pending ? t('{count} moved, not saved', { count: Math.max(1, count) }) : ''}</span>
    ${pending && html`<button onClick=${() => ordering.drop()}>${t('Discard')}</button>`}
    <button class="primary" disabled=${!pending} onClick=${onSave}>${t('Save order')}</button>
  </div>`;
}

/** Whether the page may go live, and whether it has. */
function PageState(/** @type {{model: PageModel}} */ { model }) {
  const errors = model.problems.filter((problem) => problem.severity === 'error').length;
  const notes = model.problems.length - errors;
  return html`<span class="badges">
      ${errors > 0 && html`<${Badge} kind="error">${t('Problems: {count}', { count: errors })}<//>`}
      ${notes > 0 && html`<${Badge} kind="warning">${t('Notes: {count}', { count: notes })}<//>`}
      ${!model.mayEdit && model.draft.isChanged && html`<${Badge} kind="changed">${t('not published yet')}<//>`}
      ${!model.draft.isChanged && html`<${Badge} kind="live">${t('all live')}<//>`}
    </span>`;
}

/** @param {{model: PageModel, onPhone: () => void}} props */
function StageBar({ model, onPhone }) {
  const count = model.draft.isChanged ? Math.max(1, keysOf(model.draft.changedParts).length) : 0;
  return html`<div class="stage-bar">
    <${ClientChoice} model=${model} index=${0} />
    <label class="compact"><span class="sr-only">${t('Screen')}</span>
      <select value=${model.screen} onChange=${(event) => model.setScreen(Number(event.target.value))}>
        ${options([360, 375, 390, 430].map((points) => [points, t('{points} pt', { points })]), model.screen)}
      </select></label>
    <${Check} checked=${model.isDark} onChange=${(isDark) => model.setDark(isDark)}>${t('Dark')}<//>
    <label class="compact"><span class="sr-only">${t('Compare')}</span>
      <select value=${model.compare} onChange=${(event) => attempt(() => model.setCompare(event.target.value))}>
        ${options([
          ['none', t('Draft')], ['liveAlone', t('Live')], ['live', t('Live and draft')],
          ['client', t('Two audiences')],
        ], model.compare)}</select></label>
    ${model.compare === 'client' && html`<${ClientChoice} model=${model} index=${1} />`}
    <span class="stage-actions">
      ${model.mayEdit && html`<${Tool} label=${t('On a phone…')} title=${t('On a phone…')} onClick=${onPhone}>
        ${phoneIcon}<//>`}
      ${model.mayEdit && html`<button
        class="primary open-changes"
        aria-pressed=${String(model.isReviewing)}
        disabled=${count === 0 && !model.isReviewing}
        onClick=${() => model.openChanges('line')}>${t('Changes: {count}', { count })}</button>`}</span>
  </div>`;
}

/** Why the phones still show what was typed before. */
function Refusal(/** @type {{model: PageModel}} */ { model: { payloads, editor, draft } }) {
  const refusal = payloads.find((payload) => payload?.refusal)?.refusal;
  if (!refusal) return null;
  const placed = (editor?.isThere ? refusal.errors.slice(0, 3) : [])
    .flatMap((/** @type {Trouble} */ error) => editor?.placeOf(error) ?? []);
  return html`<div class="banner warning" role="status">
    ${t('The phone shows what was right last.')} ${placed.length === 0 && explain(refusal)}
    <ul>${placed.map((/** @type {{problem: Trouble, root: Content}} */ each) => html`<${ProblemAt} ...${each}
      locale=${draft.locales[0]} />`)}</ul></div>`;
}

function Phones(/** @type {{model: PageModel, onSelect: (id: string, item?: string) => void}} */ { model, onSelect }) {
  const stage = useRef();
  const { isComparing } = model;
  const { zoom, height } = useRoom(stage, isComparing ? 2 : 1, model.screen, true);
  const labels = model.compare === 'live' ? [t('Live'), t('Draft')]
    : model.compare === 'client' ? [t('First audience'), t('Second audience')]
      : [model.compare === 'liveAlone' ? t('Live') : t('Draft')];
  const { payloads } = model;
  const latest = useRef();
  latest.current = model;
  const mores = useRef([0, 1].map((number) => (/** @type {Section} */ section, /** @type {number} */ fetched) =>
    latest.current.more(number, section, fetched)));
  const marks = isComparing ? differences(payloads[0], payloads[1] ?? null) : [];
  return html`${isComparing && html`<${Differences}
    marks=${marks} payloads=${payloads} stage=${stage} opensAtFirst />`}
  <div class="phones" ref=${stage}>
    ${labels.map((label, number) => {
      const isDraft = model.revisions[number] === 'draft';
      return html`<figure key=${`${model.compare} ${number}`}>
        ${isComparing && html`<figcaption>${label}</figcaption>`}
        <${Phone}
          payload=${payloads[number]}
          screen=${model.screen}
          isDark=${model.isDark}
          zoom=${zoom}
          room=${height}
          label=${label}
          selected=${model.pointed ?? model.editor?.id}
          choice=${model.choice}
          marks=${marks[number]}
          canDrag=${isDraft && model.mayEdit}
          onSelect=${onSelect}
          onMore=${mores.current[number]}
          onMove=${(id, neighbours) => model.ordering.move(id, positionBetween(model.order, id, neighbours))} />
        <${Absent} model=${model} payload=${payloads[number]} onSelect=${onSelect} />
      </figure>`;
    })}
  </div>`;
}

/** What the server says, with the time or the audience that it means. */
function reasonOf(/** @type {Section|undefined} */ section, /** @type {string} */ reason) {
  const { schedule, audience } = section ?? {};
  if (reason === 'beforeTime' && schedule?.from) {
    return t('not yet: from {time}', { time: formatInstant(schedule.from, schedule.zone) });
  }
  if (reason === 'afterTime' && schedule?.until) {
    return t('no more: until {time}', { time: formatInstant(schedule.until, schedule.zone) });
  }
  if (reason === 'audience' && audience) return t('only for {audience}', { audience: predicateWords(audience) });
  return term(reason);
}

/**
 * Which sections this phone does not show, and why.
 * @param {{model: PageModel, payload: Payload, onSelect: (id: string) => void}} props
 */
function Absent({ model, payload, onSelect }) {
  const hidden = payload?.hidden ?? [];
  const onToggle = (/** @type {On<Event, HTMLDetailsElement>} */ { currentTarget }) =>
    currentTarget.open && currentTarget.scrollIntoView({ block: 'nearest' });
  const order = payload?.sortRule && payload.sortRule !== 'default'
    ? ` · ${t('Order: {rule}', { rule: payload.sortRule })}` : '';
  return html`<details class="absent" onToggle=${onToggle}>
    <summary>${t('Not shown: {count}', { count: hidden.length })}${order}</summary>
    <ul>${hidden.map(({ section, reason }) => html`<li key=${section}>
      ${model.mayRead(section)
        ? html`<button class="link" onClick=${() => onSelect(section)}>${model.nameOf(section)}</button>`
        : model.nameOf(section)} – ${reasonOf(model.section(section), reason)}</li>`)}</ul>
  </details>`;
}
