import assert from 'node:assert/strict';
import test from 'node:test';
import { differences, isEqual, merge, placeKey, sharing } from '../../Sources/Service/Console/assets/lib/merge.js';

const item = (id, title, more = {}) => ({ id, kind: 'navigation', content: { title }, ...more });

test('what only one side changed is taken', () => {
  const base = { title: 'a', subtitle: 'b' };
  assert.deepEqual(merge(base, { title: 'A', subtitle: 'b' }, { title: 'a', subtitle: 'B' }),
    { value: { title: 'A', subtitle: 'B' }, conflicts: [], shared: [] });
  assert.deepEqual(merge(base, { title: 'a' }, { title: 'A', subtitle: 'b' }),
    { value: { title: 'A' }, conflicts: [], shared: [] });
});

test('locales of one text are places of their own', () => {
  const items = (title) => ({ items: [item('a', title)] });
  const { value, conflicts } = merge(
    items({ en: 'x', vi: 'y' }), items({ en: 'X', vi: 'y' }), items({ en: 'x', vi: 'Y' }));
  assert.deepEqual(value, { items: [item('a', { en: 'X', vi: 'Y' })] });
  assert.deepEqual(conflicts, []);
});

test('what both changed is a conflict, mine unless theirs is chosen', () => {
  const sides = [{ title: { en: 'a' } }, { title: { en: 'mine' } }, { title: { en: 'theirs' } }];
  const { value, conflicts } = merge(...sides);
  assert.deepEqual(value, sides[1]);
  assert.deepEqual(conflicts, [{ path: ['title', 'en'], base: 'a', mine: 'mine', theirs: 'theirs' }]);
  assert.deepEqual(merge(...sides, new Map([[placeKey(['title', 'en']), 'theirs']])).value, sides[2]);
});

test('both saying the same is no conflict', () => {
  assert.deepEqual(merge({ a: 1 }, { a: 2 }, { a: 2 }), { value: { a: 2 }, conflicts: [], shared: [] });
});

test('items are known by their ids, wherever they stand', () => {
  const base = [item('a', '1'), item('b', '2')];
  const { value, conflicts } = merge(base, [item('a', '1'), item('b', 'mine')], [item('new', '0'), ...base]);
  assert.deepEqual(value.map(({ id, content }) => [id, content.title]), [['new', '0'], ['a', '1'], ['b', 'mine']]);
  assert.deepEqual(conflicts, []);
});

test('an item that one side deletes and the other changes is a conflict', () => {
  const base = [item('a', '1'), item('b', '2')];
  const sides = [base, [item('a', '1')], [item('a', '1'), item('b', 'theirs')]];
  const { value, conflicts } = merge(...sides);
  assert.deepEqual(value, [item('a', '1')]);
  assert.deepEqual(conflicts.map(({ path }) => path), [[{ id: 'b' }]]);
  const taken = merge(...sides, new Map([[placeKey([{ id: 'b' }]), 'theirs']]));
  assert.deepEqual(taken.value.map(({ id }) => id), ['a', 'b']);
});

test('what both put at one place stands there, theirs first, and is told of', () => {
  const [a, b, mine, theirs] = ['a', 'b', 'mine', 'theirs'].map((id) => item(id, id));
  const ids = (list) => list.map(({ id }) => id).join(' ');
  for (const [before, after] of [[[a, b], []], [[a], [b]], [[], [a, b]]]) {
    const put = (each) => [...before, each, ...after];
    const { value, conflicts, shared } = merge([a, b], put(mine), put(theirs));
    assert.equal(ids(value), ids([...before, theirs, mine, ...after]));
    assert.deepEqual([conflicts, shared.map(({ items }) => ids(items))], [[], ['theirs mine']]);
  }
  assert.deepEqual(merge([a, b], [mine, a, b], [a, b, theirs]).shared, []);
  assert.deepEqual(merge([a, b], [mine, a, b], [mine, a, b]).shared, []);
});

