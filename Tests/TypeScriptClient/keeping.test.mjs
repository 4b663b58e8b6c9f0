// What a client keeps, in which order, and what it does not put over what others kept.

import assert from 'node:assert/strict';
import test from 'node:test';
import zlib from 'node:zlib';
import { HearthClient, readPage } from '../../clients/typescript/index.js';
import {
  QuickClient, TestClock, answering, documentOf, follow, keptIn, memory, recordOf, withServer,
} from './sample.mjs';

const server = 'https://home.example.com';
const day = 86_400_000;
const versionOf = (name) => readPage(documentOf(name), 'home').version;
const page = (name, revision, fields = {}) =>
  new Response(documentOf(name), { headers: { ...fields, ...revision && { 'Hearth-Revision': revision } } });
const same = (revision) => new Response(null, { status: 304, headers: { 'Hearth-Revision': revision } });
/** Answers with each in turn. */
const giving = (...answers) => async () => answers.shift()();
/** What a start without a network shows. */
async function offline(storage, clock) {
  const client = new HearthClient({ server, storage, clock, fetch: answering(new TypeError('offline')) });
  for await (const state of client.states()) return { ...state, revision: client.revision };
}

test('a start shows when the page was last confirmed, not when it last changed', async () => {
  const [storage, clock, over] = [memory(), new TestClock(), new AbortController()];
  let count = 0;
  const fetch = async () => (count += 1) === 1 ? page('first', '1.4') : same('1.4');
  follow(new HearthClient({ server, storage, clock, fetch, random: () => 0 }), over.signal);
  await clock.advance(day);
  assert.equal((await offline(storage, clock)).since, clock.date());
  // Asked every 30 s, kept every 60 s.
  assert.equal(count, 2881);
  assert.equal(storage.saved, 1441);
  await clock.advance(30_000);
  over.abort();
  await clock.advance(0);
  assert.equal((await offline(storage, clock)).since, clock.date(), 'the end keeps what came since');
});

test('what could not be kept is tried again with the next answer, though the page stays the same', async () => {
  const storage = memory();
  let isFull = true;
  const save = storage.save.bind(storage);
  storage.save = (text) => { if (isFull) throw new Error('full'); save(text); };
  const fetch = giving(() => page('first', '1.4'), () => same('1.4'));
  const client = new QuickClient({ server, storage, fetch });
  await client.poll();
  assert.equal(storage.text, null);
  isFull = false;
  await client.poll();
  assert.equal(keptIn(storage.text), documentOf('first'));
});

test('whatever byte before the page is damaged, nothing of it is believed', async () => {
  const whole = recordOf('first', { revision: '1.1' });
  const end = whole.indexOf('{"page"');
  for (let at = 0; at < end; at += 1) {
    const other = whole[at] === '9' ? '1' : '9';
    const storage = memory(whole.slice(0, at) + other + whole.slice(at + 1));
    const client = new QuickClient({ server, storage, fetch: giving(() => page('second', '1.2')) });
    await client.poll();
    assert.deepEqual([client.page.version, client.revision], [versionOf('second'), '1.2'], `byte ${at}`);
    assert.equal(keptIn(storage.text), documentOf('second'));
  }
});

test('a page is kept before it is shown', async () => {
  const storage = memory(recordOf('first', { revision: '1.4' }));
  let shownWhileSaving;
  const client = new QuickClient({ server, storage, fetch: giving(() => page('second', '1.5')) });
  const save = storage.save.bind(storage);
  storage.save = async (text) => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    shownWhileSaving = client.page.version;
    save(text);
  };
  assert.equal((await client.poll()).page.version, versionOf('second'));
  assert.equal(shownWhileSaving, versionOf('first'));
  assert.equal(keptIn(storage.text), documentOf('second'));
});

test('a storage that does not come back holds a page up for two seconds, and is reported', async () => {
  const clock = new TestClock();
  const storage = { load: () => null, save: () => new Promise(() => {}) };
  const reported = [];
  const report = ({ kind, message }) => reported.push([kind, message]);
  const fetch = giving(() => page('first', '1.4'));
  const client = new HearthClient({ server, storage, clock, report, fetch });
  const poll = client.poll();
  await clock.advance(1999);
  assert.deepEqual([client.page, reported], [null, []]);
  await clock.advance(1);
  assert.equal((await poll).page.version, versionOf('first'));
  assert.deepEqual(reported, [['storage', 'the page cannot be kept: it takes longer than 2 s']]);
});

