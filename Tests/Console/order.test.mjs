import assert from 'node:assert/strict';
import test from 'node:test';
import {
  carried, contestedMoves, indicesOf, mergeOrders, moved, movedBy, movedSections, movedTogether, orderBy, orderOf,
  rebased, sharedPlaces, withIndex,
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

const isBefore = (order, left, right) => order.indexOf(left) < order.indexOf(right);
const pairs = (ids) => ids.flatMap((left) => ids.filter((right) => right !== left).map((right) => [left, right]));

/** Each pair that one side turned round stands as it does there. */
function keepsBoth(base, sides, merged) {
  assert.deepEqual([...merged].sort(), [...base].sort(), 'each once');
  for (const [left, right] of pairs(base)) {
    if (!isBefore(base, left, right)) continue;
    if (sides.some((side) => isBefore(side, right, left))) {
      assert.ok(isBefore(merged, right, left), `${right} before ${left} in ${merged} of ${sides.join(' and ')}`);
    }
  }
}

test('a move of each of two sections is kept, wherever they go', () => {
  const base = [...'abcde'];
  for (const [mine, theirs] of pairs(base)) {
    for (const [place, other] of base.flatMap((_, one) => base.map((_, two) => [one, two]))) {
      const sides = [moved(base, mine, place), moved(base, theirs, other)];
      const { order, contested } = mergeOrders(base, ...sides);
      assert.deepEqual(contested, [], sides.join(' and '));
      keepsBoth(base, sides, order);
    }
  }
});

test('moves of several sections that do not touch are all kept', () => {
  let seed = 7;
  const random = (below) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor(seed / 65536) % below;
  };
  const base = [...'abcdefghijkl'];
  let count = 0;
  for (let round = 0; round < 2000; round += 1) {
    const sides = [0, 1].map(() => [1, 2, 3].reduce((order) => moved(order, base[random(12)], random(12)), base));
    const [own, other] = sides.map((side) => movedSections(base, side));
    const { order, contested } = mergeOrders(base, ...sides);
    assert.equal(new Set(order).size, base.length);
    if ([...own].some((id) => other.has(id))) continue;
    count += 1;
    assert.deepEqual(contested, []);
    keepsBoth(base, sides, order);
  }
  assert.ok(count > 500);
});

test('what both moved, to different places, is contested, and all else is kept', () => {
  const [base, mine, theirs] = ['abcdefgh', 'hacbdefg', 'abcdhegf'].map((ids) => [...ids]);
  assert.deepEqual(mergeOrders(base, mine, theirs).contested, ['h']);
  assert.equal(mergeOrders(base, mine, theirs).order.join(''), 'hacbdegf');
  assert.equal(mergeOrders(base, mine, theirs, 'theirs').order.join(''), 'acbdhegf');
  assert.deepEqual(mergeOrders(base, theirs, theirs), { order: theirs, contested: [] });
});

test('two that were moved to one place both stand there, whoever was first, and are told of', () => {
  const [base, mine, theirs] = ['abcxdy', 'axbcdy', 'aybcxd'].map((ids) => [...ids]);
  for (const sides of [[mine, theirs], [theirs, mine]]) {
    const { order, contested } = mergeOrders(base, ...sides);
    assert.deepEqual([order.join(''), contested], ['ayxbcd', []]);
    assert.deepEqual(sharedPlaces(base, ...sides, order), [['y', 'x']]);
  }
  assert.deepEqual(sharedPlaces(base, mine, [...'yabcxd'], [...'yaxbcd']), []);
  assert.deepEqual(sharedPlaces(base, mine, mine, mine), []);
});

const draftOf = (ids) => ({ sections: [...ids].map((id, index) => ({ id, index })) });
const movesOf = (ids, order, typed = {}) => {
  const draft = draftOf(ids);
  return { tag: '1', base: [...ids], indices: indicesOf(draft, 'default'), typed, order: [...order] };
};

test('moves are carried over what others did, and are mine alone', () => {
  const moves = carried(draftOf('abdce'), 'default', '2', movesOf('abcde', 'eabcd'));
  assert.deepEqual([moves.order.join(''), moves.tag, [...movedBy(moves)]], ['eabdc', '2', ['e']]);
  const fewer = carried(draftOf('axcde'), 'default', '2', movesOf('abcde', 'eabcd'));
  assert.equal(fewer.order.join(''), 'eaxcd');
  assert.equal(carried(draftOf('abdc'), 'default', '2', movesOf('abcde', 'eabcd')), null, 'what was moved is gone');
  assert.equal(carried(draftOf('eabcd'), 'default', '2', movesOf('abcde', 'eabcd')), null, 'it is there already');
});

test('of two that changed places the one that was taken hold of has moved', () => {
  for (const own of ['a', 'b']) {
    const moves = carried(draftOf('abc'), 'default', '1', { ...movesOf('abc', 'bac'), own: [own] });
    assert.deepEqual([...movedBy(moves)], [own]);
  }
});

test('what is contested stays as it was, until a side is chosen', () => {
  const [draft, moves] = [draftOf('abecd'), movesOf('abcde', 'eabcd')];
  assert.deepEqual(contestedMoves(draft, 'default', moves), ['e']);
  const kept = carried(draft, 'default', '2', moves);
  assert.deepEqual([kept.tag, kept.base.join(''), kept.order.join('')], ['1', 'abcde', 'eabcd']);
  assert.equal(carried(draft, 'default', '2', moves, 'theirs'), null);
  assert.deepEqual(carried(draft, 'default', '2', moves, 'mine').order.join(''), 'eabcd');
});

test('an index that both typed is contested as well, and one of a section that is gone is dropped', () => {
  const draft = draftOf('abc');
  draft.sections[2].index = 9;
  assert.deepEqual(contestedMoves(draft, 'default', movesOf('abc', 'abc', { c: 5 })), ['c']);
  assert.deepEqual(contestedMoves(draft, 'default', movesOf('abc', 'abc', { b: 1, c: 9 })), []);
  assert.equal(carried(draftOf('ab'), 'default', '2', movesOf('abc', 'abc', { c: 5 })), null);
});
