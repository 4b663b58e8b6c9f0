import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { framesOf } from '../../clients/typescript/layout.js';

/** Points that no screen can tell apart are the same. */
const rounded = (number) => Math.round(number * 1e6) / 1e6;

for (const { name, width, scale, section, heights, widths = {}, height, cells } of JSON.parse(readFileSync(new URL('../LayoutCases/sections.json', import.meta.url), 'utf8'))) {
  test(name, () => {
    const frames = framesOf(section, width, (item) => heights[item.id] ?? 0, { scale, measureWidth: (item) => widths[item.id] ?? 0 });
    assert.deepEqual(frames.cells.map((cell) => [cell.part, cell.item?.id ?? null, ...[cell.x, cell.y, cell.width, cell.height].map(rounded)]),
      cells.map(([part, id, ...numbers]) => [part, id, ...numbers.map(rounded)]));
    assert.equal(rounded(frames.height), rounded(height));
  });
}
