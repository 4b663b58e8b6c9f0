import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { framesOf } from '../../clients/typescript/layout.js';

/** Points that no screen can tell apart are the same. */
const rounded = (number) => Math.round(number * 1e6) / 1e6;

const cases = JSON.parse(readFileSync(new URL('../LayoutCases/sections.json', import.meta.url), 'utf8'));
for (const { name, width, scale, section, heights, widths = {}, height, cells } of cases) {
  test(name, () => {
    const measureWidth = (item) => widths[item.id] ?? 0;
    const frames = framesOf(section, width, (item) => heights[item.id] ?? 0, { scale, measureWidth });
    const found = frames.cells.map(({ part, item, x, y, width, height }) =>
      [part, item?.id ?? null, ...[x, y, width, height].map(rounded)]);
    assert.deepEqual(found, cells.map(([part, id, ...numbers]) => [part, id, ...numbers.map(rounded)]));
    assert.equal(rounded(frames.height), rounded(height));
  });
}
