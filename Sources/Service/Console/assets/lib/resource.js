// One resource of the API in a dialog: read, edited, saved against the tag that was read.

import { Problem, get, put } from './api.js';
import { formatInstant, t } from './i18n.js';
import { Dialog, Failure, Loading, attempt, explain, html, toast, useEffect, useState } from './ui.js';

const isSame = (left, right) => JSON.stringify(left) === JSON.stringify(right);

/**
 * @param {string[]|null} path the resource, or `null` for one that does not exist yet
 * @param {object} initial what a new one begins as
 */
export function useResource(path, initial) {
  const [state, setState] = useState({ base: initial, value: path ? null : initial, errors: [] });
  const patch = (next) => setState((old) => ({ ...old, ...next }));
  const read = async () => {
    try {
      const { value, tag } = await get(path);
      patch({ base: value, value, tag, errors: [], failure: null, stale: null });
    } catch (failure) { patch({ failure }); }
  };
  useEffect(() => { if (path) read(); }, []);
  const isDirty = state.value !== null && !isSame(state.value, state.base);

  /** Saves to the path, or where a new one goes; tells whether it was. */
  const save = async (target = path) => {
    patch({ isBusy: true, errors: [], refusal: null });
    try {
      await put(target, state.value, path ? { ifMatch: state.tag } : { ifNoneMatch: '*' });
      toast(t('Saved'));
      return true;
    } catch (error) {
      if (error instanceof Problem && error.isStale && path) {
        const theirs = await get(path);
        patch({ tag: theirs.tag, stale: { by: error.body.changedBy, at: error.body.changedAt, theirs: theirs.value } });
      } else if (error instanceof Problem && error.isStale) patch({ refusal: t('That name is taken already.') });
      else if (error instanceof Problem && error.errors.length > 0) patch({ errors: error.errors });
      else patch({ refusal: explain(error) });
      return false;
    } finally { patch({ isBusy: false }); }
  };
  const set = (name) => (part) => setState((old) => {
    const value = { ...old.value };
    if (part === undefined) delete value[name]; else value[name] = part;
    return { ...old, value };
  });
  const takeTheirs = () => patch({ base: state.stale.theirs, value: state.stale.theirs, stale: null, errors: [] });
  return { ...state, isDirty, read, save, set, setValue: (value) => patch({ value }), takeTheirs };
}

/** What goes wrong at places that the form has no field for, and what somebody else did meanwhile. */
function Trouble({ resource }) {
  const { errors, refusal, stale } = resource;
  return html`${stale && html`<div class="banner warning" role="alert">
      <p>${t('{name} changed this at {time}, after you had read it.', { name: stale.by ?? '?', time: formatInstant(stale.at) })}</p>
      <pre>${JSON.stringify(stale.theirs, null, 2)}</pre>
      <button type="button" class="link" onClick=${resource.takeTheirs}>${t('Drop mine and take theirs')}</button>
      ${' '}${t('Save again to put yours in its place.')}</div>`}
    ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
    ${errors.length > 0 && html`<div class="banner error" role="alert"><p>${t('Not saved. Problems: {count}', { count: errors.length })}</p>
      <ul>${errors.map(({ pointer, detail }) => html`<li><code>${pointer || '/'}</code> ${detail}</li>`)}</ul></div>`}`;
}

/**
 * A dialog around a resource's form.
 * @param {() => Promise<boolean>} onSave saves; the dialog closes when it has
 * @param children the fields; drawn once the resource is there
 */
export function ResourceDialog({ title, resource, mayEdit = true, size = 'medium', action = t('Save'), isReady = true, extra, onSave, onClose, children }) {
  const leave = () => { if (!mayEdit || !resource.isDirty || confirm(t('There are unsaved changes. Leave without them?'))) onClose(); };
  const submit = async (event) => {
    event.preventDefault();
    if (await attempt(onSave)) onClose();
  };
  return html`<${Dialog} title=${title} onClose=${leave} size=${size}><form onSubmit=${submit}>
    <div class="body form">
      ${resource.failure && html`<${Failure} error=${resource.failure} onRetry=${resource.read} />`}
      ${!resource.value && !resource.failure && html`<${Loading} />`}
      ${resource.value && html`${!mayEdit && html`<p class="banner">${t('You can look at this, but not change it.')}</p>`}${children()}`}
      <${Trouble} resource=${resource} />
    </div>
    <footer>${extra}${mayEdit ? html`<button type="button" onClick=${leave}>${t('Cancel')}</button>
        <button class="primary" disabled=${!resource.value || resource.isBusy || !isReady}>${action}</button>`
      : html`<button type="button" class="primary" onClick=${leave}>${t('Close')}</button>`}</footer>
  </form><//>`;
}
