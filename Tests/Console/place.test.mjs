import assert from 'node:assert/strict';
import test from 'node:test';
import { carriedTexts, follow, withAt } from '../../Sources/Service/Console/assets/lib/place.js';

const items = (...ids) => ids.map((id) => ({ id, kind: 'banner', content: { image: { url: id } } }));

test('a place is found by the ids of items, wherever they have gone', () => {
  const found = follow({ items: items('a', 'b') }, { items: items('new', 'b', 'a') }, '/items/0/content/image');
  assert.deepEqual(found, { pointer: '/items/2/content/image', was: { url: 'a' }, is: { url: 'a' } });
});

test('a place is gone with its item, and where the item is of another kind by now', () => {
  const before = { items: items('a', 'b') };
  assert.equal(follow(before, { items: items('b') }, '/items/0/content/image'), null);
  const other = { items: [{ id: 'a', kind: 'ticker', content: {} }] };
  assert.equal(follow(before, other, '/items/0/content/image'), null);
  assert.equal(follow({ slots: { top: items('a')[0] } }, { slots: {} }, '/slots/top/content/image'), null);
});

test('elements without ids are told apart only as long as they are as many', () => {
  assert.equal(follow({ list: [1, 2] }, { list: [1, 3] }, '/list/1')?.is, 3);
  assert.equal(follow({ list: [1, 2] }, { list: [2] }, '/list/0'), null);
});

test('a value is put at its place, and nothing else is changed', () => {
  const before = { items: items('a', 'b') };
  const after = withAt(before, '/items/1/content/image', { url: 'c' });
  assert.deepEqual(after.items[1], { id: 'b', kind: 'banner', content: { image: { url: 'c' } } });
  assert.equal(after.items[0], before.items[0]);
  assert.deepEqual(withAt(undefined, '/content/image', 1), { content: { image: 1 } });
});

test('a text that is no value goes along with its item, and ends with it or with another value', () => {
  const products = (...ids) => ids.map((id) => ({ id, kind: 'product', content: { price: { amount: 1 } } }));
  const texts = [{ pointer: '/items/0/content/price/amount', text: '1,5' }];
  const pointersIn = (before, now) => carriedTexts(before, now, texts).map(({ pointer }) => pointer);
  const before = { items: products('a', 'b') };
  assert.deepEqual(pointersIn(before, { items: products('b', 'new', 'a') }), ['/items/2/content/price/amount']);
  assert.deepEqual(pointersIn(before, { items: products('b') }), []);
  // Its id is typed anew.
  assert.deepEqual(pointersIn(before, { items: products('ab', 'b') }), ['/items/0/content/price/amount']);
  const priced = { items: products('a', 'b') };
  priced.items[0].content.price.amount = 2;
  assert.deepEqual(pointersIn(before, priced), []);
  // What belongs to nothing that is there yet stays; what was by locale and is one value has no place.
  const inset = [{ pointer: '/layout/inset/top', text: 'x' }, { pointer: '', text: '{' }];
  assert.deepEqual(carriedTexts({}, { title: 'a' }, inset), inset);
  assert.deepEqual(carriedTexts({ top: { en: 1 } }, { top: 1 }, [{ pointer: '/top/vi', text: 'x' }]), []);
});
