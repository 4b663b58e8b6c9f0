import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

const { addDays, addMonths, dayOf, daysOf, isShifted } =
  await import('../../Sources/Service/Console/assets/lib/days.js');

test('a month has whole weeks from Monday on', () => {
  const days = daysOf('2027-02-15', 'month');
  assert.deepEqual([days[0], days.at(-1), days.length], ['2027-02-01', '2027-02-28', 28]);
  const longer = daysOf('2026-11-22', 'month');
  assert.deepEqual([longer[0], longer.at(-1), longer.length], ['2026-10-26', '2026-12-06', 42]);
});

test('a week begins on Monday, also across the end of a year', () => {
  assert.deepEqual(daysOf('2027-01-01', 'week'), [
    '2026-12-28', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-01', '2027-01-02', '2027-01-03',
  ]);
});

test('days and months go on and back over ends', () => {
  assert.equal(addDays('2028-02-28', 1), '2028-02-29');
  assert.equal(addDays('2027-01-01', -1), '2026-12-31');
  assert.equal(addMonths('2027-01-31', 1), '2027-02-01');
  assert.equal(addMonths('2027-01-31', -1), '2026-12-01');
});

test('a day is shifted where its clocks are put forward or back, and no other', () => {
  const shifted = (/** @type {string} */ zone) =>
    daysOf('2027-11-01', 'month').filter((day) => isShifted(day, zone));
  assert.deepEqual(shifted('America/New_York'), ['2027-11-07']);
  assert.deepEqual(shifted('Asia/Shanghai'), []);
  assert.equal(isShifted('2027-03-28', 'Europe/Berlin'), true);
  assert.equal(isShifted('2027-04-04', 'Australia/Lord_Howe'), true);
});

test('an instant is of the day that the zone’s clocks show', () => {
  assert.equal(dayOf('2027-02-05T16:00:00Z', 'Asia/Shanghai'), '2027-02-06');
  assert.equal(dayOf('2027-02-05T16:00:00Z', 'America/New_York'), '2027-02-05');
});
