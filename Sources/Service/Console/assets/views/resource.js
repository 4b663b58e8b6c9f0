// One resource of the API in a dialog: read, edited, saved against the tag that was read.

import { ProblemAt } from '../forms/labelled.js';
import { Problem } from '../lib/api.js';
import { Edits } from '../lib/edits.js';
import { formatInstant, t } from '../lib/i18n.js';
import { kept } from '../lib/kept.js';
import { objectOf } from '../lib/members.js';
import { isEqual } from '../lib/merge.js';
import { Part } from '../lib/part.js';
import { Back, Dialog, Failure, Loading, announce, attempt, explain, html, toast, useEffect } from '../lib/ui.js';
import { guard, useUnsaved } from '../lib/unsaved.js';
import { Conflicts } from './conflict.js';

/** @typedef {import('../lib/edits.js').KeptEdits & {id: string}} KeptResource */

/**
 * What the dialog edits, beside any drawing of it: one part, which has no name.
 * @template {Content} [Form=Content]
 */
export class Resource extends Edits {
  /** Why it was not saved as a whole. */
  /** @type {string|null} */
  refusal = null;
  /** What a new one is to be called. */
  id = '';
  /** How often the value became another than the fields have it. */
  round = 0;
  /** @type {Content} the value as the fields have it */
  #typed = null;

  /**
   * @param {string[]|null} path
   * @param {Form|undefined} initial
   * @param {string[]} [collection] where a new one comes, by its name
   */
  constructor(path, initial, collection = []) {
    super([new Part('', path ?? [])]);
    this.collection = collection;
    if (path) return;
    this.whole.take({ value: /** @type {Form} */ (initial), tag: null });
    this.whole.isNew = true;
    if (this.found) this.restore(/** @type {KeptResource} */ (this.found));
    this.#typed = this.value;
  }

  get whole() { return /** @type {Part<Form>} */ (this.parts[0]); }
  get isNew() { return this.whole.isNew; }
  /** What the operator made of it, once it is there. */
  get value() { return /** @type {Form} */ (this.whole.mine); }

  get name() {
    return this.isNew ? `new ${this.collection.join('/')}` : `resource ${this.whole.path.join('/')}`;
  }

  get isDirty() { return super.isDirty || (this.isNew && this.id !== ''); }

  get state() {
    const { id } = this;
    const edits = super.state;
    return edits && { id, ...edits };
  }

  restore(/** @type {KeptResource} */ kept) {
    super.restore(kept);
    this.id = kept.id;
    announce(t('What you had not saved is back.'));
  }

  /** What is there is not known before it is read: until then nothing is kept, and nothing forgotten. */
  keep() { if (this.isThere) super.keep(); }

