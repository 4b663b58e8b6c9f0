// Small parts that every view uses.

import {
  Component, createContext, html, useContext, useEffect, useLayoutEffect, useRef, useState,
} from '../vendor/preact.js';
import { Problem, Unreachable, nextAnswer } from './api.js';
import { firstStop, focusFirst, pathOf } from './focus.js';
import { formatInstant, joinSentences, language, t, zonesWith } from './i18n.js';
import { Once } from './once.js';

export { Component, createContext, html, useContext, useEffect, useLayoutEffect, useRef, useState };

/** Tells those who cannot see it. */
export function announce(/** @type {string} */ text) {
  // What a modal dialog covers is not read out.
  const dialog = [...document.querySelectorAll('dialog:modal')].at(-1);
  const region = /** @type {HTMLElement} */ (
    dialog?.querySelector('.dialog-announcer') ?? document.getElementById('announcer'));
  region.textContent = '';
  requestAnimationFrame(() => { region.textContent = text; });
}

/** @typedef {{text: string, kind: string, number: number, close: () => void}} Toast */

/** @type {{list: Toast[], listeners: Set<() => void>}} */
const toasts = { list: [], listeners: new Set() };
let toastNumber = 0;

/** How long a message stays, in milliseconds. */
const toastDuration = 5000;

/** A message that goes away by itself; failures stay until they are closed, by hand or by what this gives. */
export function toast(/** @type {string} */ text, kind = 'note') {
  const close = () => {
    toasts.list = toasts.list.filter((other) => other !== entry);
    for (const listener of toasts.listeners) listener();
  };
  const entry = { text, kind, number: ++toastNumber, close };
  toasts.list = [...toasts.list.slice(-3), entry];
  for (const listener of toasts.listeners) listener();
  announce(text);
  if (kind !== 'failure') setTimeout(close, toastDuration);
  return close;
}

/** Closes every message: they were for whoever was here before. */
export function closeToasts() { for (const { close } of toasts.list) close(); }

function useToasts() {
  const [, redraw] = useState(0);
  // At once: a message may come before what is drawn is painted.
  useLayoutEffect(() => {
    const listener = () => redraw((count) => count + 1);
    toasts.listeners.add(listener);
    return () => { toasts.listeners.delete(listener); };
  }, []);
  return toasts.list;
}

/** The failures since a dialog was opened, inside it: what lies behind it can neither be read nor reached. */
function Failures() {
  const [begun] = useState(toastNumber);
  const failures = useToasts().filter(({ kind, number }) => kind === 'failure' && number > begun);
  return html`<div class="sr-only dialog-announcer" role="status" aria-live="polite" />
    ${failures.map((entry) => html`<p key=${entry.number} class="banner error in-dialog" role="alert">${entry.text}
      <button type="button" class="icon" aria-label=${t('Close')} onClick=${entry.close}>✕</button></p>`)}`;
}

/** The messages, the newest in sight, in a place that they have to themselves: none moves or covers anything else. */
export function Toasts() {
  const list = [...useToasts()].reverse();
  return html`<div class="toasts" role="region" aria-label=${t('Messages')}>${list.map((entry, place) => html`
    <div key=${entry.number} class="toast ${entry.kind}">
      <span class="grow">${entry.text}</span>
      ${list.length > place + 1 && html`<span title=${t('Earlier messages: {count}', {
        count: list.length - place - 1,
      })}>+${list.length - place - 1}</span>`}
      <button class="icon" aria-label=${t('Close')} onClick=${entry.close}>✕</button>
    </div>`)}</div>`;
}

/**
 * What the server says in words; lib/sentences.js has those of every language, and comes once somebody has signed in.
 * @type {{problemWords: (problem: Trouble) => string, refusalWords: (problem: Problem) => string,
 *   pointerWords: (pointer: string) => string}}
 */
let words = {
  problemWords: ({ detail }) => detail, refusalWords: ({ message }) => message, pointerWords: (pointer) => pointer,
};
export const speakBy = (/** @type {typeof words} */ sentences) => { words = sentences; };

/** What went wrong, in words. */
export function explain(/** @type {unknown} */ error) {
  if (error instanceof Unreachable) return t('The server cannot be reached. Nothing is lost; try again.');
  if (error instanceof Problem) {
    // No operator sends its keys.
    if (error.message.includes('Idempotency-Key')) {
      return t('It is not known yet whether this was done. Look, or try again in a moment.');
    }
    if (error.status === 401) return t('Your token is no longer valid. Sign in again to go on; nothing is lost.');
    const places = error.errors.slice(0, 3).map((each) =>
      [words.pointerWords(each.pointer), words.problemWords(each)].filter(Boolean).join(': '));
    return joinSentences([words.refusalWords(error), ...places]);
  }
  return error instanceof Error ? error.message : String(error);
}

