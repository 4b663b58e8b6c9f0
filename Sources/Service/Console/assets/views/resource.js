// One resource of the API in a dialog: read, edited, saved against the tag that was read.

import { ProblemAt } from '../forms/labelled.js';
import { Problem } from '../lib/api.js';
import { guard } from '../lib/guard.js';
import { formatInstant, t } from '../lib/i18n.js';
import { kept } from '../lib/kept.js';
import { isEqual, placeKey } from '../lib/merge.js';
import { Once } from '../lib/once.js';
import { Part } from '../lib/part.js';
import { carriedTexts } from '../lib/place.js';
import {
  Back, Dialog, Failure, Loading, announce, attempt, explain, html, toast, useEffect, useRef, useState,
} from '../lib/ui.js';
import { Conflict } from './conflict.js';

/** What the dialog edits, beside any drawing of it. */
export class Work {
  /** @type {Trouble[]} */
  errors = [];
  /** @type {Map<string, {pointer: string, text: string, reason: string}>} */
  texts = new Map();
  /** @type {any} */
  failure = null;
  /** @type {string|null} */
  refusal = null;
  /** Who changed it meanwhile, what was read then, and what to take at the places that both changed.
   * @type {any} */
  stale = null;
  isBusy = false;
  /** The pictures for it that are being sent. */
  sending = new Set();
  /** @type {string|null} */
  keptSince = null;
  /** What a new one is to be called. */
  id = '';
  /** How often the value became another than the fields have it. */
  round = 0;
  /** Whether its dialog is closed, so that nothing is kept of it any more. */
  isOver = false;
  /** @type {any} the value as the fields have it */
  #typed = null;
  /** @type {Promise<boolean>|null} the save that is under way */
  #saving = null;

  /**
   * @param {string[]|null} path
   * @param {any} initial
   * @param {() => void} redraw
   * @param {string[]} [collection] where a new one comes
   */
  constructor(path, initial, redraw, collection) {
    this.part = new Part('', path ?? []);
    this.isNew = path === null;
    this.redraw = redraw;
    this.collection = collection;
    if (!this.isNew) return;
    this.part.take({ value: initial, tag: null });
    this.#typed = initial;
    const state = this.name === null ? null : kept.read(this.name);
    if (state) {
      this.#restore(state);
      this.#typed = this.value;
      this.id = state.id;
    }
  }

  /** What it is kept by over a reload; `null` when it is not. */
  get name() {
    if (!this.isNew) return `resource ${this.part.path.join('/')}`;
    return this.collection ? `new ${this.collection.join('/')}` : null;
  }

  get value() { return this.part.mine; }
  get tag() { return this.part.tag; }
  get isEdited() {
    return this.value !== null && (this.part.isDirty || this.texts.size > 0 || (this.isNew && this.id !== ''));
  }

  get isDirty() { return this.isEdited || this.sending.size > 0; }

