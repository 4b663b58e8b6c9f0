// Somebody else saved first: their change beside mine, and either may be taken.

import { formatInstant, t } from '../lib/i18n.js';
import { differingPlaces, resolved } from '../lib/merge.js';
import { movedSections } from '../lib/order.js';
import { Dialog, attempt, html, useState } from '../lib/ui.js';

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

const nameOfRow = (key) => {
  const [what, ...rest] = key.split(' ');
  const name = rest.join(' ');
  return { settings: t('Setting {name}', { name }), item: t('Item {name}', { name }), slot: t('Slot {name}', { name }), order: t('The order of the items') }[what];
};

/** What one side has where the other has something else. */
export function Places({ value, other, isTheirs }) {
  if (value === undefined) return html`<p><em>${t('not there')}</em></p>`;
  const places = isTheirs ? differingPlaces(other, value) : differingPlaces(value, other);
  return html`<dl class="places" tabindex="0">${places.slice(0, 40).map(({ pointer, left, right }) => {
    const shown = isTheirs ? right : left;
    return html`<dt><code>${pointer || '/'}</code></dt><dd>${shown === undefined ? html`<em>${t('not there')}</em>` : shown}</dd>`;
  })}</dl>`;
}

export function SectionConflict({ model, by, at, theirs, merged, onClose }) {
  const [rows, setRows] = useState(merged.rows);
  const choose = (key, choice) => setRows(rows.map((row) => row.key === key ? { ...row, choice } : row));
  const side = (row, name, title) => html`<label class="choice ${row.choice === name ? 'chosen' : ''}">
    <span class="choice-head"><input type="radio" name=${row.key} checked=${row.choice === name} onChange=${() => choose(row.key, name)} /> ${title}</span>
    <${Places} value=${row[name]} other=${row[name === 'mine' ? 'theirs' : 'mine']} isTheirs=${name === 'theirs'} /></label>`;
  const take = () => attempt(async () => {
    await model.editor.resolve(theirs, resolved(theirs.values, { rows }));
    onClose();
  });
  return html`<${Dialog} title=${t('Changed twice: {section}', { section: model.nameOf(model.editor.id) })} onClose=${onClose} size="large">
    <div class="body"><${Intro} by=${by} at=${at} />
      ${rows.length === 0 && html`<p>${t('Both changes say the same.')}</p>`}
      ${rows.map((row) => html`<fieldset key=${row.key} class="conflict"><legend>${nameOfRow(row.key)}
          ${!row.isConflict && html` <span class="hint">${row.choice === 'mine' ? t('only you changed it') : t('only they changed it')}</span>`}</legend>
        <div class="columns">${side(row, 'mine', t('Mine'))}${side(row, 'theirs', t('Theirs'))}</div></fieldset>`)}
    </div>
    <footer><button onClick=${onClose}>${t('Decide later')}</button>
      <button class="primary" onClick=${take}>${t('Save what is chosen')}</button></footer>
  <//>`;
}
