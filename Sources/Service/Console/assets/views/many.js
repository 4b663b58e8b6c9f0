// What is done to several sections at once: one after the other, each with its own tag.

import { ScheduleField } from '../forms/schedule.js';
import { Unreachable, all, get, put } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { Confirm, Dialog, attempt, explain, html, toast, useAction, useLoad, useRef, useState } from '../lib/ui.js';

/** The bar below the list while sections are chosen. */
export function ManyBar(/** @type {{model: PageModel}} */ { model }) {
  const [dialog, setDialog] = useState(null);
  const ids = model.order.filter((id) => model.chosen.has(id));
  const close = () => setDialog(null);
  const together = (/** @type {(id: string) => Promise<any>} */ act) => attempt(() => model.together(ids, act));
  const hidden = ids.filter((id) => model.section(id)?.hidden);
  return html`<div class="panel-foot many" role="toolbar" aria-label=${t('Chosen sections')}>
    <strong class="grow">${t('Chosen: {count}', { count: ids.length })}</strong>
    <button
      class="icon"
      aria-label=${t('Choose none')}
      title=${t('Choose none')}
      onClick=${() => model.change({ chosen: new Set() })}>✕</button>
    <span class="buttons">
      <button
        disabled=${hidden.length === ids.length}
        onClick=${() => together((id) => model.act('POST', id, 'hide'))}>${t('Hide')}</button>
      <button
        disabled=${hidden.length === 0}
        onClick=${() => together((id) => model.act('POST', id, 'restore', {}))}>${t('Restore')}</button>
      <button onClick=${() => setDialog('move')}>${t('Move…')}</button>
      <button onClick=${() => setDialog('schedule')}>${t('Schedule…')}</button>
      <button onClick=${() => setDialog('copy')}>${t('Copy to…')}</button>
      <button class="grave" onClick=${() => setDialog('delete')}>${t('Delete…')}</button>
    </span>
    ${dialog === 'move' && html`<${Move} model=${model} ids=${ids} onClose=${close} />`}
    ${dialog === 'schedule' && html`<${Schedule} model=${model} ids=${ids} onClose=${close} />`}
    ${dialog === 'copy' && html`<${Copy} model=${model} ids=${ids} onClose=${close} />`}
    ${dialog === 'delete' && html`<${Confirm}
      title=${t('Delete the chosen sections?')}
      action=${t('Delete')}
      isGrave
      onClose=${close}
      onConfirm=${() => model.deleteTogether(ids)}>
      <${Names} model=${model} ids=${ids} />
      <p class="hint">
        ${t('Clients see it until you publish. Earlier revisions keep it. To remove it for a while, hide it.')}</p>
    <//>`}
  </div>`;
}

const Names = (/** @type {{model: PageModel, ids: string[]}} */ { model, ids }) => html`<ul>
  ${ids.map((id) => html`<li key=${id}>${model.nameOf(id)} <code>${id}</code></li>`)}</ul>`;

/**
 * A dialog over the chosen sections with one thing to fill in.
 * @param {{title: string, action: string, model: PageModel, ids: string[], isReady?: boolean, onSubmit: () => any,
 *   onClose: () => void, children?: any}} props
 */
function Form({ title, action, model, ids, isReady = true, onSubmit, onClose, children }) {
  const { isBusy, failure, run } = useAction();
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    run(async () => {
      await onSubmit();
      onClose();
    });
  };
  return html`<${Dialog} title=${title} onClose=${onClose} size="small"><form onSubmit=${submit}>
    <div class="body form"><${Names} model=${model} ids=${ids} />${children}
      ${failure && html`<p class="error" role="alert">${failure}</p>`}</div>
    <footer>
      <button type="button" onClick=${onClose}>${t('Cancel')}</button>
      <button class="primary" disabled=${isBusy || !isReady}>${action}</button>
    </footer>
  </form><//>`;
}

