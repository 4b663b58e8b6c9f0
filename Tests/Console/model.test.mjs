// A page's model keeps what is typed, takes it up first of all, and ends when it is left, however early.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

const region = {};
// The time stands still here and on the server.
Date.now = () => Date.parse('2026-11-23T00:00:00.500Z');
Object.assign(document, { querySelectorAll: () => [], getElementById: () => region });
Object.assign(globalThis, { location: { origin: 'http://console.test' }, requestAnimationFrame: () => {} });
const assets = '../../Sources/Service/Console/assets/lib';
const { session } = await import(`${assets}/api.js`);
const { kept } = await import(`${assets}/kept.js`);
const { PageModel } = await import(`${assets}/model.js`);

const turn = () => new Promise((go) => { setImmediate(go); });
const settled = async () => { for (let turns = 0; turns < 20; turns += 1) await turn(); };
const draft = {
  sections: [{ id: 'hero', kind: 'banner' }, { id: 'news', kind: 'list' }], defaultLocale: 'en', orderTag: '"o"',
  sectionTags: { hero: { settings: '"s"', content: '"c"' }, news: { settings: '"s"', content: '"c"' } }, sortRules: {},
};
const parts = {
  settings: { base: { kind: 'banner' }, mine: { kind: 'banner', title: 'Mine' }, tag: '"s"' },
  content: { base: {}, mine: {}, tag: '"c"' },
};
const edited = { section: { id: 'hero', index: 0, at: '2026-11-23T00:00:00Z', texts: [], parts }, pending: null };

/** A page's model over a server that gives what `answer` makes of a path below the page; `asked` has those paths. */
async function opening(answer, state = edited) {
  const asked = [];
  session.begin('hearth_wang_secret');
  globalThis.fetch = async (url, { signal }) => {
    const path = url.pathname.replace('/admin/v1/pages/home/', '');
    asked.push(path);
    const value = await Promise.race([answer(path), new Promise((_, stop) => {
      signal?.addEventListener('abort', () => stop(signal.reason));
    })]);
    return new Response(JSON.stringify(value), { headers: { ETag: '"d"', Date: new Date(Date.now()).toUTCString() } });
  };
  await kept.belongTo({ selector: 'wang', name: 'Wang' }, () => true);
  kept.keep('page home', () => state);
  const rights = { name: 'Wang', mayRead: () => true, mayEdit: () => true, mayFill: () => true };
  const model = new PageModel('home', { kinds: {}, attributes: {}, rights });
  return { model, asked, opened: model.open() };
}

test('what was kept is taken up with the first draft, before anything slower is read', async () => {
  const { model } = await opening((path) => path === 'draft' ? draft : new Promise(() => {}));
  await settled();
  assert.equal(model.editor?.id, 'hero');
  assert.equal(model.editor.mine.settings.title, 'Mine');
  model.close();
});

test('a page that is left while it opens asks for nothing more, and keeps nothing over what is kept', async () => {
  let answer = () => {};
  const { model, asked, opened } = await opening((path) => path === 'draft' ? new Promise((go) => { answer = go; })
    : { problems: [], flips: [], sections: [], entries: [] });
  model.close();
  answer(draft);
  await opened;
  await settled();
  assert.equal(asked.filter((path) => path === 'draft').length, 1);
  assert.equal(model.editor, null);
  model.change({ editor: null });
  assert.deepEqual(kept.read('page home')?.section.id, 'hero');
});

test('an index that was refused is back with the page, would be a loss, and hinders no save of the order', async () => {
  const sorted = { ...draft, sortRules: { default: { indices: { hero: 0, news: 1 } } } };
  const state = { section: null, pending: null, rule: 'default', texts: [['hero', { text: '1.5', reason: 'whole' }],
    ['gone', { text: '2.5', reason: 'whole' }]] };
  const { model, asked, opened } = await opening((path) => path === 'draft' ? sorted
    : { problems: [], flips: [], sections: [], entries: [] }, state);
  await opened;
  const { ordering } = model;
  assert.deepEqual([...ordering.texts], [['hero', { text: '1.5', reason: 'whole' }]]);
  assert.equal(ordering.mayBeLost, true);
  ordering.move('news', 0);
  assert.equal(await ordering.save(), true);
  assert.deepEqual(asked.filter((path) => path === 'order').length, 1);
  assert.equal(ordering.pending, null);
  assert.equal(ordering.texts.size, 1);
  ordering.drop();
  assert.equal(kept.read('page home'), null);
  model.close();
});

test('a flip is looked for once at a time, however often what flips is read meanwhile', async () => {
  const { setTimeout: real, clearTimeout: end } = globalThis;
  const timers = new Map();
  let number = 0;
  Object.assign(globalThis, {
    setTimeout: (run, time) => { timers.set(number += 1, { run, time }); return number; },
    clearTimeout: (timer) => { timers.delete(timer); },
  });
  try {
    // An answer tells the second alone: the server's clock may show the flip's instant already, and need not.
    const flips = [{ at: '2026-11-23T00:00:00.999Z' }];
    const { model, opened } = await opening((path) => path === 'draft' ? draft : { flips, problems: [], sections: [] });
    await opened;
    const begin = () => {
      for (const [timer, { run, time }] of timers) if (time === 0 && timers.delete(timer)) run();
    };
    for (let times = 0; times < 3; times += 1) {
      begin();
      await model.setCompare('none');
      await settled();
    }
    // What is kept is written by a timer as well, unless it is read.
    kept.read('page home');
    assert.equal([...timers.values()].filter(({ time }) => time === 100).length, 1);
    model.close();
  } finally { Object.assign(globalThis, { setTimeout: real, clearTimeout: end }); }
});
