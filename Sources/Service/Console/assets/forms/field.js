// One value of a schema as a control, with its problems below it.

import { parse } from '../lib/api.js';
import { placeIn } from '../lib/caret.js';
import { instantIn, language, languageName, localTime, ownZone, skippedWords, t, twiceWords } from '../lib/i18n.js';
import { tooLong } from '../lib/lengths.js';
import { objectOf, repeatedMember } from '../lib/members.js';
import { isEqual } from '../lib/merge.js';
import { nearest } from '../lib/numbers.js';
import { arrangedMembers, controlOf, emptyOf, isByLocale, labelOf, oneOfThemes, resolve } from '../lib/schema.js';
import { Check, Tool, ZoneOptions, html, useLayoutEffect, useRef, useState } from '../lib/ui.js';
import { useDropped } from './dropped.js';
import { Labelled, Problems, SelectField, requiredMark } from './labelled.js';
import { NumberField } from './number.js';
import { PictureInput } from './picture.js';

/**
 * A value of any schema.
 * @param {FieldProps} props
 */
export function Field(props) {
  const { form, value, onChange } = props;
  const schema = resolve(props.schema, form.kinds);
  const label = props.label ?? labelOf(props.name);
  if (objectOf(value).$token !== undefined) return html`<${Token} ...${props} schema=${schema} label=${label} />`;
  const Control = schema['x-localized'] ? Localized : controls[controlOf(schema)];
  const control = html`<${Control} ...${props} schema=${schema} label=${label} />`;
  const [name] = form.mayEdit ? tokensFor(schema, form.kinds) : [];
  return name === undefined ? control : html`<div class="nameable">${control}
    <button type="button" class="link small" onClick=${() => onChange({ $token: name })}>
      ${t('By name')}</button></div>`;
}

/** @typedef {{form: object, value: Content, pointer: string, set: (name: any) => (part: any) => void}} Whole */

/**
 * What draws the controls of an object's members, each by its name, with what else it is given.
 * @param {Whole} whole
 * @returns {(Control: object, name: string, more?: object) => object}
 */
export const memberControls = ({ form, value, pointer, set }) => (Control, name, more = {}) => html`<${Control}
  key=${name}
  form=${form}
  value=${objectOf(value)[name]}
  pointer="${pointer}/${name}"
  onChange=${set(name)}
  ...${more} />`;

/**
 * What draws the fields of an object's members, each by its name.
 * @param {Whole} whole
 * @returns {(name: string, schema: AnySchema, label?: string, isRequired?: boolean) => object}
 */
export const memberFields = (whole) => (name, schema, label, isRequired) =>
  memberControls(whole)(Field, name, { schema, name, label, isRequired });

/** The names that the kinds have for colours of light and dark, or for points. */
function tokensFor(/** @type {Schema} */ schema, /** @type {Kinds} */ kinds) {
  const isColor = controlOf(schema) === 'themed' && !resolve(oneOfThemes(schema), kinds).properties;
  if (!isColor && !schema['x-points']) return [];
  return Object.entries(kinds.tokens ?? {})
    .filter(([, token]) => isColor === (typeof token === 'string' || objectOf(token).light !== undefined))
    .map(([name]) => name);
}

/** A name in the place of a value. */
function Token(/** @type {FieldProps} */ { form, schema, value, label, pointer, isRequired, onChange }) {
  const { $token: named } = objectOf(value);
  const names = new Set([...tokensFor(schema, form.kinds), named]);
  const choose = (/** @type {string} */ name) => onChange(name ? { $token: name } : emptyOf(schema, form.kinds));
  return html`<${SelectField} form=${form} pointer=${pointer} label=${label} isRequired=${isRequired}
    choices=${[['', t('A value of its own')], ...names]} value=${named} onChange=${choose} />`;
}

/** Empty text is no value: what is required there is missing then. */
const textOr = (/** @type {string} */ text) => text === '' ? undefined : text;

