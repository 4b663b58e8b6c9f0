// What others do is told once, and what was done before a page was opened is no news.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { session } from '../../Sources/Service/Console/assets/lib/api.js';
import { News } from '../../Sources/Service/Console/assets/lib/news.js';

/** What is told, as it is read out. */
const told = [];
const region = { set textContent(text) { if (text) told.push(text); } };
Object.assign(document, { querySelectorAll: () => [], getElementById: () => region });
Object.assign(globalThis, { location: { origin: 'http://console.test' }, requestAnimationFrame: (run) => run() });
// What is told closes by itself, which nobody waits for here.
globalThis.setTimeout = ((wait) => (...given) => wait(...given).unref())(globalThis.setTimeout);

/** News of a page whose audit answers with the entries of these ids, newest first, or not at all. */
function newsOver(answers) {
  session.begin('hearth_wang_secret');
  told.length = 0;
  globalThis.fetch = async () => {
    const ids = await answers.shift();
    if (!ids) throw new TypeError('no connection');
    const entries = ids.map((id) => ({ id, actor: `Lin ${id}`, action: 'section.update', page: 'home' }));
    return new Response(JSON.stringify({ entries }));
  };
  return new News({ page: 'home', rights: { name: 'Wang' } });
}

const turn = () => new Promise((go) => { setImmediate(go); });
const settled = async () => { for (let turns = 0; turns < 20; turns += 1) await turn(); };

test('what is done after a page was opened is told, and once', async () => {
  const news = newsOver([[1], [2, 1], [2, 1]]);
  news.begin();
  news.tell();
  news.tell();
  await settled();
  assert.deepEqual(told, ['Lin 2 changed this page']);
});

test('a change that comes while the first look is under way waits for it', async () => {
  let answer = (ids) => ids;
  const news = newsOver([new Promise((go) => { answer = go; }), [2, 1]]);
  news.begin();
  news.tell();
  await settled();
  assert.deepEqual(told, []);
  answer([1]);
  await settled();
  assert.deepEqual(told, ['Lin 2 changed this page']);
});

test('where the first look failed, what is old is not told as new', async () => {
  const news = newsOver([null, [2, 1], [3, 2, 1]]);
  news.begin();
  news.tell();
  await settled();
  assert.deepEqual(told, []);
  news.tell();
  await settled();
  assert.deepEqual(told, ['Lin 3 changed this page']);
});
