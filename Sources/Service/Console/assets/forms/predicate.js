// Who sees something: everyone, a named audience, or conditions.

import { joinSentences, t } from '../lib/i18n.js';
import { readNumber, writtenNumber } from '../lib/numbers.js';
import { problemWords } from '../lib/sentences.js';
import { html, useState } from '../lib/ui.js';
import { useDropped } from './dropped.js';
import { RawJSON } from './field.js';
import { Problems } from './labelled.js';

const operators = ['in', 'notIn', 'atLeast', 'below', 'between', 'matches'];
const lists = new Set(['in', 'notIn', 'between']);
/** @type {() => Record<string, string>} */
const words = () => ({
  in: t('is one of'), notIn: t('is none of'), atLeast: t('is at least'), below: t('is below'),
  between: t('is from … to …'), matches: t('begins with'),
});

const operatorOf = (/** @type {any} */ condition) => operators.find((name) => name in condition) ?? 'in';
const isCondition = (/** @type {any} */ value) =>
  typeof value?.attribute === 'string' && operatorOf(value) !== undefined;

/** The form's view of a predicate; what it cannot show is JSON. */
function modeOf(/** @type {any} */ value) {
  if (value === undefined) return 'everyone';
  if (value === null) return 'json';
  const isNamed = typeof value === 'string'
    || (typeof value.audience === 'string' && Object.keys(value).length === 1);
  if (isNamed) return 'named';
  if (isCondition(value) || (Array.isArray(value.all) && value.all.every(isCondition))) return 'conditions';
  return 'json';
}

const conditionsOf = (/** @type {any} */ value) => value.all ?? [value];
const oneOrAll = (/** @type {any} */ conditions) => conditions.length === 1 ? conditions[0] : { all: conditions };

