// Somebody else saved first: at each place that both changed, theirs beside mine, and either may be taken.

import { formatInstant, t } from '../lib/i18n.js';
import { itemTitle } from '../lib/item.js';
import { placeKey } from '../lib/merge.js';
import { Dialog, html, useAttempt, useState } from '../lib/ui.js';
import { Value, placeWords } from './value.js';

const Intro = (/** @type {{by: any, at: any}} */ { by, at }) => html`<p>
  ${t('{name} changed this at {time}, after you had read it.', { name: by ?? '?', time: formatInstant(at) })}</p>`;

/**
 * One of the sides to choose from.
 * @param {{name: string, value?: string, isChosen: boolean, title: string, onChoose: () => void, children?: any}} props
 */
function Choice({ name, value, isChosen, title, onChoose, children }) {
  return html`<label class="choice ${isChosen ? 'chosen' : ''}">
    <span class="choice-head">
      <input type="radio" name=${name} value=${value} checked=${isChosen} onChange=${onChoose} /> ${title}</span>
    ${children}</label>`;
}

/** @param {{model: PageModel, error: any, onClose: () => void}} props */
export function OrderConflict({ model, error, onClose }) {
  const [choice, setChoice] = useState(/** @type {'mine'|'theirs'} */ ('mine'));
  const { contested } = model;
  const attempt = useAttempt();
  /** @type {(name: 'mine'|'theirs', title: string, order: string[]) => object} */
  const column = (name, title, order) => html`<${Choice}
    name="order"
    value=${name}
    isChosen=${choice === name}
    title=${title}
    onChoose=${() => setChoice(name)}>
    <ol>${order.map((id) => html`<li class=${contested.includes(id) ? 'moved' : ''}>
      ${model.nameOf(id)}</li>`)}</ol><//>`;
  const take = async () => {
    const isSaved = await attempt(async () => {
      model.decideOrder(choice);
      if (choice === 'mine') await model.saveOrder();
      return true;
    });
    if (isSaved) onClose();
  };
  return html`<${Dialog} title=${t('Two orders')} onClose=${onClose}>
    <div class="body"><${Intro} by=${error.body.changedBy} at=${error.body.changedAt} />
      <p class="hint">${t('What only one of you changed is kept as it is.')}</p>
      ${model.pending && html`<div class="columns">${column('mine', t('Mine'), model.orderBy('mine'))}
        ${column('theirs', t('Theirs'), model.orderBy('theirs'))}</div>`}</div>
    <footer><button onClick=${onClose}>${t('Decide later')}</button>
      <button class="primary" onClick=${take}>${choice === 'mine' ? t('Save mine') : t('Take theirs')}</button></footer>
  <//>`;
}

/** The value of one side; of an order, what its items are called. */
export function Side(/** @type {{conflict: any, name: string, locale: string}} */ { conflict, name, locale }) {
  const value = conflict[name];
  if (!conflict.isOrder) return html`<${Value} value=${value} locale=${locale} />`;
  const root = name === 'mine' ? conflict.root : conflict.theirRoot;
  const list = conflict.path.slice(0, -1).reduce(stepInto, root);
  const named = (/** @type {string} */ id) => list?.find((/** @type {any} */ each) => each.id === id) ?? { id };
  return html`<ol>${value.map((/** @type {string} */ id) => html`<li>${itemTitle(named(id), locale)}</li>`)}</ol>`;
}

/** What stands one step further into a section: an item by its id, or a member. */
const stepInto = (/** @type {any} */ side, /** @type {any} */ step) => typeof step === 'object'
  ? side?.find((/** @type {{id: string}} */ { id }) => id === step.id) : side?.[step];

/** Whether a value may need to be scrolled, by keyboard as well. */
const isLong = (/** @type {unknown} */ value) => (JSON.stringify(value) ?? '').length > 200;

/**
 * One place that both changed.
 * @param {{conflict: any, choice: any, locale: string, onChoose: (...given: any[]) => any}} props
 */
export function Conflict({ conflict, choice, locale, onChoose }) {
  const key = `${conflict.part} ${placeKey(conflict.path)}`;
  const side = (/** @type {string} */ name, /** @type {string} */ title) => html`<${Choice}
    name=${key}
    isChosen=${choice === name}
    title=${title}
    onChoose=${() => onChoose(name)}>
    <div class="value" tabindex=${isLong(conflict[name]) ? '0' : undefined}>
      <${Side} conflict=${conflict} name=${name} locale=${locale} /></div><//>`;
  const { path, root, theirRoot, base } = conflict;
  return html`<fieldset class="conflict"><legend>${placeWords(path, [root, theirRoot, base], locale)}</legend>
    <div class="columns">${side('mine', t('Mine'))}${side('theirs', t('Theirs'))}</div></fieldset>`;
}

/** @typedef {{part: string, path: import('../lib/merge.js').Path}} Place in the settings or in the content */

/**
 * @param {{model: PageModel, by: any, at: any, reads: any, conflicts: any, onClose: (next: any) => void}} props
 */
export function SectionConflict({ model, by, at, reads, conflicts, onClose }) {
  /** @type {Record<string, Map<string, any>>} */
  const none = { settings: new Map(), content: new Map() };
  const [choices, setChoices] = useState(none);
  const attempt = useAttempt();
  const locale = model.draft.locales[0];
  const choiceOf = (/** @type {Place} */ { part, path }) => choices[part].get(placeKey(path)) ?? 'mine';
  const choose = (/** @type {Place} */ { part, path }, /** @type {any} */ choice) =>
    setChoices({ ...choices, [part]: new Map(choices[part]).set(placeKey(path), choice) });
  const take = () => attempt(async () => {
    const next = await model.editor?.resolve(reads, choices);
    onClose(next);
  });
  const title = t('Changed twice: {section}', { section: model.nameOf(model.editor?.id ?? '') });
  return html`<${Dialog} title=${title} onClose=${() => onClose(null)} size="large">
    <div class="body"><${Intro} by=${by} at=${at} />
      <p class="hint">${t('What only one of you changed is kept as it is.')}</p>
      ${conflicts.length === 0 && html`<p>${t('Both changes say the same.')}</p>`}
      ${conflicts.map((/** @type {any} */ conflict) => html`<${Conflict}
        key=${`${conflict.part} ${placeKey(conflict.path)}`}
        conflict=${conflict}
        locale=${locale}
        choice=${choiceOf(conflict)}
        onChoose=${(choice) => choose(conflict, choice)} />`)}
    </div>
    <footer><button onClick=${() => onClose(null)}>${t('Decide later')}</button>
      <button class="primary" onClick=${take}>${t('Save what is chosen')}</button></footer>
  <//>`;
}
