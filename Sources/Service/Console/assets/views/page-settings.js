// What holds for a page as a whole, and the end of a page.

import {
  DialogForm, ItemForm, ItemList, Later, LineField, NumberField, Problems, ResourceDialog, get, html, insetSchema,
  memberControls, memberFields, newID, newItem, options, pageSettingsOf, t, textSchema, titlesOf, toast, tooLong,
  useAttempt, useEffect, useOnce, useResource, useState,
} from '../shared.js';

const tagsIn = (/** @type {string} */ text) => text.split(/[\s,，、]+/).filter(Boolean);

function Locales(/** @type {{form: Form, resource: Resource<PageSettings>}} */ { form, resource }) {
  const { defaultLocale, locales = [] } = resource.value;
  const [text, setText] = useState(locales.join(', '));
  const change = (/** @type {string} */ tags) => {
    setText(tags);
    resource.setting('locales')(tagsIn(tags));
  };
  return html`<div class="pair">
    <${LineField} form=${form} pointer="/defaultLocale" label=${t('Default locale')} isRequired required
      value=${defaultLocale} onText=${resource.setting('defaultLocale')} />
    <${LineField} form=${form} pointer="/locales" label=${t('Locales')} hint=${t('Separated by commas')}
      value=${text} onText=${change} /></div>`;
}

function EmptyState(/** @type {{form: Form, resource: Resource<PageSettings>}} */ { form, resource }) {
  const { emptyState } = resource.value;
  const set = resource.setting('emptyState');
  const add = (/** @type {FieldEvent} */ event) => {
    if (event.target.value) set(newItem(event.target.value, form.kinds, 'emptyState'));
  };
  return html`<fieldset class="slot"><legend>${t('What shows when there is no section')}</legend>
    <${Problems} form=${form} pointer="/emptyState" />
    ${emptyState ? html`<${ItemForm}
          form=${form}
          item=${emptyState}
          pointer="/emptyState"
          onChange=${set} />
        ${form.mayEdit && html`<button type="button" onClick=${() => set(undefined)}>${t('Remove')}</button>`}`
      : form.mayEdit ? html`<select aria-label=${t('Kind')} onChange=${add}>
          ${options([['', t('Nothing')], ...titlesOf(form.kinds.itemKinds)], '')}</select>`
        : html`<p class="hint">${t('Nothing')}</p>`}</fieldset>`;
}

/**
 * What stands above the sections, at one end.
 * @param {{form: Form, resource: Resource<PageSettings>, end: 'leading'|'trailing', label: string}} props
 */
function BarEnd({ form, resource, end, label }) {
  const bar = resource.value.bar ?? {};
  const items = bar[end] ?? [];
  const set = (/** @type {Item[]} */ list) => {
    const { [end]: _, ...rest } = bar;
    const next = list.length > 0 ? { ...rest, [end]: list } : rest;
    resource.setting('bar')(Object.keys(next).length > 0 ? next : undefined);
  };
  const add = (/** @type {FieldEvent} */ event) => {
    const kind = event.target.value;
    if (kind) set([...items, newItem(kind, form.kinds, newID(kind))]);
    event.target.value = '';
  };
  return html`<fieldset class="slot"><legend>${label}</legend><${Problems} form=${form} pointer="/bar/${end}" />
    <${ItemList}
      form=${{ ...form, isForEveryone: true }}
      items=${items}
      pointer="/bar/${end}"
      kinds=${[]}
      maximum=${8}
      onChange=${set} />
    ${form.mayEdit && items.length < 8 && html`<select aria-label=${`${label}: ${t('Kind')}`} onChange=${add}>
      ${options([['', t('Add…')], ...titlesOf(form.kinds.itemKinds)], '')}</select>`}</fieldset>`;
}

