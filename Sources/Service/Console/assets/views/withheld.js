// Kinds that some clients do not get: the bar that says so until it is lifted, the list, and the form.

import { PredicateField } from '../forms/predicate.js';
import { get, remove } from '../lib/api.js';
import { formatInstant, joinSentences, t } from '../lib/i18n.js';
import { Confirm, html, options, toast, useEffect, useLoad, useState } from '../lib/ui.js';
import { predicateWords, titlesOf } from '../lib/words.js';
import { Listed } from './listed.js';
import { ResourceDialog, leftIn, useResource } from './resource.js';

/** How often the bar looks, in milliseconds. */
const pause = 10_000;
/** Tells the bar that this tab has changed something. */
const told = new EventTarget();

/** @typedef {Pick<Withholding, 'family'|'kind'>} Named a kind that is withheld, or was */

/** @returns {Promise<Withholding[]>} */
const load = async () => (await get(['withheld'])).value.withheld;

/** What operators call a kind. */
const titleOf = (/** @type {Setup} */ { kinds }, /** @type {string} */ family, /** @type {string} */ kind) =>
  kindsOf(kinds, family)[kind]?.title ?? kind;

/**
 * The kinds of a family.
 * @param {Kinds} kinds
 * @param {string} family
 */
const kindsOf = (kinds, family) => kinds[family === 'items' ? 'itemKinds' : 'sectionKinds'] ?? {};

/** What the clients get instead, in words. */
function instead(/** @type {Setup} */ setup, /** @type {string} */ family, /** @type {string} */ kind) {
  const { fallback } = kindsOf(setup.kinds, family)[kind] ?? {};
  return fallback ? t('They get {kind} instead.', { kind: titleOf(setup, family, fallback.kind ?? fallback) })
    : t('They get nothing instead: it is left out.');
}

/** Red, above every view, as long as something is withheld. */
export function WithheldBar(/** @type {{setup: Setup}} */ { setup }) {
  const [list, setList] = useState(/** @type {Withholding[]} */ ([]));
  const [lifting, setLifting] = useState(/** @type {Withholding|null} */ (null));
  useEffect(() => {
    const look = () => { if (!document.hidden) load().then(setList, () => {}); };
    look();
    const timer = setInterval(look, pause);
    document.addEventListener('visibilitychange', look);
    told.addEventListener('change', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
      told.removeEventListener('change', look);
    };
  }, []);
  if (list.length === 0) return null;
  return html`<div class="withheld" role="alert">${list.map((entry) => html`<p key=${`${entry.family} ${entry.kind}`}>
      <span><strong>${t('{kind} is withheld', { kind: titleOf(setup, entry.family, entry.kind) })}</strong>${' '}
        ${t('from: {audience}', { audience: predicateWords(entry.audience) })} – ${entry.reason}
        <span class="hint">${entry.author} · ${formatInstant(entry.at)}</span></span>
      ${setup.rights.mayWithhold && html`<button
        aria-label=${t('Lift {name}', { name: entry.kind })}
        onClick=${() => setLifting(entry)}>${t('Lift…')}</button>`}</p>`)}
    ${lifting && html`<${Lift} setup=${setup} entry=${lifting} onClose=${() => setLifting(null)} />`}
  </div>`;
}

function Lift(/** @type {{setup: Setup, entry: Withholding, onClose: () => void}} */ { setup, entry, onClose }) {
  const kind = titleOf(setup, entry.family, entry.kind);
  const confirm = async (/** @type {Once} */ once) => {
    await remove(['withheld', entry.family, entry.kind], { ifMatch: '*', once });
    toast(t('{kind} is withheld no more', { kind }));
    told.dispatchEvent(new Event('change'));
  };
  return html`<${Confirm}
    title=${t('Lift the withholding of {kind}?', { kind })}
    action=${t('Lift')}
    isGrave
    onClose=${onClose}
    onConfirm=${confirm}>
    <p>${t('These clients get {kind} again from the next poll on:', { kind })} ${predicateWords(entry.audience)}</p>
    <p class="hint">${t('It was withheld because: {reason}', { reason: entry.reason })}</p>
  <//>`;
}