function Text(/** @type {FieldProps<string>} */ { form, schema, value, label, pointer, isRequired, onChange }) {
  const isLong = controlOf(schema) === 'paragraph';
  const isAddress = schema.format === 'uri';
  const change = (/** @type {FieldEvent} */ event) => onChange(textOr(event.target.value));
  return html`<${Labelled}
    form=${form}
    pointer=${pointer}
    label=${label}
    isRequired=${isRequired}
    problem=${tooLong(value, schema.maxLength)}>
    ${(attributes) => isLong
      ? html`<textarea
          ...${attributes}
          dir="auto"
          rows="3"
          value=${value ?? ''}
          onInput=${change} />`
      : html`<input
          ...${attributes}
          type="text"
          dir=${isAddress ? 'ltr' : 'auto'}
          inputmode=${isAddress ? 'url' : undefined}
          spellcheck=${!isAddress}
          value=${value ?? ''}
          onInput=${change} />`}<//>`;
}

const Amount = (/** @type {FieldProps<number>} */ { schema, ...props }) =>
  html`<${NumberField} ...${props}
    isWhole=${schema.type === 'integer'} least=${nearest(schema.minimum)} most=${nearest(schema.maximum)} />`;

function Flag(/** @type {FieldProps<boolean>} */ { form, schema, value, label, pointer, onChange }) {
  return html`<div class="field">
    <${Check}
      checked=${value ?? schema.default ?? false}
      disabled=${!form.mayEdit}
      data-pointer=${pointer}
      onChange=${onChange}>${label}<//>
    <${Problems} form=${form} pointer=${pointer} /></div>`;
}

function Choice(/** @type {FieldProps} */ { form, schema, value, label, pointer, isRequired, onChange }) {
  const { enum: choices = [] } = schema;
  const change = (/** @type {string} */ number) => onChange(number === '' ? undefined : choices[Number(number)]);
  const isNone = value === undefined || value === null;
  return html`<${SelectField} form=${form} pointer=${pointer} label=${label} isRequired=${isRequired}
    choices=${[
      ...!isRequired || isNone ? [['', '–']] : [], ...choices.map((choice, number) => [number, String(choice)]),
    ]}
    value=${isNone ? '' : choices.indexOf(/** @type {Value} */ (value))}
    onChange=${change} />`;
}

/** An instant in a zone: sent in UTC, shown as the zone's clocks do. */
function Moment(/** @type {FieldProps<string>} */ { form, value, label, pointer, isRequired, onChange }) {
  const [zone, setZone] = useState(ownZone);
  const [problem, setProblem] = useState(/** @type {string|null} */ (null));
  const change = (/** @type {FieldEvent} */ event) => {
    if (event.target.value === '') return onChange(undefined);
    const instant = instantIn(event.target.value, zone);
    setProblem(skippedWords(event.target.value, zone));
    return instant && onChange(instant);
  };
  return html`<${Labelled} form=${form} pointer=${pointer} label=${label} isRequired=${isRequired} problem=${problem}
    hint=${twiceWords(value, zone)}>
    ${(attributes) => html`<span class="pair">
      <input ...${attributes} type="datetime-local" step="1" value=${localTime(value, zone)} onChange=${change} />
      <select
        aria-label=${t('Zone')}
        disabled=${!form.mayEdit}
        onChange=${(event) => setZone(event.target.value)}>
        <${ZoneOptions} zone=${zone} /></select></span>`}<//>`;
}

function Color(/** @type {FieldProps<string>} */ { form, value, label, pointer, isRequired, onChange }) {
  const text = value ?? '';
  const picked = /^#[0-9a-f]{6}/i.test(text) ? text.slice(0, 7) : '#ffffff';
  return html`<${Labelled} form=${form} pointer=${pointer} label=${label} isRequired=${isRequired}>
    ${(attributes) => html`<span class="pair color">
      <input
        type="color"
        aria-label=${t('Pick {label}', { label })}
        disabled=${!form.mayEdit}
        value=${picked}
        onInput=${(event) => onChange(event.target.value.toUpperCase())} />
      <input
        ...${attributes}
        type="text"
        placeholder="#RRGGBB"
        value=${text}
        onInput=${(event) => onChange(textOr(event.target.value))} /></span>`}<//>`;
}

