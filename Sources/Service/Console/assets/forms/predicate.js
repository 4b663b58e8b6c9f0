// Who sees something: everyone, a named audience, or conditions, joined by and, or and not.

import {
  choicesFor, groupOf, isGroup, isNamed, isShown, lists, oldIn, operatorOf, operatorsFor, predicateOf, versionsIn,
  withoutOld,
} from '../lib/conditions.js';
import { joinSentences, t } from '../lib/i18n.js';
import { readNumber, writtenNumber } from '../lib/numbers.js';
import { problemWords } from '../lib/sentences.js';
import { Check, Tool, html, options, useLayoutEffect, useRef, useState } from '../lib/ui.js';
import { predicateWords } from '../lib/words.js';
import { useDropped } from './dropped.js';
import { RawJSON } from './field.js';
import { Problems } from './labelled.js';

/** @typedef {import('../lib/conditions.js').How} How */

/** @type {() => Record<string, string>} */
const words = () => ({
  in: t('is one of'), notIn: t('is none of'), atLeast: t('is at least'), below: t('is below'),
  between: t('is from … to …'), matches: t('begins with'),
});
/** @type {() => Record<How, string>} */
const joins = () => ({
  all: t('All of these (and)'), any: t('At least one of these (or)'), none: t('None of these (not)'),
  notAll: t('Not all of these'),
});

/** What a new condition begins as. */
const start = { attribute: 'platform', in: ['ios'] };

/** The form's view of a predicate; what it cannot show is JSON. */
const modeOf = (/** @type {Predicate|undefined} */ value) =>
  value === undefined ? 'everyone' : isNamed(value) ? 'named' : oldIn(value) ? 'old'
    : isShown(value) ? 'conditions' : 'json';

function typed(/** @type {string} */ text, /** @type {Attribute|undefined} */ declaration) {
  if (declaration?.type === 'integer') return readNumber(text, { isWhole: true }).value ?? text;
  if (declaration?.type === 'flag' && /^(true|false)$/.test(text)) return text === 'true';
  return text;
}

/** What a text says: several values where there may be several, and one that may have a comma otherwise. */
const valuesIn = (/** @type {string} */ text, /** @type {string} */ operator) =>
  (lists.has(operator) ? text.split(/[,，、]/) : [text]).map((part) => part.trim()).filter(Boolean);

const writtenValues = (/** @type {Value|Value[]} */ value) => [value].flat().map(writtenNumber).join(', ');

/** Whatever the server reports at a condition, or at a part of it, in one line below it. */
const problemsBelow = (/** @type {Form} */ form, /** @type {string} */ pointer) => joinSentences(
  form.errors.filter((error) => error.pointer === pointer || error.pointer.startsWith(`${pointer}/`))
    .map(problemWords));

/** How values of an attribute look. */
function exampleOf(/** @type {Attribute|undefined} */ declaration) {
  const { type, minimum = 0, maximum = 0, values } = declaration ?? {};
  if (values) return values.join(', ');
  if (type === 'version') return '5.2.0';
  return type === 'integer' && maximum - minimum < 1_000_000 ? `${minimum}–${maximum}` : '';
}

/**
 * What is typed, which stays as it is until it is left.
 * @param {{label: string, form: Form, text: string, isWrong: boolean, example: string, onText: (text: string) => void}}
 *   props
 */
function Typed({ label, form, text, isWrong, example, onText }) {
  const [own, setOwn] = useState(/** @type {string|null} */ (null));
  const change = (/** @type {FieldEvent} */ event) => {
    setOwn(event.target.value);
    onText(event.target.value);
  };
  return html`<input
    aria-label=${label}
    aria-invalid=${isWrong ? 'true' : undefined}
    disabled=${!form.mayEdit}
    value=${own ?? text}
    placeholder=${example}
    onFocus=${() => setOwn(text)}
    onBlur=${() => setOwn(null)}
    onInput=${change} />`;
}