  change(patch = {}) {
    Object.assign(this, patch);
    if (!isEqual(this.value, this.#typed)) this.round += 1;
    this.#typed = this.value;
    if (!this.isOver && this.name !== null && this.value !== null) kept.keep(this.name, () => this.#kept);
    this.redraw();
  }

  /** Takes what the fields say. */
  type(/** @type {any} */ value) {
    const texts = carriedTexts(this.value, value, this.texts.values());
    this.texts = new Map(texts.map((text) => [text.pointer, text]));
    this.part.mine = value;
    this.#typed = value;
    this.change();
  }

  /** Has the fields take a value that nobody typed. */
  put(/** @type {any} */ value) {
    this.part.mine = value;
    this.texts.clear();
    this.change({ errors: [] });
  }

  get #kept() {
    const { base, mine, tag, once: { tries } } = this.part;
    const { id, texts } = this;
    return this.isEdited ? { id, base, mine, tag, tries, texts: [...texts], at: new Date().toISOString() } : null;
  }

  #restore(/** @type {any} */ state) {
    this.part.settle({ value: state.base, tag: state.tag }, state.mine);
    this.part.once = new Once(state.tries);
    this.texts = new Map(state.texts);
    this.keptSince = state.at;
    announce(t('What you had not saved is back.'));
  }

  drop() {
    this.part.mine = this.part.base;
    this.texts.clear();
    this.sending.clear();
    // Its dialog may stay open, where the way back is to another place of the same view.
    this.change({ id: '', errors: [], refusal: null, stale: null, keptSince: null });
    if (this.name !== null) kept.forget(this.name);
  }

  async read() {
    try {
      const read = await this.part.read();
      const state = this.name === null ? null : kept.read(this.name);
      if (state) {
        this.#restore(state);
        // What was saved without an answer is met once that is known.
        if (!this.part.once.isUnanswered) this.#meet(read, {});
      } else this.part.take(read);
      this.change({ errors: [], failure: null });
    } catch (/** @type {any} */ failure) {
      // Somebody deleted it meanwhile: what was typed can still be put back, or copied.
      const isGone = failure.status === 404 && this.value === null && this.name !== null;
      const state = isGone ? kept.read(/** @type {string} */ (this.name)) : null;
      if (state) this.#restore(state);
      this.change({ failure: state ? null : failure });
    }
  }

  /**
   * Lays what was read and what was typed together, or has the operator choose.
   * @param {any} read
   * @param {{changedBy?: string, changedAt?: string}} change
   */
  #meet(read, { changedBy: by, changedAt: at }) {
    const { value, conflicts } = this.part.meeting(read.value);
    if (conflicts.length === 0) this.part.settle(read, value);
    else {
      const sides = { root: this.value, theirRoot: read.value };
      this.stale = { by, at, read, choices: new Map(), conflicts: conflicts.map((each) => ({ ...each, ...sides })) };
    }
    return conflicts.length === 0;
  }

  /** What was typed, as text. */
  get asText() {
    return [JSON.stringify(this.value, null, 2), ...[...this.texts.values()].map(({ text }) => text)].join('\n\n');
  }

  /**
   * Saves to the path, or where a new one goes; tells whether it was. What was typed meanwhile is left to be saved. Who
   * asks again meanwhile is answered with what comes of the first.
   * @param {any} target
   * @returns {Promise<boolean>}
   */
  save(target) {
    this.#saving ??= this.#save(target).finally(() => { this.#saving = null; });
    return this.#saving;
  }

  async #save(/** @type {any} */ target) {
    if (this.texts.size > 0) {
      this.change({ errors: [...this.texts.values()].map(({ pointer, reason }) => ({ pointer, detail: reason })) });
      return false;
    }
    if (this.stale) {
      const { read, choices } = this.stale;
      this.part.settle(read, this.part.meeting(read.value, choices).value);
    }
    this.change({ isBusy: true, errors: [], refusal: null, stale: null });
    try {
      if (this.isNew) await this.#make(target);
      else await this.#saveOver();
      if (this.stale) return false;
      this.keptSince = null;
      toast(this.isEdited ? t('Saved, but not what you have typed since.') : t('Saved'));
      return true;
    } catch (/** @type {any} */ error) {
      if (error instanceof Problem && error.isStale) this.change({ refusal: t('That name is taken already.') });
      else if (error instanceof Problem && error.errors.length > 0) this.change({ errors: error.errors });
      else this.change({ refusal: explain(error) });
      return false;
    } finally { this.change({ isBusy: false }); }
  }

  async #make(/** @type {string[]} */ target) {
    this.part.path = target;
    const isWhole = await this.part.save({ ifNoneMatch: '*' });
    if (this.name !== null) kept.forget(this.name);
    this.isNew = false;
    if (!isWhole) await this.#saveOver();
  }

  /** Saves on top of what others saved, unless both changed one place. */
  #saveOver() { return this.part.saveOver((read, { body }) => this.#meet(read, body)); }

  choose(/** @type {string[]} */ path, /** @type {any} */ choice) {
    this.stale.choices.set(placeKey(path), choice);
    this.change();
  }

  setText(/** @type {string} */ pointer, /** @type {string} */ text, /** @type {string} */ reason) {
    if (text === null) this.texts.delete(pointer); else this.texts.set(pointer, { pointer, text, reason });
    this.change();
  }
}

/**
 * @param {string[]|null} path the resource, or `null` for one that does not exist yet
 * @param {object} [initial] what a new one begins as
 * @param {string[]} [collection] where a new one comes, which is kept over a reload then
 */
