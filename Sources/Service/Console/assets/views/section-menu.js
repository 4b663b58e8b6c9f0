// What can be done to one section beside moving it by hand.

import { NumberInput } from '../forms/number.js';
import { sideBySide, t } from '../lib/i18n.js';
import { newID } from '../lib/ids.js';
import { readNumber } from '../lib/numbers.js';
import { useTyped } from '../lib/typed.js';
import {
  Confirm, DialogForm, html, options, tellEarlier, useAttempt, useLayoutEffect, useRef, useState,
} from '../lib/ui.js';
import { KeptSchedules } from './copy-page.js';

/**
 * @param {object} props
 * @param {PageModel} props.model
 * @param {string} props.id
 * @param {HTMLElement} [props.opener]
 * @param {string|null} [props.left] the dialog that was open when the tab was loaded anew
 * @param {(after: string) => void} props.onInsert
 * @param {() => void} props.onClose
 */
export function SectionMenu({ model, id, opener, left = null, onInsert, onClose }) {
  const [dialog, setDialog] = useState(left);
  const attempt = useAttempt();
  const menu = useRef();
  /** Whether a dialog takes the place of the menu, which loses the focus then. */
  const isLeft = useRef(false);
  useLayoutEffect(() => {
    if (!opener) return;
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
  const leave = () => { onClose(); opener?.focus(); };
  const move = (/** @type {number} */ target) => { model.ordering.move(id, target); leave(); };
  const entry = (/** @type {string} */ text, /** @type {() => void} */ action, isOff = false) => html`<button
    role="menuitem"
    disabled=${isOff}
    onClick=${action}>${text}</button>`;
  const onKey = (/** @type {KeyboardEvent} */ event) => {
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
    opener?.focus();
    menu.current.hidePopover();
    setDialog(name);
  };
  const close = () => { setDialog(null); leave(); };
  const isChanged = model.draft.live !== undefined && model.draft.changed.includes(id);
  const leaving = (/** @type {() => unknown} */ act) => () => {
    leave();
    act();
  };
  const onLeft = (/** @type {On<FocusEvent>} */ event) => {
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
      ${entry(t('Insert below…'), leaving(() => onInsert(id)))}
      ${isChanged && entry(t('Put back what is live'), leaving(() => attempt(() => model.putBackLive(id))))}
      ${isHidden ? entry(t('Restore…'), open('restore'))
        : entry(t('Hide'), leaving(() => attempt(() => model.hide(id))))}
      ${entry(t('Duplicate…'), open('duplicate'))}
      ${entry(t('Delete…'), open('delete'))}
    </div>
    ${dialog !== null && html`<${dialogs[dialog]} model=${model} id=${id} onClose=${close} />`}`;
}

/** What a dialog of a section is kept by. */
const nameOf = (/** @type {PageModel} */ model, /** @type {string} */ dialog, /** @type {string} */ id) =>
  `${model.path.join('/')} section ${dialog} ${id}`;

function ToPosition(/** @type {{model: PageModel, id: string, onClose: () => void}} */ { model, id, onClose }) {
  const { length } = model.order;
  const begun = { position: String(model.order.indexOf(id) + 1) };
  const typed = useTyped(nameOf(model, 'position', id), begun, onClose);
  const { position } = typed.values;
  const wanted = { isWhole: true, least: 1, most: length };
  const { value } = readNumber(position, wanted);
  return html`<${DialogForm}
    title=${t('Move {section}', { section: model.nameOf(id) })}
    action=${t('Move')}
    typed=${typed}
    isReady=${value !== undefined}
    onSubmit=${() => model.ordering.move(id, Number(value) - 1)}>
    <${NumberInput}
      label=${t('Position, from 1 to {count}', { count: length })}
      text=${position}
      wanted=${wanted}
      isRequired
      onText=${(position) => typed.set({ position })} />
  <//>`;
}

function Restore(/** @type {{model: PageModel, id: string, onClose: () => void}} */ { model, id, onClose }) {
  const others = model.order.filter((other) => other !== id);
  const typed = useTyped(nameOf(model, 'restore', id), { after: '' }, onClose);
  const { after } = typed.values;
  return html`<${DialogForm}
    title=${t('Restore {section}', { section: model.nameOf(id) })}
    action=${t('Restore')}
    typed=${typed}
    onSubmit=${() => model.restore(id, after === '' ? undefined : after === '^' ? null : after)}>
    <label>${t('Where')}
      <select name="after" value=${after} onChange=${(event) => typed.set({ after: event.target.value })}>
        ${options([
          ['', t('Where it was')], ['^', t('At the top')],
          ...others.map((other) => [other, t('Below {section}', { section: model.nameOf(other) })]),
        ], after)}</select></label>
    <p class="hint">${t('It comes back with its content as it was.')}</p>
  <//>`;
}

/** Whether a section, or anything in it, shows at some time only. */
const hasSchedules = (/** @type {Section|undefined} */ section) =>
  JSON.stringify(section ?? null).includes('"schedule":');

function Duplicate(/** @type {{model: PageModel, id: string, onClose: () => void}} */ { model, id, onClose }) {
  const typed = useTyped(nameOf(model, 'duplicate', id), { copy: newID(id), keeps: true }, onClose);
  const { copy, keeps } = typed.values;
  const duplicate = async () => {
    const body = { id: copy, ...(keeps ? {} : { schedules: 'drop' }) };
    tellEarlier(await model.duplicate(id, body, typed.once));
  };
  const isUnsaved = model.editor?.id === id && model.editor.isDirty;
  return html`<${DialogForm}
    title=${t('Duplicate {section}', { section: model.nameOf(id) })}
    action=${t('Duplicate')}
    typed=${typed}
    onSubmit=${duplicate}>
    <label>${t('Id of the copy')}
      <input value=${copy} required onInput=${(event) => typed.set({ copy: event.target.value })} /></label>
    ${hasSchedules(model.section(id)) && html`<${KeptSchedules}
      keeps=${keeps}
      onChange=${(keeps) => typed.set({ keeps })} />`}
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
    onConfirm=${(once) => model.deleteSection(id, once)}
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

/** @type {Record<string, object>} */
const dialogs = { position: ToPosition, restore: Restore, duplicate: Duplicate, delete: Delete };
