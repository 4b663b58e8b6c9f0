// Somebody else saved first: at each place that both changed, theirs beside mine, and either may be taken.

import { itemTitle } from '../forms/item.js';
import { formatInstant, t } from '../lib/i18n.js';
import { differences, placeKey } from '../lib/merge.js';
import { movedSections } from '../lib/order.js';
import { Dialog, attempt, html, useState } from '../lib/ui.js';
import { Value, placeWords } from './value.js';

const Intro = (/** @type {{by: any, at: any}} */ { by, at }) => html`<p>${t('{name} changed this at {time}, after you had read it.', { name: by ?? '?', time: formatInstant(at) })}</p>`;

export function OrderConflict(/** @type {{model: PageModel, error: any, mine: any, onClose: () => void}} */ { model, error, mine, onClose }) {
  const [choice, setChoice] = useState('mine');
  const theirs = model.baseOrder;
  const moved = movedSections(theirs, mine);
  const column = (/** @type {string} */ name, /** @type {any} */ title, /** @type {string[]} */ order) => html`<label class="choice ${choice === name ? 'chosen' : ''}">
    <span class="choice-head"><input type="radio" name="order" value=${name} checked=${choice === name} onChange=${() => setChoice(name)} /> ${title}</span>
    <ol>${order.map((/** @type {string} */ id) => html`<li class=${moved.has(id) ? 'moved' : ''}>${model.nameOf(id)}</li>`)}</ol></label>`;
  const take = async () => {
    if (choice === 'theirs') model.discardOrder();
    else if (await attempt(async () => { await model.saveOrder(model.draft.orderTag); return true; }) === undefined) return;
    onClose();
  };
  return html`<${Dialog} title=${t('Two orders')} onClose=${onClose}>
    <div class="body"><${Intro} by=${error.body.changedBy} at=${error.body.changedAt} />
      <div class="columns">${column('mine', t('Mine'), mine)}${column('theirs', t('Theirs'), theirs)}</div></div>
    <footer><button onClick=${onClose}>${t('Decide later')}</button>
      <button class="primary" onClick=${take}>${choice === 'mine' ? t('Save mine') : t('Take theirs')}</button></footer>
  <//>`;
}

/** The value of one side; of an order, what its items are called. */
export function Side(/** @type {{conflict: any, name: string, locale: string}} */ { conflict, name, locale }) {
  const value = conflict[name];
  if (!conflict.isOrder) return html`<${Value} value=${value} locale=${locale} />`;
  const root = name === 'mine' ? conflict.root : conflict.theirRoot;
  const list = conflict.path.slice(0, -1).reduce((/** @type {any} */ side, /** @type {any} */ step) => typeof step === 'object' ? side?.find((/** @type {{id: string}} */ { id }) => id === step.id) : side?.[step], root);
  return html`<ol>${value.map((/** @type {string} */ id) => html`<li>${itemTitle(list?.find((/** @type {any} */ each) => each.id === id) ?? { id }, locale)}</li>`)}</ol>`;
}

/** Whether a value may need to be scrolled, by keyboard as well. */
const isLong = (/** @type {unknown} */ value) => (JSON.stringify(value) ?? '').length > 200;

/** One place that both changed. */
export function Conflict(/** @type {{conflict: any, choice: any, locale: string, onChoose: (...given: any[]) => any}} */ { conflict, choice, locale, onChoose }) {
  const key = `${conflict.part} ${placeKey(conflict.path)}`;
  const side = (/** @type {string} */ name, /** @type {any} */ title) => html`<label class="choice ${choice === name ? 'chosen' : ''}">
    <span class="choice-head"><input type="radio" name=${key} checked=${choice === name} onChange=${() => onChoose(name)} /> ${title}</span>
    <div class="value" tabindex=${isLong(conflict[name]) ? '0' : undefined}><${Side} conflict=${conflict} name=${name} locale=${locale} /></div></label>`;
  return html`<fieldset class="conflict"><legend>${placeWords(conflict.path, [conflict.root, conflict.theirRoot, conflict.base], locale)}</legend>
    <div class="columns">${side('mine', t('Mine'))}${side('theirs', t('Theirs'))}</div></fieldset>`;
}

export function SectionConflict(/** @type {{model: PageModel, by: any, at: any, reads: any, conflicts: any, onClose: (next: any) => void}} */ { model, by, at, reads, conflicts, onClose }) {
  const [choices, setChoices] = useState(/** @type {Record<string, Map<string, any>>} */ ({ settings: new Map(), content: new Map() }));
  const locale = model.draft.locales[0];
  const choiceOf = (/** @type {{part: string, path: import('../lib/merge.js').Path}} */ { part, path }) => choices[part].get(placeKey(path)) ?? 'mine';
  const choose = (/** @type {{part: string, path: import('../lib/merge.js').Path}} */ { part, path }, /** @type {any} */ choice) => setChoices({ ...choices, [part]: new Map(choices[part]).set(placeKey(path), choice) });
  const take = () => attempt(async () => {
    const next = await model.editor?.resolve(reads, choices);
    onClose(next);
  });
  return html`<${Dialog} title=${t('Changed twice: {section}', { section: model.nameOf(model.editor?.id ?? '') })} onClose=${() => onClose(null)} size="large">
    <div class="body"><${Intro} by=${by} at=${at} />
      <p class="hint">${t('What only one of you changed is kept as it is.')}</p>
      ${conflicts.length === 0 && html`<p>${t('Both changes say the same.')}</p>`}
      ${conflicts.map((/** @type {any} */ conflict) => html`<${Conflict} key=${`${conflict.part} ${placeKey(conflict.path)}`} conflict=${conflict} locale=${locale}
        choice=${choiceOf(conflict)} onChoose=${(choice) => choose(conflict, choice)} />`)}
    </div>
    <footer><button onClick=${() => onClose(null)}>${t('Decide later')}</button>
      <button class="primary" onClick=${take}>${t('Save what is chosen')}</button></footer>
  <//>`;
}

/** What one side has where the other has something else, of two states of a section. */
export function Places(/** @type {{value: any, other: any, locale: string}} */ { value, other, locale }) {
  if (value === undefined) return html`<p><em>${t('not there')}</em></p>`;
  return html`<dl class="places" tabindex="0">${differences(value, other ?? {}).slice(0, 40).map((conflict) => html`
    <dt>${placeWords(conflict.path, [value, other], locale)}</dt><dd><${Side} conflict=${{ ...conflict, root: value }} name="mine" locale=${locale} /></dd>`)}</dl>`;
}