test('an order that both changed otherwise is a conflict, one that one changed is taken', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((id) => item(id, id));
  const ids = (value) => value.map(({ id }) => id).join('');
  assert.equal(ids(merge([a, b, c], [b, a, c], [a, b, c, item('d', 'd')]).value), 'bacd');
  assert.equal(ids(merge([a, b, c], [a, b, c, item('d', 'd')], [c, a, b]).value), 'cdab',
    'what is new stays behind what it was put behind');
  const d = item('d', 'd');
  const both = merge([a, b, c, d], [d, a, b, c], [a, d, b, c]);
  assert.deepEqual(both.conflicts.map(({ isOrder, mine, theirs }) => [isOrder, mine.join(''), theirs.join('')]),
    [[true, 'dabc', 'adbc']]);
  const beside = merge([a, b, c], [b, a, c, d], [item('e', 'e'), c, a, b]);
  assert.deepEqual([ids(beside.value), beside.conflicts], ['ecdba', []], 'moves that do not touch are both kept');
});

test('values that are one decision are not mixed', () => {
  for (const [name, base, mine, theirs] of [
    ['image', { url: 'a', width: 1 }, { url: 'b', width: 2 }, { url: 'c', width: 1 }],
    ['schedule', { from: '1', zone: 'UTC' }, { from: '2', zone: 'UTC' }, { from: '1', zone: 'Asia/Shanghai' }],
    ['audience', { attribute: 'platform', in: ['ios'] }, { attribute: 'bucket', atLeast: 3 },
      { attribute: 'platform', in: ['web'] }],
    ['action', { url: 'a' }, { handler: 'x' }, { url: 'b', event: 'tap' }],
  ]) {
    const { value, conflicts } = merge({ [name]: base }, { [name]: mine }, { [name]: theirs });
    assert.deepEqual([value[name], conflicts.map(({ path }) => path)], [mine, [[name]]], name);
  }
  const images = [{ url: 'a', width: 1 }, { url: 'a', width: 2 }, { url: 'a', width: 1, height: 3 }];
  assert.deepEqual(merge(...images.map((image) => ({ image }))).value, { image: { url: 'a', width: 2, height: 3 } });
});

test('a condition as a whole resource is one value', () => {
  const { conflicts } = merge({ attribute: 'a', in: [1] }, { attribute: 'b', in: [2] }, { attribute: 'c', atLeast: 3 });
  assert.equal(conflicts.length, 1);
});

test('equal is what says the same, in whatever order', () => {
  assert.ok(isEqual({ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1, d: undefined }));
  assert.ok(!isEqual([1, 2], [2, 1]));
  assert.ok(!isEqual({ a: null }, {}));
});

test('differences name each place once', () => {
  const places = differences(
    [item('a', { en: '1' }), item('b', '2')], [item('b', '2'), item('a', { en: 'x' }), item('c', '3')]);
  assert.deepEqual(places.map(({ path }) => path), [['↕'], [{ id: 'a' }, 'content', 'title', 'en'], [{ id: 'c' }]]);
  assert.deepEqual(differences({ a: 1 }, { a: 1 }), []);
});

test('whatever is typed as JSON can be merged', () => {
  for (const value of [
    5, null, [], [null], [{ id: 1 }], [{ id: 'a' }, { id: 'a' }], 'text', { items: [null, { children: 1 }] },
  ]) {
    assert.deepEqual(merge({ items: [] }, value, { items: [item('a', '1')] }).value, value);
  }
});

test('sections that say the same are the same objects, and so are the items of others', () => {
  const before = [{ id: 'a', items: [item('x', '1'), item('y', '1')] }, { id: 'b', items: [] }];
  const read = [
    { id: 'b', items: [] }, { id: 'a', items: [item('x', '2'), item('y', '1')] }, { id: 'c', items: [] },
  ];
  const shared = sharing(read, before);
  assert.deepEqual(shared, read);
  assert.equal(shared[0], before[1]);
  assert.equal(shared[1].items[0], read[1].items[0]);
  assert.equal(shared[1].items[1], before[0].items[1]);
  assert.deepEqual(sharing(read), read);
});
