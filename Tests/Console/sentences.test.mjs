import './browser.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const { setLanguage } = await import('../../Sources/Service/Console/assets/lib/i18n.js');
const { changeWords, problemWords, sentenceWords, writers } =
  await import('../../Sources/Service/Console/assets/lib/sentences.js');

const document = readFileSync(new URL('../../docs/openapi.yaml', import.meta.url), 'utf8');
const codes = document.split('    SentenceCode:\n')[1].split(/\n {4}\w/)[0].match(/(?<=^ {8}- ).+$/gm)
  .map((code) => code.replaceAll('"', ''));

test('every code of the API can be said in both languages, and no other', () => {
  assert.ok(codes.length > 100);
  for (const language of ['en', 'zh-Hans']) assert.deepEqual(Object.keys(writers[language]).sort(), [...codes].sort());
});

const cases = [
  ['page-made', { page: 'home', count: 1 }, 'Made the page home with 1 section', '新建页面“home”，含 1 个分区'],
  ['page-made', { page: 'home', count: 1300 }, 'Made the page home with 1,300 sections', '新建页面“home”，含 1,300 个分区'],
  ['section-moved', { section: 'otc', from: 5, to: -1 }, 'Moved otc from 5 to -1', '“otc”由 5 移到 -1'],
  ['items-added', { section: 'nav', items: ['scan'], more: 0 }, 'Added item scan to nav', '在“nav”中新增条目 scan'],
  ['items-added', { section: 'nav', parent: 'scan', items: ['a', 'b'], more: 7 },
    'Added items a, b, and 7 more to scan in nav', '在“nav”的“scan”中新增条目 a、b和另外 7 个'],
  ['items-changed', { section: 'nav', count: 1 }, 'Changed 1 more item in nav', '修改“nav”中的另外 1 个条目'],
  ['members-changed', { section: 'nav', item: 'scan', members: ['title', 'icon'] },
    'Changed the title and icon of item scan in nav', '修改“nav”的条目“scan”的标题和图标'],
  ['slot-filled', { section: 'ad', slot: 'left' }, 'Filled the slot left of ad', '填充“ad”的插槽“left”'],
  ['part-added', { section: 'faq', part: 'header' }, 'Gave faq a header', '新增“faq”的页眉'],
  ['audience-limited', { rule: 'ios', audience: { attribute: 'platform', in: ['ios'] } },
    'Limited the rule ios to: platform is ios', '排序规则“ios”仅限：platform 为 ios'],
  ['maxLength', { most: 1, count: 12 }, 'This takes at most 1 character, and has 12.', '最多 1 个字符，现有 12 个。'],
  ['enum', { allowed: ['top', 7] }, 'This must be top or 7.', '必须是 top或7。'],
  ['unknown-page', { name: 'hom', known: [] }, 'There is no page “hom”; there are: none.', '没有页面“hom”；现有：无。'],
  ['x-localized', {}, 'There must be a value for at least one locale.', '至少要有一种语言的值。'],
];
for (const [code, values, english, chinese] of cases) {
  test(`said in both languages: ${english}`, () => {
    setLanguage('en');
    assert.equal(sentenceWords({ code, values }), english);
    setLanguage('zh-Hans');
    assert.equal(sentenceWords({ code, values }), chinese);
  });
}

test('a schedule is said in the clocks of its zone', () => {
  setLanguage('en');
  const values = { section: 'ad', schedule: { from: '2027-02-05T16:00:00Z', zone: 'Asia/Shanghai' } };
  assert.match(sentenceWords({ code: 'scheduled', values }), /Feb 6, 2027.*GMT\+8/);
});

test('the server’s text stands for what has no sentence, an unknown one, and values that do not fit', () => {
  assert.equal(problemWords({ detail: 'must be a colour' }), 'must be a colour');
  assert.equal(sentenceWords({ code: 'of-a-newer-server', values: {} }, 'text'), 'text');
  assert.equal(sentenceWords({ code: 'enum', values: {} }, 'text'), 'text');
  const summary = ['moved otc', 'hid nav'];
  assert.deepEqual(changeWords({ summary, sentences: [{ code: 'unheard-of', values: {} }] }), summary);
});