/**
 * Runs an operation and shows its failure.
 * @template T
 * @param {() => Promise<T>} operation
 * @returns {Promise<T|undefined>}
 */
export async function attempt(operation) {
  try { return await operation(); } catch (error) {
    // Where the token is taken no more, the console asks for another one, and says why.
    if (error instanceof Problem && error.status === 401) return undefined;
    const close = toast(explain(error), 'failure');
    // Once the server answers it is true no more; it can be read for a while all the same.
    if (error instanceof Unreachable) nextAnswer().then(() => setTimeout(close, toastDuration));
    return undefined;
  }
}

/**
 * What a button or a form does: once at a time, however often it is pressed. While it runs, the button is busy.
 * @param {(error: Failed) => string} [words] says why it failed
 * @returns {{isBusy: boolean, failure: string|null, run: (operation: () => unknown) => Promise<void>}}
 */
export function useAction(words = explain) {
  const [[isBusy, failure], setState] = useState(/** @type {[boolean, string|null]} */ ([false, null]));
  // What is drawn comes later than a second click.
  const isRunning = useRef(false);
  const run = async (/** @type {() => unknown} */ operation) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setState([true, null]);
    /** @type {string|null} */
    let reason = null;
    try { await operation(); } catch (error) { reason = words(/** @type {Failed} */ (error)); } finally {
      isRunning.current = false;
      setState([false, reason]);
    }
  };
  return { isBusy, failure, run };
}

/**
 * What a button does that says why it failed in a message: once at a time, however often it is pressed. Where there are
 * several of a kind, each has its key.
 * @returns {<T>(operation: () => Promise<T>, key?: unknown) => Promise<T|undefined>}
 */
export function useAttempt() {
  const running = useRef(new Set());
  return async (operation, key) => {
    if (running.current.has(key)) return undefined;
    running.current.add(key);
    try { return await attempt(operation); } finally { running.current.delete(key); }
  };
}

/** What a dialog does once, however often its button is pressed. */
export function useOnce() {
  const held = useRef();
  held.current ??= new Once();
  return held.current;
}

/** Tells of an earlier try whose answer never came, where something else was asked for since. */
export const tellEarlier = (/** @type {{isEarlier: boolean}} */ { isEarlier }) => {
  if (isEarlier) toast(t('The first try had gone through already, as it was sent then.'));
};

/** Why what has a secret was not made, or may have been. */
export const explainMaking = (/** @type {unknown} */ error) => error instanceof Unreachable
  ? t('No answer came: it may have been made, or not. Try again, and there is one, which you see.') : explain(error);

/**
 * Copies what a field shows, also where the browser gives no clipboard because the connection is not secure.
 * @param {HTMLInputElement} field which is selected, so that it can be copied by hand where all else fails
 * @returns {Promise<boolean>} whether it was copied
 */
export async function copyField(field) {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    field.focus();
    field.select();
    return document.execCommand('copy');
  }
}

/** @type {{cancel: () => void}[]} the dialogs that are shown modally, each with what cancels it, the topmost last */
const modals = [];

// While an input method composes letters, its keys belong to them, and to nothing else here. Of the one that ends them
// Safari tells by its code alone.
addEventListener('keydown', (event) => {
  if (!event.isComposing && event.keyCode !== 229) return;
  event.stopImmediatePropagation();
  // Left to itself, Chromium closes a dialog.
  if (event.key === 'Escape') event.preventDefault();
}, { capture: true });

addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || event.defaultPrevented || modals.length === 0) return;
  // Left to itself, Chromium closes a dialog without asking when nothing was clicked or typed since it asked last.
  event.preventDefault();
  modals.at(-1)?.cancel();
});

/**
 * Shows a dialog above all else until that is ended, at once, so that the next key is the dialog's. Whatever would
 * close it asks `cancel` instead, and the dialog stays unless its component goes.
 * @param {HTMLDialogElement} dialog
 * @param {() => void} cancel
 * @returns {() => void} ends it, and gives the focus back
 */