  change(patch = {}) {
    if (!isEqual(this.value, this.#typed)) this.round += 1;
    this.#typed = this.value;
    super.change(patch);
  }

  /** What every field of its form is given. */
  get fields() {
    const resource = this;
    const { errors, sending } = this;
    return {
      errors, texts: this.textsOf(''),
      whole: {
        get value() { return resource.value; }, set: (/** @type {Content} */ value) => resource.type(value),
        isThere: () => true, sending,
      },
    };
  }

  /** Takes what the fields say. */
  type(/** @type {Content} */ value) {
    this.#typed = value;
    this.set('', value);
  }

  /** What takes a member of it from its field. */
  setting(/** @type {string} */ name) {
    return (/** @type {Content} */ member) => {
      const { [name]: before, ...others } = objectOf(this.value);
      this.type(member === undefined ? others : { ...objectOf(this.value), [name]: member });
    };
  }

  /** Has the fields take a value that nobody typed. */
  put(/** @type {Content} */ value) {
    this.texts.clear();
    this.set('', value);
  }

  drop() {
    Object.assign(this, { id: '', refusal: null });
    super.drop();
  }

  /** Saves it, a new one to where it goes; tells whether it was. What was typed meanwhile is left to be saved. */
  async save() {
    if (this.isNew) this.whole.path = [...this.collection, ...this.id.split('/')];
    this.refusal = null;
    try { return await super.save(); } catch (error) {
      this.change({ refusal: explain(error) });
      return false;
    }
  }

  async send() {
    const { name } = this;
    try { return await super.send(); } finally { if (name !== this.name) kept.forget(name); }
  }

  async meet(/** @type {Problem} */ problem) {
    if (this.isNew) throw new Error(t('That name is taken already.'));
    return super.meet(problem);
  }

  async saved() { toast(this.isDirty ? t('Saved, but not what you have typed since.') : t('Saved')); }
}

/**
 * @template {Content} Form
 * @param {string[]|null} path the resource, or `null` for one that does not exist yet
 * @param {Form} [initial] what a new one begins as
 * @param {string[]} [collection] where a new one comes
 */
export function useResource(path, initial, collection) {
  const resource = useUnsaved(() => new Resource(path, initial, collection), () => {
    resource.sending.clear();
    if (!resource.isDirty) resource.end();
  });
  useEffect(() => { if (path) resource.load(); }, []);
  return resource;
}

/**
 * What of a collection was edited and not saved when the tab was loaded anew.
 * @param {string[]} collection
 * @returns {{name: string|null}|null} its name, `null` for a new one
 */
export function leftIn(collection) {
  const place = collection.join('/');
  for (const name of kept.names()) {
    if (name === `new ${place}`) return { name: null };
    const [, rest] = name.split(`resource ${place}/`);
    if (rest && !rest.includes('/')) return { name: rest };
  }
  return null;
}

/**
 * What a new resource is to be called; once it is being made, that stays.
 * @param {{resource: Resource, placeholder: string}} props
 */
export function NameOfNew({ resource, placeholder }) {
  return html`<label>${t('Name')}<input
    value=${resource.id}
    required
    pattern="[A-Za-z][A-Za-z0-9._\\-]{0,63}"
    readonly=${resource.isSaving || !resource.isNew}
    placeholder=${placeholder}
    onInput=${(event) => resource.edit({ id: event.target.value })} /></label>`;
}

/** What goes wrong at places that the form has no field for, and what somebody else did meanwhile. */
function Trouble(/** @type {{resource: Resource, locale: string}} */ { resource, locale }) {
  const { errors, refusal, conflict, keptSince } = resource;
  return html`<${Back} since=${keptSince} />
    ${conflict && html`<div class="banner warning" role="alert">
      <p>${conflict.by
        ? t('{name} changed this at {time}, after you had read it.', {
          name: conflict.by, time: formatInstant(conflict.at),
        })
        : t('Somebody changed this after you had read it.')}</p>
      <${Conflicts} edits=${resource} locale=${locale} />
      <p>${t('Save again to save what is chosen.')}</p></div>`}
    ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
    ${errors.length > 0 && html`<div class="banner error" role="alert">
      <p>${t('Not saved. Problems: {count}', { count: errors.length })}</p>
      <ul>${errors.map((problem) => html`<${ProblemAt}
        problem=${problem}
        root=${resource.value}
        locale=${locale} />`)}</ul></div>`}`;
}

/**
 * A dialog around a resource's form.
 * @param {object} props
 * @param {string} props.title
 * @param {Resource} props.resource
 * @param {boolean} [props.mayEdit]
 * @param {string} [props.size]
 * @param {string} [props.action]
 * @param {boolean} [props.isReady]
 * @param {object|false|null} [props.extra]
 * @param {string} [props.locale]
 * @param {() => unknown} props.onSaved is called once it is saved; the dialog closes then
 * @param {() => void} props.onClose
 * @param {() => object} props.children the fields, drawn once the resource is there
 */
export function ResourceDialog({
  title, resource, mayEdit = true, size = 'medium', action = t('Save'), isReady = true, extra, locale,
  onSaved, onClose, children,
}) {
  const leave = async () => { if (!mayEdit || await guard.mayLeave([resource])) onClose(); };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await attempt(async () => {
      if (!await resource.save()) return;
      await onSaved();
      // What was typed since it was sent is yet to be saved.
      if (!resource.mayBeLost) onClose();
    });
  };
  return html`<${Dialog} title=${title} onClose=${leave} size=${size}><form onSubmit=${submit}>
    <div class="body form">
      ${resource.failure && html`<${Failure} error=${resource.failure} onRetry=${() => resource.load()} />`}
      ${!resource.value && !resource.failure && html`<${Loading} />`}
      ${resource.value && html`
        ${!mayEdit && html`<p class="banner">${t('You can look at this, but not change it.')}</p>`}
        ${children()}`}
      <${Trouble} resource=${resource} locale=${locale ?? 'en'} />
    </div>
    <footer>${extra}${mayEdit ? html`<button type="button" onClick=${leave}>${t('Cancel')}</button>
        <button class="primary" disabled=${!resource.value || resource.isSaving || !isReady}>${action}</button>`
      : html`<button type="button" class="primary" onClick=${leave}>${t('Close')}</button>`}</footer>
  </form><//>`;
}
