// A pattern of cells of different sizes: one that is common, its columns and rows, and the cells.

import {
  Field, Labelled, LineField, html, isEqual, memberControls, objectOf, options, readNumber, t, useState, writtenNumber,
} from '../shared.js';
import { groupCellsSchema } from './layout-schemas.js';

/** @typedef {Numeric|string|{points: Numeric|string}} Track a share, or points; what is no number as it was typed */
/** @typedef {{columns: Track[], rows: Track[], cells: object[]}} Group */

const cell = (/** @type {number} */ column, /** @type {number} */ row, spans = {}) => ({ column, row, ...spans });
const large = { columnSpan: 2, rowSpan: 2 };

/** @type {Record<string, Group>} */
const patterns = {
  largeFirst: { columns: [2, 1], rows: [1, 1], cells: [cell(0, 0, { rowSpan: 2 }), cell(1, 0), cell(1, 1)] },
  largeLast: { columns: [1, 2], rows: [1, 1], cells: [cell(0, 0), cell(0, 1), cell(1, 0, { rowSpan: 2 })] },
  oneAbove: {
    columns: [1, 1, 1], rows: [2, 1], cells: [cell(0, 0, { columnSpan: 3 }), cell(0, 1), cell(1, 1), cell(2, 1)],
  },
  five: {
    columns: [1, 1, 1, 1], rows: [1, 1],
    cells: [cell(0, 0, large), cell(2, 0), cell(3, 0), cell(2, 1), cell(3, 1)],
  },
  six: {
    columns: [1, 1, 1], rows: [1, 1, 1],
    cells: [cell(0, 0, large), cell(2, 0), cell(2, 1), cell(0, 2), cell(1, 2), cell(2, 2)],
  },
};
const names = () => ({
  largeFirst: t('A large one, then two small'), largeLast: t('Two small, then a large one'),
  oneAbove: t('One above three'), five: t('A large one beside four'), six: t('A large one among five'),
});

/** Shares, and points with their unit. */
const tracksIn = (/** @type {string} */ text) => text.split(/[\s,，、]+/).filter(Boolean).map((word) => {
  const points = /^(.+)pt$/.exec(word);
  const value = readNumber(points ? points[1] : word, {}).value ?? word;
  return points ? { points: value } : value;
});
const textOf = (/** @type {Track[]} */ tracks = []) => tracks.map((track) => {
  const { points } = objectOf(track);
  return points === undefined ? writtenNumber(track) : `${writtenNumber(points)}pt`;
}).join(', ');

/** @param {{form: Form, value: Track[], label: string, pointer: string, onChange: (value: Track[]) => void}} props */
function Tracks({ form, value, label, pointer, onChange }) {
  const [typed, setTyped] = useState('');
  const isOwn = isEqual(tracksIn(typed), value ?? []);
  const change = (/** @type {string} */ text) => {
    setTyped(text);
    onChange(tracksIn(text));
  };
  const hint = t('Shares or points, such as 2, 80pt');
  return html`<${LineField} form=${form} pointer=${pointer} label=${label} hint=${hint}
    value=${isOwn ? typed : textOf(value)} onText=${change} />`;
}

/**
 * A group, or none.
 * @param {{form: Form, value?: Group, pointer: string, onChange: (value: Partial<Group>|undefined) => void}} props
 */
export function GroupField({ form, value, pointer, onChange }) {
  const known = Object.keys(patterns).find((name) => isEqual(patterns[name], value));
  const set = (/** @type {string} */ name) => (/** @type {Content} */ part) => onChange({ ...value, [name]: part });
  const control = memberControls({ form, value: /** @type {Content} */ (value), pointer, set });
  const choose = (/** @type {FieldEvent} */ event) => onChange(patterns[event.target.value]);
  return html`<fieldset><legend>${t('Group of cells that repeats')}</legend>
    <${Labelled} form=${form} pointer=${pointer} label=${t('Pattern')}>
      ${(attributes) => html`<select ...${attributes} onChange=${choose}>
        <option value="" selected=${value === undefined}>${t('As its kind says')}</option>
        ${value !== undefined && !known && html`<option value="own" selected disabled>${t('One of its own')}</option>`}
        ${options(Object.entries(names()), known)}</select>`}<//>
    ${value !== undefined && html`<div class="pair">
        ${control(Tracks, 'columns', { label: t('Columns') })}${control(Tracks, 'rows', { label: t('Rows') })}</div>
      ${control(Field, 'cells', { schema: groupCellsSchema, name: 'cells', label: t('Cells'), isRequired: true })}`}
    </fieldset>`;
}
