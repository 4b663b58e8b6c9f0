// How often a client asks at most, whatever calls it.

import assert from 'node:assert/strict';
import test from 'node:test';
import { HearthClient } from '../../clients/typescript/index.js';
import { TestClock, documentOf, follow } from './sample.mjs';

const server = 'https://home.example.com';

/** A client on a clock of its own whose requests are noted with their times. */
function start(answer, settings = {}) {
  const clock = new TestClock();
  const asked = [];
  const fetch = async (_, { headers }) => {
    asked.push({ at: clock.time, ...headers });
    return answer(asked.length);
  };
  const client = new HearthClient({ server, fetch, clock, random: () => 0, ...settings });
  const over = new AbortController();
  return { client, clock, asked, over, times: () => asked.map(({ at }) => at) };
}
const page = (number = 1, fields = {}) => new Response(
  documentOf(['first', 'second', 'third'][number % 3]), { headers: { 'Hearth-Revision': `1.${number}`, ...fields } });
const refused = (status, fields) => new Response('{"code":"too-many-requests"}', { status, headers: fields });

test('whatever calls it, a client asks once a second', async () => {
  const { client, clock, over, times } = start(page);
  follow(client, over.signal);
  for (let count = 0; count < 490; count += 1) {
    client.refresh();
    await clock.advance(20);
  }
  over.abort();
  assert.deepEqual(times(), [0, 1000, 2000, 3000, 4000, 5000, 6000, 7000, 8000, 9000]);
});

test('polls one after the other are a second apart', async () => {
  const { client, clock, times } = start(page);
  (async () => { for (let count = 0; count < 4; count += 1) await client.poll(); })();
  await clock.advance(10_000);
  assert.deepEqual(times(), [0, 1000, 2000, 3000]);
});

test('a poll that was given up while it waited for its second takes none from others', async () => {
  const { client, clock, times } = start(page);
  await client.poll();
  for (let count = 0; count < 20; count += 1) {
    const given = new AbortController();
    const poll = client.poll(given.signal);
    await clock.advance(10);
    given.abort();
    await assert.rejects(poll, { name: 'AbortError' });
  }
  const poll = client.poll();
  await clock.advance(1000);
  await poll;
  assert.deepEqual(times(), [0, 1000]);
});

test('a page that changes at each poll is asked for once a second by a client that waits', async () => {
  const { client, clock, over, asked } = start(page, { wait: 50 });
  follow(client, over.signal);
  await clock.advance(11_500);
  over.abort();
  assert.equal(asked.length, 12);
  assert(asked.slice(1).every(({ Prefer }) => Prefer === 'wait=50'));
});

test('a server that asks to be left alone is, whatever calls the client', async () => {
  const answer = (count) => count === 2 ? refused(429, { 'Retry-After': '3600' }) : page(count);
  const { client, clock, over, times } = start(answer, { timing: { maxAge: 10 } });
  const said = follow(client, over.signal);
  await clock.advance(10_000);
  assert.equal(said.at(-1).error.retryAfter, 3600);
  for (let count = 0; count < 50; count += 1) {
    client.refresh();
    await assert.rejects(client.poll(), { kind: 'refused', status: 429 });
    await assert.rejects(client.get('/v1/pages/home/sections/feed/items?cursor=a'), { status: 429 });
    await clock.advance(20);
  }
  await assert.rejects(client.poll(), { retryAfter: 3599 });
  await clock.advance(3_599_000);
  over.abort();
  assert.deepEqual(times(), [0, 10_000, 3_610_000]);
  assert.equal(said.at(-1).name, 'upToDate');
});

test('a refusal of a part of the page counts for all', async () => {
  const isPart = (url) => url.includes('/items');
  const asked = [];
  const clock = new TestClock();
  const fetch = async (url) => {
    asked.push(clock.time);
    return isPart(url) ? refused(429, { 'Retry-After': '3600' }) : page(1, { 'Cache-Control': 'max-age=5' });
  };
  const client = new HearthClient({ server, fetch, clock, random: () => 0 });
  const over = new AbortController();
  follow(client, over.signal);
  await clock.advance(1000);
  for (let count = 0; count < 50; count += 1) {
    await assert.rejects(client.get('/v1/pages/home/sections/feed/items?cursor=a'), { status: 429 });
    await clock.advance(20);
  }
  await clock.advance(3_599_000);
  over.abort();
  assert.deepEqual(asked, [0, 1000, 3_601_000]);
});