/** @param {FieldProps<Record<string, Content>>} props */
function Image({ form, schema, value, label, pointer, isRequired, onChange }) {
  const set = (/** @type {string} */ member) => (/** @type {Content} */ part) => {
    const next = { ...value, [member]: part };
    if (part === undefined) delete next[member];
    onChange(!isRequired && Object.keys(next).length === 0 ? undefined : next);
  };
  const { properties = {}, required = [] } = schema;
  const measures = ['width', 'height'].filter((member) => properties[member]);
  const member = memberFields({ form, value, pointer, set });
  return html`<fieldset class="image-field"><legend>${label}${requiredMark(isRequired)}</legend>
    <${Problems} form=${form} pointer=${pointer} />
    <${PictureInput}
      form=${form}
      schema=${schema}
      value=${value}
      label=${label}
      pointer=${pointer}>
      ${member('url', properties.url, t('Address'), isRequired)}
      <div class="pair">${measures.map((name) =>
        member(name, properties[name], name === 'width' ? t('Width') : t('Height'), required.includes(name)))}</div>
      ${properties.fit && member('fit', properties.fit)}
    <//></fieldset>`;
}

export function Members(/** @type {FieldProps<Record<string, Content>>} */ { form, schema, value, pointer, onChange }) {
  const set = (/** @type {string} */ name) => (/** @type {Content} */ part) => {
    const next = { ...value };
    if (part === undefined) delete next[name]; else next[name] = part;
    onChange(next);
  };
  const unknown = [...new Set([...Object.keys(value ?? {}), ...(schema.required ?? [])])]
    .filter((name) => !(name in (schema.properties ?? {})));
  const whole = { form, value, pointer, set };
  const field = memberFields(whole);
  return html`${arrangedMembers(schema).map(([name, member]) =>
      field(name, member, undefined, (schema.required ?? []).includes(name)))}
    ${unknown.map((name) => memberControls(whole)(RawJSON, name, { label: labelOf(name) }))}`;
}

/** @param {FieldProps<Record<string, Content>>} props */
function Group({ form, schema, value, label, pointer, isRequired, onChange }) {
  return html`<fieldset><legend>${label}</legend><${Problems} form=${form} pointer=${pointer} />
    <${Members} form=${form} schema=${schema} value=${value} pointer=${pointer}
      onChange=${(next) => onChange(!isRequired && Object.keys(next).length === 0 ? undefined : next)} /></fieldset>`;
}

/** @typedef {{pointer: string, label: string, set: (part: Content) => void}} Place of an element of a list */

/**
 * A list, each element a field, or what is drawn in its place.
 * @param {FieldProps<Content[]> & {draw?: (element: Content, at: Place) => object}} props
 */
export function List({ form, schema, value = [], label, pointer, isRequired, draw, onChange }) {
  const set = (/** @type {Content[]} */ next) => onChange(next.length === 0 && !isRequired ? undefined : next);
  const swap = (/** @type {number} */ left, /** @type {number} */ right) =>
    set(value.with(left, value[right]).with(right, value[left]));
  const isFull = schema.maxItems !== undefined && value.length >= schema.maxItems;
  // In a list, what is empty has a place all the same.
  const add = () => set([...value, emptyOf(resolve(schema.items ?? {}, form.kinds), form.kinds) ?? null]);
  const own = draw ?? ((/** @type {Content} */ element, /** @type {Place} */ at) => html`<${Field}
    form=${form}
    schema=${schema.items ?? {}}
    value=${element}
    name=${label}
    label=${at.label}
    pointer=${at.pointer}
    isRequired
    onChange=${at.set} />`);
  return html`<fieldset><legend>${label}</legend><${Problems} form=${form} pointer=${pointer} />
    ${value.map((element, number) => html`<div class="element" key=${number}>
      <div class="grow">${own(element, {
    pointer: `${pointer}/${number}`, label: `${label} ${number + 1}`,
    set: (part) => set(value.with(number, part ?? null)),
  })}</div>
      ${form.mayEdit && html`<span class="element-tools">
        <${Tool} label=${t('Move up')} disabled=${number === 0} onClick=${() => swap(number, number - 1)}>↑<//>
        <${Tool}
          label=${t('Move down')}
          disabled=${number === value.length - 1}
          onClick=${() => swap(number, number + 1)}>↓<//>
        <${Tool} label=${t('Remove')} onClick=${() => set(value.toSpliced(number, 1))}>✕<//></span>`}
    </div>`)}
    ${form.mayEdit && !isFull && html`<button type="button" onClick=${add}>${t('Add one')}</button>`}</fieldset>`;
}

