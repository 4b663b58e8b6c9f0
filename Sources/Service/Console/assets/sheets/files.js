// Files of a table: written for a spreadsheet, and read again after it was told what that would change.

import { Check, DialogForm, html, isSame, options, t, useMemo, useState } from '../shared.js';
import { readCSV, textOf, writeCSV } from './csv.js';
import { fileBytesMax, fileRows, planOf } from './items-file.js';

/** @typedef {import('./items-file.js').Table} Table */
/** @typedef {import('./items-file.js').Outcome} Outcome */

/** How many rows of what a file would change are told at once, and how many more each time. */
const toldMax = 200;

/** What Excel separates cells by here: where a comma stands before decimals, that is a semicolon. */
const usualSeparator = () => (1.5).toLocaleString(navigator.language).includes(',') ? ';' : ',';

/** Has the browser keep a text as a file. */
export function download(/** @type {string} */ name, /** @type {string} */ text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/csv;charset=utf-8' }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** A choice of what separates cells. */
/** @param {{value: string, onChange: (value: string) => void}} props */
export const SeparatorChoice = ({ value, onChange }) =>
  html`<label>${t('Between cells')}<select onChange=${(event) => onChange(event.target.value)}>
    ${options([[',', t('a comma')], [';', t('a semicolon, as Excel in Europe wants it')]], value)}</select></label>`;

/** The separator to begin with, and how to choose another. */
export const useSeparator = () => useState(/** @type {','|';'} */ (usualSeparator()));

/** @param {{name: string, table: Table, onClose: () => void}} props */
export function ExportDialog({ name, table, onClose }) {
  const [separator, setSeparator] = useSeparator();
  const [hasLabels, setLabels] = useState(true);
  const write = () => download(`${name}.csv`, writeCSV(fileRows(table, { hasLabels, separator }), separator));
  return html`<${DialogForm} title=${t('As a CSV file')} action=${t('Download')} onSubmit=${write} onClose=${onClose}>
    <p class="hint">${t('The file has all {count} items as they are here, also what is not saved.', {
      count: table.items.length,
    })}</p>
    <${SeparatorChoice} value=${separator} onChange=${setSeparator} />
    <label>${t('The first row')}<select
      onChange=${(/** @type {FieldEvent} */ event) => setLabels(event.target.value === 'labels')}>
      ${options([['labels', t('Names of the columns')], ['pointers', t('JSON pointers, for programs')]],
        hasLabels ? 'labels' : 'pointers')}</select></label>
  <//>`;
}

/**
 * A file's rows, or why it has none.
 * @typedef {{rows: string[][], lines: number[], separator: string, reason?: undefined}
 *   |{reason: string, rows?: undefined}} Rows
 */

/** @type {(file: File) => Promise<Rows>} */
async function rowsOf(file) {
  if (file.size > fileBytesMax) {
    return { reason: t('The file has {size} MB. At most {most} MB are read.', {
      size: Math.ceil(file.size / 1_048_576), most: fileBytesMax / 1_048_576,
    }) };
  }
  const text = textOf(await file.arrayBuffer());
  if (text === null) {
    return { reason: t('This file is not UTF-8, so its letters may be read wrong. In Excel, save it as “CSV UTF-8”.') };
  }
  const { broken, ...read } = readCSV(text);
  if (broken) {
    return { reason: broken.what === 'open' ? t('The quote that begins at line {line} never ends.', broken)
      : t('At line {line} a text follows a closing quote. Put the whole cell into quotes.', broken) };
  }
  return read.rows.length > 1 ? read
    : { reason: t('The file has no rows below the first one, which names the columns.') };
}

/** Where a file is chosen. */
const FileChoice = (/** @type {{onRead: (read: Rows) => void}} */ { onRead }) =>
  html`<label>${t('CSV file')}<input type="file" accept=".csv,.tsv,.txt,text/csv"
    onChange=${async (/** @type {FieldEvent} */ event) => {
      const file = event.target.files?.[0];
      if (file) onRead(await rowsOf(file));
    }} /></label>`;

/** @type {Record<string, string>} how a badge of some outcomes looks */
const badges = { refused: 'error', stale: 'warning', same: '' };

/** What comes of each row, in words. */
const outcomeWords = () => ({
  refused: t('refused'), stale: t('changed since'), added: t('added'), changed: t('changed'),
  removed: t('removed'), same: t('as it is'),
});

/**
 * Tells what a file would change, before it is taken.
 * @param {{read: Rows|null, onRead: (read: Rows) => void,
 *   plan: {header: {name?: string, reason: string}[],
 *     outcomes: (Outcome|import('./texts.js').TranslationOutcome)[]}|null, isRefused: boolean,
 *   isNothing: boolean, hint?: string, chosen?: Set<number>, onChoose?: (line: number) => void, onTake: () => void,
 *   onClose: () => void, children?: object}} props
 */
export function ImportDialog({
  read, onRead, plan, isRefused, isNothing, hint = '', chosen, onChoose, onTake, onClose, children,
}) {
  const words = isNothing ? t('The file says what is here already.') : hint;
  return html`<${DialogForm}
    title=${t('Read a CSV file')}
    action=${t('Take it into the table')}
    size="large"
    isReady=${plan && !isRefused && !isNothing}
    onSubmit=${onTake}
    onClose=${onClose}>
    <${FileChoice} onRead=${onRead} />
    ${read?.reason && html`<p class="banner error" role="alert">${read.reason}</p>`}
    ${plan && html`
      ${children}
      ${plan.header.map(({ name, reason }) => html`<p class="banner error" role="alert">
        ${t('First row')}${name ? ` “${name}”` : ''}: ${reason}</p>`)}
      <${Outcomes} outcomes=${plan.outcomes} chosen=${chosen} onChoose=${onChoose} />
      ${isRefused ? html`<p class="banner warning" role="status">
          ${t('Nothing is changed as long as a row is refused. Correct the file, and choose it again.')}</p>`
        : words && html`<p class="hint" role="status">${words}</p>`}`}
  <//>`;
}

/** @param {{table: Table, onTake: (items: Item[]) => void, onClose: () => void}} props */
export function ItemsImport({ table, onTake, onClose }) {
  const [read, setRead] = useState(/** @type {Rows|null} */ (null));
  const [removes, setRemoves] = useState(false);
  const [ordersBy, setOrdersBy] = useState(false);
  const plan = useMemo(() => read?.rows ? planOf(read, table, { removes, ordersBy }) : null,
    [read, table.items, table.columns, removes, ordersBy]);
  const isNothing = plan !== null && isSame(plan.items, table.items);
  return html`<${ImportDialog} read=${read} onRead=${setRead} plan=${plan} isRefused=${Boolean(plan?.isRefused)}
    isNothing=${isNothing} hint=${t('It becomes an edit of the table, which you can undo, and save.')}
    onTake=${() => plan && onTake(plan.items)} onClose=${onClose}>
    <${Check} checked=${removes} onChange=${setRemoves}>${t('Remove the items that the file does not have')}<//>
    <${Check} checked=${ordersBy} onChange=${setOrdersBy}>${t('Take the order of the file')}<//><//>`;
}

/**
 * What would come of each row: what is refused first, and nothing of what stays as it is but how many. What somebody
 * has changed since the file was written is taken where that is chosen.
 * @param {{outcomes: (Outcome|import('./texts.js').TranslationOutcome)[], chosen?: Set<number>,
 *   onChoose?: (line: number) => void}} props
 */
function Outcomes({ outcomes, chosen, onChoose }) {
  const [most, setMost] = useState(toldMax);
  const words = outcomeWords();
  const names = /** @type {(keyof typeof words)[]} */ (Object.keys(words));
  const of = (/** @type {string} */ what) => outcomes.filter((each) => each.what === what);
  const told = names.filter((name) => name !== 'same').flatMap(of);
  return html`<p class="outcome-counts" role="status">${names.map((name) => of(name).length > 0 && html`
      <span class="badge ${badges[name] ?? 'changed'}">
        ${words[name]}: ${of(name).length}</span>`)}</p>
    ${told.length > 0 && html`<div class="outcomes" tabindex="0" role="region" aria-label=${t('What the file changes')}>
      <table><thead><tr><th>${t('Line')}</th><th>${t('Id')}</th><th>${t('Outcome')}</th>
        <th>${t('What')}</th></tr></thead><tbody>
      ${told.slice(0, most).map(({ line, id, what, differences, refusals }) => html`<tr class=${what}>
        <td>${line ?? '–'}</td><td><code>${id}</code></td><td>${words[what]}</td>
        <td>${refusals.map(({ name, reason }) => html`<p class="error">${name ? `${name}: ` : ''}${reason}</p>`)}
          ${what !== 'refused' && differences.map(({ name, before, after }) => html`<p>${name}:${' '}
            ${before !== '' && html`<del dir="auto">${before}</del> → `}
            <ins dir="auto">${after || t('empty')}</ins></p>`)}
          ${what === 'stale' && html`<${Check} checked=${chosen?.has(line ?? 0)}
            onChange=${() => onChoose?.(line ?? 0)}>${t('Take it all the same')}<//>`}
        </td></tr>`)}</tbody></table>
      ${told.length > most && html`<button type="button" onClick=${() => setMost(most + toldMax)}>
        ${t('Show more: {count}', { count: told.length - most })}</button>`}</div>`}`;
}
