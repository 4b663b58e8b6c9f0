import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

const { choicesFor, groupOf, isShown, operatorsFor, predicateOf } =
  await import('../../Sources/Service/Console/assets/lib/conditions.js');

const ios = { attribute: 'platform', in: ['ios'] };
const vip = { audience: 'vip' };

test('a group says the same as what it is made of', () => {
  for (const predicate of [
    { all: [ios, vip] }, { any: [ios] }, { not: ios }, { not: { any: [ios, vip] } }, { not: { all: [ios, vip] } },
    { not: { any: [{ not: vip }] } }, { all: [{ any: [vip, { not: ios }] }] },
  ]) {
    const { how, parts } = groupOf(predicate, '');
    assert.deepEqual(predicateOf(how, parts.map(({ part }) => part)), predicate);
  }
  const alone = groupOf(vip, '/audience');
  assert.deepEqual(predicateOf(alone.how, alone.parts.map(({ part }) => part), true), vip);
  assert.equal(predicateOf('any', []), undefined);
});

test('each part has the place that the server names', () => {
  const { parts } = groupOf({ not: { any: [ios, { not: vip }] } }, '/audience');
  assert.deepEqual(parts.map(({ pointer }) => pointer), ['/audience/not/any/0', '/audience/not/any/1']);
  assert.equal(groupOf(parts[1].part, parts[1].pointer).parts[0].pointer, '/audience/not/any/1/not');
});

test('what the builder cannot show is told', () => {
  for (const predicate of [vip, 'vip', ios, { any: [{ not: { all: ['vip', ios] } }] }]) assert.ok(isShown(predicate));
  for (const predicate of [
    null, 7, {}, { attribute: 'bucket' }, { ...ios, more: 1 }, { all: [7] }, { all: [], any: [] },
    { attribute: 'bucket', in: [1], below: 2 },
  ]) assert.equal(isShown(predicate), false, JSON.stringify(predicate));
});

test('an attribute has its own comparisons and choices', () => {
  const platform = { type: 'text', values: ['ios', 'web'] };
  assert.deepEqual(operatorsFor(platform, 'in'), ['in', 'notIn']);
  assert.deepEqual(operatorsFor({ type: 'version' }, 'matches').at(-1), 'matches');
  assert.deepEqual(choicesFor('platform', platform, 'in', ['iOS']), ['ios', 'web', 'iOS']);
  assert.deepEqual(choicesFor('beta', { type: 'flag' }, 'in', []), [true, false]);
  assert.deepEqual(choicesFor('locale', { type: 'locale' }, 'notIn', ['vi'], ['en']), ['en', 'vi']);
  assert.equal(choicesFor('bucket', { type: 'integer' }, 'in', [1]), null);
  assert.equal(choicesFor('platform', platform, 'matches', ['i']), null);
});
