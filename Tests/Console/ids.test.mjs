// Ids of what is new are valid everywhere, short, and never the same.

import assert from 'node:assert/strict';
import test from 'node:test';

const { newID } = await import('../../Sources/Service/Console/assets/lib/ids.js');

/** What the server takes as a section's id, which is less than it takes as an item's. */
const valid = /^[A-Za-z][A-Za-z0-9._-]{0,63}$/;

test('ids of new things are valid, and each is another', () => {
  const ids = Array.from({ length: 20_000 }, () => newID('product'));
  assert.equal(new Set(ids).size, ids.length);
  for (const id of ids) assert.match(id, /^product-[0-9b-z]{10}$/);
  assert.match(newID('k'.repeat(64)), valid);
  assert.equal(newID('k'.repeat(64)).length, 64);
});

test('a copy of a copy has an id that is as long', () => {
  const first = newID('otc');
  assert.match(newID(first), /^otc-[0-9b-z]{10}$/);
  assert.notEqual(newID(first), first);
  assert.match(newID('product-3'), /^product-[0-9b-z]{10}$/);
  assert.match(newID('free-delivery'), /^free-delivery-[0-9b-z]{10}$/);
});

test('each letter comes as often', () => {
  const counts = new Map();
  for (let number = 0; number < 20_000; number += 1) {
    for (const letter of newID('a').slice(2)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  }
  const mean = 200_000 / counts.size;
  for (const [letter, count] of counts) assert.ok(Math.abs(count - mean) < mean / 10, `${letter}: ${count}`);
  assert.equal(counts.size, 27);
});
