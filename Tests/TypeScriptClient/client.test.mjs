import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import zlib from 'node:zlib';
import { ClientError, bucketOf, readPage } from '../../clients/typescript/index.js';
import { QuickClient, answering, documentOf, keptIn, memory, recordOf, withServer } from './sample.mjs';

const server = 'https://home.example.com';
const first = readPage(documentOf('first'), 'home');
/** What `states` says until it has said it so often. */
async function take(client, count) {
  const taken = [];
  for await (const state of client.states()) if (taken.push(state) === count) break;
  return taken;
}
const isKind = (kind) => (error) => error instanceof ClientError && error.kind === kind;
/** What never comes, and ends with its signal. */
const never = (signal) => new Promise((_, stop) => signal.addEventListener('abort', () => stop(signal.reason)));

test('what the client tells of itself is in the query, escaped and in one order', async () => {
  const parameters = {
    platform: 'web', appVersion: '5.1.0+7', locale: 'zh-Hans', bucket: 7, city: '广 州&b=1', nothing: undefined,
  };
  const client = new QuickClient({
    server: `${server}/base/`, page: 'activity', parameters, clientKey: 'key', fetch: answering('activity'),
  });
  await client.poll();
  assert.equal(client.url, `${server}/base/v1/pages/activity` +
    '?appVersion=5.1.0%2B7&bucket=7&city=%E5%B9%BF%20%E5%B7%9E%26b%3D1&locale=zh-Hans&platform=web');
  assert.equal(client.settings.fetch.asked[0]['Hearth-Client-Key'], 'key');
});

test('the page that was kept is shown first, and confirmed', async () => {
  const storage = memory();
  const clock = { ...realClock, date: () => 1000 };
  const online = new QuickClient({ server, storage, clock, fetch: answering('first') });
  await online.poll();
  assert.equal(storage.saved, 1);
  await online.poll();
  assert.equal(storage.saved, 1, 'the same page is kept once');
  const later = { ...clock, date: () => 5000 };
  const offline = new QuickClient({ server, storage, clock: later, fetch: answering(new TypeError('offline')) });
  const [cached, stale] = await take(offline, 2);
  assert.deepEqual([cached.name, cached.since, cached.page, offline.revision], ['cached', 1000, first, '1.7']);
  assert.deepEqual([stale.name, stale.since, stale.page, stale.error.kind], ['stale', 1000, first, 'unreachable']);
  assert(stale.retryIn > 0);
});

const realClock = {
  now: () => performance.now(), date: () => Date.now(),
  sleep: (milliseconds) => new Promise((wake) => { if (milliseconds <= 2000) setTimeout(wake, milliseconds); }),
};

test('a kept page from the future was not confirmed later than now', async () => {
  const storage = memory(recordOf('first', { since: 9e15 }));
  const clock = { ...realClock, date: () => 7 };
  const client = new QuickClient({ server, storage, clock, fetch: answering(new TypeError('offline')) });
  const [state] = await take(client, 1);
  assert.equal(state.since, 7);
});

test('a clock that jumps changes no pause', async () => {
  const dates = [1e12, 0, 4e12];
  const sleeps = [];
  let time = 0;
  const clock = {
    now: () => time, date: () => dates.shift() ?? 5,
    sleep: async (milliseconds, signal) => {
      if (milliseconds === 20_000) return never(signal);
      sleeps.push(milliseconds);
      time += milliseconds;
    },
  };
  const fetch = answering('first', 'second', 'third', 'first');
  const client = new QuickClient({ server, clock, random: () => 0, fetch });
  await take(client, 5);
  assert.deepEqual(sleeps, [30_000, 30_000, 30_000]);
});

for (const [what, change] of [
  ['was cut', (text) => text.slice(0, -40)], ['was cut in its head', (text) => text.slice(0, 10)],
  ['is foreign', () => 'nothing of ours'],
  ['was damaged', (text) => text.replace('News 1', 'News 7')], ['is empty', () => ''],
  ['is another page', () => recordOf('activity')],
]) {
  test(`what was kept and ${what} is not shown, and the page is asked for whole`, async () => {
    const storage = memory(change(recordOf('first')));
    const reports = [];
    const fetch = answering('second');
    const client = new QuickClient({ server, storage, fetch, report: (error) => reports.push(error.kind) });
    const [state] = await take(client, 1);
    assert.deepEqual([state.name, state.page, client.revision], ['noData', null, null]);
    await client.poll();
    assert.equal(fetch.asked[0]['If-None-Match'], undefined);
    assert.deepEqual(reports, storage.text === '' || what === 'is empty' ? [] : ['storage']);
    assert.equal(keptIn(storage.text), documentOf('second'));
  });
}