function typed(/** @type {string} */ text, /** @type {any} */ declaration) {
  if (declaration?.type === 'integer') return readNumber(text, { isWhole: true }).value ?? text;
  if (declaration?.type === 'flag' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** What a text says: several values where there may be several, and one that may have a comma otherwise. */
const valuesIn = (/** @type {string} */ text, /** @type {string} */ operator) =>
  (lists.has(operator) ? text.split(/[,，、]/) : [text]).map((part) => part.trim()).filter(Boolean);

const writtenValues = (/** @type {any} */ value) => [value].flat().map(writtenNumber).join(', ');

/** Whatever the server reports at a condition, or at a part of it, in one line below it. */
const problemsBelow = (/** @type {Form} */ form, /** @type {string} */ pointer) => joinSentences(
  form.errors.filter((error) => error.pointer.startsWith(`${pointer}/`)).map(problemWords));

/**
 * @param {{form: Form, value: any, pointer: string, canRemove: boolean, onChange: (value: any) => void,
 *   onRemove: (...given: any[]) => any}} props
 */
function Condition({ form, value, pointer, canRemove, onChange, onRemove }) {
  const operator = operatorOf(value);
  const declaration = form.attributes[value.attribute];
  const [text, setText] = useState(writtenValues(value[operator]));
  const [isIn, setIn] = useState(false);
  const make = (/** @type {any} */ attribute, /** @type {string} */ name, /** @type {any} */ written) => {
    const parts = valuesIn(written, name).map((part) => typed(part, form.attributes[attribute]));
    onChange({ attribute, [name]: lists.has(name) ? parts : parts[0] ?? '' });
  };
  const reasons = declaration?.type === 'integer' && !isIn
    ? valuesIn(text, operator).map((part) => readNumber(part, { isWhole: true }).reason).filter(Boolean) : [];
  const problems = reasons.length > 0 ? joinSentences(reasons) : problemsBelow(form, pointer);
  const leave = () => {
    setIn(false);
    setText(writtenValues(value[operator]));
  };
  const onInput = (/** @type {any} */ event) => {
    setText(event.target.value);
    make(value.attribute, operator, event.target.value);
  };
  return html`<div class="condition">
    <select
      aria-label=${t('Attribute')}
      disabled=${!form.mayEdit}
      onChange=${(event) => make(event.target.value, operator, text)}>
      ${Object.keys(form.attributes).map((name) => html`
        <option value=${name} selected=${name === value.attribute}>${name}</option>`)}</select>
    <select
      aria-label=${t('Comparison')}
      disabled=${!form.mayEdit}
      onChange=${(event) => make(value.attribute, event.target.value, text)}>
      ${operators.map((name) => html`
        <option value=${name} selected=${name === operator}>${words()[name]}</option>`)}</select>
    <input
      aria-label=${t('Value')}
      aria-invalid=${problems ? 'true' : undefined}
      disabled=${!form.mayEdit}
      value=${text}
      placeholder=${(declaration?.values ?? []).join(', ')}
      onFocus=${() => setIn(true)}
      onBlur=${leave}
      onInput=${onInput} />
    ${form.mayEdit && canRemove && html`<button
      type="button"
      class="icon"
      aria-label=${t('Remove')}
      onClick=${onRemove}>✕</button>`}
    ${problems && html`<span class="error">${problems}</span>`}
  </div>`;
}

/** Who sees something; everyone is no choice where it is required. */
export function PredicateField(/** @type {FieldProps} */ { form, value, pointer, isRequired, onChange }) {
  const [chosen, setChosen] = useState(null);
  const mode = chosen ?? modeOf(value);
  const [notice, replace] = useDropped(value, (next) => {
    // What comes back is shown as what it is.
    if (next === undefined || modeOf(next) !== chosen) setChosen(null);
    onChange(next);
  });
  const start = { attribute: 'platform', in: ['ios'] };
  const choose = (/** @type {any} */ event) => {
    const next = event.target.value;
    setChosen(next);
    const put = value === undefined ? onChange : replace;
    if (next === 'everyone') put(undefined);
    if (next === 'named') put({ audience: form.audiences[0] ?? '' });
    if (next === 'conditions' && modeOf(value) !== 'conditions') put(start);
  };
  const name = typeof value === 'string' ? value : value?.audience;
  const conditions = mode === 'conditions' && modeOf(value) === 'conditions' ? conditionsOf(value) : [];
  const remove = (/** @type {number} */ number) => {
    const rest = conditions.toSpliced(number, 1);
    if (rest.length > 0) return onChange(oneOrAll(rest));
    setChosen(null);
    return onChange(undefined);
  };
  return html`<fieldset class="predicate"><legend>${t('Audience')}</legend>
    <${Problems} form=${form} pointer=${pointer} />
    <select aria-label=${t('Who sees it')} disabled=${!form.mayEdit} value=${mode} onChange=${choose}>
      ${!isRequired && html`<option value="everyone" selected=${mode === 'everyone'}>${t('Everyone')}</option>`}
      ${(form.audiences.length > 0 || mode === 'named') && html`<option value="named" selected=${mode === 'named'}>
        ${t('A named audience')}</option>`}
      <option value="conditions" selected=${mode === 'conditions'}>${t('Clients that fit all of')}</option>
      <option value="json" selected=${mode === 'json'}>JSON</option></select>
    ${notice}
    ${mode === 'named' && html`<select
      aria-label=${t('A named audience')}
      disabled=${!form.mayEdit}
      onChange=${(event) => onChange({ audience: event.target.value })}>
      ${[...new Set([...form.audiences, name].filter(Boolean))].map((each) => html`
        <option value=${each} selected=${each === name}>${each}</option>`)}</select>`}
    ${mode === 'conditions' && html`
      ${conditions.map((/** @type {any} */ condition, /** @type {number} */ number) => html`<${Condition}
        key=${`${number} ${conditions.length}`}
        form=${form}
        value=${condition}
        pointer=${value.all ? `${pointer}/all/${number}` : pointer}
        canRemove=${!isRequired || conditions.length > 1}
        onChange=${(next) => onChange(oneOrAll(conditions.with(number, next)))}
        onRemove=${() => remove(number)} />`)}
      ${form.mayEdit && html`<button
        type="button"
        class="link"
        onClick=${() => onChange(oneOrAll([...conditions, start]))}>${t('Another condition')}</button>`}`}
    ${mode === 'json' && html`<${RawJSON}
      form=${form}
      value=${value}
      label="JSON"
      rows=${12}
      pointer=${pointer}
      onChange=${onChange} />`}
  </fieldset>`;
}
