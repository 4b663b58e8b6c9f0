// Where a refusal is, in the words of its form.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

const { setLanguage } = await import('../../Sources/Service/Console/assets/lib/i18n.js');
const { pointerWords, withinSection } = await import('../../Sources/Service/Console/assets/lib/pointers.js');

const content = {
  items: [{ id: 'scan', content: { title: { en: 'Scan', vi: 'Quét' }, price: { amount: -1 }, tags: ['new'] } }],
  slots: { hot: { id: 'live', content: { title: 'Jade' } } },
};
const settings = {
  title: 'A', pollInterval: 0, audience: { all: [{ attribute: 'platform', in: ['ios', 'iOS'] }, { audience: 'vip' }] },
  layout: { inset: { top: -1 } }, schedule: { from: '2031' },
};
const single = { audience: { not: { attribute: 'bucket', below: 'many' } } };

for (const [root, pointer, english] of [
  [content, '/items/0/content/title/vi', 'Item Scan / Title / vi “Quét”'],
  [content, '/items/0/content/price/amount', 'Item Scan / Price / Amount “-1”'],
  [content, '/items/0/content/tags/0', 'Item Scan / Tags / 1 “new”'],
  [content, '/items/0/content/currency', 'Item Scan / Currency'],
  [content, '/slots/hot/content/title', 'Slot hot / Title “Jade”'],
  [content, '/items', 'Items'], [content, '', ''],
  [settings, '/audience/all/0/in/1', 'Audience / platform “iOS”'],
  [settings, '/audience/all/0', 'Audience / platform'],
  [single, '/audience/not/below', 'Audience / bucket “many”'],
  [settings, '/pollInterval', 'Seconds between two polls “0”'],
  [settings, '/layout/inset/top', 'Layout / Space around it, in points / Top “-1”'],
  [settings, '/schedule/from', 'Schedule / Shows from “2031”'],
  [undefined, '/scopes/1', 'For / 2'], [undefined, '/items/3/content/title', 'Item 4 / Title'],
  [{ 'a/b': { '~': 1 } }, '/a~1b/~0', 'A/b / ~ “1”'],
]) {
  test(`${pointer} is ${english}`, () => {
    setLanguage('en');
    assert.equal(pointerWords(pointer, root), english);
    setLanguage('zh-Hans');
    assert.doesNotMatch(pointerWords(pointer, root), /^\/|undefined/);
  });
}

test('beside the name of its section, only what is in it is told', () => {
  setLanguage('en');
  assert.equal(withinSection({ pointer: '/sections/3/title', section: 'otc' }), 'Title');
  assert.equal(withinSection({ pointer: '/sections/3', section: 'otc' }), '');
  assert.equal(withinSection({ pointer: '/pollInterval' }), 'Seconds between two polls');
});