test('what another version of the app kept is shown, and asked for whole', async () => {
  const storage = memory();
  await new QuickClient({ server, storage, parameters: { appVersion: '1.0.0' }, fetch: answering('first') }).poll();
  const fetch = answering('first', 'second');
  const client = new QuickClient({ server, storage, parameters: { appVersion: '2.0.0' }, fetch });
  const [state] = await take(client, 1);
  assert.deepEqual([state.name, state.page.version], ['cached', first.version]);
  await client.poll();
  assert.equal(fetch.asked[0]['If-None-Match'], undefined);
  assert.equal(storage.saved, 2);
  await client.poll();
  assert.equal(fetch.asked[1]['If-None-Match'], `W/"${first.version}"`);
});

test('what another server left is not shown', async () => {
  const storage = memory();
  await new QuickClient({ server: 'https://staging.example.com', storage, fetch: answering('first') }).poll();
  const [state] = await take(new QuickClient({ server, storage, fetch: answering('first') }), 1);
  assert.equal(state.name, 'noData');
});

test('storage that is full, read-only or broken is reported, and the page is shown', async () => {
  for (const broken of [
    { load: () => null, save: () => { throw new Error('full'); } },
    { load: () => null, save: () => Promise.reject(new Error('read-only')) },
    { load: () => Promise.reject(new Error('broken')), save() {} },
  ]) {
    const reports = [];
    const report = (error) => reports.push(error.kind);
    const client = new QuickClient({ server, storage: broken, fetch: answering('first'), report });
    const [, state] = await take(client, 2);
    await new Promise(setImmediate);
    // Each answer, and the end, tries again to keep it.
    assert.deepEqual([state.name, [...new Set(reports)]], ['upToDate', ['storage']]);
  }
});

test('storage that is slow keeps the newest page, and holds up no poll', async () => {
  const saves = [];
  const storage = { load: () => null, save: (text) => new Promise((done) => saves.push({ text, done })) };
  const client = new QuickClient({ server, storage, fetch: answering('first', 'second', 'third') });
  for (let count = 0; count < 3; count += 1) await client.poll();
  assert.equal(saves.length, 1);
  saves[0].done();
  await new Promise(setImmediate);
  assert.equal(keptIn(saves[1].text), documentOf('third'));
  saves[1].done();
});

test('polls at the same time share one request, which ends when nobody wants it', async () => {
  const signals = [];
  let answer;
  const fetch = (_, { signal }) => new Promise((resolve, stop) => {
    signals.push(signal);
    signal.addEventListener('abort', () => stop(signal.reason));
    answer = () => resolve(new Response(documentOf('first')));
  });
  const client = new QuickClient({ server, fetch });
  const [one, two] = [new AbortController(), new AbortController()];
  const polls = [client.poll(one.signal), client.poll(two.signal), client.poll()];
  await new Promise(setImmediate);
  assert.equal(signals.length, 1);
  one.abort();
  await assert.rejects(polls[0], { name: 'AbortError' });
  assert.equal(signals[0].aborted, false);
  answer();
  assert.deepEqual((await Promise.all(polls.slice(1))).map(({ page }) => page.version), [first.version, first.version]);
  const last = client.poll(two.signal);
  await new Promise(setImmediate);
  two.abort();
  await assert.rejects(last, { name: 'AbortError' });
  assert.equal(signals[1].aborted, true);
});

test('whoever asks when others have just given up is answered', async () => {
  const answers = [(_, { signal }) => never(signal), async () => new Response(documentOf('first'))];
  const client = new QuickClient({ server, fetch: (...all) => answers.shift()(...all) });
  const controller = new AbortController();
  const given = client.poll(controller.signal);
  await new Promise(setImmediate);
  controller.abort();
  const other = given.catch(() => client.poll());
  assert.equal((await other).page.version, first.version);
});

test('a poll that the server holds ends when the app asks anew, and with the signal', async () => {
  const prefers = [];
  const fetch = async (_, { headers, signal }) => {
    prefers.push(headers.Prefer);
    if (!headers.Prefer) return new Response(documentOf(prefers.length === 1 ? 'first' : 'second'));
    await never(signal);
  };
  const client = new QuickClient({ server, fetch, wait: 50, random: () => 0 });
  const controller = new AbortController();
  const versions = [];
  const polling = (async () => {
    for await (const { page } of client.states(controller.signal)) versions.push(page?.version);
  })();
  while (prefers.length < 2) await new Promise(setImmediate);
  client.refresh();
  while (prefers.length < 4) await new Promise(setImmediate);
  controller.abort();
  await polling;
  assert.deepEqual(prefers, [undefined, 'wait=50', undefined, 'wait=50']);
  assert.deepEqual(versions, [undefined, first.version, readPage(documentOf('second'), 'home').version]);
});

