// Somebody else saved first: at each place that both changed, theirs beside mine, and either may be taken.

import { itemTitle } from '../forms/item.js';
import { formatInstant, t } from '../lib/i18n.js';
import { differences, placeKey } from '../lib/merge.js';
import { movedSections } from '../lib/order.js';
import { Dialog, attempt, html, useState } from '../lib/ui.js';
import { Value, placeWords } from './value.js';

const Intro = ({ by, at }) => html`<p>${t('{name} changed this at {time}, after you had read it.', { name: by ?? '?', time: formatInstant(at) })}</p>`;

export function OrderConflict({ model, error, mine, onClose }) {
  const [choice, setChoice] = useState('mine');
  const theirs = model.baseOrder;
  const moved = movedSections(theirs, mine);
  const column = (name, title, order) => html`<label class="choice ${choice === name ? 'chosen' : ''}">
    <span class="choice-head"><input type="radio" name="order" value=${name} checked=${choice === name} onChange=${() => setChoice(name)} /> ${title}</span>
    <ol>${order.map((id) => html`<li class=${moved.has(id) ? 'moved' : ''}>${model.nameOf(id)}</li>`)}</ol></label>`;
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
function Side({ conflict, name, locale }) {
  const value = conflict[name];
  if (!conflict.isOrder) return html`<${Value} value=${value} locale=${locale} />`;
  const root = name === 'mine' ? conflict.root : conflict.theirRoot;
  const list = conflict.path.slice(0, -1).reduce((side, step) => typeof step === 'object' ? side?.find(({ id }) => id === step.id) : side?.[step], root);
  return html`<ol>${value.map((id) => html`<li>${itemTitle(list?.find((each) => each.id === id) ?? { id }, locale)}</li>`)}</ol>`;
}

/** One place that both changed. */
export function Conflict({ conflict, choice, locale, onChoose }) {
  const key = `${conflict.part} ${placeKey(conflict.path)}`;
  const side = (name, title) => html`<label class="choice ${choice === name ? 'chosen' : ''}">
    <span class="choice-head"><input type="radio" name=${key} checked=${choice === name} onChange=${() => onChoose(name)} /> ${title}</span>
    <div class="value"><${Side} conflict=${conflict} name=${name} locale=${locale} /></div></label>`;
  return html`<fieldset class="conflict"><legend>${placeWords(conflict.path, [conflict.root, conflict.theirRoot, conflict.base], locale)}</legend>
    <div class="columns">${side('mine', t('Mine'))}${side('theirs', t('Theirs'))}</div></fieldset>`;
}

export function SectionConflict({ model, by, at, reads, conflicts, onClose }) {
  const [choices, setChoices] = useState({ settings: new Map(), content: new Map() });
  const locale = model.draft.locales[0];
  const choiceOf = ({ part, path }) => choices[part].get(placeKey(path)) ?? 'mine';
  const choose = ({ part, path }, choice) => setChoices({ ...choices, [part]: new Map(choices[part]).set(placeKey(path), choice) });
  const take = () => attempt(async () => {
    const next = await model.editor.resolve(reads, choices);
    onClose(next);
  });
  return html`<${Dialog} title=${t('Changed twice: {section}', { section: model.nameOf(model.editor.id) })} onClose=${() => onClose(null)} size="large">
    <div class="body"><${Intro} by=${by} at=${at} />
      <p class="hint">${t('What only one of you changed is kept as it is.')}</p>
      ${conflicts.length === 0 && html`<p>${t('Both changes say the same.')}</p>`}
      ${conflicts.map((conflict) => html`<${Conflict} key=${`${conflict.part} ${placeKey(conflict.path)}`} conflict=${conflict} locale=${locale}
        choice=${choiceOf(conflict)} onChoose=${(choice) => choose(conflict, choice)} />`)}
    </div>
    <footer><button onClick=${() => onClose(null)}>${t('Decide later')}</button>
      <button class="primary" onClick=${take}>${t('Save what is chosen')}</button></footer>
  <//>`;
}

/** What one side has where the other has something else, of two states of a section. */
export function Places({ value, other, locale }) {
  if (value === undefined) return html`<p><em>${t('not there')}</em></p>`;
  return html`<dl class="places" tabindex="0">${differences(value, other ?? {}).slice(0, 40).map((conflict) => html`
    <dt>${placeWords(conflict.path, [value, other], locale)}</dt><dd><${Side} conflict=${{ ...conflict, root: value }} name="mine" locale=${locale} /></dd>`)}</dl>`;
}
