import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { framesOf, leftOf, showing, sourceOf, staysOf } from '../../clients/typescript/layout.js';

/** Points that no screen can tell apart are the same. */
const rounded = (number) => Math.round(number * 1e6) / 1e6;

const casesOf = (file) => JSON.parse(readFileSync(new URL(`../LayoutCases/${file}`, import.meta.url), 'utf8'));
const files = ['sections', 'shelves', 'chrome', 'groups', 'separators', 'sizes', 'tabs', 'demo']
  .map((name) => `${name}.json`);
for (const aCase of files.flatMap(casesOf)) {
  const { name, width, screen, scale, direction, section, heights, widths = {}, lines = {} } = aCase;
  const { height, cells, lefts, leaves, scrolling, separators = [], background, sticky } = aCase;
  test(name, () => {
    const measureWidth = (item) => widths[item.id] ?? 0;
    const measure = (item, _, count) => (count ? lines[item.id]?.[count] : heights[item.id]) ?? 0;
    const frames = framesOf(section, width, measure, { screen, scale, measureWidth });
    const found = frames.cells.map(({ part, item, x, y, width, height }) =>
      [part, item?.id ?? null, ...[x, y, width, height].map(rounded)]);
    assert.deepEqual(found, cells.map(([part, id, ...numbers]) => [part, id, ...numbers.map(rounded)]));
    assert.equal(rounded(frames.height), rounded(height));
    if (lefts) {
      const found = frames.cells.map((cell) => rounded(leftOf(cell, width, direction)));
      assert.deepEqual(found, lefts.map(rounded));
    }
    if (leaves) {
      assert.deepEqual(
        frames.leaves.map(({ items, x, width }) => [items.map(({ id }) => id), rounded(x), rounded(width)]),
        leaves.map(([ids, ...numbers]) => [ids, ...numbers.map(rounded)]));
    }
    if (scrolling) {
      assert.deepEqual(
        { extent: rounded(frames.scrolling.extent), stops: frames.scrolling.stops.map(rounded) },
        { extent: rounded(scrolling.extent), stops: scrolling.stops.map(rounded) });
    } else if (section.layout.style !== 'carousel') assert.equal(frames.scrolling, null);
    const drawn = frames.cells.flatMap(({ separator }) => separator ?? []);
    assert.deepEqual(
      drawn.map(({ x, y, width, height }) => [x, y, width, height].map(rounded)),
      separators.map((line) => line.map(rounded)));
    if (background !== undefined) {
      const { x, y, width, height } = frames.background ?? {};
      assert.deepEqual(frames.background && [x, y, width, height].map(rounded), background?.map(rounded) ?? null);
    }
    const { y, until } = frames.sticky ?? {};
    assert.deepEqual(frames.sticky && [y, until].map(rounded), sticky?.map(rounded) ?? null);
  });
}

for (const { name, sections, top, screen, stays, at } of casesOf('../StickyCases/pages.json')) {
  test(`a page: ${name}`, () => {
    const found = staysOf(sections.map(({ height, ...section }) => ({ section, height })), top, screen);
    assert.deepEqual(
      found.map(({ sticky, above }) => [sticky?.y ?? null, sticky?.until ?? null, above].map((each) =>
        each === null ? null : rounded(each))),
      stays.map((stay) => stay.map((each) => each === null ? null : rounded(each))));
    for (const [section, far, y] of at) {
      const { sticky } = found[section];
      assert.equal(rounded(Math.min(Math.max(sticky.y, far), sticky.until)), rounded(y));
    }
  });
}

test('the words of docs/layout.md, computed with fractions, come to what the cases say', () => {
  const program = fileURLToPath(new URL('../LayoutCases/make.py', import.meta.url));
  const said = execFileSync('python3', ['-B', program, '--check'], { encoding: 'utf8' });
  assert.match(said, / 0 differ/);
});

for (const { name, picture, width, scale, url } of casesOf('../PictureCases/sources.json')) {
  test(`a picture: ${name}`, () => assert.equal(sourceOf(picture, width, scale), url));
}

test('a section shows one of its lists: the chosen one, or the first', () => {
  const lists = [{ id: 'popular', title: 'Popular' }, { id: 'new', title: 'New' }];
  const items = [
    { id: 'a', lists: ['popular'] }, { id: 'b', lists: ['new'] }, { id: 'c' }, { id: 'd', lists: ['new', 'popular'] },
  ];
  const shown = (choice) => {
    const { list, items: left } = showing({ id: 's', layout: { style: 'list' }, lists, items }, choice);
    return [list, left.map(({ id }) => id).join('')];
  };
  assert.deepEqual(shown('new'), ['new', 'bcd']);
  assert.deepEqual(shown(undefined), ['popular', 'acd']);
  assert.deepEqual(shown('gone'), ['popular', 'acd']);
  const plain = { id: 's', layout: { style: 'list' }, items };
  assert.equal(showing(plain, 'new'), plain);
});