test('a pause ends when the app asks anew; refreshes while it is asked ask no more', async () => {
  const fetch = answering('first', 'second');
  const client = new QuickClient({ server, fetch });
  const states = client.states();
  await states.next();
  assert.equal((await states.next()).value.name, 'upToDate');
  const next = states.next();
  await new Promise(setImmediate);
  for (let count = 0; count < 5; count += 1) client.refresh();
  await new Promise(setImmediate);
  client.refresh();
  assert.equal((await next).value.update.page.version, readPage(documentOf('second'), 'home').version);
  assert.equal(fetch.asked.length, 2);
  await states.return();
});

test('an app waits for its first page for as long as it likes', async () => {
  const client = new QuickClient({ server, fetch: (_, { signal }) => never(signal) });
  const controller = new AbortController();
  const seen = [];
  const waiting = (async () => {
    for await (const state of client.states(controller.signal)) seen.push(state.name);
  })();
  await new Promise(setImmediate);
  controller.abort();
  await waiting;
  assert.deepEqual(seen, ['noData']);
});

test('a poll that takes too long is over', async () => {
  await withServer(() => {}, async (server) => {
    await assert.rejects(new QuickClient({ server, timeout: 0.05 }).poll(), isKind('unreachable'));
  });
});

test('what is between breaks the codings: no page, and the next one is taken', async () => {
  const whole = Buffer.from(documentOf('first'));
  const answers = [
    ['gzip', zlib.gzipSync(whole).subarray(0, 200)], ['gzip', whole],
    ['br', zlib.brotliCompressSync(whole).subarray(0, 200)], ['br', zlib.gzipSync(whole)],
  ];
  const handler = (_, response) => {
    const [coding, bytes] = answers.shift() ?? ['br', zlib.brotliCompressSync(whole)];
    response.writeHead(200, { 'Content-Encoding': coding }).end(bytes);
  };
  await withServer(handler, async (server) => {
    const client = new QuickClient({ server });
    for (let count = 0; count < 4; count += 1) {
      await assert.rejects(client.poll(), (error) => isKind('unreachable')(error) || isKind('unreadable')(error));
    }
    assert.equal(client.page, null);
    assert.equal((await client.poll()).page.version, first.version);
  });
});

test('an answer that breaks off anywhere is no page', async () => {
  const whole = Buffer.from(documentOf('first'));
  let cut = 0;
  const handler = (_, response) => {
    response.writeHead(200, { 'Content-Length': whole.length });
    response.write(whole.subarray(0, cut), () => response.destroy());
  };
  await withServer(handler, async (server) => {
    const client = new QuickClient({ server });
    for (cut = 1; cut < whole.length; cut += 97) await assert.rejects(client.poll(), isKind('unreachable'));
    assert.equal(client.page, null);
  });
});

test('a redirect is followed, and a portal at its end is no page', async () => {
  const handler = (request, response) => {
    if (request.url === '/login') {
      return response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>');
    }
    if (request.url === '/moved/v1/pages/home') return response.end(documentOf('first'));
    response.writeHead(307, { Location: request.url.startsWith('/portal') ? '/login' : '/moved/v1/pages/home' }).end();
  };
  await withServer(handler, async (server) => {
    await assert.rejects(new QuickClient({ server: `${server}/portal` }).poll(), isKind('unreadable'));
    assert.equal((await new QuickClient({ server }).poll()).page.version, first.version);
    const loop = (_, response) => response.writeHead(302, { Location: '/v1/pages/home' }).end();
    await withServer(loop, (server) => assert.rejects(new QuickClient({ server }).poll(), isKind('unreachable')));
  });
});

test('bytes that are no UTF-8 are no page', async () => {
  const bytes = Buffer.from(documentOf('first'));
  bytes[bytes.indexOf('频')] = 0xff;
  await withServer((_, response) => response.end(bytes),
    (server) => assert.rejects(new QuickClient({ server }).poll(), isKind('unreadable')));
});

test('the buckets are those of the cases', () => {
  const { cases } = JSON.parse(readFileSync(new URL('../ClientCases/protocol/buckets.json', import.meta.url), 'utf8'));
  assert(cases.length > 10);
  for (const { id, salt, bucket } of cases) assert.equal(bucketOf(id, salt), bucket, id);
});