/**
 * Several values of a field, side by side.
 * @param {Pick<FieldProps, 'form'|'label'|'pointer'|'isRequired'> & {button: object, children: object}} props
 */
const Apart = ({ form, label, pointer, isRequired, button, children }) => html`<fieldset class="localized">
  <legend>${label}${requiredMark(isRequired)}</legend>${button}
  <${Problems} form=${form} pointer=${pointer} />
  <div class="locales">${children}</div></fieldset>`;

/** One value for all locales, or one each, side by side. */
function Localized(/** @type {FieldProps} */ props) {
  const { form, schema, value, name, pointer, onChange } = props;
  const { 'x-localized': _, ...plain } = schema;
  // Where nothing is typed yet, the form alone knows; and so it does when the last value is deleted to be typed anew.
  const isApart = useRef(false);
  const [notice, replace] = useDropped(value, onChange);
  if (value !== undefined) isApart.current = isByLocale(value, plain);
  const [byLocale, byName] = [isApart.current, objectOf(value)];
  const nameOf = (/** @type {string} */ locale) => locale === '*' ? t('others') : languageName(locale);
  const toggle = () => {
    isApart.current = !byLocale;
    if (!byLocale) return onChange(value === undefined ? undefined : { [form.locales[0]]: value, '*': value });
    const one = byName[form.locales[0]] ?? Object.values(byName)[0];
    const others = Object.entries(byName).filter(([, each]) => !isEqual(each, one)).map(([locale]) => locale);
    return others.length > 0 ? replace(one, others.map(nameOf)) : onChange(one);
  };
  const Control = controls[controlOf(plain)];
  const button = form.mayEdit && html`<button type="button" class="link small" onClick=${toggle}>
    ${byLocale ? t('The same everywhere') : t('By locale')}</button>`;
  if (!byLocale) {
    return html`<div class="localizable">${button}<${Control} ...${props} schema=${plain} />${notice}</div>`;
  }
  const locales = [...new Set([...form.locales, ...Object.keys(byName).filter((tag) => tag !== '*'), '*'])];
  const set = (/** @type {string} */ locale) => (/** @type {Content} */ part) => {
    const next = { ...byName };
    if (part === undefined || part === '') delete next[locale]; else next[locale] = part;
    onChange(Object.keys(next).length === 0 ? undefined : next);
  };
  const control = memberControls({ form, value: byName, pointer, set });
  return html`<${Apart} ...${props} button=${button}>
    ${locales.map((locale) => control(Control, locale, {
      schema: plain, name, label: locale === '*' ? t('others') : locale, isRequired: false,
    }))}<//>`;
}

