// One kind of unsaved: how it is saved, kept over a reload, watched over, and laid over what others saved.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

Object.assign(document, { querySelectorAll: () => [], getElementById: () => ({}) });
Object.assign(globalThis, { location: { origin: 'http://console.test' }, requestAnimationFrame: () => {} });
const assets = '../../Sources/Service/Console/assets';
const { Problem, session } = await import(`${assets}/lib/api.js`);
const { Edits } = await import(`${assets}/lib/edits.js`);
const { kept } = await import(`${assets}/lib/kept.js`);
const { Part } = await import(`${assets}/lib/part.js`);
const { Unsaved, guard } = await import(`${assets}/lib/unsaved.js`);
const { Resource } = await import(`${assets}/views/resource.js`);

await kept.belongTo({ selector: 'wang', name: 'Wang' }, () => true);

/** Something unsaved whose sends are answered when the test says so. */
class Slow extends Unsaved {
  text = 'a';
  sent = [];
  answers = [];
  get isDirty() { return true; }
  async send() {
    this.sent.push(this.text);
    return new Promise((go, fail) => { this.answers.push({ go, fail }); });
  }
}
const turn = () => new Promise((go) => { setImmediate(go); });

test('a press while it is saved is the same save, and one after something was typed saves that as well', async () => {
  const slow = new Slow();
  const first = slow.save();
  await turn();
  assert.equal(slow.save(), first);
  slow.edit({ text: 'b' });
  const second = slow.save();
  assert.notEqual(second, first);
  slow.answers[0].go(true);
  assert.equal(await first, true);
  await turn();
  assert.deepEqual(slow.sent, ['a', 'b']);
  slow.answers[1].go(true);
  assert.equal(await second, true);
  assert.equal(slow.isSaving, false);
});

test('a save that fails says so to who asked, and the next one is sent', async () => {
  const slow = new Slow();
  const first = slow.save();
  await turn();
  slow.answers[0].fail(new Problem(503));
  await assert.rejects(first);
  slow.save();
  await turn();
  assert.deepEqual(slow.sent, ['a', 'a']);
});

/** A resource at `path` over a server that answers each request with what `answer` makes of its method and body. */
function serving(answer) {
  const asked = [];
  session.begin('hearth_wang_secret');
  globalThis.fetch = async (url, { method, headers, body }) => {
    const condition = headers['If-Match'] ?? headers['If-None-Match'] ?? '';
    asked.push(`${method} ${url.pathname.replace('/admin/v1/', '')} ${condition}`);
    const { status = 200, value, tag } = answer(method, body && JSON.parse(body), headers);
    return new Response(JSON.stringify(value), {
      status, headers: { ...(tag && { ETag: tag }), Date: new Date().toUTCString() },
    });
  };
  return asked;
}

test('what others saved at other places stays, and what both changed is asked about', async () => {
  let now = { value: { title: 'Tea', note: 'hot' }, tag: '"1"' };
  const asked = serving((method, body, headers) => {
    if (method === 'GET') return now;
    if (headers['If-Match'] !== now.tag) return { status: 412, value: { code: 'stale', changedBy: 'Lin' } };
    now = { value: body, tag: `"${Number(now.tag[1]) + 1}"` };
    return now;
  });
  const edits = new Edits([new Part('', ['audiences', 'vip'])]);
  await edits.load();
  edits.set('', { ...edits.part('').mine, title: 'Green tea' });
  now = { value: { title: 'Tea', note: 'cold' }, tag: '"5"' };
  asked.length = 0;
  assert.equal(await edits.save(), true);
  assert.deepEqual(now.value, { title: 'Green tea', note: 'cold' });
  assert.deepEqual(asked, ['PUT audiences/vip "1"', 'GET audiences/vip ', 'PUT audiences/vip "5"']);

  edits.set('', { ...edits.part('').mine, title: 'Mine' });
  now = { value: { title: 'Theirs', note: 'cold' }, tag: '"8"' };
  assert.equal(await edits.save(), false);
  assert.equal(now.value.title, 'Theirs');
  assert.deepEqual(edits.conflict.conflicts.map(({ path }) => path), [['title']]);
  edits.choose(edits.conflict.conflicts[0], 'theirs');
  assert.equal(await edits.save(), true);
  assert.equal(edits.part('').mine.title, 'Theirs');
  assert.equal(edits.conflict, null);
});

test('a text that is no value stops the save, and goes with what it was typed in', async () => {
  const asked = serving(() => ({ value: { price: 1 }, tag: '"1"' }));
  const edits = new Edits([new Part('', ['audiences', 'vip'])]);
  await edits.load();
  asked.length = 0;
  edits.setText('', '/price', 'much', 'is no number');
  assert.equal(await edits.save(), false);
  assert.deepEqual(edits.errors, [{ part: '', pointer: '/price', detail: 'is no number' }]);
  assert.deepEqual(asked, []);
  edits.drop();
  assert.equal(edits.isDirty, false);
});

test('what is new is made once, where it goes, and never laid over another of its name', async () => {
  let status = 412;
  const asked = serving((method, body) =>
    status === 412 ? { status, value: { code: 'stale' } } : { value: body, tag: '"2"' });
  const resource = new Resource(null, { in: ['ios'] }, ['audiences']);
  resource.edit({ id: 'vip' });
  assert.equal(resource.name, 'new audiences');
  assert.equal(await resource.save(), false);
  assert.deepEqual(asked, ['PUT audiences/vip *']);
  assert.notEqual(resource.refusal, null);
  assert.equal(kept.read('new audiences').id, 'vip');
  status = 200;
  assert.equal(await resource.save(), true);
  assert.equal(resource.isNew, false);
  assert.deepEqual(kept.names(), []);
  resource.end();
});

test('what is kept is taken up with the dialog, also as an earlier console kept it', async () => {
  serving(() => ({ value: { title: 'Tea' }, tag: '"1"' }));
  kept.keep('resource pages/home', () => ({
    id: '', base: { title: 'Tea' }, mine: { title: 'Green tea' }, tag: '"1"', tries: {}, at: '2026-11-23T00:00:00Z',
    texts: [['/price', { pointer: '/price', text: 'much', reason: 'is no number' }]],
  }));
  const resource = new Resource(['pages', 'home']);
  await resource.load();
  assert.equal(resource.value.title, 'Green tea');
  assert.equal(resource.textAt('', '/price').text, 'much');
  assert.equal(resource.keptSince, '2026-11-23T00:00:00Z');
  assert.equal(kept.read('resource pages/home').parts[''].mine.title, 'Green tea');
  resource.drop();
  assert.deepEqual(kept.names(), []);
});

test('the guard asks for what would be lost alone', async () => {
  const holder = { mayBeLost: false, drop() {} };
  const end = guard.hold(holder);
  assert.equal(await guard.mayLeave([holder, null]), true);
  assert.equal(guard.isDirty, false);
  holder.mayBeLost = true;
  assert.equal(guard.isDirty, true);
  end();
  assert.equal(guard.isDirty, false);
});