/** What a page says of its screen. */
function Screen(/** @type {{form: Form, resource: Resource<PageSettings>}} */ { form, resource }) {
  const whole = {
    form, value: /** @type {Content} */ (resource.value), pointer: '',
    set: (/** @type {string} */ name) => resource.setting(name),
  };
  const member = memberFields(whole);
  return html`${member('displayTitle', textSchema, t('Title of the screen, for users'))}
    <${BarEnd} form=${form} resource=${resource} end="leading" label=${t('Bar, leading end')} />
    <${BarEnd} form=${form} resource=${resource} end="trailing" label=${t('Bar, trailing end')} />
    ${member('inset', insetSchema, t('Space around all sections, in points'))}
    <${Problems} form=${form} pointer="/background" />
    ${memberControls(whole)(Later, 'background', { view: 'PageBackground' })}`;
}

/**
 * @param {{model: PageModel, former?: PageSettings, onClose: () => void}} props `former` are settings to be put back
 */
export function PageSettingsDialog({ model, former, onClose }) {
  /** @type {Resource<PageSettings>} */
  const resource = useResource(model.path);
  const attempt = useAttempt();
  const isThere = resource.value !== null;
  useEffect(() => { if (isThere && former) resource.put(former); }, [isThere]);
  const putBackLive = () => attempt(async () => {
    const { value } = await get([...model.path, 'revisions', String(model.draft.live)]);
    resource.put(pageSettingsOf(value));
  });
  const [isDeleting, setDeleting] = useState(false);
  const form = {
    kinds: model.kinds, attributes: model.attributes, audiences: model.audiences, mayEdit: model.mayEdit,
    locales: model.draft.locales, ...resource.fields,
  };
  const control = memberControls({
    form, value: /** @type {Content} */ (resource.value), pointer: '', set: (name) => resource.setting(name),
  });
  if (isDeleting) return html`<${DeletePage} model=${model} onClose=${onClose} />`;
  const deletion = model.mayPublish && html`<button type="button" class="grave" onClick=${() => setDeleting(true)}>
    ${t('Delete this page…')}</button><span class="grow" />`;
  return html`<${ResourceDialog}
    title=${t('Settings of {page}', { page: model.draft.title })}
    resource=${resource}
    mayEdit=${model.mayEdit}
    locale=${model.draft.locales[0]}
    onSaved=${() => model.reload()}
    onClose=${onClose}
    extra=${deletion}>${() => html`
    ${model.mayEdit && model.draft.live && model.draft.changedParts.settings && html`<p class="hint">
      ${t('They are not published as they are here.')}${' '}
      <button type="button" class="link" onClick=${putBackLive}>${t('Put back what is live')}</button></p>`}
    <${LineField}
      form=${form}
      pointer="/title"
      label=${t('Title, for operators only')}
      problem=${tooLong(resource.value.title, 200, 'bytes')}
      dir="auto"
      value=${resource.value.title}
      onText=${(text) => resource.setting('title')(text || undefined)} />
    <${Locales} key=${resource.round} form=${form} resource=${resource} />
    ${control(NumberField, 'pollInterval', {
      label: t('Seconds between two polls of a client'), hint: t('From 1 to 86,400; 30 when left empty'), isWhole: true,
    })}
    <${EmptyState} form=${form} resource=${resource} />
    <${Screen} form=${form} resource=${resource} />
    <p class="hint">${t('Clients get it when you publish next.')}</p>`}<//>`;
}

/** A page goes with its history and cannot be rolled back to, so its id must be typed. */
function DeletePage(/** @type {{model: PageModel, onClose: () => void}} */ { model, onClose }) {
  const [typed, setTyped] = useState('');
  const once = useOnce();
  const done = () => {
    toast(t('{page} is deleted', { page: model.page }));
    location.hash = '#/';
  };
  return html`<${DialogForm}
    title=${t('Delete {section}?', { section: model.draft.title })}
    action=${t('Delete')}
    isGrave
    isReady=${typed === model.page}
    onSubmit=${() => model.deletePage(once)}
    onDone=${done}
    onClose=${onClose}>
    <p>${t('From the next poll on, clients no longer get this page. '
      + 'Its sections, its history and its scheduled publishes are deleted with it. This cannot be undone.')}</p>
    <label>${t('Type {page} to confirm', { page: model.page })}<input
      value=${typed}
      autocomplete="off"
      spellcheck=${false}
      onInput=${(event) => setTyped(event.target.value)} /></label>
  <//>`;
}