export function showModally(dialog, cancel) {
  // Where nothing had the focus, the view behind takes it: its keys scroll, and Tab goes on from there.
  const view = /** @type {HTMLElement|null} */ (document.querySelector('main.view, main.page'));
  const way = [...pathOf(document.activeElement), ...view ? [view] : []];
  const entry = { cancel };
  /** @type {HTMLElement|null} */
  let focused = null;
  const note = (/** @type {Event} */ { target }) => { focused = /** @type {HTMLElement} */ (target); };
  const ask = (/** @type {Event} */ event) => {
    // A file field inside has events of the same names.
    if (event.target !== dialog) return;
    event.preventDefault();
    cancel();
  };
  const stay = (/** @type {Event} */ { target }) => {
    if (target !== dialog || dialog.open) return;
    const before = focused;
    cancel();
    // Once what was cancelled is drawn.
    queueMicrotask(() => {
      if (!modals.includes(entry) || dialog.open) return;
      dialog.showModal();
      before?.focus();
    });
  };
  // What is read from the server comes later: until a key or a click, the focus goes where it belongs by then.
  /** @type {HTMLElement|null} */
  let aimed = null;
  const aim = () => {
    const wanted = firstStop(dialog);
    const isMoved = document.activeElement !== aimed && dialog.contains(document.activeElement);
    if (wanted === aimed || (aimed && isMoved) || modals.at(-1) !== entry) return;
    aimed = wanted;
    aimed?.focus();
  };
  const drawn = new MutationObserver(aim);
  const settle = () => drawn.disconnect();
  const heard = {
    focusin: note, cancel: ask, close: stay, keydown: settle, compositionstart: settle, pointerdown: settle,
  };
  for (const [name, listener] of Object.entries(heard)) dialog.addEventListener(name, listener);
  modals.push(entry);
  dialog.showModal();
  aim();
  drawn.observe(dialog, { childList: true, subtree: true, attributeFilter: ['disabled', 'open'] });
  return () => {
    settle();
    modals.splice(modals.indexOf(entry), 1);
    for (const [name, listener] of Object.entries(heard)) dialog.removeEventListener(name, listener);
    dialog.close();
    focusFirst(way);
  };
}

/** Says that what was typed before the tab was loaded anew is here. */
export const Back = (/** @type {{since: string|null, place?: string}} */ { since, place = '' }) =>
  since && html`<p class="banner ${place}" role="status">
  ${t('What you had not saved at {time} is back.', { time: formatInstant(since) })}</p>`;

/**
 * A modal dialog; it is there as long as its component.
 * @param {object} props
 * @param {string} props.title
 * @param {{keptSince: string|null, leave: () => void}} [props.typed] what is typed into it, which decides how it closes
 * @param {() => void} [props.onClose]
 * @param {Drawn} [props.children]
 * @param {string} [props.size]
 */
export function Dialog({ title, typed, onClose = () => typed?.leave(), children, size = 'medium' }) {
  const element = useRef();
  const leave = useRef();
  leave.current = onClose;
  useLayoutEffect(() => showModally(element.current, () => leave.current()), []);
  return html`<dialog ref=${element} class="dialog ${size}" aria-label=${title}>
    <header><h2>${title}</h2>
      <button class="icon" aria-label=${t('Close')} onClick=${onClose}>✕</button></header>
    <${Failures} />
    <${Back} since=${typed?.keptSince ?? null} place="in-dialog" />
    ${children}
  </dialog>`;
}

/**
 * A question with one way on.
 * @param {object} props
 * @param {string} props.title
 * @param {string} props.action
 * @param {boolean} props.isGrave
 * @param {(once: Once) => unknown} props.onConfirm
 * @param {() => void} props.onClose
 * @param {Drawn} [props.children]
 */
export function Confirm({ title, action, isGrave, onConfirm, onClose, children }) {
  const { isBusy, failure, run } = useAction();
  const once = useOnce();
  const confirmed = async () => {
    await onConfirm(once);
    onClose();
  };
  return html`<${Dialog} title=${title} onClose=${onClose} size="small">
    <div class="body">${children}${failure && html`<p class="banner error" role="alert">${failure}</p>`}</div>
    <footer>
      <button autofocus=${isGrave} onClick=${onClose}>${t('Cancel')}</button>
      <button
        class=${isGrave ? 'grave' : 'primary'}
        autofocus=${!isGrave}
        disabled=${isBusy}
        onClick=${() => run(confirmed)}>
        ${action}</button>
    </footer>
  <//>`;
}

/** @type {{text: string, action: string, answer: (isYes: boolean) => void}|null} */
let question = null;
let drawQuestion = () => {};

