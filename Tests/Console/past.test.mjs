import './browser.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const { differences } = await import('../../Sources/Service/Console/assets/lib/merge.js');
const { formOf, pageSettingsOf, sectionIn, withAt, withItem, withPath } =
  await import('../../Sources/Service/Console/assets/lib/past.js');

const before = {
  id: 'otc', kind: 'banner', title: 'OTC', schedule: { from: 'a' },
  items: [
    { id: 'a', kind: 'x', content: { title: { en: 'A', vi: 'Á' } } }, { id: 'b', kind: 'x', children: [{ id: 'c' }] },
    { id: 'd', kind: 'x' }],
};
const after = {
  id: 'otc', kind: 'banner', hidden: true, schedule: { from: 'b' },
  items: [
    { id: 'd', kind: 'x' }, { id: 'a', kind: 'x', content: { title: { en: 'New', vi: 'Á' } } }, { id: 'e', kind: 'x' }],
};

test('all differences put back one after the other come to what was there', () => {
  const places = differences(before, after);
  const back = places.reduce((value, { path, mine }) => withPath(value, path, mine, before), after);
  assert.deepEqual(back, before);
  // The others stay.
  const title = places.find(({ path }) => path.at(-1) === 'en');
  assert.deepEqual(withPath(after, title.path, 'A', before).items[1].content.title, { en: 'A', vi: 'Á' });
  assert.equal(withPath(after, title.path, 'A', before).hidden, true);
});

test('an item that is gone comes back behind what it stood behind and is there still', () => {
  const [, , third] = before.items;
  const now = { items: [{ id: 'x' }, { id: 'a' }, { id: 'y' }] };
  const { items } = withPath(now, ['items', { id: 'd' }], third, before);
  assert.deepEqual(items.map(({ id }) => id), ['x', 'a', 'd', 'y']);
  assert.deepEqual(withPath({}, ['items', { id: 'd' }], third, before).items, [third]);
});

test('an order is put back, and what it does not name stays behind what it stands behind', () => {
  const now = { items: [{ id: 'd' }, { id: 'e' }, { id: 'a' }] };
  const { items } = withPath(now, ['items', '↕'], ['a', 'b', 'd']);
  assert.deepEqual(items.map(({ id }) => id), ['a', 'd', 'e']);
});

test('a value is put at a pointer, and taken away with what would be empty without it', () => {
  assert.deepEqual(withAt({ a: [{ 'b/c': 1 }] }, '/a/0/b~1c', (value) => value + 1), { a: [{ 'b/c': 2 }] });
  assert.deepEqual(withAt({ content: { title: { en: 'A' } } }, '/content/title/en', () => undefined), { content: {} });
  assert.deepEqual(withAt({ content: { text: 'A' } }, '/content/text', () => undefined), { content: {} });
  assert.deepEqual(withAt({}, '/content/title/en', () => 'A'), { content: { title: { en: 'A' } } });
  const content = withItem(before, 'c', (item) => withAt(item, '/kind', () => 'y'));
  assert.deepEqual(content.items[1].children, [{ id: 'c', kind: 'y' }]);
});

test('a section of a revision has its indices, and what a form edits', () => {
  const revision = {
    sections: [before], title: 'Home', revision: 7, locales: ['en'],
    sortRules: { default: { indices: { otc: 3 } }, vip: { indices: { otc: -1 } }, ios: { indices: {} } },
  };
  const found = sectionIn(revision, 'otc');
  assert.deepEqual([found?.section.index, found?.rules], [3, { vip: -1 }]);
  assert.equal(sectionIn(revision, 'gone'), null);
  assert.deepEqual(formOf(found?.section), {
    settings: { kind: 'banner', title: 'OTC', schedule: { from: 'a' } }, content: { items: before.items, slots: {} },
  });
  assert.deepEqual(pageSettingsOf(revision), { title: 'Home', locales: ['en'] });
});

test('no member of a page, a section or an item gets lost', () => {
  const file = new URL('../EveryMember/document.json', import.meta.url);
  const { p: page } = JSON.parse(readFileSync(file, 'utf8')).pages;
  const { sections, sortRules, ...settings } = page;
  assert.deepEqual(pageSettingsOf({ ...page, id: 'p', revision: 7 }), settings);
  const [{ id, items, slots, ...own }] = sections;
  assert.deepEqual(formOf(sections[0]), { settings: own, content: { items, slots } });
  assert.deepEqual(sectionIn(page, id)?.section, sections[0]);
  for (const whole of [settings, own, items[0], sortRules.other]) {
    for (const name of Object.keys(whole)) {
      const { [name]: gone, ...rest } = whole;
      const back = differences(whole, rest).reduce((value, { path, mine }) => withPath(value, path, mine, whole), rest);
      assert.deepEqual(back, whole, name);
    }
  }
});
