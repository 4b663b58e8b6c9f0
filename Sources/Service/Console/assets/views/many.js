// What is done to several sections at once: one after the other, each with its own tag.

import { Problem, allPages, get, put } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { newID } from '../lib/ids.js';
import { Later } from '../lib/later.js';
import { typedIn, useTyped } from '../lib/typed.js';
import {
  Confirm, DialogForm, Tool, attempt, explain, html, options, toast, useLoad, useRef, useState,
} from '../lib/ui.js';
import { repeatedIn } from '../lib/words.js';

/** The place of these dialogs, under which is kept what is typed into one. */
export const placeOf = (/** @type {PageModel} */ model) => `${model.path.join('/')} many`;

/** The dialog in which something was typed when the tab was loaded anew, and the sections that it was for. */
export function leftOverMany(/** @type {PageModel} */ model) {
  const [left] = typedIn(placeOf(model));
  return left ? { dialog: left.dialog, ids: /** @type {string[]} */ (left.values.ids) } : null;
}

/** The bar below the list while sections are chosen. */
export function ManyBar(/** @type {{model: PageModel}} */ { model }) {
  const [dialog, setDialog] = useState(() => leftOverMany(model)?.dialog ?? null);
  // What is pressed while something is still done comes after it, for what is not so by then.
  const last = useRef(Promise.resolve());
  const ids = model.order.filter((id) => model.chosen.has(id));
  const close = () => setDialog(null);
  const together = (/** @type {'hide'|'restore'} */ action) => {
    const isToChange = (/** @type {string} */ id) => {
      const section = model.section(id);
      return !section || Boolean(section.hidden) !== (action === 'hide');
    };
    last.current = last.current.then(() => attempt(() => model.together(
      ids.filter(isToChange), (id) => model.act('POST', id, action, action === 'restore' ? {} : undefined))));
  };
  const hidden = ids.filter((id) => model.section(id)?.hidden);
  return html`<div class="panel-foot many" role="toolbar" aria-label=${t('Chosen sections')}>
    <strong class="grow">${t('Chosen: {count}', { count: ids.length })}</strong>
    <${Tool}
      label=${t('Choose none')}
      title=${t('Choose none')}
      onClick=${() => model.change({ chosen: new Set() })}>✕<//>
    <span class="buttons">
      <button
        disabled=${hidden.length === ids.length}
        onClick=${() => together('hide')}>${t('Hide')}</button>
      <button
        disabled=${hidden.length === 0}
        onClick=${() => together('restore')}>${t('Restore')}</button>
      <button onClick=${() => setDialog('move')}>${t('Move…')}</button>
      <button onClick=${() => setDialog('schedule')}>${t('Schedule…')}</button>
      <button onClick=${() => setDialog('copy')}>${t('Copy to…')}</button>
      <button class="grave" onClick=${() => setDialog('delete')}>${t('Delete…')}</button>
    </span>
    ${dialog === 'move' && html`<${Move} model=${model} ids=${ids} onClose=${close} />`}
    ${dialog === 'schedule' && html`<${Later} view="ScheduleTogether" model=${model} ids=${ids} onClose=${close} />`}
    ${dialog === 'copy' && html`<${Copy} model=${model} ids=${ids} onClose=${close} />`}
    ${dialog === 'delete' && html`<${Confirm}
      title=${t('Delete the chosen sections?')}
      action=${t('Delete')}
      isGrave
      onClose=${close}
      onConfirm=${(once) => model.deleteTogether(ids, once)}>
      <${Names} model=${model} ids=${ids} />
      <p class="hint">
        ${t('Clients see it until you publish. Earlier revisions keep it. To remove it for a while, hide it.')}</p>
    <//>`}
  </div>`;
}

function Names(/** @type {{model: PageModel, ids: string[]}} */ { model, ids }) {
  const repeated = repeatedIn(model.order.map((id) => model.nameOf(id)));
  return html`<ul>${ids.map((id) => html`<li key=${id}>${model.nameOf(id)}
    ${repeated.has(model.nameOf(id)) && html` <code>${id}</code>`}</li>`)}</ul>`;
}

function Move(/** @type {{model: PageModel, ids: string[], onClose: () => void}} */ { model, ids, onClose }) {
  const others = model.order.filter((id) => !ids.includes(id));
  const typed = useTyped(`${placeOf(model)} move`, { ids, after: '' }, onClose);
  const { after } = typed.values;
  return html`<${DialogForm}
    title=${t('Move the chosen sections')}
    action=${t('Move')}
    typed=${typed}
    onSubmit=${() => model.ordering.moveTogether(ids, after === '' ? 0 : others.indexOf(after) + 1)}>
    <${Names} model=${model} ids=${ids} />
    <label>${t('Where')}<select
      autofocus
      value=${after}
      onChange=${(event) => typed.set({ after: event.target.value })}>
      ${options([
        ['', t('At the top')], ...others.map((id) => [id, t('Below {section}', { section: model.nameOf(id) })]),
      ], after)}</select></label>
  <//>`;
}

function Copy(/** @type {{model: PageModel, ids: string[], onClose: () => void}} */ { model, ids, onClose }) {
  const [pages, failure] = useLoad(allPages, []);
  const targets = (pages ?? [])
    .filter((/** @type {{id: string}} */ { id }) => id !== model.page && model.rights.mayEdit(id));
  const repeatedTitles = repeatedIn(targets.map((/** @type {{title: string}} */ { title }) => title));
  const typed = useTyped(`${placeOf(model)} copy`, {
    ids, chosen: /** @type {string|null} */ (null),
    // What the copies of an earlier try are called, by page and section: the next makes none a second time.
    names: /** @type {Record<string, string>} */ ({}),
  }, onClose);
  const { chosen, names } = typed.values;
  const target = chosen ?? targets[0]?.id;
  const run = async () => {
    const { value: { sections } } = await get(['pages', target, 'draft']);
    const taken = new Set(sections.map((/** @type {{id: string}} */ { id }) => id));
    await model.together(ids, async (id) => {
      const { index, id: _, ...section } = /** @type {Section} */ (model.section(id));
      const name = names[`${target}/${id}`] ??= taken.has(id) ? newID(id) : id;
      try {
        await put(['pages', target, 'sections', name], section, { ifNoneMatch: '*', once: typed.once });
      } catch (error) {
        // Somebody has made another of that name: the next try takes one that is free by then.
        if (error instanceof Problem && error.isStale) delete names[`${target}/${id}`];
        throw error;
      }
      taken.add(name);
    });
    toast(t('Copied to {page}', { page: target }));
  };
  return html`<${DialogForm}
    title=${t('Copy the chosen sections')}
    action=${t('Copy')}
    isReady=${Boolean(target)}
    onSubmit=${run}
    typed=${typed}>
    <${Names} model=${model} ids=${ids} />
    ${failure && html`<p class="error" role="alert">${explain(failure)}</p>`}
    <label>${t('Page')}<select autofocus onChange=${(event) => typed.set({ chosen: event.target.value })}>
      ${options(targets.map(({ id, title }) => [id, repeatedTitles.has(title) ? `${title} (${id})` : title]), target)}
      </select></label>
    <p class="hint">${t('They go last there, into the draft. Where an id is taken, the copy gets another.')}</p>
  <//>`;
}
