// What can be done to one section beside moving it by hand.

import { Unreachable } from '../lib/api.js';
import { sideBySide, t } from '../lib/i18n.js';
import { Confirm, Dialog, attempt, html, useAction, useLayoutEffect, useRef, useState } from '../lib/ui.js';

/** @param {{model: PageModel, id: string, opener: HTMLElement, onClose: () => void}} props */
export function SectionMenu({ model, id, opener, onClose }) {
  const [dialog, setDialog] = useState(null);
  const menu = useRef();
  /** Whether a dialog takes the place of the menu, which loses the focus then. */
  const isLeft = useRef(false);
  useLayoutEffect(() => {
    const place = opener.getBoundingClientRect();
    const element = menu.current;
    element.showPopover();
    element.style.left = `${Math.max(8, place.right - element.offsetWidth)}px`;
    element.style.top = `${Math.min(place.bottom, innerHeight - element.offsetHeight - 8)}px`;
    element.querySelector('button').focus();
  }, []);
  if (!model.section(id)) return null;
  const { order } = model;
  const position = order.indexOf(id);
  const isHidden = model.section(id)?.hidden === true;
  const leave = () => { onClose(); opener.focus(); };
  const move = (/** @type {any} */ target) => { model.move(id, target); leave(); };
  const entry = (/** @type {string} */ text, /** @type {() => void} */ action, isOff = false) => html`<button
    role="menuitem"
    disabled=${isOff}
    onClick=${action}>${text}</button>`;
  const onKey = (/** @type {any} */ event) => {
    const entries = [...menu.current.querySelectorAll('button:not(:disabled)')];
    const at = entries.indexOf(document.activeElement);
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 };
    if (event.key in steps) {
      event.preventDefault();
      entries.at(steps[event.key] % entries.length).focus();
    }
    if (event.key === 'Escape' || event.key === 'Tab') leave();
  };
  const open = (/** @type {string} */ name) => () => {
    isLeft.current = true;
    // What the dialog gives the focus back to.
    opener.focus();
    menu.current.hidePopover();
    setDialog(name);
  };
  const close = () => { setDialog(null); leave(); };
  const hide = () => {
    leave();
    attempt(() => model.hide(id));
  };
  const onLeft = (/** @type {any} */ event) => {
    if (!isLeft.current && !menu.current.contains(event.relatedTarget)) onClose();
  };
  return html`<div
      ref=${menu}
      popover="manual"
      role="menu"
      class="menu"
      aria-label=${t('More for {section}', { section: model.nameOf(id) })}
      onKeyDown=${onKey}
      onfocusout=${onLeft}>
      ${entry(t('Move up'), () => move(position - 1), position === 0)}
      ${entry(t('Move down'), () => move(position + 1), position === order.length - 1)}
      ${entry(t('Move to the top'), () => move(0), position === 0)}
      ${entry(t('Move to the bottom'), () => move(order.length), position === order.length - 1)}
      ${entry(t('Move to position…'), open('position'))}
      <hr />
      ${isHidden ? entry(t('Restore…'), open('restore')) : entry(t('Hide'), hide)}
      ${entry(t('Duplicate…'), open('duplicate'))}
      ${entry(t('Delete…'), open('delete'))}
    </div>
    ${dialog === 'position' && html`<${ToPosition} model=${model} id=${id} onClose=${close} />`}
    ${dialog === 'restore' && html`<${Restore} model=${model} id=${id} onClose=${close} />`}
    ${dialog === 'duplicate' && html`<${Duplicate} model=${model} id=${id} onClose=${close} />`}
    ${dialog === 'delete' && html`<${Delete} model=${model} id=${id} onClose=${close} />`}`;
}

/** @param {{title: any, action: any, onSubmit: (...given: any[]) => any, onClose: () => void, children: any}} props */
function Form({ title, action, onSubmit, onClose, children }) {
  const { isBusy, failure, run } = useAction();
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    run(async () => {
      await onSubmit();
      onClose();
    });
  };
  return html`<${Dialog} title=${title} onClose=${onClose} size="small"><form onSubmit=${submit}>
    <div class="body form">${children}${failure && html`<p class="error" role="alert">${failure}</p>`}</div>
    <footer>
      <button type="button" onClick=${onClose}>${t('Cancel')}</button>
      <button class="primary" disabled=${isBusy}>${action}</button>
    </footer>
  </form><//>`;
}