/**
 * Asks whether to go on, over all else; whoever is asked something else meanwhile has said no.
 * @param {string} text
 * @param {string} action what the way on is called
 * @returns {Promise<boolean>}
 */
export const ask = (text, action) => new Promise((resolve) => {
  const before = question;
  question = {
    text, action, answer: (isYes) => {
      question = null;
      drawQuestion();
      resolve(isYes);
    },
  };
  before?.answer(false);
  drawQuestion();
});

/** The question that is open, in the one place where it is drawn. */
export function Question() {
  const [, redraw] = useState(0);
  useLayoutEffect(() => {
    drawQuestion = () => redraw((count) => count + 1);
    return () => { drawQuestion = () => {}; };
  }, []);
  if (!question) return null;
  const { text, action, answer } = question;
  return html`<${Dialog} title=${t('One question')} onClose=${() => answer(false)} size="small question">
    <div class="body"><p>${text}</p></div>
    <footer>
      <button type="button" autofocus onClick=${() => answer(false)}>${t('Cancel')}</button>
      <button type="button" class="grave" onClick=${() => answer(true)}>${action}</button>
    </footer>
  <//>`;
}

/**
 * A dialog with a form, which closes once what it is for is done.
 * @param {object} props
 * @param {string} props.title
 * @param {string} props.action what sending it is called
 * @param {{keptSince: string|null, leave: () => void, done: () => void}} [props.typed] what keeps it while it is typed
 * @param {() => void} [props.onClose] where nothing does
 * @param {string} [props.size]
 * @param {boolean} [props.isGrave]
 * @param {boolean} [props.isReady]
 * @param {(error: Failed) => string} [props.words] says why it failed
 * @param {() => unknown} props.onSubmit
 * @param {(result: any) => void} [props.onDone] gets what it came to, once the dialog is closed
 * @param {Drawn|((isBusy: boolean) => object)} [props.children]
 */
export function DialogForm({
  title, action, typed, onClose = () => typed?.leave(), size = 'small', isGrave = false, isReady = true, words,
  onSubmit, onDone, children,
}) {
  const { isBusy, failure, run } = useAction(words);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(async () => {
      const result = await onSubmit();
      if (typed) typed.done(); else onClose();
      onDone?.(result);
    });
  };
  return html`<${Dialog} title=${title} typed=${typed} onClose=${onClose} size=${size}><form onSubmit=${submit}>
    <div class="body form">
      ${typeof children === 'function' ? children(isBusy) : children}
      ${failure && html`<p class="error" role="alert">${failure}</p>`}</div>
    <footer>
      <button type="button" onClick=${onClose}>${t('Cancel')}</button>
      <button class=${isGrave ? 'grave' : 'primary'} disabled=${isBusy || !isReady}>${action}</button>
    </footer>
  </form><//>`;
}

/** Redraws only when what it is given differs, or the language. */
export class Pure extends Component {
  shouldComponentUpdate(/** @type {Record<string, unknown>} */ next) {
    if (this.drawnIn !== language) return true;
    const names = new Set([...Object.keys(next), ...Object.keys(this.props)]);
    for (const name of names) if (next[name] !== this.props[name] && name !== 'children') return true;
    return false;
  }

  componentDidMount() { this.drawnIn = language; }
  componentDidUpdate() { this.drawnIn = language; }
}

/** A part of a view, drawn anew only when one of the values that it shows is another, or the language. */
export class Memo extends Pure {
  shouldComponentUpdate(/** @type {{values: unknown[]}} */ { values }) {
    return this.drawnIn !== language || values.some((value, place) => value !== this.props.values[place]);
  }

  render(/** @type {{draw: () => object}} */ { draw }) { return draw(); }
}

/**
 * A small button, named in words; whatever else it is given are attributes of its own.
 * @param {{label: string, children: Drawn} & Record<string, unknown>} props
 */
export const Tool = ({ label, children, ...own }) => html`<button
  type="button"
  class="icon"
  aria-label=${label}
  ...${own}>${children}</button>`;

/**
 * A box to tick, with what it says; whatever else it is given are the box's own attributes.
 * @param {{onChange: (isTicked: boolean) => void, children: Drawn} & Record<string, unknown>} props
 */
export const Check = ({ onChange, children, ...box }) => html`<label class="check"><input
  type="checkbox"
  ...${box}
  onChange=${(/** @type {FieldEvent} */ event) => onChange(event.target.checked)} /> ${children}</label>`;

/**
 * What there is to choose from, each a value and what it is called; a value alone is called what it is.
 * @param {Iterable<unknown>} choices
 * @param {unknown} chosen
 */
