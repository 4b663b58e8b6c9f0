// Days of the calendar as `2027-02-05`, apart from any zone.

import { ahead, localTime } from './i18n.js';

const day = (/** @type {Date} */ date) => date.toISOString().slice(0, 10);
const dateOf = (/** @type {string} */ text) => new Date(`${text}T00:00:00Z`);

/** The day that a zone's clocks show at an instant. */
export const dayOf = (/** @type {string} */ instant, /** @type {string} */ zone) =>
  localTime(instant, zone).slice(0, 10);

/** Whether a zone's clocks are put forward or back within a day, so that some of its times may be there twice. */
export function isShifted(/** @type {string} */ text, /** @type {string} */ zone) {
  const hour = 3_600_000;
  const begin = dateOf(text).getTime() - 15 * hour;
  // No day begins or ends further away from that of UTC.
  if (ahead(begin, zone) === ahead(begin + 54 * hour, zone)) return false;
  const hours = Array.from({ length: 55 }, (_, number) => begin + number * hour)
    .filter((instant) => dayOf(new Date(instant).toISOString(), zone) === text);
  return new Set(hours.map((instant) => ahead(instant, zone))).size > 1;
}

export function addDays(/** @type {string} */ text, /** @type {number} */ count) {
  const date = dateOf(text);
  date.setUTCDate(date.getUTCDate() + count);
  return day(date);
}

/** The first day of the month so many months on. */
export function addMonths(/** @type {string} */ text, /** @type {number} */ count) {
  const date = dateOf(`${text.slice(0, 7)}-01`);
  date.setUTCMonth(date.getUTCMonth() + count);
  return day(date);
}

/** The days of the weeks, from Monday on, that a day's week or month is in. */
export function daysOf(/** @type {string} */ text, /** @type {string} */ span) {
  const monday = (/** @type {string} */ of) => addDays(of, -((dateOf(of).getUTCDay() + 6) % 7));
  const first = monday(span === 'month' ? addMonths(text, 0) : text);
  const end = span === 'month' ? addMonths(text, 1) : addDays(first, 7);
  const days = [];
  for (let at = first; at < end || days.length % 7 !== 0; at = addDays(at, 1)) days.push(at);
  return days;
}