/** A client whose storage brings what it has when a test says so, and what the client says. */
function withLateStorage(fetch, settings = {}) {
  const clock = new TestClock();
  const reported = [];
  let bring;
  const loading = new Promise((done) => { bring = done; });
  let loads = 0;
  const storage = { ...memory(), load() { return (loads += 1) > 1 ? this.text : loading; } };
  const client = new HearthClient({
    server, storage, clock, random: () => 0, report: ({ message }) => reported.push(message), fetch, ...settings,
  });
  const over = new AbortController();
  const said = follow(client, over.signal);
  return { client, clock, storage, bring, reported, said, over };
}

test('a storage that brings nothing holds a start up for two seconds, and is reported', async () => {
  const { client, clock, reported, said, over } = withLateStorage(answering('first'));
  await clock.advance(1999);
  assert.deepEqual([said.length, reported], [0, []]);
  await clock.advance(1);
  assert.deepEqual(said.map(({ name }) => name), ['noData', 'upToDate']);
  assert.deepEqual(reported, ['what was kept cannot be used: it takes longer than 2 s']);
  // Only the start is held up.
  await clock.advance(30_000);
  assert.equal(client.state.since, clock.date());
  over.abort();
});

test('how long a storage is waited for is a setting', async () => {
  const { clock, said, over } = withLateStorage(answering('first'), { timing: { keepMax: 5 } });
  await clock.advance(4999);
  assert.equal(said.length, 0);
  await clock.advance(1);
  assert.equal(said.at(-1).name, 'upToDate');
  over.abort();
});

test('what a storage brings late is shown at once where there is no page yet', async () => {
  for (const fetch of [answering(new TypeError('offline')), () => new Promise(() => {})]) {
    const { clock, bring, said, over } = withLateStorage(fetch);
    await clock.advance(2500);
    assert.equal(said.at(-1).page, null);
    bring(recordOf('second', { revision: '1.5' }));
    await clock.advance(0);
    assert.equal(said.at(-1).page.version, versionOf('second'));
    assert.equal(said.at(-1).update.page, said.at(-1).page);
    over.abort();
    await clock.advance(0);
  }
});

test('what a storage brings late takes the place of no page, and of no reset', async () => {
  const newer = withLateStorage(answering('first'));
  await newer.clock.advance(2000);
  newer.bring(recordOf('second', { revision: '1.5' }));
  await newer.clock.advance(0);
  assert.deepEqual([newer.client.page.version, newer.client.revision], [versionOf('first'), '1.7']);
  const reset = withLateStorage(answering(new TypeError('offline')));
  await reset.clock.advance(2000);
  await reset.client.reset();
  reset.bring(recordOf('second', { revision: '1.5' }));
  await reset.clock.advance(0);
  assert.equal(reset.client.page, null);
  for (const { over } of [newer, reset]) over.abort();
});

test('of two clients with one storage the one that lags behind keeps nothing over the other', async () => {
  const [storage, clock] = [memory(), new TestClock()];
  const client = (...answers) => new QuickClient({ server, storage, clock, fetch: giving(...answers) });
  const late = client(() => page('first', '1.4'), () => same('1.4'), () => page('third', '1.6'));
  const early = client(() => page('second', '1.5'));
  await late.poll();
  await early.poll();
  await clock.advance(day);
  await late.poll();
  const kept = await offline(storage, clock);
  assert.deepEqual([kept.page.version, kept.revision], [versionOf('second'), '1.5']);
  await clock.advance(10);
  await late.poll();
  assert.equal((await offline(storage, clock)).revision, '1.6');
});