function Move(/** @type {{model: PageModel, ids: string[], onClose: () => void}} */ { model, ids, onClose }) {
  const others = model.order.filter((id) => !ids.includes(id));
  const [after, setAfter] = useState('');
  return html`<${Form}
    title=${t('Move the chosen sections')}
    action=${t('Move')}
    model=${model}
    ids=${ids}
    onClose=${onClose}
    onSubmit=${() => model.moveTogether(ids, after === '' ? 0 : others.indexOf(after) + 1)}>
    <label>${t('Where')}<select autofocus value=${after} onChange=${(event) => setAfter(event.target.value)}>
      <option value="">${t('At the top')}</option>
      ${others.map((id) => html`
        <option value=${id}>${t('Below {section}', { section: model.nameOf(id) })}</option>`)}</select></label>
  <//>`;
}

function Schedule(/** @type {{model: PageModel, ids: string[], onClose: () => void}} */ { model, ids, onClose }) {
  const [schedule, setSchedule] = useState(/** @type {any} */ (undefined));
  const form = { mayEdit: true, errors: [], texts: { at: () => undefined, set: () => {} } };
  const run = () => model.together(ids, async (id) => {
    const path = [...model.path, 'sections', id];
    const { value: { id: _, index, ...settings }, tag } = await get(path);
    const { schedule: old, ...rest } = settings;
    await put(path, schedule ? { ...rest, schedule } : rest, { ifMatch: tag });
  });
  return html`<${Form}
    title=${t('Schedule the chosen sections')}
    action=${t('Save')}
    model=${model}
    ids=${ids}
    onSubmit=${run}
    onClose=${onClose}>
    <${ScheduleField} form=${form} value=${schedule} pointer="/schedule" onChange=${setSchedule} />
    <p class="hint">${t('Without a time, what they have is taken off.')}</p>
  <//>`;
}

function Copy(/** @type {{model: PageModel, ids: string[], onClose: () => void}} */ { model, ids, onClose }) {
  const [pages, failure] = useLoad(() => all(['pages'], 'pages'), []);
  const targets = (pages ?? [])
    .filter((/** @type {{id: string}} */ { id }) => id !== model.page && model.rights.mayEdit(id));
  const [chosen, setChosen] = useState(null);
  const target = chosen ?? targets[0]?.id;
  /** The copies of an earlier try, each by its page and section: it goes on with them, and makes none a second time. */
  const copies = useRef(/** @type {Map<string, {name: string, isMade: boolean}>} */ (new Map()));
  const run = async () => {
    const { value: { sections } } = await get(['pages', target, 'draft']);
    const taken = new Set(sections.map((/** @type {{id: string}} */ { id }) => id));
    await model.together(ids, async (id) => {
      const { index, id: _, ...section } = /** @type {Section} */ (model.section(id));
      let name = id;
      for (let number = 2; taken.has(name); number += 1) name = `${id}-${number}`;
      const copy = copies.current.get(`${target}/${id}`) ?? { name, isMade: false };
      if (copy.isMade) return;
      copies.current.set(`${target}/${id}`, copy);
      try {
        await put(['pages', target, 'sections', copy.name], section, { ifNoneMatch: '*' });
      } catch (error) {
        // One that was refused is not there: the next try takes a name that is free by then.
        if (!(error instanceof Unreachable)) copies.current.delete(`${target}/${id}`);
        throw error;
      }
      copy.isMade = true;
      taken.add(copy.name);
    });
    toast(t('Copied to {page}', { page: target }));
  };
  return html`<${Form}
    title=${t('Copy the chosen sections')}
    action=${t('Copy')}
    model=${model}
    ids=${ids}
    isReady=${Boolean(target)}
    onSubmit=${run}
    onClose=${onClose}>
    ${failure && html`<p class="error" role="alert">${explain(failure)}</p>`}
    <label>${t('Page')}<select autofocus onChange=${(event) => setChosen(event.target.value)}>
      ${targets.map((/** @type {{id: string, title: string}} */ { id, title }) => html`
        <option value=${id} selected=${id === target}>${title} (${id})</option>`)}</select></label>
    <p class="hint">${t('They go last there, into the draft. Where an id is taken, the copy gets a number.')}</p>
  <//>`;
}
