import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import { ClientError } from '../../clients/typescript/index.js';
import { Lists } from '../../clients/typescript/lists.js';
import { QuickClient, withServer } from './sample.mjs';

const item = (number) => ({ id: `f${number}`, kind: 'row', content: { title: `${number}` } });
const items = (from, to) => Array.from({ length: to - from }, (_, at) => item(from + at));
const more = (offset, of) =>
  ({ href: `/v1/pages/home/sections/feed/items?cursor=${of}-${offset}`, count: 30 - offset, of });

/** A page whose feed has its first items there. */
function page(of, { first = 10, title = 'a' } = {}) {
  const feed = {
    id: 'feed', kind: title, index: 0, layout: { style: 'list' }, items: items(0, first), more: more(first, of),
  };
  const text = JSON.stringify({ page: 'home', locale: 'en', sortRule: 'default', sections: [feed] });
  const version = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return text.replace('{"page":"home"', `{"page":"home","version":"${version}"`);
}

const ids = (list) => list.map(({ id }) => id);
const expected = (to) => ids(items(0, to));

test('the rest of a list comes part by part, and stays while the page has the list', async () => {
  let now = page('aa');
  let held = Promise.resolve();
  const asked = [];
  const handler = (request, response) => {
    asked.push(request.url);
    const [, of, offset] = /cursor=(\w+)-(\d+)/.exec(request.url) ?? [];
    if (!of) return response.end(now);
    if (of === 'gone') {
      return response.writeHead(410, { 'Content-Type': 'application/problem+json' }).end('{"code":"list-gone"}');
    }
    const end = Math.min(30, Number(offset) + 10);
    const rest = end < 30 && { more: more(end, of) };
    const part = { items: items(Number(offset), end), of: of === 'cc' ? 'dd' : of, ...rest };
    held.then(() => response.end(JSON.stringify(part)));
  };
  await withServer(handler, async (server) => {
    const client = new QuickClient({ server: `${server}/` });
    const lists = new Lists(client);
    assert.deepEqual([lists.items('feed'), lists.rest('feed'), await lists.more('feed')], [[], 0, []],
      'there is no page yet');
    await client.poll();
    assert.deepEqual([ids(lists.items('feed')), lists.rest('feed')], [expected(10), 20]);
    const [first, second] = await Promise.all([lists.more('feed'), lists.more('feed')]);
    assert.deepEqual([ids(first), first === second], [expected(20).slice(10), true],
      'whoever asks meanwhile gets the same');
    // Another page with the same list leaves it alone.
    now = page('aa', { title: 'b' });
    await client.poll();
    assert.deepEqual([ids(lists.items('feed')), lists.rest('feed')], [expected(20), 10]);
    await lists.more('feed');
    assert.deepEqual([ids(lists.items('feed')), lists.rest('feed'), await lists.more('feed')], [expected(30), 0, []]);
    assert.equal(asked.filter((url) => url.includes('cursor')).length, 2);
    // The same list that begins elsewhere, and another list, begin anew.
    now = page('aa', { first: 20 });
    await client.poll();
    assert.deepEqual([ids(lists.items('feed')), lists.rest('feed')], [expected(20), 10]);
    now = page('bb');
    await client.poll();
    let release;
    held = new Promise((done) => { release = done; });
    const late = lists.more('feed');
    now = page('cc');
    await client.poll();
    release();
    assert.deepEqual([await late, ids(lists.items('feed'))], [[], expected(10)],
      'what comes of another list is for nobody');
    await assert.rejects(lists.more('feed'), (error) => error instanceof ClientError && error.kind === 'unreadable');
    now = page('gone');
    await client.poll();
    let refreshes = 0;
    client.refresh = () => { refreshes += 1; };
    await assert.rejects(lists.more('feed'), (error) =>
      error instanceof ClientError && error.status === 410 && error.code === 'list-gone');
    assert.deepEqual([refreshes, ids(lists.items('feed'))], [1, expected(10)]);
  });
});
