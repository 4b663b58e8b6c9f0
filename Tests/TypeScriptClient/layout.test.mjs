import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { framesOf, leftOf } from '../../clients/typescript/layout.js';

/** Points that no screen can tell apart are the same. */
const rounded = (number) => Math.round(number * 1e6) / 1e6;

const casesOf = (file) => JSON.parse(readFileSync(new URL(`../LayoutCases/${file}`, import.meta.url), 'utf8'));
for (const aCase of [...casesOf('sections.json'), ...casesOf('shelves.json')]) {
  const { name, width, screen, scale, direction, section, heights, widths = {} } = aCase;
  const { height, cells, lefts, leaves, scrolling } = aCase;
  test(name, () => {
    const measureWidth = (item) => widths[item.id] ?? 0;
    const frames = framesOf(section, width, (item) => heights[item.id] ?? 0, { screen, scale, measureWidth });
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
  });
}