function ToPosition(/** @type {{model: PageModel, id: string, onClose: () => void}} */ { model, id, onClose }) {
  const [position, setPosition] = useState(model.order.indexOf(id) + 1);
  return html`<${Form}
    title=${t('Move {section}', { section: model.nameOf(id) })}
    action=${t('Move')}
    onClose=${onClose}
    onSubmit=${() => model.move(id, position - 1)}>
    <label>${t('Position, from 1 to {count}', { count: model.order.length })}
      <input type="number" min="1" max=${model.order.length} value=${position} required
        onInput=${(event) => setPosition(Number(event.target.value))} /></label>
  <//>`;
}

function Restore(/** @type {{model: PageModel, id: string, onClose: () => void}} */ { model, id, onClose }) {
  const others = model.order.filter((/** @type {any} */ other) => other !== id);
  const [after, setAfter] = useState('');
  return html`<${Form}
    title=${t('Restore {section}', { section: model.nameOf(id) })}
    action=${t('Restore')}
    onClose=${onClose}
    onSubmit=${() => model.restore(id, after === '' ? undefined : after === '^' ? null : after)}>
    <label>${t('Where')}
      <select name="after" value=${after} onChange=${(event) => setAfter(event.target.value)}>
        <option value="">${t('Where it was')}</option>
        <option value="^">${t('At the top')}</option>
        ${others.map((/** @type {any} */ other) => html`
          <option value=${other}>${t('Below {section}', { section: model.nameOf(other) })}</option>`)}
      </select></label>
    <p class="hint">${t('It comes back with its content as it was.')}</p>
  <//>`;
}

function Duplicate(/** @type {{model: PageModel, id: string, onClose: () => void}} */ { model, id, onClose }) {
  const free = () => {
    for (let number = 2; ; number += 1) if (!model.section(`${id}-${number}`)) return `${id}-${number}`;
  };
  const [copy, setCopy] = useState(free);
  /** The copy that was asked for, where no answer came: it may be there. */
  const unanswered = useRef('');
  const duplicate = async () => {
    if (unanswered.current === copy) {
      await model.reload();
      if (model.section(copy)) return;
    }
    try { await model.duplicate(id, copy); } catch (/** @type {any} */ error) {
      if (error instanceof Unreachable) unanswered.current = copy;
      throw error;
    }
  };
  const isUnsaved = model.editor?.id === id && model.editor.isDirty;
  return html`<${Form}
    title=${t('Duplicate {section}', { section: model.nameOf(id) })}
    action=${t('Duplicate')}
    onClose=${onClose}
    onSubmit=${duplicate}>
    <label>${t('Id of the copy')}
      <input value=${copy} required onInput=${(event) => setCopy(event.target.value)} /></label>
    <p class="hint">${isUnsaved ? t('The copy goes right below, with the content as it was saved last: '
      + 'what you have not saved is not copied.') : t('The copy goes right below, with the same content.')}</p>
  <//>`;
}

function Delete(/** @type {{model: PageModel, id: string, onClose: () => void}} */ { model, id, onClose }) {
  const section = model.section(id);
  const items = section?.items?.length ?? 0;
  const slots = Object.keys(section?.slots ?? {}).length;
  const rules = Object.entries(model.draft.sortRules ?? {})
    .filter(([, rule]) => id in (rule.indices ?? {}))
    .map(([name]) => name === 'default' ? t('Default order') : name);
  return html`<${Confirm}
    title=${t('Delete {section}?', { section: model.nameOf(id) })}
    action=${t('Delete')}
    isGrave
    onConfirm=${() => model.deleteSection(id)}
    onClose=${onClose}>
    <p>${t('It takes along:')}</p>
    <ul>
      <li>${t('Items: {count}', { count: items })}</li>
      <li>${t('Slots: {count}', { count: slots })}</li>
      <li>${t('its place in these sort rules: {rules}', { rules: sideBySide(rules) || '–' })}</li>
    </ul>
    <p class="hint">
      ${t('Clients see it until you publish. Earlier revisions keep it. To remove it for a while, hide it.')}</p>
  <//>`;
}
