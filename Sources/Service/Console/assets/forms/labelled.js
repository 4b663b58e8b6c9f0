// A control with its label, and what is wrong at its place.

import { joinSentences, languageName, t } from '../lib/i18n.js';
import { pointerWords } from '../lib/pointers.js';
import { labelOf } from '../lib/schema.js';
import { problemWords } from '../lib/sentences.js';
import { Tool, html, options, useState } from '../lib/ui.js';

let fieldNumber = 0;

/** What the server reports at a place. */
export const problemsAt = (/** @type {Pick<Form, 'errors'>} */ form, /** @type {string} */ pointer) =>
  form.errors.filter((error) => error.pointer === pointer).map(problemWords);

export function Problems(/** @type {{form: Form, pointer: string, id: string}} */ { form, pointer, id }) {
  const details = problemsAt(form, pointer);
  return details.length > 0 && html`<span class="error" id=${id}>${joinSentences(details)}</span>`;
}

/**
 * A problem in a list, with the place that it is at.
 * @param {{problem: Trouble, root: Content, locale: string}} props
 */
export function ProblemAt({ problem, root, locale }) {
  const place = pointerWords(problem.pointer, root, locale);
  return html`<li>${place && html`<strong>${place}</strong>: `}${problemWords(problem)}</li>`;
}

/** What stands behind the label of what is required. */
export const requiredMark = (/** @type {boolean|undefined} */ isRequired) =>
  isRequired ? html`<i class="required" aria-label=${t('required')}>*</i>` : '';

/** A field's label with that of what it is a part of, where it is one locale's or one theme's. */
function wholeLabel(/** @type {string} */ pointer, /** @type {string} */ label) {
  const [of, part] = pointer.split('/').slice(-2);
  const isTheme = part === 'light' || part === 'dark';
  return of && (isTheme || part === '*' || part === label)
    ? t('{field} ({part})', { field: labelOf(of), part: part === label ? languageName(label) : label }) : label;
}

/** The drawing of a button that leads to what was there before. */
export const clock = html`<svg width="13" height="13" viewBox="0 0 14 14" fill="none" stroke="currentColor"
  aria-hidden="true">
  <circle cx="7" cy="7" r="5.500" /><path d="M7 4v3.200L9 9" stroke-linecap="round" /></svg>`;

/** The way to who changed a field; a key does the same in the field. */
const FollowButton = (/** @type {{label: string, onClick: () => void}} */ { label, onClick }) => html`<${Tool}
  label=${t('Who changed {field}', { field: label })}
  class="icon follow"
  tabindex="-1"
  title="Alt+H"
  onClick=${onClick}>${clock}<//>`;

/**
 * A labelled control. `control` is drawn with the attributes that tie it to its label and problems.
 * `problem` is what is known to be wrong before anything is sent.
 * @param {{form: Form, pointer: string, label: string, isRequired?: boolean, hint?: object|string|false|null,
 *   problem?: string|null, children: (attributes: object) => object}} props
 */
export function Labelled({ form, pointer, label, isRequired, hint, problem, children: control }) {
  const [id] = useState(() => `field-${++fieldNumber}`);
  const isWrong = problem || problemsAt(form, pointer).length > 0;
  const attributes = {
    id, disabled: !form.mayEdit, 'aria-invalid': isWrong ? 'true' : undefined,
    'aria-describedby': isWrong ? `${id}-problem` : undefined, 'data-pointer': pointer,
  };
  const follow = () => form.follow?.(pointer, wholeLabel(pointer, label));
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (!event.altKey || event.code !== 'KeyH' || !form.follow) return;
    event.preventDefault();
    follow();
  };
  return html`<div class="field ${isWrong ? 'wrong' : ''}" onKeyDown=${onKey}>
    <label for=${id}>${label}${requiredMark(isRequired)}</label>
    ${form.follow && html`<${FollowButton} label=${wholeLabel(pointer, label)} onClick=${follow} />`}
    ${control(attributes)}
    ${hint && html`<span class="hint">${hint}</span>`}
    ${problem ? html`<span class="error" role="alert" id="${id}-problem">${problem}</span>`
      : html`<${Problems} form=${form} pointer=${pointer} id="${id}-problem" />`}</div>`;
}

/** @typedef {Pick<Parameters<typeof Labelled>[0], 'form'|'pointer'|'label'|'isRequired'|'hint'|'problem'>} Labels */

/**
 * One of some choices.
 * @param {Labels & {choices: Iterable<unknown>, value: unknown, onChange: (value: string) => void}} props
 */
export const SelectField = ({ choices, value, onChange, ...labels }) => html`<${Labelled} ...${labels}>
  ${(attributes) => html`<select
    ...${attributes}
    onChange=${(event) => onChange(event.target.value)}>${options(choices, value)}</select>`}<//>`;

/**
 * A line of text; whatever else it is given are attributes of its own.
 * @param {Labels & {value: unknown, onText: (text: string) => void} & Record<string, unknown>} props
 */
export function LineField({ form, pointer, label, isRequired, hint, problem, value, onText, ...own }) {
  const labels = { form, pointer, label, isRequired, hint, problem };
  return html`<${Labelled} ...${labels}>
    ${(attributes) => html`<input
      ...${attributes}
      ...${own}
      value=${value ?? ''}
      onInput=${(event) => onText(event.target.value)} />`}<//>`;
}
