// The vectors of docs/protocol.md, and the client that is made of that page alone.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { applying, read, readPage, textOf } from '../../clients/typescript/index.js';
import { write } from '../../clients/typescript/json.js';

const folder = new URL('../ClientCases/protocol/', import.meta.url);
const vectors = JSON.parse(readFileSync(new URL('vectors.json', folder), 'utf8'));

test('strings and numbers are written as servers write them', () => {
  for (const { value, text } of vectors.strings) assert.equal(write(value), text);
  // A number stays as it came.
  for (const { text } of vectors.numbers) assert.equal(write(read(text)), text);
});

test('a page agrees with its hash or is refused, and is written as it came', () => {
  for (const { name, text, agrees } of vectors.pages) {
    const id = JSON.parse(text).page;
    if (agrees) assert.equal(textOf(readPage(text, id)), text, name);
    else assert.throws(() => readPage(text, id), Error, name);
  }
});

test('changes lead to the page that they say, byte for byte', () => {
  for (const { name, old, changes, new: next } of vectors.changes) {
    const page = applying(readPage(old, JSON.parse(old).page), read(changes));
    assert.equal(textOf(page), next, name);
  }
});

test('what does not fit is refused, at the latest by the hash of what comes of it', () => {
  for (const { name, old, changes } of vectors.refused) {
    assert.throws(() => {
      const page = applying(readPage(old, JSON.parse(old).page), read(changes));
      readPage(textOf(page), page.page);
    }, Error, name);
  }
});

test('a client that knows the protocol by its page alone agrees', () => {
  const said = execFileSync('python3', [fileURLToPath(new URL('check.py', folder))], { encoding: 'utf8' });
  const count = Object.entries(vectors).filter(([name]) => name !== 'about').flatMap(([, cases]) => cases).length;
  assert.equal(said, `${count} vectors\n`);
});
