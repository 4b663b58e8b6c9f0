// What is typed is seen as the server has it: the newest answer counts, and what cannot be taken stays as it was.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

Object.assign(document, { querySelectorAll: () => [], getElementById: () => ({}) });
Object.assign(globalThis, { location: { origin: 'http://console.test' }, requestAnimationFrame: () => {} });
const assets = '../../Sources/Service/Console/assets/lib';
const { session } = await import(`${assets}/api.js`);
const { kept } = await import(`${assets}/kept.js`);
const { PageModel } = await import(`${assets}/model.js`);

const until = async (condition) => {
  while (!condition()) await new Promise((go) => { setTimeout(go, 5); });
};
const items = ['a', 'b', 'c'].map((id) => ({ id, kind: 'cell', content: { title: id } }));
const draft = {
  sections: [{ id: 'hero', kind: 'list' }, { id: 'news', kind: 'list' }], defaultLocale: 'en', orderTag: '"o"',
  sectionTags: { hero: { settings: '"d"', content: '"d"' }, news: { settings: '"d"', content: '"d"' } },
  sortRules: { default: { indices: { hero: 0, news: 1 } } },
};

/**
 * A page's model with an open section, over a server that answers previews with what `answer` makes of their bodies: a
 * title, or a status. `asked` has the bodies.
 */
async function typing(answer = () => '') {
  const asked = [];
  session.begin('hearth_wang_secret');
  kept.forget('page home');
  globalThis.fetch = async (url, { method, headers, body, signal }) => {
    const path = url.pathname.replace('/admin/v1/pages/home/', '');
    let value = { problems: [], flips: [], entries: [] };
    if (path === 'draft') {
      // Nobody else changes anything.
      if (headers.Prefer) await new Promise((_, stop) => { signal.addEventListener('abort', stop); });
      value = draft;
    } else if (path === 'sections/hero') value = { id: 'hero', index: 0, kind: 'list' };
    else if (path === 'sections/hero/content') value = { items };
    else if (path === 'preview') {
      const unsaved = method === 'POST' ? JSON.parse(body) : {};
      asked.push(unsaved);
      const title = await answer(unsaved);
      if (title === null) throw new TypeError('Failed to fetch');
      if (typeof title === 'number') {
        const pointer = '/items/hero/b/content/title';
        const problem = { status: title, code: 'invalid-content', errors: [{ pointer, detail: 'is too long' }] };
        return new Response(JSON.stringify(problem), { status: title });
      }
      value = { sections: [{ id: 'hero', title }], hidden: [], sortRule: 'default' };
    }
    return new Response(JSON.stringify(value), { headers: { ETag: '"d"', Date: new Date().toUTCString() } });
  };
  await kept.belongTo({ selector: 'wang', name: 'Wang' }, () => true);
  const rights = { name: 'Wang', mayRead: () => true, mayEdit: () => true, mayFill: () => true };
  const model = new PageModel('home', { kinds: {}, attributes: {}, rights });
  await model.open();
  await model.select('hero');
  asked.length = 0;
  const type = (title) => {
    const { content } = model.editor.values;
    model.editor.set('content', { ...content, items: content.items.with(1, { ...items[1], content: { title } }) });
  };
  return { model, asked, type, shown: () => model.payloads[0].sections[0]?.title };
}

const titleIn = (unsaved) => unsaved.items?.hero.b.content.title ?? '';

test('a burst of keys is one question, about the item that differs', async () => {
  const { model, asked, type, shown } = await typing(titleIn);
  for (const title of ['n', 'ne', 'new']) type(title);
  await until(() => shown() === 'new');
  assert.deepEqual(asked, [{ items: { hero: { b: { kind: 'cell', content: { title: 'new' } } } } }]);
  model.editor.set('content', { ...model.editor.values.content, items: items.slice(1) });
  await until(() => asked.length === 2);
  assert.deepEqual(asked[1], { content: { hero: { items: items.slice(1) } } });
  model.editor.set('settings', { kind: 'list', hidden: true });
  model.ordering.move('news', 0);
  await until(() => asked.length === 3);
  assert.deepEqual(asked[2].sections, { hero: { kind: 'list', hidden: true } });
  assert.deepEqual(asked[2].order, { sections: ['news', 'hero'], rule: 'default' });
  model.ordering.drop();
  model.editor.drop();
  await until(() => asked.length === 4);
  assert.deepEqual(asked[3], {});
  model.close();
});

test('an answer that comes late is dropped, and what was typed meanwhile is asked for', async () => {
  const answers = [];
  const { model, asked, type, shown } = await typing((unsaved) => titleIn(unsaved) === '' ? ''
    : new Promise((go) => { answers.push(() => go(titleIn(unsaved))); }));
  type('first');
  await until(() => answers.length === 1);
  type('second');
  const meanwhile = model.preview();
  await until(() => answers.length === 2);
  answers[1]();
  await meanwhile;
  assert.equal(shown(), 'second');
  answers[0]();
  type('third');
  await until(() => answers.length === 3);
  assert.equal(shown(), 'second');
  answers[2]();
  await until(() => shown() === 'third');
  assert.equal(asked.length, 3);
  model.close();
});

test('what is refused leaves the last picture, says where it is wrong, and hinders no move', async () => {
  const { model, asked, type, shown } = await typing((unsaved) => titleIn(unsaved).length > 3 ? 422
    : `${titleIn(unsaved)} ${unsaved.order?.sections ?? ''}`);
  type('new');
  await until(() => shown() === 'new ');
  type('newer');
  await until(() => model.payloads[0].refusal);
  assert.equal(shown(), 'new ');
  const { problem, root } = model.editor.placeOf(model.payloads[0].refusal.errors[0]);
  assert.equal(problem.pointer, '/items/1/content/title');
  assert.equal(root, model.editor.values.content);
  model.ordering.move('news', 0);
  await until(() => shown() === 'new news,hero');
  type('ok');
  await until(() => shown() === 'ok news,hero');
  assert.equal(model.payloads[0].refusal, undefined);
  assert.equal(asked.length, 6);
  model.close();
});

test('a server that does not answer leaves the last picture, and the console says so', async () => {
  let isAway = false;
  const { model, type, shown } = await typing((unsaved) => isAway ? null : titleIn(unsaved));
  type('new');
  await until(() => shown() === 'new');
  isAway = true;
  type('newer');
  await until(() => model.connection === 'lost');
  assert.equal(shown(), 'new');
  isAway = false;
  await model.preview();
  assert.equal(shown(), 'newer');
  model.close();
});
