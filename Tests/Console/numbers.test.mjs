// What people type where a number belongs: read where it means one thing, and refused where it may mean two.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

const { setLanguage } = await import('../../Sources/Service/Console/assets/lib/i18n.js');
const { readNumber, writtenNumber } = await import('../../Sources/Service/Console/assets/lib/numbers.js');

/** What is typed, and what is kept of it as JSON. */
const numbers = [
  ['129.50', '129.5'], ['0.99', '0.99'], ['1.5', '1.5'], ['1', '1'], ['0', '0'], ['-0', '0'], ['007', '7'],
  ['1,290.50', '1290.5'], ['1,290', '1290'], ['1,290,000', '1290000'], ['1\u00A0290\u00A0000.5', '1290000.5'],
  ['1\u202F290', '1290'], ['12\u00A0290', '12290'], ['  42  ', '42'], ['\u200E42\u200F', '42'],
  ['１２９', '129'], ['１２９．５', '129.5'], ['１，２９０', '1290'], ['129。5', '129.5'], ['\u3000129\u3000', '129'],
  ['-5', '-5'], ['−5', '-5'], ['－5', '-5'], ['- 5', '-5'], ['+5', '5'], ['5.', '5'], ['.5', '0.5'], ['-.5', '-0.5'],
  ['0.500', '0.5'], ['0.125', '0.125'], ['1.333', '1.333'], ['1290.500', '1290.5'], ['1.50', '1.5'],
  ['1.2900', '1.29'], ['1e5', '100000'], ['1E5', '100000'], ['2.5e-3', '0.0025'], ['1e+2', '100'], ['1.e2', '100'],
  ['9007199254740991', '9007199254740991'], ['9007199254740993', '9007199254740993'],
  ['1152921504606846976', '1152921504606846976'], ['-9007199254740993', '-9007199254740993'],
  ['9,007,199,254,740,993', '9007199254740993'], ['0.12345678901234567890', '0.12345678901234567890'],
  ['3.14159265358979323846', '3.14159265358979323846'], ['123456789.123456789', '123456789.123456789'],
  ['0.1000000000000000000000', '0.1'], ['100000000000000000000000', '1e+23'],
];
for (const [typed, kept] of numbers) {
  test(`“${typed}” is ${kept}`, () => {
    const read = readNumber(typed);
    // Where JSON cannot be written as it is, what a double cannot hold is refused.
    if (!JSON.rawJSON && String(Number(kept)) !== kept) {
      assert.match(read.reason ?? '', /fewer digits|减少位数/);
      return;
    }
    assert.equal(read.reason, undefined);
    assert.equal(JSON.stringify(read.value), kept);
    // What is shown once the field is left is read as the same number.
    assert.equal(JSON.stringify(readNumber(writtenNumber(read.value)).value), kept);
  });
}

/** What is refused, with what would be clear. */
const refused = [
  ['1.290.000', ['1290000']], ['1,5', ['1.5', '15']], ['0,99', ['0.99']], ['129,50', ['129.5', '12950']],
  ['1.290,50', ['1290.5']], ['1.290', ['1.29', '1290']], ['129.000', ['129', '129000']],
  ['-129.000', ['-129', '-129000']], ['0,290', ['0.29']], ['1,29,000', ['129000']], ['1’290', ['1290']],
  ['12 34', ['1234']], ['1 290 000.5', ['1290000.5']], ['129 500', ['129500']], ['1 290,5', ['1290.5']],
  ['129\t500', ['129500']], ['１，５', ['1.5', '15']], ['1,290.5,0', []], ['1.2.3', []], ['1,,5', []],
];
for (const [typed, clear] of refused) {
  test(`“${typed}” is refused, with what would be clear`, () => {
    setLanguage('en');
    const { value, reason } = readNumber(typed);
    assert.equal(value, undefined);
    const end = clear.length > 0 ? `Write ${clear.join(' or ')}.` : 'is no number. Write one such as 1290.5.';
    assert.ok(reason.startsWith(`“${typed}”`) && reason.endsWith(end), reason);
    for (const each of clear) assert.equal(writtenNumber(readNumber(each).value), each);
    setLanguage('zh-Hans');
    const { reason: chinese } = readNumber(typed);
    assert.match(chinese, /^“.*”[^a-z]*。$/);
  });
}

for (const typed of [
  'abc', '12a', '¥129', '129元', '50%', '--5', '+-5', '5-', '.', ',', '-', '+', 'e5', '1e', '1e5.5', '0x10', 'Infinity',
  'NaN', '5²', '½', '٣', '1/2', '1_000', '1\n290', '1e400', '-1e400', '1e-400', '5,', ',5', '1 2 3', '()', '1;2',
]) {
  test(`“${typed.replace('\n', '↵')}” is no number`, () => {
    const { value, reason } = readNumber(typed);
    assert.equal(value, undefined);
    assert.ok(reason);
  });
}

test('nothing typed is nothing', () => {
  for (const typed of ['', '  ', '\u3000', '\u200B']) assert.deepEqual(readNumber(typed), {});
});

test('a whole number has no decimals, also one that a double cannot hold', () => {
  for (const typed of ['1.5', '0.1', '1e-1', '9007199254740993.5']) {
    assert.match(readNumber(typed, { isWhole: true }).reason ?? '', /whole|整数/);
  }
  for (const typed of ['5.0', '5.', '1e2', '1.5e1', '9007199254740992', '1,290']) {
    assert.equal(readNumber(typed, { isWhole: true }).reason, undefined);
  }
});

test('bounds are told where the server is not asked', () => {
  setLanguage('en');
  assert.equal(readNumber('0', { least: 1, most: 9 }).reason, 'This must be from 1 to 9.');
  assert.equal(readNumber('10', { least: 1, most: 9 }).reason, 'This must be from 1 to 9.');
  assert.deepEqual(readNumber('9', { least: 1, most: 9 }), { value: 9 });
  assert.equal(readNumber('-5', { isWhole: true, least: 0 }).reason, 'This must be at least 0.');
  assert.equal(readNumber('8', { most: 7 }).reason, 'This must be at most 7.');
});

test('a field shows a number as it can be read again, and whatever else there is as it is', () => {
  assert.deepEqual([undefined, null, 0, 1290.5, 1e21, 1e-7, 'x', { a: 1 }].map(writtenNumber),
    ['', '', '0', '1290.5', '1e+21', '1e-7', 'x', '{"a":1}']);
});
