// What is meant once is done once: a server that keeps its answers by keys, and a connection that cuts them.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  Problem, Unreachable, isOwn, makeSecret, post, put, session,
} from '../../Sources/Service/Console/assets/lib/api.js';
import { Once } from '../../Sources/Service/Console/assets/lib/once.js';
import { make } from '../../Sources/Service/Console/assets/lib/part.js';

Object.assign(globalThis, { location: { origin: 'http://console.test' } });
session.begin('hearth_wang_secret');

const path = ['pages', 'home', 'sections', 'hero'];

/** A server that does what it has no answer for yet; `fates` are what becomes of its answers, one after the other. */
class Server {
  done = [];
  keys = [];
  #answers = new Map();

  constructor(...fates) {
    this.fates = fates;
    globalThis.fetch = async (url, { method, headers, body }) => this.#serve(method, headers, body);
  }

  #serve(method, headers, body) {
    const key = headers['Idempotency-Key'];
    this.keys.push(key);
    const fate = this.fates.shift();
    if (fate === 'lost') throw new TypeError('no connection');
    if (fate?.status) return this.#answer(fate.status, { code: fate.code }, { 'Retry-After': fate.after ?? '0' });
    const kept = this.#answers.get(key);
    let answer;
    if (kept && kept.text !== method + body) answer = this.#answer(422, { code: 'idempotency-key-reused' });
    else if (kept) answer = this.#answer(200, kept.value, { ETag: kept.tag, 'Idempotency-Replayed': 'true' });
    else {
      this.done.push(body && JSON.parse(body));
      const tag = `"${this.done.length}"`;
      this.#answers.set(key, { text: method + body, value: JSON.parse(body), tag });
      answer = this.#answer(200, JSON.parse(body), { ETag: tag });
    }
    if (fate === 'cut') throw new TypeError('cut');
    return answer;
  }

  #answer(status, value, headers = {}) { return new Response(JSON.stringify(value), { status, headers }); }
}

const fails = (promise) => promise.then(() => assert.fail('it was done'), (error) => error);

test('an answer that is cut off is asked for again by the same key, and is one’s own', async () => {
  const server = new Server('cut');
  const { value, tag, isEarlier } = await put(path, { title: 'Hero' });
  assert.deepEqual([value.title, tag, isEarlier], ['Hero', '"1"', false]);
  assert.equal(server.done.length, 1);
  assert.equal(server.keys[0], server.keys[1]);
  assert.ok(isOwn({ id: 1 }) && !isOwn({ id: 2 }));
});

test('what never reached the server is done by the second try', async () => {
  const server = new Server('lost');
  await put(path, { title: 'Hero' });
  assert.equal(server.done.length, 1);
});

test('two cuts are told, and to press again is the same, after the tab was loaded anew too', async () => {
  const server = new Server('cut', 'cut');
  const once = new Once();
  let kept = '';
  once.note = () => { kept = JSON.stringify(once.tries); };
  assert.ok(await fails(put(path, { title: 'Hero' }, { once })) instanceof Unreachable);
  assert.ok(once.isUnanswered);
  const again = new Once(JSON.parse(kept));
  await put(path, { title: 'Hero' }, { once: again });
  assert.equal(server.done.length, 1);
  assert.equal(new Set(server.keys).size, 1);
  assert.ok(!again.isUnanswered);
});

test('each press is another change', async () => {
  const server = new Server();
  await put(path, { title: 'Hero' });
  await put(path, { title: 'Hero' });
  assert.equal(server.done.length, 2);
  assert.notEqual(server.keys[0], server.keys[1]);
});

test('where something else is asked for since, what was done is told', async () => {
  const server = new Server('cut', 'cut');
  const once = new Once();
  await fails(post(['publish'], { message: 'as sent' }, { once, as: 'publish' }));
  const { value, done, isEarlier } = await post(['scheduled'], { at: 'later' }, { once, as: 'publish' });
  assert.deepEqual([value, done.path, isEarlier], [{ message: 'as sent' }, ['publish'], true]);
  assert.equal(server.done.length, 1);
});

test('where the first try never came there, what is asked for now is done', async () => {
  const server = new Server('lost', 'lost');
  const once = new Once();
  await fails(put(path, { title: 'Newz' }, { once }));
  const { isEarlier } = await put(path, { title: 'News' }, { once });
  assert.ok(!isEarlier);
  assert.deepEqual(server.done, [{ title: 'News' }]);
});

test('a refusal ends what was meant', async () => {
  const server = new Server({ status: 412, code: 'stale' });
  const once = new Once();
  assert.ok((await fails(put(path, {}, { once }))).isStale);
  assert.ok(!once.isUnanswered);
  await put(path, {}, { once });
  assert.notEqual(server.keys[0], server.keys[1]);
});

test('what runs still, and a server that is away for a moment, are waited for', async () => {
  const running = { status: 409, code: 'idempotency-key-running' };
  const server = new Server('cut', running, running, { status: 503, code: 'database-unavailable' });
  await put(path, { title: 'Hero' });
  assert.equal(server.done.length, 1);
  assert.equal(server.keys.length, 5);
});

test('what is away for longer than anybody waits is told at once, and meant still', async () => {
  const server = new Server({ status: 503, code: 'database-unavailable', after: '60' });
  const once = new Once();
  const error = await fails(put(path, { title: 'Hero' }, { once }));
  assert.ok(error instanceof Problem && error.status === 503);
  await put(path, { title: 'Hero' }, { once });
  assert.equal(server.keys[0], server.keys[1]);
});

test('what an earlier try made goes on from that', async () => {
  const server = new Server('cut', 'cut');
  const once = new Once();
  await fails(make(path, { kind: 'banner', title: 'Heros' }, once));
  await make(path, { kind: 'banner', title: 'Hero' }, once);
  assert.deepEqual(server.done.map(({ title }) => title), ['Heros', 'Hero']);
});

test('of what has a secret that nobody saw another is made', async () => {
  const lost = [];
  const told = { status: 409, code: 'secret-told-once' };
  const server = new Server('cut', told);
  const once = new Once();
  const makeOne = () => makeSecret(['tokens'], { name: 'feed' }, once, async (made) => {
    lost.push(made);
    once.clear();
    return makeOne();
  });
  assert.deepEqual(await makeOne(), { name: 'feed' });
  assert.equal(lost.length, 1);
  assert.notEqual(server.keys[1], server.keys[2]);
});
