// The items of a long list that a phone has, and when more are asked for.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

const { Lists } = await import('../../Sources/Service/Console/assets/phone/lists.js');

const itemsOf = (from, to) => Array.from({ length: to - from }, (_, at) => ({ id: `i${from + at}` }));
const ids = ({ items }) => items.map(({ id }) => id);
const feed = (count, members = {}) => ({ id: 'feed', layout: { style: 'list' }, items: itemsOf(0, count), ...members });

test('a short list is the section itself', () => {
  const section = feed(100);
  const lists = new Lists(() => {});
  assert.equal(lists.whole(section), section);
  assert.equal(lists.left(section), 0);
});

test('a long one has a hundred at first, and a hundred more each time', async () => {
  let changes = 0;
  const lists = new Lists(() => { changes += 1; });
  const section = feed(250);
  assert.equal(lists.whole(section).items.length, 100);
  assert.equal(lists.left(section), 150);
  assert.equal(lists.whole(section), lists.whole(section), 'the same one while nothing comes');
  await lists.bring(section, undefined);
  assert.equal(lists.whole(section).items.length, 200);
  await lists.bring(section, undefined);
  assert.equal(lists.whole(section), section);
  assert.equal(lists.left(section), 0);
  assert.equal(changes, 2);
  await lists.bring(section, undefined);
  assert.equal(changes, 2, 'there is nothing more');
});

test('what does not stand in the page is asked for once all of the page is there, one request at a time', async () => {
  const asked = [];
  const fetch = async (_, fetched) => {
    asked.push(fetched);
    return itemsOf(20 + fetched, Math.min(20 + fetched + 100, 150));
  };
  const lists = new Lists(() => {});
  const section = feed(20, { more: { of: 'a', count: 130 } });
  assert.equal(lists.left(section), 130);
  await Promise.all([lists.bring(section, fetch), lists.bring(section, fetch)]);
  await lists.bring(section, fetch);
  await lists.bring(section, fetch);
  assert.deepEqual(asked, [0, 100]);
  assert.deepEqual(ids(lists.whole(section)), ids(feed(150)));
  assert.equal(lists.left(section), 0);
});

test('what was fetched of another list is nothing here', async () => {
  const lists = new Lists(() => {});
  await lists.bring(feed(20, { more: { of: 'a', count: 5 } }), async () => itemsOf(20, 25));
  const other = feed(20, { more: { of: 'b', count: 5 } });
  assert.equal(lists.whole(other), other);
  assert.equal(lists.left(other), 5);
});

test('a list whose rest is refused asks no more, and an edit of a section keeps what came', async () => {
  let count = 0;
  const refuse = async () => { count += 1; throw new Error('gone'); };
  const lists = new Lists(() => {});
  const section = feed(20, { more: { of: 'a', count: 5 } });
  await lists.bring(section, refuse);
  await lists.bring(section, refuse);
  assert.equal(count, 1);
  const other = new Lists(() => {});
  await other.bring(section, async () => itemsOf(20, 25));
  assert.equal(other.whole({ ...section, items: itemsOf(1, 20) }).items.length, 24);
});

test('what has one place for all its items brings no more of them', async () => {
  const lists = new Lists(() => assert.fail('nothing comes'));
  const section = { ...feed(250), layout: { style: 'carousel' } };
  await lists.bring(section, undefined);
  assert.equal(lists.whole(section).items.length, 100);
});
