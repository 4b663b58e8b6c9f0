import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

const { ServerClock } = await import('../../Sources/Service/Console/assets/lib/clock.js');

/** Answers of a server whose clock is so far ahead, each under way for 40 ms, at some times of this clock. */
function heard(/** @type {number} */ ahead, /** @type {number[]} */ times) {
  const clock = new ServerClock();
  for (const sent of times) clock.hear(Math.floor((sent + 20 + ahead) / 1000) * 1000, sent, sent + 40);
  return clock;
}

test('an instant is never expected later than it comes, and soon not much earlier', () => {
  for (const ahead of [0, 700, -1500, 3 * 3_600_000 + 350, -3 * 3_600_000 - 900]) {
    const few = heard(ahead, [10_010]).until(1_000_000 + ahead, 999_000);
    assert.ok(few.least <= 1000 && few.most >= 1000 && few.most - few.least <= 1040, JSON.stringify({ ahead, few }));
    const many = heard(ahead, [10_010, 12_230, 15_470, 17_720, 20_950, 23_110]).until(1_000_000 + ahead, 999_000);
    assert.ok(many.least <= 1000 && many.most >= 1000 && many.most - many.least <= 400,
      JSON.stringify({ ahead, many }));
  }
});

test('clocks that agree are not told apart, and one that is set is followed', () => {
  const clock = heard(0, [10_010, 12_500]);
  assert.equal(clock.at(20_000), 20_000);
  clock.hear(7_200_000, 20_000, 20_040);
  assert.ok(Math.abs(clock.at(20_040) - 7_200_000) <= 1000);
});

test('before any answer the time is the one here', () => {
  assert.equal(new ServerClock().at(5), 5);
  assert.deepEqual(new ServerClock().until(7, 5), { least: 2, most: 2 });
});
