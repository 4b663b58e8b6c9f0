// A member that is there twice is found, and nothing else is taken for one.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { repeatedMember } from '../../Sources/Service/Console/assets/lib/members.js';

test('a member that is there twice is found where it stands again', () => {
  assert.deepEqual(repeatedMember('{"items": [],\n  "items": [1]}'), { name: 'items', line: 2, column: 3 });
  assert.deepEqual(repeatedMember('[{"a": {"b": 1, "\\u0062" : 2}}]'), { name: 'b', line: 1, column: 17 });
});

test('the same name in other objects, and texts that look like members, are none', () => {
  for (const value of [
    { a: { a: 1 }, b: [{ a: 1 }, { a: 2 }], c: '"a": 1, "a": 2', d: ['a', 'a', 'a:'], 'x"': '\\', 'e:': 'e' }, [], 'a:',
    7, null, { '{': ']', '}': '[' },
  ]) assert.equal(repeatedMember(JSON.stringify(value, null, 2)), null);
});