export function WithheldView(/** @type {{setup: Setup}} */ { setup }) {
  const [list, failure, reload] = useLoad(load, []);
  const [dialog, setDialog] = useState(leftOpen);
  const may = setup.rights.mayWithhold;
  useEffect(() => {
    told.addEventListener('change', reload);
    return () => told.removeEventListener('change', reload);
  });
  return html`<main class="view">
    <div class="heading"><h1>${t('Withheld kinds')}</h1>
      ${may && html`<button class="grave" onClick=${() => setDialog({})}>${t('Withhold a kind…')}</button>`}</div>
    <p class="hint">${t('When an app in the field cannot draw what is live, withhold the kind from it. '
      + 'It gets the fallback, or nothing, from the next poll on, and whatever is published later keeps to that until '
      + 'it is lifted. Drafts stay as they are.')}</p>
    <${Listed} label=${t('Withheld kinds')} list=${list} failure=${failure} onRetry=${reload}
      nothing=${t('Nothing is withheld.')} columns=${[t('Kind'), t('From whom'), t('Why'), t('Since'), '']}>
      ${(/** @type {Withholding} */ entry) => html`<tr key=${`${entry.family} ${entry.kind}`}>
        <td><strong>${titleOf(setup, entry.family, entry.kind)}</strong> <code>${entry.family}/${entry.kind}</code></td>
        <td data-name=${t('From whom')}>${predicateWords(entry.audience)}</td>
        <td data-name=${t('Why')}>${entry.reason}</td>
        <td data-name=${t('Since')}>${entry.author} · ${formatInstant(entry.at)}</td>
        <td class="nowrap buttons">${may && html`<button
          aria-label=${t('Edit {name}', { name: entry.kind })}
          onClick=${() => setDialog({ entry })}>${t('Edit…')}</button>`}</td></tr>`}<//>
    ${dialog && html`<${WithholdDialog} entry=${dialog.entry} setup=${setup} onClose=${() => setDialog(null)} />`}
  </main>`;
}

/**
 * Which dialog was open with something unsaved when the tab was loaded anew.
 * @returns {{entry?: Named}|null}
 */
function leftOpen() {
  if (leftIn(['withheld'])?.name === null) return {};
  for (const family of /** @type {const} */ (['items', 'sections'])) {
    const left = leftIn(['withheld', family]);
    if (left?.name) return { entry: { family, kind: left.name } };
  }
  return null;
}

const families = () => [['items', t('Items')], ['sections', t('Sections')]];

function WithholdDialog(/** @type {{entry?: Named, setup: Setup, onClose: () => void}} */ { entry, setup, onClose }) {
  const [audiences] = useLoad(async () => Object.keys((await get(['audiences'])).value.audiences), []);
  /** @type {Resource<Pick<Withholding, 'audience'|'reason'>>} */
  const resource = useResource(entry ? ['withheld', entry.family, entry.kind] : null, {
    audience: { all: [{ attribute: 'platform', in: ['ios'] }, { attribute: 'appVersion', below: '1.0' }] }, reason: '',
  }, ['withheld']);
  const chosen = entry ? `${entry.family}/${entry.kind}` : resource.id;
  const [family, kind] = chosen.split('/');
  const form = {
    kinds: setup.kinds, attributes: setup.attributes, audiences: audiences ?? [], mayEdit: true,
    ...resource.fields,
  };
  return html`<${ResourceDialog}
    title=${entry ? t('{kind} is withheld', { kind: titleOf(setup, family, kind) }) : t('Withhold a kind')}
    resource=${resource}
    action=${entry ? t('Save') : t('Withhold now')}
    isReady=${chosen !== ''}
    onSaved=${() => told.dispatchEvent(new Event('change'))}
    onClose=${onClose}>${() => html`
    ${!entry && html`<label>${t('Kind')}<select
      required
      value=${chosen}
      disabled=${resource.isSaving || !resource.isNew}
      onChange=${(event) => resource.edit({ id: event.target.value })}>
      <option value="" selected=${chosen === ''}>${t('Choose…')}</option>
      ${families().map(([name, label]) => html`<optgroup label=${label}>
        ${options(titlesOf(kindsOf(setup.kinds, name)).map(([id, title]) => [`${name}/${id}`, `${title} (${id})`]),
          chosen)}</optgroup>`)}</select></label>`}
    <${PredicateField}
      key=${resource.round}
      form=${form}
      value=${resource.value.audience}
      pointer="/audience"
      isRequired
      onChange=${(value) => resource.setting('audience')(value ?? {})} />
    <label>${t('Why')}<input
      value=${resource.value.reason}
      required
      dir="auto"
      placeholder=${t('crashes on iOS 17')}
      onInput=${(event) => resource.setting('reason')(event.target.value)} /></label>
    ${chosen && html`<p class="banner warning">
      ${joinSentences([
    t('At once, for: {audience}.', { audience: predicateWords(resource.value.audience) }), instead(setup, family, kind),
  ])}</p>`}`}<//>`;
}