/** The values of a list as boxes to tick. */
function Choices(
  /** @type {{form: Form, choices: Value[], chosen: Value[], onChange: (chosen: Value[]) => void}} */
  { form, choices, chosen, onChange },
) {
  const called = (/** @type {Value} */ choice) =>
    choice === true ? t('yes') : choice === false ? t('no') : String(choice);
  const toggle = (/** @type {Value} */ choice, /** @type {boolean} */ isChosen) =>
    onChange(choices.filter((each) => each === choice ? isChosen : chosen.includes(each)));
  return html`<span class="choices" role="group" aria-label=${t('Value')}>${choices.map((choice) => html`<${Check}
    key=${choice}
    disabled=${!form.mayEdit}
    checked=${chosen.includes(choice)}
    onChange=${(isChosen) => toggle(choice, isChosen)}>${called(choice)}<//>`)}
  </span>`;
}

const Remove = (/** @type {{onRemove: () => void}} */ { onRemove }) =>
  html`<${Tool} label=${t('Remove')} onClick=${onRemove}>✕<//>`;

/**
 * @template {Predicate} [Part=Predicate]
 * @typedef {{form: Form, value: Part, pointer: string, onChange: (value: Predicate|undefined) => void,
 *   onRemove: (() => void)|null}} PartProps
 */

function Condition(/** @type {PartProps<Comparison>} */ { form, value, pointer, onChange, onRemove }) {
  const { attribute } = value;
  const operator = operatorOf(value);
  const declaration = form.attributes[attribute];
  const [isIn, setIn] = useState(false);
  const values = [value[operator] ?? []].flat();
  const choices = choicesFor(attribute, declaration, operator, values, form.locales);
  const put = (/** @type {string} */ name, /** @type {Value[]} */ parts) =>
    onChange({ attribute, [name]: lists.has(name) ? parts : parts[0] ?? '' });
  const read = (/** @type {string} */ text, name = operator) =>
    valuesIn(text, name).map((part) => typed(part, declaration));
  const setAttribute = (/** @type {FieldEvent} */ event) => {
    const next = event.target.value;
    const [first] = operatorsFor(form.attributes[next], '');
    const name = operatorsFor(form.attributes[next], '').includes(operator) ? operator : first;
    onChange({ attribute: next, [name]: lists.has(name) ? [] : '' });
  };
  const texts = operator === 'between' ? [values[0] ?? '', values[1] ?? ''] : [writtenValues(values)];
  const reasons = declaration?.type === 'integer' && !isIn && !choices
    ? texts.flatMap((text) => valuesIn(writtenNumber(text), operator === 'between' ? 'below' : operator))
      .map((part) => readNumber(part, { isWhole: true }).reason).filter(Boolean) : [];
  const problems = reasons.length > 0 ? joinSentences(reasons) : problemsBelow(form, pointer);
  const labels = operator === 'between' ? [t('Value'), t('Up to')] : [t('Value')];
  const setText = (/** @type {string} */ text, /** @type {number} */ place) => operator === 'between'
    ? put(operator, texts.with(place, read(text, 'below')[0] ?? '')) : put(operator, read(text));
  return html`<div class="condition" onfocusin=${() => setIn(true)} onfocusout=${() => setIn(false)}>
    <select aria-label=${t('Attribute')} disabled=${!form.mayEdit} onChange=${setAttribute}>
      ${options(new Set([...Object.keys(form.attributes), attribute]), attribute)}</select>
    <select
      aria-label=${t('Comparison')}
      disabled=${!form.mayEdit}
      onChange=${(/** @type {FieldEvent} */ event) => put(event.target.value, values)}>
      ${options(operatorsFor(declaration, operator).map((name) => [name, words()[name]]), operator)}</select>
    <span class="values">${choices
      ? html`<${Choices} form=${form} choices=${choices} chosen=${values} onChange=${(chosen) =>
        put(operator, chosen)} />`
      : texts.map((text, place) => html`<${Typed}
        key=${place}
        label=${labels[place]}
        form=${form}
        text=${writtenNumber(text)}
        isWrong=${Boolean(problems)}
        example=${exampleOf(declaration)}
        onText=${(/** @type {string} */ next) => setText(next, place)} />`)}</span>
    ${onRemove && html`<${Remove} onRemove=${onRemove} />`}
    ${problems && html`<span class="error">${problems}</span>`}
  </div>`;
}

/** @param {Pick<PartProps, 'form'|'value'|'onChange'>} props */
function AudienceChoice({ form, value, onChange }) {
  const name = typeof value === 'string' ? value : value?.audience;
  return html`<select
    aria-label=${t('A named audience')}
    disabled=${!form.mayEdit}
    onChange=${(/** @type {FieldEvent} */ event) => onChange({ audience: event.target.value })}>
    ${options(new Set([...form.audiences, name].filter(Boolean)), name)}</select>`;
}

/** A named audience, which stands for its conditions. */
function Named(/** @type {PartProps} */ { form, value, pointer, onChange, onRemove }) {
  const problems = problemsBelow(form, pointer);
  return html`<div class="condition named">
    <${AudienceChoice} form=${form} value=${value} onChange=${onChange} />
    ${onRemove && html`<${Remove} onRemove=${onRemove} />`}
    ${problems && html`<span class="error">${problems}</span>`}</div>`;
}

/**
 * Conditions, audiences and groups, and how they are joined.
 * @param {PartProps & {isRoot?: boolean}} props `onRemove` takes all of it away, where it may go
 */
function Group({ form, value, pointer, isRoot = false, onChange, onRemove }) {
  const { how, parts } = groupOf(value, pointer);
  const bare = parts.map(({ part }) => part);
  const set = (/** @type {Predicate[]} */ next, /** @type {How} */ join = how) =>
    onChange(predicateOf(join, next, isRoot));
  const add = (/** @type {Predicate} */ part) => () => set([...bare, part]);
  const remove = (/** @type {number} */ place) => {
    if (bare.length > 1) return () => set(bare.toSpliced(place, 1));
    return isRoot ? onRemove : null;
  };
  const adder = (/** @type {string} */ text, /** @type {Predicate} */ part) => html`<button
    type="button"
    class="link"
    onClick=${add(part)}>${text}</button>`;
  return html`<div class="join"><select
      aria-label=${t('How they are joined')}
      disabled=${!form.mayEdit}
      onChange=${(/** @type {{target: {value: How}}} */ { target }) => set(bare, target.value)}>
      ${options(Object.entries(joins()), how)}</select>
      ${!isRoot && onRemove && form.mayEdit && html`<${Remove} onRemove=${onRemove} />`}</div>
    ${parts.map(({ part, pointer: place }, number) => {
      const given = {
        key: `${number} ${parts.length}`, form, value: part, pointer: place,
        onChange: (/** @type {Predicate} */ next) => set(bare.with(number, next)),
        onRemove: form.mayEdit ? remove(number) : null,
      };
      if (!isGroup(part)) return html`<${isNamed(part) ? Named : Condition} ...${given} />`;
      return html`<div class="nested" role="group" aria-label=${t('A group of conditions')} key=${given.key}>
        <${Group} ...${given} /></div>`;
    })}
    ${form.mayEdit && html`<p class="adders">${adder(t('Another condition'), start)}
      ${form.audiences.length > 0 && adder(t('A named audience'), { audience: form.audiences[0] })}
      ${adder(t('A group'), { any: [start] })}</p>`}`;
}

/**
 * All but old versions: on which platforms, and below which one.
 * @param {{form: Form, value: Predicate, pointer: string, onChange: (value: Predicate) => void}} props
 */
function Old({ form, value, pointer, onChange }) {
  const old = /** @type {import('../lib/conditions.js').Old} */ (oldIn(value));
  const { platforms, versions } = versionsIn(form.attributes) ?? { platforms: old.platforms, versions: [old.version] };
  const set = (/** @type {Partial<import('../lib/conditions.js').Old>} */ patch) =>
    onChange(withoutOld({ ...old, ...patch }));
  const problems = problemsBelow(form, pointer);
  const place = useRef();
  // What is asked for first is the version.
  useLayoutEffect(() => { if (old.below === '') place.current.querySelector('[type=text]')?.focus(); }, []);
  return html`<div class="condition old" ref=${place}>
    <span>${t('Not shown on')}</span>
    <span class="values"><${Choices}
      form=${form}
      choices=${[...new Set([...platforms, ...old.platforms])]}
      chosen=${old.platforms}
      onChange=${(chosen) => set({ platforms: chosen })} /></span>
    ${versions.length > 1 && html`<select
      aria-label=${t('Attribute')}
      disabled=${!form.mayEdit}
      onChange=${(/** @type {FieldEvent} */ event) => set({ version: event.target.value })}>
      ${options(versions, old.version)}</select>`}
    <label class="below">${t('below version')} <input
      type="text"
      autocomplete="off"
      disabled=${!form.mayEdit}
      aria-invalid=${problems ? 'true' : undefined}
      placeholder="15.0"
      value=${old.below}
      onInput=${(/** @type {FieldEvent} */ event) => set({ below: event.target.value.trim() })} /></label>
    ${problems && html`<span class="error">${problems}</span>`}
  </div>
  <p class="hint">${t('Clients that send neither their platform nor their version do not see it.')}</p>`;
}

/** Who sees something; everyone is no choice where it is required. */
export function PredicateField(/** @type {FieldProps<Predicate>} */ { form, value, pointer, isRequired, onChange }) {
  const [chosen, setChosen] = useState(/** @type {string|null} */ (null));
  const fits = {
    everyone: value === undefined, named: isNamed(value), old: oldIn(value) !== null, conditions: isShown(value),
    json: true,
  };
  const known = versionsIn(form.attributes);
  const isFit = chosen !== null && fits[/** @type {keyof typeof fits} */ (chosen)];
  const mode = isFit ? chosen : value === undefined && isRequired ? 'conditions' : modeOf(value);
  const [notice, replace] = useDropped(value, (next) => {
    // What comes back is shown as what it is.
    setChosen(null);
    onChange(next);
  });
  const choose = (/** @type {FieldEvent} */ event) => {
    const next = event.target.value;
    const put = value === undefined ? onChange : replace;
    if (next === 'everyone') put(undefined);
    if (next === 'named') put({ audience: form.audiences[0] ?? '' });
    if (next === 'old' && known) {
      const [version] = known.versions;
      const platforms = known.platforms.includes('ios') ? ['ios'] : known.platforms.slice(0, 1);
      put(withoutOld({ platform: 'platform', platforms, version, below: '' }));
    }
    // A named audience is a condition as well.
    if (next === 'conditions' && !isShown(value)) put(start);
    setChosen(next);
  };
  const ways = [
    ['everyone', t('Everyone'), !isRequired],
    ['named', t('A named audience'), form.audiences.length > 0 || mode === 'named'],
    ['old', t('All but old versions'), known || mode === 'old'],
    ['conditions', t('Conditions'), true], ['json', 'JSON', true],
  ];
  const isNegated = /"not(In)?":/.test(JSON.stringify(value) ?? '');
  return html`<fieldset class="predicate"><legend>${t('Audience')}</legend>
    <${Problems} form=${form} pointer=${pointer} />
    <select aria-label=${t('Who sees it')} disabled=${!form.mayEdit} value=${mode} onChange=${choose}>
      ${options(ways.filter(([, , isThere]) => isThere), mode)}</select>
    ${notice}
    ${mode === 'named' && html`<${AudienceChoice} form=${form} value=${value} onChange=${onChange} />`}
    ${mode === 'old' && html`<${Old} form=${form} value=${value} pointer=${pointer} onChange=${onChange} />`}
    ${mode === 'conditions' && html`<${Group}
      form=${form}
      value=${value}
      pointer=${pointer}
      isRoot
      onChange=${onChange}
      onRemove=${isRequired ? null : () => { setChosen(null); onChange(undefined); }} />
      ${value !== undefined && html`<p class="hint">${t('Who it is: {audience}', {
        audience: predicateWords(value),
      })}</p>`}
      ${isNegated && html`<p class="hint">
        ${t('A client that does not send an attribute fits no condition on it, not even a negated one.')}</p>`}`}
    ${mode === 'json' && html`<${RawJSON}
      form=${form}
      value=${value}
      label="JSON"
      rows=${12}
      pointer=${pointer}
      onChange=${onChange} />`}
  </fieldset>`;
}