export const options = (choices, chosen) => [...choices].map((each) => {
  const [value, text] = Array.isArray(each) ? each : [each, each];
  return html`<option value=${value} selected=${value === chosen}>${text}</option>`;
});

/** The zones to choose from, as options: hundreds, drawn once. */
export const ZoneOptions = (/** @type {{zone: string}} */ { zone }) => html`<${Memo} values=${[zone]} draw=${() =>
  zonesWith(zone).map((name) => html`<option value=${name} selected=${name === zone}>${name}</option>`)} />`;

/** Shows something else where its children cannot be drawn, until they are given anew. */
export class Guard extends Component {
  componentDidCatch() { this.setState({ hasFailed: true }); }

  componentWillReceiveProps() {
    if (this.state.hasFailed) this.setState({ hasFailed: false });
  }

  /**
   * @param {{children: Drawn, instead: Drawn}} props
   * @param {{hasFailed: boolean}} state
   */
  render({ children, instead }, { hasFailed }) { return hasFailed ? instead : children; }
}

/**
 * A line of a section's state.
 * @param {{kind: string, children: Drawn, title?: string}} props
 */
export const Badge = ({ kind, children, title }) =>
  html`<span class="badge ${kind}" title=${title}>${children}</span>`;

/**
 * Loads something once a key, and again from time to time where it is to be kept up to date.
 * @template T
 * @param {() => Promise<T|undefined>} load what gives nothing where what there is stays
 * @param {unknown[]} keys
 * @param {number} [pause] before it is loaded again while the tab is seen, in milliseconds; never without
 * @returns {[T|null, Error|null, () => void]} the value, the error, and how to load it again
 */
export function useLoad(load, keys, pause) {
  const [[value, failure], setState] = useState(/** @type {[T|null, Error|null]} */ ([null, null]));
  const [count, setCount] = useState(0);
  useEffect(() => {
    let isCurrent = true;
    let timer = 0;
    const look = async (/** @type {boolean} */ isAgain) => {
      try {
        const value = isAgain && document.hidden ? undefined : await load();
        if (isCurrent && value !== undefined) setState([value, null]);
      } catch (error) {
        // What was there stays while it cannot be asked for again.
        if (isCurrent) setState(([before]) => [isAgain ? before : null, /** @type {Error} */ (error)]);
      }
      if (isCurrent && pause) timer = setTimeout(() => look(true), pause);
    };
    look(false);
    return () => { isCurrent = false; clearTimeout(timer); };
  }, [...keys, count]);
  return [value, failure, () => setCount((/** @type {number} */ times) => times + 1)];
}

/**
 * Loads a list part by part: its first once a key, and each that follows when it is asked for.
 * @template {{next?: string}} Part
 * @param {(cursor?: string) => Promise<Part>} load
 * @param {unknown[]} keys
 */
export function useParts(load, keys) {
  const [first, failure, reload] = useLoad(() => load(), keys);
  const [later, setLater] = useState(/** @type {{of: Part|null, parts: Part[]}} */ ({ of: null, parts: [] }));
  const parts = [...first ? [first] : [], ...later.of === first ? later.parts : []];
  const next = parts.at(-1)?.next;
  const goOn = () => attempt(async () => {
    const part = await load(next);
    setLater({ of: first, parts: [...parts.slice(1), part] });
  });
  return { parts, isThere: first !== null, next, failure, reload, goOn };
}

/**
 * Why something is not there. What could not be reached is tried again by itself once the server answers.
 * @param {{error: unknown, words?: string|null, onRetry?: () => void}} props
 */
export function Failure({ error, words = null, onRetry }) {
  useEffect(() => {
    let isShown = true;
    if (error instanceof Unreachable) nextAnswer().then(() => { if (isShown) onRetry?.(); });
    return () => { isShown = false; };
  }, [error]);
  return html`<div class="failure" role="alert">
    <p>${words ?? explain(error)}</p>
    ${onRetry && html`<button onClick=${onRetry}>${t('Try again')}</button>`}
  </div>`;
}

/** What is there of something that is read, before it is: why it is not, or that it comes. */
export const Reading = (
  /** @type {{value: unknown, failure: unknown, words?: string|null, onRetry: () => void}} */ {
    value, failure, words, onRetry,
  },
) => failure ? html`<${Failure} error=${failure} words=${words} onRetry=${onRetry} />` : !value && html`<${Loading} />`;

export const Loading = () => html`<p class="loading" role="status">${t('Loading…')}</p>`;