/** One value for light and dark, or one each. */
function Themed(/** @type {FieldProps} */ props) {
  const { form, schema, value, pointer, onChange } = props;
  const one = resolve(oneOfThemes(schema), form.kinds);
  const { light, dark } = objectOf(value);
  const isApart = light !== undefined || dark !== undefined;
  const [notice, replace] = useDropped(value, onChange);
  const toggle = () => {
    if (isApart) {
      const both = light ?? dark;
      return isEqual(both, dark) || !dark ? onChange(both) : replace(both, [t('Dark')]);
    }
    const both = value ?? emptyOf(one, form.kinds) ?? '';
    return onChange({ light: both, dark: both });
  };
  const button = form.mayEdit && html`<button type="button" class="link small" onClick=${toggle}>
    ${isApart ? t('The same in light and dark') : t('Light and dark apart')}</button>`;
  if (!isApart) {
    return html`<div class="localizable">${button}<${Field} ...${props} schema=${one} />${notice}</div>`;
  }
  const set = (/** @type {string} */ theme) => (/** @type {Content} */ part) =>
    onChange({ ...objectOf(value), [theme]: part ?? '' });
  const field = memberFields({ form, value, pointer, set });
  return html`<${Apart} ...${props} button=${button}>
    ${field('light', one, t('Light'), true)}${field('dark', one, t('Dark'), true)}<//>`;
}

/** Why a text is no JSON; browsers say so in English alone, but most say where. */
function reasonOf(/** @type {Error} */ { message }) {
  const place = /line (\d+) column (\d+)/.exec(message);
  if (!place || language === 'en') return message;
  return t('see line {line}, character {column}', { line: place[1], column: place[2] });
}

/** Keeps the caret of a text area at what it stands at, when what others changed comes into its text. */
function useCaret() {
  const area = useRef(/** @type {HTMLTextAreaElement|null} */ (null));
  const { current } = area;
  const before = current && document.activeElement === current
    ? { text: current.value, ends: [current.selectionStart, current.selectionEnd], top: current.scrollTop } : null;
  useLayoutEffect(() => {
    const now = area.current;
    if (!before || !now || now.value === before.text) return;
    const [start, end] = before.ends.map((place) => placeIn(before.text, now.value, place));
    now.setSelectionRange(start, end);
    now.scrollTop = before.top;
  });
  return area;
}

/**
 * Any value, as text. What is no JSON stays as it was typed, with the reason, and keeps the form from being saved; so
 * does a member that is there twice, and what is no object where `isWhole`.
 * @param {FieldProps & {hint?: string, rows?: number, isWhole?: boolean}} props
 */
export function RawJSON({ form, value, label, pointer, hint, rows = 4, isWhole = false, onChange }) {
  const [typed, setTyped] = useState(/** @type {{text: string, value: Content}|null} */ (null));
  const area = useCaret();
  const broken = form.texts.at(pointer);
  // The text as it was typed, as long as the value is what it says.
  const own = typed !== null && typed.value === value ? typed.text
    : value === undefined ? '' : JSON.stringify(value, null, 2);
  const change = (/** @type {FieldEvent} */ event) => {
    const text = event.target.value;
    let next;
    try { if (text.trim() !== '') next = parse(text); } catch (error) {
      const reason = reasonOf(/** @type {Error} */ (error));
      form.texts.set(pointer, text, t('This is not JSON: {reason}', { reason }));
      return;
    }
    // Of two the last would be taken, and the first be lost unseen.
    const repeated = repeatedMember(text);
    if (repeated) {
      const reason = t('“{name}” is there twice: again at line {line}, character {column}', repeated);
      form.texts.set(pointer, text, reason);
      return;
    }
    if (isWhole && (next === undefined || next === null)) {
      form.texts.set(pointer, text, t('This must be an object: {…}'));
      return;
    }
    form.texts.set(pointer, null);
    setTyped({ text, value: next });
    onChange(next);
  };
  const reason = broken && html`<span class="error" role="alert">${broken.reason}</span>`;
  return html`<${Labelled} form=${form} pointer=${pointer} label=${label} hint=${reason ?? hint}>
    ${(attributes) => html`<textarea
      ...${attributes}
      ref=${area}
      class="code"
      rows=${rows}
      spellcheck=${false}
      value=${broken?.text ?? own}
      onInput=${change} />`}<//>`;
}

const controls = {
  text: Text, paragraph: Text, number: Amount, flag: Flag, choice: Choice, instant: Moment, color: Color, image: Image,
  object: Group, list: List, themed: Themed, json: RawJSON,
};