export function useResource(path, initial, collection) {
  const [, redraw] = useState(0);
  const held = useRef();
  held.current ??= new Work(path, initial, () => redraw((count) => count + 1), collection);
  const work = held.current;
  useEffect(() => {
    if (path) work.read();
    const end = guard.hold(work);
    return () => {
      end();
      work.isOver = true;
      work.sending.clear();
      work.redraw = () => {};
    };
  }, []);
  const set = (/** @type {string} */ name) => (/** @type {any} */ part) => {
    const value = { ...work.value };
    if (part === undefined) delete value[name]; else value[name] = part;
    work.type(value);
  };
  const setValue = (/** @type {any} */ value) => work.type(value);
  return {
    work, value: work.value, round: work.round, id: work.id, isNew: work.isNew,
    setID: (/** @type {string} */ id) => work.change({ id }),
    errors: work.errors, failure: work.failure, isBusy: work.isBusy, isDirty: work.isDirty,
    texts: {
      at: (/** @type {string} */ pointer) => work.texts.get(pointer),
      set: (/** @type {Parameters<Work['setText']>} */ ...given) => work.setText(...given),
    },
    read: () => work.read(), save: (/** @type {any} */ target) => work.save(target), set,
    setValue,
    whole: { get value() { return work.value; }, set: setValue, isThere: () => true, sending: work.sending },
  };
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
    readonly=${resource.isBusy || !resource.isNew}
    placeholder=${placeholder}
    onInput=${(event) => resource.setID(event.target.value)} /></label>`;
}

/** What goes wrong at places that the form has no field for, and what somebody else did meanwhile. */
function Trouble(/** @type {{work: Work, locale: string}} */ { work, locale }) {
  const { errors, refusal, stale, keptSince } = work;
  return html`<${Back} since=${keptSince} />
    ${stale && html`<div class="banner warning" role="alert">
      <p>${stale.by
        ? t('{name} changed this at {time}, after you had read it.', { name: stale.by, time: formatInstant(stale.at) })
        : t('Somebody changed this after you had read it.')}</p>
      ${stale.conflicts.map((/** @type {any} */ conflict) => html`<${Conflict}
        key=${placeKey(conflict.path)} conflict=${conflict} locale=${locale}
        choice=${stale.choices.get(placeKey(conflict.path)) ?? 'mine'}
        onChoose=${(choice) => work.choose(conflict.path, choice)} />`)}
      <p>${t('Save again to save what is chosen.')}</p></div>`}
    ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
    ${errors.length > 0 && html`<div class="banner error" role="alert">
      <p>${t('Not saved. Problems: {count}', { count: errors.length })}</p>
      <ul>${errors.map((problem) => html`<${ProblemAt}
        problem=${problem}
        root=${work.value}
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
 * @param {any} [props.extra]
 * @param {string} [props.locale]
 * @param {() => Promise<boolean>} props.onSave saves; the dialog closes when it has
 * @param {() => void} props.onClose
 * @param {() => any} props.children the fields, drawn once the resource is there
 */
export function ResourceDialog({
  title, resource, mayEdit = true, size = 'medium', action = t('Save'), isReady = true, extra, locale,
  onSave, onClose, children,
}) {
  const leave = async () => { if (!mayEdit || await guard.mayLeave([resource.work])) onClose(); };
  const submit = async (/** @type {any} */ event) => {
    event.preventDefault();
    // What was typed since it was sent is yet to be saved.
    if (await attempt(onSave) && !resource.work.isDirty) onClose();
  };
  return html`<${Dialog} title=${title} onClose=${leave} size=${size}><form onSubmit=${submit}>
    <div class="body form">
      ${resource.failure && html`<${Failure} error=${resource.failure} onRetry=${resource.read} />`}
      ${!resource.value && !resource.failure && html`<${Loading} />`}
      ${resource.value && html`
        ${!mayEdit && html`<p class="banner">${t('You can look at this, but not change it.')}</p>`}
        ${children()}`}
      <${Trouble} work=${resource.work} locale=${locale ?? 'en'} />
    </div>
    <footer>${extra}${mayEdit ? html`<button type="button" onClick=${leave}>${t('Cancel')}</button>
        <button class="primary" disabled=${!resource.value || resource.isBusy || !isReady}>${action}</button>`
      : html`<button type="button" class="primary" onClick=${leave}>${t('Close')}</button>`}</footer>
  </form><//>`;
}
