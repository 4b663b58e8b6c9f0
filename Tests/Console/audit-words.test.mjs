import './browser.mjs';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

const { setLanguage } = await import('../../Sources/Service/Console/assets/lib/i18n.js');
const { detailWords } = await import('../../Sources/Service/Console/assets/lib/audit-words.js');

const cases = [
  ['added ["home"], changed [], deleted []', 'added ["home"], changed [], deleted []', '新增 ["home"]，修改 []，删除 []'],
  ['copy of otc', 'copy of otc', '复制自“otc”'],
  ['from 3 to 4: restored the night', 'from 3 to 4: restored the night', '由 3 升至 4：restored the night'],
  ['QGXbKx2wiXjG editor feeds of otc', 'QGXbKx2wiXjG editor feeds of otc', 'QGXbKx2wiXjG feeds of otc（编辑者）'],
  ['QGXbKx2wiXjG to hq7Zb-_8QWEr', 'QGXbKx2wiXjG to hq7Zb-_8QWEr', 'QGXbKx2wiXjG 换为 hq7Zb-_8QWEr'],
  ['GET /admin/v1/pages: no such token', 'GET /admin/v1/pages: no such token', 'GET /admin/v1/pages：没有这个令牌'],
  ['PUT /admin/v1/pages/home/draft: the token has expired', 'PUT /admin/v1/pages/home/draft: the token has expired',
    'PUT /admin/v1/pages/home/draft：令牌已过期'],
  ['12 more requests were refused while the audit could not be written',
    '12 more requests were refused while the audit could not be written', '审计无法写入期间，另有 12 个请求被拒绝'],
  ['springTrial', 'springTrial', 'springTrial'],
];

test('details are told in both languages', () => {
  for (const [detail, english, chinese] of cases) {
    setLanguage('en');
    assert.equal(detailWords(detail), english);
    setLanguage('zh-Hans');
    assert.equal(detailWords(detail), chinese);
  }
});

test('times are told with their zone', () => {
  for (const detail of ['revision 7 at 2027-02-05T16:00:00Z', 'otc, nav at 2027-02-05T16:00:00Z: late',
    '3 of draft until 2027-02-05T16:00:00Z']) {
    setLanguage('en');
    assert.match(detailWords(detail), /Feb \d, 2027, .*(GMT|UTC|[A-Z]{3,4})/);
    setLanguage('zh-Hans');
    assert.match(detailWords(detail), /2027年2月\d日/);
    assert.doesNotMatch(detailWords(detail), /until|revision| at /);
  }
});

test('every form that the server writes is known', () => {
  const folder = new URL('../../Sources/Storage/', import.meta.url);
  // Texts of refusals are details as well, behind their codes.
  const begin = /(?:\bdetail = |var detail: String \{ |(?<!code: "[a-z-]+",\s*)detail: )/;
  const literal = new RegExp(`${begin.source}"((?:[^"\\\\]|\\\\\\((?:[^()"]|\\([^()]*\\))*\\))*)"`, 'g');
  const found = readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.swift'))
    .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(literal)])
    .map(([, text]) => text.replace(/\\\([^()]*(?:\([^()]*\)[^()]*)*\)/g, '_'));
  const forms = [...new Set(found)].filter((text) => /[a-z]{2}/.test(text) && text.includes('_'));
  assert.deepEqual(forms.sort(), [
    '_ at _', '_ by _', '_ more requests were refused while the audit could not be written', '_ of _ until _', '_ to _',
    'added _, changed _, deleted _', 'copy of _', 'from _ to _: _',
  ], 'a form without a Chinese sentence in lib/audit-words.js');
});
