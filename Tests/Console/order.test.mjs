import assert from 'node:assert/strict';
import test from 'node:test';
import {
  indicesOf, moved, movedSections, movedTogether, orderBy, orderOf, rebased, withIndex,
} from '../../Sources/Service/Console/assets/lib/order.js';

const draft = {
  sections: ['a', 'b', 'c', 'd'].map((id, index) => ({ id, index })),
  sortRules: { default: {}, spring: { indices: { d: -1 } } },
};

test('a rule orders by its own indices, then by the default ones', () => {
  assert.deepEqual(indicesOf(draft, 'spring'), { a: 0, b: 1, c: 2, d: -1 });
  assert.deepEqual(orderOf(draft, 'spring'), ['d', 'a', 'b', 'c']);
});

test('equal indices keep the order of the page', () => {
  assert.deepEqual(orderBy(draft, { a: 1, b: 0, c: 1, d: 0 }), ['b', 'd', 'a', 'c']);
});

test('a move beyond the ends ends at them', () => {
  assert.deepEqual(moved(['a', 'b', 'c'], 'b', -5), ['b', 'a', 'c']);
  assert.deepEqual(moved(['a', 'b', 'c'], 'a', Infinity), ['b', 'c', 'a']);
});

test('several move together, in the order that they had', () => {
  assert.deepEqual(movedTogether(['a', 'b', 'c', 'd'], ['d', 'b'], 0), ['b', 'd', 'a', 'c']);
  assert.deepEqual(movedTogether(['a', 'b', 'c', 'd'], ['a', 'b'], 1), ['c', 'a', 'b', 'd']);
  assert.deepEqual(movedTogether(['a', 'b'], ['a', 'b'], 0), ['a', 'b']);
});

test('a typed index moves among equals as the server will', () => {
  const pending = { order: ['a', 'b', 'c', 'd'], typed: {} };
  assert.deepEqual(withIndex(draft, 'default', pending, 'd', 1), { typed: { d: 1 }, order: ['a', 'b', 'd', 'c'] });
  assert.deepEqual(withIndex(draft, 'default', pending, 'a', 2), { typed: { a: 2 }, order: ['b', 'a', 'c', 'd'] });
});

test('what came or went meanwhile does not undo a move', () => {
  assert.deepEqual(rebased(['c', 'a', 'b'], ['a', 'new', 'b', 'c']), ['c', 'a', 'new', 'b']);
  assert.deepEqual(rebased(['c', 'a', 'b'], ['a', 'c']), ['c', 'a']);
  assert.deepEqual(rebased(['b', 'a'], ['first', 'a', 'b']), ['first', 'b', 'a']);
});

test('the fewest sections count as moved', () => {
  assert.deepEqual([...movedSections(['a', 'b', 'c', 'd'], ['b', 'c', 'd', 'a'])], ['a']);
  assert.deepEqual([...movedSections(['a', 'b'], ['a', 'b'])], []);
});
