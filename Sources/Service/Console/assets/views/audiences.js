// Named audiences: who they are, where they are used, and their form.

import {
  Confirm, GoneResource, Listed, NameOfNew, PredicateField, ResourceDialog, get, html, leftIn,
  predicateWords, remove, t, useLoad, useResource, useState,
} from '../shared.js';

/** How often it is looked whether what is edited is still there, in milliseconds. */
const lookAgain = 2000;

/** @typedef {{name: string, predicate: Predicate, uses: string[]}} Audience */

/** @returns {Promise<Audience[]>} */
async function load() {
  /** @type {{value: {audiences: Record<string, Predicate>}}} */
  const { value } = await get(['audiences']);
  return Promise.all(Object.entries(value.audiences).map(async ([name, predicate]) =>
    ({ name, predicate, uses: (await get(['audiences', name, 'uses'])).value.uses })));
}

/** A place that uses an audience, such as `home/sections/otc/items/1`, with a way there. */
function Use(/** @type {{place: string}} */ { place }) {
  const [page, ...rest] = place.split('/');
  if (page === 'audiences') return html`<li>${t('the audience {name}', { name: rest[0] })}</li>`;
  const names = rest.filter((_, index) => index % 2 === 1).join(' / ');
  return html`<li><a href="#/pages/${encodeURIComponent(page)}">${page}</a>${' / '}
    ${rest[0] === 'sortRules' ? t('order {rule}', { rule: names }) : names}</li>`;
}

export function AudiencesView(/** @type {{setup: Setup, page?: string}} */ { setup, page: wanted }) {
  const [audiences, failure, reload] = useLoad(load, []);
  const mayEdit = setup.rights.mayEditAudiences;
  const [dialog, setDialog] = useState(() => {
    const left = leftIn(['audiences']) ?? (wanted && mayEdit ? { name: wanted } : null);
    return left && { what: 'edit', ...left };
  });
  const close = () => {
    setDialog(null);
    // So that the address leads to it again.
    if (wanted) location.hash = '#/audiences';
  };
  return html`<main class="view">
    <div class="heading"><h1>${t('Audiences')}</h1>
      ${mayEdit && html`<button class="primary" onClick=${() => setDialog({ what: 'edit', name: null })}>
        ${t('New audience')}</button>`}</div>
    <p class="hint">${t('A named audience is shared by all pages. '
      + 'Clients of a page get what you change here when that page is published.')}</p>
    <${Listed} label=${t('Audiences')} list=${audiences} failure=${failure} onRetry=${reload}
      nothing=${t('There are no named audiences yet.')} columns=${[t('Name'), t('Who it is'), t('Used by'), '']}>
      ${(/** @type {Audience} */ audience) => html`<${Row}
        key=${audience.name}
        audience=${audience}
        mayEdit=${mayEdit}
        onDialog=${(what) => setDialog({ what, name: audience.name })} />`}<//>
    ${dialog?.what === 'edit' && html`<${AudienceDialog}
      name=${dialog.name}
      setup=${setup}
      names=${(audiences ?? []).map(({ name }) => name)}
      onSaved=${reload}
      onClose=${close} />`}
    ${dialog?.what === 'delete' && html`<${Delete} name=${dialog.name} onDeleted=${reload} onClose=${close} />`}
  </main>`;
}

/** @param {{audience: Audience, mayEdit: boolean, onDialog: (what: 'edit'|'delete') => void}} props */
function Row({ audience: { name, predicate, uses }, mayEdit, onDialog }) {
  const isUsed = uses.length > 0;
  return html`<tr>
    <td><strong>${name}</strong></td>
    <td data-name=${t('Who it is')}>${predicateWords(predicate)}</td>
    <td data-name=${t('Used by')}>${uses.length === 0 ? t('nothing') : html`<ul class="uses">
      ${uses.map((place) => html`<${Use} key=${place} place=${place} />`)}</ul>`}</td>
    <td class="nowrap buttons">${mayEdit && html`
      <button aria-label=${t('Edit {name}', { name })} onClick=${() => onDialog('edit')}>${t('Edit…')}</button>
      <button
        class="grave"
        aria-label=${t('Delete {name}', { name })}
        disabled=${isUsed}
        title=${isUsed ? t('An audience that is in use cannot be deleted.') : undefined}
        onClick=${() => onDialog('delete')}>${t('Delete…')}</button>`}</td></tr>`;
}

/**
 * @param {{name: string|null, setup: Setup, names: string[], onSaved: () => void, onClose: () => void}} props
 */
function AudienceDialog({ name, setup, names, onSaved, onClose }) {
  /** @type {Predicate} */
  const begun = { attribute: 'platform', in: ['ios'] };
  const resource = useResource(name ? ['audiences', name] : null, begun, ['audiences']);
  const form = {
    kinds: setup.kinds, attributes: setup.attributes,
    audiences: names.filter((other) => other !== name),
    mayEdit: true, ...resource.fields,
  };
  const [all, , look] = useLoad(async () => name && (await get(['audiences'])).value.audiences, [], lookAgain);
  const isGone = name && all && !Object.hasOwn(all, name);
  const onBack = () => {
    look();
    onSaved();
  };
  return html`<${ResourceDialog}
    title=${name ? t('The audience {name}', { name }) : t('New audience')}
    resource=${resource}
    action=${resource.isNew ? t('Create') : t('Save')}
    isReady=${!isGone}
    onSaved=${onSaved}
    onClose=${onClose}>${() => html`
    ${isGone && html`<${GoneResource} resource=${resource} onBack=${onBack} />`}
    ${!name && html`<${NameOfNew} resource=${resource} placeholder="vip" />`}
    <${PredicateField}
      key=${resource.round}
      form=${form}
      value=${resource.value}
      pointer=""
      isRequired
      onChange=${(value) => resource.type(value ?? {})} />`}<//>`;
}

/** @param {{name: string, onDeleted: () => void, onClose: () => void}} props */
function Delete({ name, onDeleted, onClose }) {
  const run = async (/** @type {Once} */ once) => {
    await remove(['audiences', name], { ifMatch: '*', once });
    onDeleted();
  };
  return html`<${Confirm}
    title=${t('Delete {section}?', { section: name })}
    action=${t('Delete')}
    isGrave
    onClose=${onClose}
    onConfirm=${run}>
    <p>${t('Nothing uses this audience.')}</p>
  <//>`;
}
