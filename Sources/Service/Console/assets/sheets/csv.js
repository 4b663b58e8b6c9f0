// Rows of cells as text: files of comma separated values (RFC 4180) as spreadsheets write them, and what they put on
// the clipboard, separated by tabs. What is written comes back the same.

/** The longest text that a cell of Excel holds, in UTF-16 units: it cuts what is longer, and says nothing. */
export const sheetCellMax = 32_767;

/** What a spreadsheet takes for the beginning of a formula, in letters of either width. */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** A text that no spreadsheet runs: what would begin a formula has an apostrophe before it, which says “text” there. */
export const guarded = (/** @type {string} */ text) => formula.test(text) ? `'${text}` : text;

/** A text without the apostrophe that `guarded` gave it. */
export const unguarded = (/** @type {string} */ text) =>
  text.startsWith('\'') && formula.test(text) ? text.slice(1) : text;

/** One way of breaking lines within a cell: a form has no other, and spreadsheets change it. */
export const withLines = (/** @type {string} */ text) => text.replace(/\r\n?/g, '\n');

/**
 * Rows as a file: UTF-8 with a byte order mark, without which Excel takes it for another encoding.
 * @param {string[][]} rows
 * @param {','|';'} separator
 */
export function writeCSV(rows, separator = ',') {
  const cell = (/** @type {string} */ text) =>
    /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  // A row of one empty cell would be an empty line, which is no row.
  const line = (/** @type {string[]} */ row) =>
    row.length === 1 && row[0] === '' ? '""' : row.map(cell).join(separator);
  return `\uFEFF${rows.map((row) => `${line(row)}\r\n`).join('')}`;
}

/** @typedef {{line: number, what: 'open'|'after'}} Broken where a file is none: a quote never ends, or is too early */

/**
 * Reads rows of cells, whatever ends their lines.
 * @param {string} text
 * @param {string} separator
 * @returns {{rows: string[][], lines: number[], broken?: Broken}} with the line that each row begins at
 */
function readRows(text, separator) {
  /** @type {string[][]} */
  const rows = [];
  /** @type {number[]} */
  const lines = [];
  let [at, line] = [0, 1];
  const ends = new RegExp(`[${separator}\\r\\n]`, 'g');
  while (at < text.length) {
    /** @type {string[]} */
    const row = [];
    const begun = line;
    for (;;) {
      if (text[at] === '"') {
        let [cell, from, opened] = ['', at + 1, line];
        for (;;) {
          const end = text.indexOf('"', from);
          if (end < 0) return { rows, lines, broken: { line: opened, what: 'open' } };
          cell += text.slice(from, end);
          from = end + 1;
          if (text[from] !== '"') break;
          cell += '"';
          from += 1;
        }
        line += (withLines(text.slice(at, from)).match(/\n/g) ?? []).length;
        at = from;
        if (at < text.length && text[at] !== separator && text[at] !== '\r' && text[at] !== '\n') {
          return { rows, lines, broken: { line, what: 'after' } };
        }
        row.push(cell);
      } else {
        ends.lastIndex = at;
        const end = ends.exec(text)?.index ?? text.length;
        row.push(text.slice(at, end));
        at = end;
      }
      if (text[at] !== separator) break;
      at += 1;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    line += 1;
    // An empty line is no row; one of an empty cell is quoted.
    if (row.length > 1 || row[0] !== '' || text[at - 2] === '"' || text[at - 3] === '"') {
      rows.push(row);
      lines.push(begun);
    }
  }
  return { rows, lines };
}

/** What separates the cells of a file: what it says itself, as Excel has it, or what its first row has most of. */
function separatorOf(/** @type {string} */ text) {
  const counts = new Map([[',', 0], [';', 0], ['\t', 0]]);
  let isQuoted = false;
  for (const letter of text) {
    if (letter === '"') isQuoted = !isQuoted;
    if (!isQuoted && (letter === '\n' || letter === '\r')) break;
    const count = counts.get(letter);
    if (!isQuoted && count !== undefined) counts.set(letter, count + 1);
  }
  return [...counts].reduce((most, each) => each[1] > most[1] ? each : most)[0];
}

/**
 * Reads a file.
 * @param {string} text
 * @returns {{rows: string[][], lines: number[], separator: string, broken?: Broken}}
 */
export function readCSV(text) {
  const [, named, rest] = /** @type {RegExpExecArray} */ (/^\uFEFF?(?:sep=([,;\t])\r?\n)?(.*)$/s.exec(text));
  const separator = named ?? separatorOf(rest);
  const read = readRows(rest, separator);
  if (!named) return { ...read, separator };
  const { lines, broken, rows } = read;
  const below = broken && { broken: { ...broken, line: broken.line + 1 } };
  return { rows, separator, lines: lines.map((line) => line + 1), ...below };
}

/**
 * A file's bytes as text; `null` where they are no UTF-8, so that letters would be others.
 * @param {ArrayBuffer} bytes
 */
export function textOf(bytes) {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  const isWide = (first === 0xFF && second === 0xFE) || (first === 0xFE && second === 0xFF);
  const name = isWide ? (first === 0xFF ? 'utf-16le' : 'utf-16be') : 'utf-8';
  // The mark stays in the text, whose reader knows it.
  try { return new TextDecoder(name, { fatal: true, ignoreBOM: true }).decode(bytes); } catch { return null; }
}

/** Cells for the clipboard: quoted where one has a tab or a line break, or begins with a quote. */
export function writeCells(/** @type {string[][]} */ rows) {
  const cell = (/** @type {string} */ text) => /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => row.map(cell).join('\t')).join('\r\n');
}

/**
 * Reads cells from the clipboard. Excel quotes a cell that has a tab, a line break or a quote, Google Sheets and
 * LibreOffice one that has a tab or a line break: what is within quotes without any of them are letters of the cell.
 * @param {string} text
 * @returns {string[][]}
 */
export function readCells(text) {
  const whole = text.replace(/\r?\n$|\r$/, '');
  /** @type {string[][]} */
  const rows = [[]];
  const quoted = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)/y;
  const bare = /[^\t\r\n]*/y;
  for (let at = 0; ;) {
    quoted.lastIndex = at;
    const [, inner] = quoted.exec(whole) ?? [];
    const isQuoted = inner !== undefined && /[\t\r\n]|""/.test(inner);
    bare.lastIndex = at;
    const cell = isQuoted ? inner : /** @type {RegExpExecArray} */ (bare.exec(whole))[0];
    rows[rows.length - 1].push(isQuoted ? inner.replaceAll('""', '"') : cell);
    at += cell.length + (isQuoted ? 2 : 0);
    if (at >= whole.length) return rows;
    if (whole[at] !== '\t') {
      rows.push([]);
      if (whole.startsWith('\r\n', at)) at += 1;
    }
    at += 1;
  }
}