test('of the same edition the page that was confirmed last is kept', async () => {
  // A schedule's flip changes a page, and not its edition.
  const [storage, clock] = [memory(), new TestClock()];
  const late = new QuickClient({
    server, storage,
    clock: { now: () => clock.now(), date: () => clock.date() - 5000, sleep: (...all) => clock.sleep(...all) },
    fetch: giving(() => page('first', '1.4')),
  });
  await new QuickClient({ server, storage, clock, fetch: giving(() => page('second', '1.4')) }).poll();
  await late.poll();
  // By the date of the late one the other is of the future: its clock may be wrong, and is not believed.
  assert.equal((await offline(storage, clock)).page.version, versionOf('first'));
  await clock.advance(10_000);
  await new QuickClient({ server, storage, clock, fetch: giving(() => page('second', '1.4')) }).poll();
  assert.equal((await offline(storage, clock)).page.version, versionOf('second'));
});

test('a preview is nobody\'s last good page', async () => {
  const storage = memory(recordOf('first', { revision: '1.4' }));
  const parameters = { preview: 'a'.repeat(43) };
  const client = new QuickClient({ server, storage, parameters, fetch: giving(() => page('second')) });
  assert.equal((await client.poll()).page.version, versionOf('second'));
  assert.equal(storage.saved, 0);
});

test('after a reset a client has nothing, and takes what comes', async () => {
  const storage = memory();
  const answers = [() => page('second', '1.57'), () => page('first', '1.2'), () => page('first', '1.2')];
  const asked = [];
  const fetch = async (_, { headers }) => { asked.push(headers['If-None-Match']); return answers.shift()(); };
  const client = new QuickClient({ server, storage, fetch });
  await client.poll();
  answers.unshift(() => page('first', '1.2'));
  await assert.rejects(client.poll(), { kind: 'dropped' });
  await client.reset();
  assert.deepEqual([client.page, client.revision, client.state.name, storage.text], [null, null, 'noData', '']);
  assert.equal((await client.poll()).page.version, versionOf('first'));
  assert.deepEqual([client.revision, asked.at(-1)], ['1.2', undefined]);
  assert.equal(keptIn(storage.text), documentOf('first'));
});

test('what is under way when a client is reset brings nothing back', async () => {
  const storage = memory();
  let answer;
  const fetch = () => new Promise((done) => { answer = done; });
  const client = new QuickClient({ server, storage, fetch });
  const first = client.poll();
  while (!answer) await new Promise(setImmediate);
  await client.reset();
  answer(page('second', '1.57'));
  await first;
  assert.deepEqual([client.page, storage.text], [null, '']);
});

test('a client that is reset while it asks shows the next answer, and not in half a minute', async () => {
  const clock = new TestClock();
  const asked = [];
  const fetch = async (_, { headers, signal }) => {
    asked.push(headers['If-None-Match']);
    if (asked.length === 2) await clock.sleep(5000, signal);
    return page('first', '1.2', { 'Cache-Control': 'max-age=600' });
  };
  const client = new HearthClient({ server, fetch, clock, random: () => 0, storage: memory() });
  const over = new AbortController();
  follow(client, over.signal);
  await clock.advance(2000);
  client.refresh();
  await clock.advance(100);
  assert.equal(asked.length, 2);
  await client.reset();
  await clock.advance(1000);
  over.abort();
  assert.deepEqual([client.state.name, asked.length, asked[2]], ['upToDate', 3, undefined]);
});

test('a body has a limit, unpacked', async () => {
  const bomb = zlib.gzipSync(Buffer.alloc(64 << 20, ' '));
  let sent = 0;
  await withServer((_, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb);
    sent += 1;
  }, async (server) => {
    const before = process.memoryUsage().rss;
    for (const bodyMax of [1000, undefined]) {
      const client = new QuickClient({ server, bodyMax });
      await assert.rejects(client.poll(), { kind: 'unreadable', message: /more than \d+ bytes/ });
    }
    assert.equal(sent, 2);
    assert(process.memoryUsage().rss - before < 200 << 20);
  });
});

test('a client key goes nowhere else', async () => {
  const keys = [];
  await withServer((request, response) => {
    keys.push(request.headers['hearth-client-key']);
    response.end(documentOf('first'));
  }, async (other) => {
    await withServer((_, response) => response.writeHead(307, { Location: `${other}/v1/pages/home` }).end(),
      async (server) => {
        await assert.rejects(new QuickClient({ server, clientKey: 'key' }).poll(), { kind: 'unreachable' });
      });
  });
  assert.deepEqual(keys, []);
});
