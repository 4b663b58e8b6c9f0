// Numbers, as they are typed until the field is left.

import { isEqual } from '../lib/merge.js';
import { readNumber, writtenNumber } from '../lib/numbers.js';
import { html, useState } from '../lib/ui.js';
import { Labelled, problemsAt } from './labelled.js';

/** @typedef {import('../lib/numbers.js').Wanted} Wanted */

/** What every control of a number has: no wheel and no key changes it but those that type. */
const typing = { type: 'text', inputmode: 'decimal', autocomplete: 'off' };

/**
 * A number of a form. It holds what was typed until it is left, and shows the number then. What is no number stays as a
 * text of the form, with the reason, and keeps that from being saved.
 * @param {{form: Pick<Form, 'errors'|'texts'|'mayEdit'|'follow'>, pointer: string, label: string,
 *   value: Numeric|undefined, isWhole?: boolean, least?: number, most?: number, isRequired?: boolean, hint?: string,
 *   onChange: (value: Numeric|undefined) => void}} props
 */
export function NumberField({ form, pointer, label, value, isWhole, least, most, isRequired, hint, onChange }) {
  const [typed, setTyped] = useState(/** @type {{text: string, value: Numeric|undefined}|null} */ (null));
  const [isIn, setIn] = useState(false);
  const broken = form.texts.at(pointer);
  const isOwn = typed !== null && isEqual(typed.value, value ?? undefined);
  const change = (/** @type {FieldEvent} */ event) => {
    const text = event.target.value;
    const { value: next, reason } = readNumber(text, { isWhole, least, most });
    setTyped(reason ? null : { text, value: next });
    if (reason) return form.texts.set(pointer, text, reason);
    if (broken) form.texts.set(pointer, null);
    return onChange(next);
  };
  const leave = () => {
    setIn(false);
    setTyped(null);
  };
  // Of what is only begun, such as a minus, nothing is said before it is left or refused.
  const isTold = broken && (!isIn || problemsAt(form, pointer).length > 0);
  return html`<${Labelled}
    form=${form}
    pointer=${pointer}
    label=${label}
    isRequired=${isRequired}
    hint=${hint}
    problem=${isTold ? broken.reason : undefined}>
    ${(attributes) => html`<input
      ...${attributes}
      ...${typing}
      value=${broken?.text ?? (isOwn ? typed.text : writtenNumber(value))}
      onFocus=${() => setIn(true)}
      onBlur=${leave}
      onInput=${change} />`}<//>`;
}

/**
 * A number of a dialog that holds its texts itself.
 * @param {{label: string, text: string, wanted?: Wanted, isRequired?: boolean,
 *   placeholder?: string, onText: (text: string) => void}} props
 */
export function NumberInput({ label, text, wanted, isRequired = false, placeholder, onText }) {
  const { value, reason } = readNumber(text, wanted);
  return html`<label>${label}<input
      ...${typing}
      value=${text}
      required=${isRequired}
      placeholder=${placeholder}
      aria-invalid=${reason ? 'true' : undefined}
      onInput=${(/** @type {FieldEvent} */ event) => onText(event.target.value)}
      onBlur=${() => { if (!reason) onText(writtenNumber(value)); }} />
    ${reason && html`<span class="error" role="alert">${reason}</span>`}</label>`;
}
