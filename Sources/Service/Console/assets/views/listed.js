// A list that is read of the server, as a table.

import { Reading, html } from '../lib/ui.js';

/**
 * @template Entry
 * @param {object} props
 * @param {string} props.label
 * @param {Entry[]|null} props.list
 * @param {Error|null} props.failure
 * @param {() => void} props.onRetry
 * @param {string} [props.nothing] what is said where it has none
 * @param {string[]} props.columns what each is called; nothing where it has no name
 * @param {(entry: Entry) => object} props.children draws a row
 */
export const Listed = ({ label, list, failure, onRetry, nothing, columns, children: row }) => html`
  <${Reading} value=${list} failure=${failure} onRetry=${onRetry} />
  ${list?.length === 0 && nothing && html`<p class="nothing">${nothing}</p>`}
  ${list && list.length > 0 && html`<div class="table" tabindex="0" role="region" aria-label=${label}>
    <table class="listed">
      <thead><tr>${columns.map((text) => html`
        <${text ? 'th' : 'td'} scope=${text ? 'col' : undefined}>${text}<//>`)}</tr></thead>
      <tbody>${list.map(row)}</tbody></table></div>`}`;
