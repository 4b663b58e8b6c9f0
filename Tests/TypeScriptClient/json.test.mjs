import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { Decimal, applying, changesBetween, read, readPage, textOf } from '../../clients/typescript/index.js';
import { write } from '../../clients/typescript/json.js';
import { sha256 } from '../../clients/typescript/sha256.js';
import { documentOf } from './sample.mjs';

for (const text of [
  '0', '-0', '12345678901234567890', '0.1', '1e400', '-0.0000001', '1.5e-9', '100000000000000000000000',
  '9007199254740993', '[1,-0,2]', '123456789012345', '{"a":12345678901234567890,"b":[1e400,{"c":-0.0000001}]}',
  '{"1e5":"1e5","s":[100000000000000000000000,"12345678901234567890"]}', '["\\u0000",1e400,"\\u0000#","\\u0000##"]',
  '["\\\\\\"",12345678901234567890,"\\\\"]', '"\\u001f\u2028\\n\\\\/"', 'null', '{}', '[]', '[true,false]',
  '{"10":1,"9":2,"__proto__":{"x":12345678901234567890}}', '{"｝":1,"\u{1F600}":2}',
]) test(`${text} is written as it was read`, () => assert.equal(write(read(text)), text));

for (const text of [
  '', '{', '[1,]', '01', '-', '1.', '[12345678901234567890', '12345678901234567890x', '[12345678901234567890-1]',
  '012345678901234567890', '{"a" 12345678901234567890}', "{'a':1}", '[1e400,"]',
  '12345678901234567890 12345678901234567890', 'NaN', '"\n"',
]) {
  test(`${JSON.stringify(text)} is no JSON`, () => assert.throws(() => read(text), SyntaxError));
}

test('a number that a double holds is one; another keeps its text and counts as the nearest', () => {
  const [plain, long] = read('[42,12345678901234567890]');
  assert.equal(plain, 42);
  assert(long instanceof Decimal);
  assert.equal(long.text, '12345678901234567890');
  assert.equal(long + 0, 12345678901234567000);
  assert.equal(String(long), '12345678901234567890');
  assert.equal(JSON.stringify({ long }), '{"long":12345678901234567000}');
});

test('SHA-256 is that of others, at every length around a block', () => {
  for (let length = 0; length < 200; length += 1) {
    const text = 'ü'.repeat(length >> 1) + 'x'.repeat(length & 1);
    assert.equal(sha256(text), createHash('sha256').update(text).digest('hex'));
  }
});

for (const changes of [
  { page: 'other' }, { from: 'x' },
  { sections: { deletes: [5] } }, { sections: { deletes: [0, 0] } }, { sections: { deletes: [-1] } },
  { sections: { deletes: ['length'] } }, { sections: { deletes: [0.5] } },
  { sections: { moves: [{ from: 0, to: 9 }] } }, { sections: { moves: [{ from: 0, to: -1 }] } },
  { sections: { moves: [{ from: 0, to: 1 }, { from: 1, to: 1 }] } },
  { sections: { inserts: [{ at: 0 }] } }, { sections: { inserts: [{ at: 99, section: {} }] } },
  { sections: { updates: [{ at: 9 }] } },
  { sections: { updates: [{ at: 0, items: { deletes: [7] } }] } },
]) {
  test(`a set that does not fit is refused: ${JSON.stringify(changes)}`, () => {
    const page = readPage(documentOf('first'), 'home');
    assert.throws(() => applying(page, { page: 'home', from: page.version, to: 'x', ...changes }));
    assert.equal(textOf(page), documentOf('first'));
  });
}

test('what leads from one page to another has the fewest moves', () => {
  const page = (version, ids) => ({
    page: 'home', version, locale: 'en', sortRule: 'default',
    sections: [...ids].map((id) => ({ id, kind: 'k', index: 0, layout: { style: 'list' } })),
  });
  for (const [old, next, moves] of [
    ['0123456', '0345612', 2], ['12345', '52341', 2], ['1234567890', '34567890ab', 0], ['abc', 'cxb', 1],
    ['aab', 'baa', 1], ['', 'a', 0],
  ]) {
    const changes = changesBetween(page('a', old), page('b', next));
    assert.equal(changes.sections?.moves?.length ?? 0, moves, `${old} ${next}`);
    assert.deepEqual(applying(page('a', old), changes), page('b', next));
  }
  assert.deepEqual(changesBetween(page('a', 'x'), page('a', 'x')), { page: 'home', from: 'a', to: 'a' });
});

test('every member that a page may have is written in its place, wherever a change set put it', () => {
  const text = documentOf('beyond');
  const page = readPage(text, 'home');
  const shuffled = (value) => Array.isArray(value) ? value.map(shuffled) : value && typeof value === 'object'
    ? Object.fromEntries(Object.entries(value).reverse().map(([name, part]) => [name, shuffled(part)])) : value;
  assert.equal(textOf(shuffled(page)), text);
  const layout = '{"style":"shelf","rows":[2],"rowCount":3,"columns":{"minimum":160},"alignment":"center",'
    + '"peek":{"leading":5,"trailing":20},"paging":"none","itemSize":{"width":{"fraction":0.92,"of":"screen"},'
    + '"height":{"fraction":0.5,"of":"screen"}}}';
  const shelf = `{"page":"home","version":"a","sections":[{"id":"s","kind":"k","index":0,"layout":${layout}}]}`;
  assert.equal(textOf(shuffled(JSON.parse(shelf))), shelf);
});
