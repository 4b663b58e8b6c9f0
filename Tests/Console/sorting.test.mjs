import assert from 'node:assert/strict';
import test from 'node:test';
import { positionBetween } from '../../Sources/Service/Console/assets/lib/order.js';

for (const [neighbours, position] of [
  [{ before: 'c', after: 'd' }, 2], [{ before: null, after: 'a' }, 0],
  [{ before: 'd', after: null }, 3], [{ before: null, after: null }, 1],
]) {
  test(`a drop between ${neighbours.before} and ${neighbours.after} means position ${position}`, () => {
    assert.equal(positionBetween(['a', 'b', 'c', 'd'], 'b', neighbours), position);
  });
}
