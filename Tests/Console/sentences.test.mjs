import './browser.mjs';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

const { chinese } = await import('../../Sources/Service/Console/assets/lib/chinese.js');
const { joinSentences, setLanguage } = await import('../../Sources/Service/Console/assets/lib/i18n.js');
const { changeWords, problemWords, refusalWords, refusals, sentenceWords, writers } =
  await import('../../Sources/Service/Console/assets/lib/sentences.js');

const document = readFileSync(new URL('../../docs/openapi.yaml', import.meta.url), 'utf8');

/** The codes of a schema of the API with the names of their values, which the server's tests hold to the sources. */
const valuesOf = (schema) => {
  const text = document.split(`    ${schema}:\n`)[1].split(/\n {4}\w/)[0].split('      x-values:\n')[1];
  return Object.fromEntries(text.match(/^ {8}\S.*$/gm).map((line) => {
    const [code, names] = line.trim().replaceAll('"', '').split(': ');
    return [code, names.slice(1, -1).split(', ').filter(Boolean)];
  }));
};
const codes = valuesOf('SentenceCode');
const places = ['section', 'item', 'parent', 'slot', 'part', 'rule'];
/** What templates have under a name of their own. */
const spoken = { place: [], times: [], types: ['allowed'] };

/** The names of values that a sentence is made of, whether it is a template or a function. */
function namesIn(writer) {
  if (typeof writer === 'string') {
    return [...writer.matchAll(/\{(\w+)/g)].flatMap(([, name]) => spoken[name] ?? [name]);
  }
  const read = new Set();
  // Any value will do, as text, number and list, that a function asks for anything.
  const any = () => new Proxy(Object.assign([], { getTime: () => 0 }), { get: (target, name) => target[name] ?? 0 });
  try {
    writer(new Proxy({}, {
      get: (_, name) => { if (typeof name === 'string') read.add(name); return any(); },
      ownKeys: () => [],
    }));
  } catch { /* What it read counts, not what it makes of it. */ }
  return [...read];
}

test('every code of the API can be said in both languages, and no other', () => {
  assert.ok(Object.keys(codes).length > 150);
  for (const language of ['en', 'zh-Hans']) {
    assert.deepEqual(Object.keys(writers[language]).sort(), Object.keys(codes).sort());
  }
});

test('no sentence is made of a value that the server does not send with its code', () => {
  for (const language of ['en', 'zh-Hans']) {
    for (const [code, writer] of Object.entries(writers[language])) {
      const known = codes[code].map((name) => name.replace('?', ''));
      const unknown = namesIn(writer).filter((name) => !known.includes(name) && !places.includes(name));
      assert.deepEqual(unknown, [], `${language} ${code}`);
      // A template throws where a value is missing, so that one which may be absent has a function.
      const absent = codes[code].filter((name) => name.endsWith('?')).map((name) => name.slice(0, -1));
      if (typeof writer !== 'string') continue;
      assert.deepEqual(namesIn(writer).filter((name) => absent.includes(name)), [], `${language} ${code}`);
    }
  }
});

/** What no request of the console is refused with: those that cannot be read, and polls. */
const foreign = new RegExp(`^(${[
  'body-timeout', 'chunk-', 'client-key', 'connect-', 'content-length', 'encoded-', 'head-', 'host-', 'list-gone',
  'malformed-(chunk|content|cursor|field|host|request|target|transfer)', 'method-too', 'not-fresh', 'page-withheld',
  'range-not', 'request-line', 'section-not', 'too-many-fields', 'transfer-',
  'unsupported-(expectation|transfer|version)',
].join('|')})`);

test('every refusal of the admin API can be said in Chinese, over values that it has', () => {
  const text = document.split('    ProblemCode:\n')[1].split('      x-values:\n')[0];
  const all = text.match(/(?<=^ {8}- ).+$/gm).filter((code) => !foreign.test(code));
  assert.deepEqual(Object.keys(refusals['zh-Hans']).sort(), all.sort());
  // Members of the document itself are values as well.
  const values = { ...valuesOf('ProblemCode'), stale: ['changedBy', 'changedAt'] };
  for (const templates of Object.values(refusals)) {
    for (const [code, template] of Object.entries(templates)) {
      const names = [template].flat().flatMap(namesIn);
      assert.deepEqual(names.filter((name) => !values[code]?.includes(name)), [], code);
      // The last one has none, so that there is always one to say.
      if (templates === refusals['zh-Hans']) assert.deepEqual(namesIn([template].flat().at(-1)), [], code);
    }
  }
});

test('a refusal is said with as many values as it has, and with the server’s own sentence in English', () => {
  const body = { values: { pixels: 1e6, most: 10 } };
  const problem = { code: 'too-many-pixels', message: 'The picture has …', body };
  setLanguage('zh-Hans');
  assert.equal(refusalWords(problem), '图片为 1,000,000 像素，最多 10 像素；请缩小。');
  assert.equal(refusalWords({ ...problem, body: {} }), '图片的像素过多。');
  assert.equal(refusalWords({ code: 'of-a-newer-server', message: 'No.', body: {} }), '服务器拒绝了请求（of-a-newer-server）。');
  setLanguage('en');
  assert.equal(refusalWords(problem), 'The picture has …');
});

test('Chinese sentences are Chinese, with no space after a full stop', () => {
  for (const [code, writer] of Object.entries(writers['zh-Hans'])) {
    assert.match(String(writer), /\p{Script=Han}/u, code);
    assert.doesNotMatch(String(writer), /[。；，：] /, code);
  }
  for (const text of [...Object.values(chinese), ...Object.values(refusals['zh-Hans']).flat()]) {
    assert.doesNotMatch(text, /[。；，：！？] /);
  }
});

test('sentences stand behind each other as the language sets them', () => {
  setLanguage('en');
  assert.equal(joinSentences(['It is.', undefined, 'It was.']), 'It is. It was.');
  setLanguage('zh-Hans');
  assert.equal(joinSentences(['现在。', '', '过去。']), '现在。过去。');
});

const cases = [
  ['page-made', { page: 'home', count: 1 }, 'Made the page home with 1 section', '新建页面“home”，含 1 个分区'],
  ['page-made', { page: 'home', count: 1300 }, 'Made the page home with 1,300 sections', '新建页面“home”，含 1,300 个分区'],
  ['section-moved', { section: 'otc', from: 5, to: -1 }, 'Moved otc from index 5 to -1', '“otc”的序号由 5 改为 -1'],
  ['items-added', { section: 'nav', items: ['scan'], more: 0 }, 'Added item scan to nav', '在“nav”中新增条目 scan'],
  ['items-added', { section: 'nav', parent: 'scan', items: ['a', 'b'], more: 7 },
    'Added items a, b, and 7 more to scan in nav', '在“nav”的“scan”中新增条目 a、b和另外 7 个'],
  ['items-changed', { section: 'nav', count: 1 }, 'Changed 1 more item in nav', '修改“nav”中的另外 1 个条目'],
  ['members-changed', { section: 'nav', item: 'scan', members: ['title', 'icon'] },
    'Changed the title and icon of item scan in nav', '修改“nav”的条目“scan”的标题和图标'],
  ['slot-filled', { section: 'ad', slot: 'left' }, 'Filled the slot left of ad', '填充“ad”的插槽“left”'],
  ['part-added', { section: 'faq', part: 'header' }, 'Gave faq a header', '新增“faq”的页眉'],
  ['whole-number', { least: 1, most: 86400 }, 'This must be a whole number from 1 to 86,400.',
    '必须是 1 至 86,400 的整数。'],
  ['type', { allowed: ['array', 'null'] }, 'This must be of the type array or null.', '必须是数组或空值。'],
  ['additionalProperties', { known: [] }, 'There is no such member here; there are: none.', '这里没有这个成员；现有：无。'],
  ['minimum', { least: 0.00001, value: -2 }, 'This must be at least 0.00001, not -2.', '不能小于 0.00001，现为 -2。'],
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
  assert.deepEqual(changeWords({ summary, sentences: [{ code: 'unheard-of', values: {} }] }, (id) => id), summary);
  const moved = { code: 'section-put', values: { section: 'otc', after: 'wallet' } };
  assert.match(changeWords({ summary: ['-'], sentences: [moved] }, (id) => id.toUpperCase())[0], /OTC.*WALLET/);
});
