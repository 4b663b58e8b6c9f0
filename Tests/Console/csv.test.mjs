// Files and clipboards of spreadsheets: what is written comes back, and what others write is read as it is meant.

import assert from 'node:assert/strict';
import test from 'node:test';

const { guarded, readCSV, readCells, textOf, unguarded, withLines, writeCSV, writeCells } =
  await import('../../Sources/Service/Console/assets/sheets/csv.js');

/** The same numbers each time. */
let seed = 20_261_123;
const random = (/** @type {number} */ below) => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed % below;
};
const pieces = [
  '"', '""', ',', ';', '\t', '\n', '\r\n', '\r', ' ', '\'', '=', '+', '-', '@', '＝', 'a', '1', '-5', '商品', 'عربي', '🎁',
  '\u00A0', '\uFEFF', 'sep=;', '=1+1', '#', '|',
];
const anyText = () => Array.from({ length: random(6) }, () => pieces[random(pieces.length)]).join('');
const anyRows = () => {
  const columns = 1 + random(5);
  return Array.from({ length: 1 + random(6) }, () => Array.from({ length: columns }, anyText));
};

test('rows that are written as a file are read as they were, with either separator', () => {
  for (let round = 0; round < 4000; round += 1) {
    const rows = anyRows();
    const separator = round % 2 ? ',' : ';';
    // The first row of a file of tables is names, which tell what separates them.
    const named = [rows[0].map((_, column) => `name ${column}`), ...rows];
    const text = writeCSV(named, separator);
    assert.equal(text[0], '\uFEFF', 'Excel takes it for UTF-8');
    const read = readCSV(text);
    assert.equal(read.broken, undefined);
    assert.deepEqual(read.rows, named, JSON.stringify(text));
    if (rows[0].length > 1) assert.equal(read.separator, separator);
  }
});

test('a text that is guarded begins no formula, and comes back', () => {
  for (let round = 0; round < 4000; round += 1) {
    const text = anyText();
    assert.doesNotMatch(guarded(text), /^[=+\-@\t\r\n＝＋－＠]/);
    assert.equal(unguarded(guarded(text)), text);
  }
  assert.equal(guarded('=HYPERLINK("http://evil")'), '\'=HYPERLINK("http://evil")');
  for (const text of ['\'', '\'tis', 'a=b', '', '\'\'s']) {
    assert.equal(guarded(text), text);
    assert.equal(unguarded(text), text);
  }
});

test('cells that are copied are pasted as they were', () => {
  for (let round = 0; round < 4000; round += 1) {
    // One empty cell is nothing on a clipboard, and an empty last row is the end of the one before.
    const rows = anyRows().map((row) => ['x', ...row]);
    const read = readCells(writeCells(rows));
    assert.deepEqual(read, rows, JSON.stringify(writeCells(rows)));
  }
});

/** What programs put on the clipboard. */
const clipboards = {
  'Excel, two rows': ['Name\tPrice\r\nTea\t12.5\r\n', [['Name', 'Price'], ['Tea', '12.5']]],
  'Excel, one cell': ['Tea\r\n', [['Tea']]],
  'Excel, a line break and a quote': ['"two\nlines"\t"5"" pipe"\r\n', [['two\nlines', '5" pipe']]],
  'Excel, empty cells': ['a\t\t\r\n\t\tb\r\n', [['a', '', ''], ['', '', 'b']]],
  'Google Sheets': ['a\tsay "hi"\n"x\ny"\t"quoted"', [['a', 'say "hi"'], ['x\ny', '"quoted"']]],
  'LibreOffice': ['5" pipe\t"a"b\nc\t\n', [['5" pipe', '"a"b'], ['c', '']]],
  'Numbers for Mac, a lone quote': ['"\ta\n', [['"', 'a']]],
  'a plain text': ['hello', [['hello']]],
  'nothing': ['', [['']]],
  'an empty row within': ['a\n\nb', [['a'], [''], ['b']]],
};
for (const [name, [text, rows]] of Object.entries(clipboards)) {
  test(`a clipboard: ${name}`, () => { assert.deepEqual(readCells(/** @type {string} */ (text)), rows); });
}

/** What programs write as files. */
const files = {
  'Excel, “CSV UTF-8”': ['\uFEFFid,Title\r\na,"one, two"\r\n', ',', [['id', 'Title'], ['a', 'one, two']]],
  'Excel in German': ['\uFEFFid;Preis\r\na;"1,5"\r\nb;2\r\n', ';', [['id', 'Preis'], ['a', '1,5'], ['b', '2']]],
  'Excel, with its separator said': ['sep=;\r\nid;a,b,c\r\n', ';', [['id', 'a,b,c']]],
  'Excel, “Unicode text”': ['\uFEFFid\tTitle\r\na\t"x\ty"\r\n', '\t', [['id', 'Title'], ['a', 'x\ty']]],
  'LibreOffice': ['id,Title\n"a","say ""hi"""\n', ',', [['id', 'Title'], ['a', 'say "hi"']]],
  'Google Sheets, without an end': ['id,Title\r\na,"two\nlines"', ',', [['id', 'Title'], ['a', 'two\nlines']]],
  'an old Mac': ['id,Title\ra,b\r', ',', [['id', 'Title'], ['a', 'b']]],
  'empty lines at the end': ['id,Title\r\na,b\r\n\r\n\r\n', ',', [['id', 'Title'], ['a', 'b']]],
  'a quote within a bare cell': ['id,Size\r\na,5" pipe\r\n', ',', [['id', 'Size'], ['a', '5" pipe']]],
  'names with the other separator in quotes': ['"a,b,c";d\n1;2\n', ';', [['a,b,c', 'd'], ['1', '2']]],
  'nothing': ['', ',', []],
};
for (const [name, [text, separator, rows]] of Object.entries(files)) {
  test(`a file: ${name}`, () => {
    const read = readCSV(/** @type {string} */ (text));
    assert.deepEqual(read.rows, rows);
    assert.equal(read.separator, separator);
    assert.equal(read.broken, undefined);
  });
}

test('a file that is none says where', () => {
  assert.deepEqual(readCSV('id,a\n1,"never\nclosed\n').broken, { line: 2, what: 'open' });
  assert.deepEqual(readCSV('id,a\n1,"two\nlines"x\n').broken, { line: 3, what: 'after' });
  assert.deepEqual(readCSV('sep=,\nid,a\n1,"x\n').broken, { line: 3, what: 'open' });
  assert.deepEqual(readCSV('id,a\n1,"two\nlines"\n2,b\n').lines, [1, 2, 4]);
});

test('bytes are UTF-8, or say what they are, or are refused', () => {
  const bytes = (/** @type {number[]} */ ...each) => new Uint8Array(each).buffer;
  assert.equal(textOf(new TextEncoder().encode('Größe').buffer), 'Größe');
  assert.equal(textOf(bytes(0xFF, 0xFE, 0x61, 0)), '\uFEFFa');
  assert.equal(textOf(bytes(0x47, 0x72, 0xF6, 0xDF, 0x65)), null, 'Windows-1252');
});

test('lines within a cell break in one way', () => { assert.equal(withLines('a\r\nb\rc\nd'), 'a\nb\nc\nd'); });
