// What is made once: one's own try, whose answer was never read, is no refusal.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';
import { Problem, Unreachable, put, session } from '../../Sources/Service/Console/assets/lib/api.js';

Object.assign(globalThis, { location: { origin: 'http://console.test' } });
session.begin('hearth_wang_secret');

const path = ['pages', 'home', 'sections', 'hero'];
const body = { kind: 'banner', title: 'Hero' };
const answer = (status, value = {}) => new Response(JSON.stringify(value), { status, headers: { ETag: '"t"' } });

/** Makes the section over a server that answers so, and says what is kept at each time that it changes. */
async function making(sent, respond) {
  const kept = [];
  globalThis.fetch = async (url, { method }) => respond(method, url.pathname, kept.length);
  const note = () => kept.push(structuredClone(sent));
  const made = await put(path, body, { ifNoneMatch: '*', earlier: { sent, note } }).catch((error) => error);
  return { kept, made };
}

test('what is sent is kept before it is, and no more once it is refused', async () => {
  const sent = [];
  let before = 0;
  const { kept, made } = await making(sent, (method, place, count) => {
    before = count;
    return answer(412);
  });
  assert.ok(made instanceof Problem && made.isStale);
  assert.equal(before, 1);
  assert.deepEqual(kept, [[{ path: path.join('/'), body }], []]);
});

test('what got no answer stays kept, and what it made is one’s own after the tab was loaded anew', async () => {
  const sent = [];
  const { made } = await making(sent, () => { throw new TypeError('no connection'); });
  assert.ok(made instanceof Unreachable);
  session.forget();
  const again = await making(structuredClone(sent), (method, place) => method === 'PUT' ? answer(412)
    : answer(200, place.endsWith('content') ? { items: [] } : { id: 'hero', ...body }));
  assert.equal(again.made.status, 200);
});
