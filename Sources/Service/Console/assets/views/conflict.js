// Somebody else saved first: at each place that both changed, theirs beside mine, and either may be taken.

import { formatInstant, t } from '../lib/i18n.js';
import { itemTitle } from '../lib/item.js';
import { placeKey } from '../lib/merge.js';
import { Dialog, html, useAttempt, useState } from '../lib/ui.js';
import { Value, placeWords, stepInto } from './value.js';

const Intro = (/** @type {{by?: string, at?: string}} */ { by, at }) => html`<p>
  ${t('{name} changed this at {time}, after you had read it.', { name: by ?? '?', time: formatInstant(at) })}</p>`;

/**
 * One of the sides to choose from.
 * @param {{name: string, value?: string, isChosen: boolean, title: string, onChoose: () => void,
 *   children?: object}} props
 */
function Choice({ name, value, isChosen, title, onChoose, children }) {
  return html`<label class="choice ${isChosen ? 'chosen' : ''}">
    <span class="choice-head">
      <input type="radio" name=${name} value=${value} checked=${isChosen} onChange=${onChoose} /> ${title}</span>
    ${children}</label>`;
}

/** @typedef {import('../lib/edits.js').Contested} Contested */

export function OrderConflict(/** @type {{model: PageModel}} */ { model }) {
  const [choice, setChoice] = useState(/** @type {'mine'|'theirs'} */ ('mine'));
  const { ordering } = model;
  const { contested, conflict, pending } = ordering;
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
  const later = () => ordering.change({ conflict: null });
  const take = () => attempt(async () => {
    ordering.decide(choice);
    if (choice === 'mine') await ordering.save();
  });
  return html`<${Dialog} title=${t('Two orders')} onClose=${later}>
    <div class="body"><${Intro} ...${conflict} />
      <p class="hint">${t('What only one of you changed is kept as it is.')}</p>
      ${pending && html`<div class="columns">${column('mine', t('Mine'), ordering.orderBy('mine'))}
        ${column('theirs', t('Theirs'), ordering.orderBy('theirs'))}</div>`}</div>
    <footer><button onClick=${later}>${t('Decide later')}</button>
      <button class="primary" onClick=${take}>${choice === 'mine' ? t('Save mine') : t('Take theirs')}</button></footer>
  <//>`;
}

/**
 * @typedef {Pick<import('../lib/merge.js').Conflict, 'path'|'isOrder'|'mine'|'theirs'>
 *   & {root: Content, theirRoot: Content}} Sides a place with what both sides are from
 */

/**
 * The value of one side; of an order, what its items are called.
 * @param {{conflict: Sides, name: 'mine'|'theirs', locale: string}} props
 */
export function Side({ conflict, name, locale }) {
  const value = conflict[name];
  if (!conflict.isOrder) return html`<${Value} value=${value} locale=${locale} />`;
  const root = name === 'mine' ? conflict.root : conflict.theirRoot;
  const list = conflict.path.slice(0, -1).reduce(stepInto, root);
  const named = (/** @type {string} */ id) => stepInto(list, { id }) ?? { id };
  const ids = /** @type {string[]} */ (value);
  return html`<ol>${ids.map((id) => html`<li>${itemTitle(named(id), locale)}</li>`)}</ol>`;
}

/** Whether a value may need to be scrolled, by keyboard as well. */
const isLong = (/** @type {unknown} */ value) => (JSON.stringify(value) ?? '').length > 200;

/**
 * One place that both changed.
 * @param {{conflict: Contested, locale: string, onChoose: (choice: 'mine'|'theirs') => void}} props
 */
function Conflict({ conflict, locale, onChoose }) {
  const key = `${conflict.part} ${placeKey(conflict.path)}`;
  const side = (/** @type {'mine'|'theirs'} */ name, /** @type {string} */ title) => html`<${Choice}
    name=${key}
    isChosen=${conflict.choice === name}
    title=${title}
    onChoose=${() => onChoose(name)}>
    <div class="value" tabindex=${isLong(conflict[name]) ? '0' : undefined}>
      <${Side} conflict=${conflict} name=${name} locale=${locale} /></div><//>`;
  const { path, root, theirRoot, base } = conflict;
  return html`<fieldset class="conflict"><legend>${placeWords(path, [root, theirRoot, base], locale)}</legend>
    <div class="columns">${side('mine', t('Mine'))}${side('theirs', t('Theirs'))}</div></fieldset>`;
}

/**
 * The places that both changed, each with the choice.
 * @param {{edits: import('../lib/edits.js').Edits, locale: string}} props
 */
export const Conflicts = ({ edits, locale }) => edits.conflict?.conflicts.map(
  (conflict) => html`<${Conflict}
    key=${`${conflict.part} ${placeKey(conflict.path)}`}
    conflict=${conflict}
    locale=${locale}
    onChoose=${(choice) => edits.choose(conflict, choice)} />`);

/** @param {{model: PageModel, editor: Editor}} props */
export function SectionConflict({ model, editor }) {
  const attempt = useAttempt();
  const { by, at, conflicts } = /** @type {NonNullable<Editor['conflict']>} */ (editor.conflict);
  const later = () => editor.change({ conflict: null });
  const title = t('Changed twice: {section}', { section: model.nameOf(editor.id) });
  return html`<${Dialog} title=${title} onClose=${later} size="large">
    <div class="body"><${Intro} by=${by} at=${at} />
      <p class="hint">${t('What only one of you changed is kept as it is.')}</p>
      ${conflicts.length === 0 && html`<p>${t('Both changes say the same.')}</p>`}
      <${Conflicts} edits=${editor} locale=${model.draft.locales[0]} />
    </div>
    <footer><button onClick=${later}>${t('Decide later')}</button>
      <button class="primary" onClick=${() => attempt(() => editor.save())}>
        ${t('Save what is chosen')}</button></footer>
  <//>`;
}
