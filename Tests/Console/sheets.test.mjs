// Tables of items: their columns, what is written into a cell, and what a file would make of them.

import './browser.mjs';
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

const assets = new URL('../../Sources/Service/Console/assets/', import.meta.url);
const { setLanguage } = await import('../../Sources/Service/Console/assets/lib/i18n.js');
const { cellText, columnsOf, fixedReason, problemOf, writtenItem } =
  await import('../../Sources/Service/Console/assets/sheets/columns.js');
const { readCSV, writeCSV } = await import('../../Sources/Service/Console/assets/sheets/csv.js');
const { fileRows, fileRowsMax, planOf } = await import('../../Sources/Service/Console/assets/sheets/items-file.js');
setLanguage('en');

const text = { type: 'string', minLength: 1, maxLength: 80, 'x-localized': true };
const kinds = {
  $defs: { text },
  itemKinds: {
    product: { content: {
      type: 'object', required: ['title', 'price'],
      properties: {
        title: { $ref: '#/$defs/text' },
        price: {
          type: 'object', required: ['amount', 'currency'],
          properties: {
            amount: { type: 'number', minimum: 0, multipleOf: 0.01 }, currency: { enum: ['CNY', 'VND', 'USD'] },
          },
        },
        isNew: { type: 'boolean' }, date: { type: 'string', format: 'date-time' },
        tags: { type: 'array', maxItems: 3, items: { $ref: '#/$defs/text' } },
        image: { type: 'object', properties: { url: { type: 'string', format: 'uri' }, width: { type: 'integer' } } },
      },
    } },
    banner: { action: 'required', content: { type: 'object', properties: { title: { $ref: '#/$defs/text' } } } },
  },
};
const product = (id, content) => ({ id, kind: 'product', content });
const items = [
  product('tea', { title: { en: 'Tea', 'zh-Hans': '茶' }, price: { amount: 12.5, currency: 'USD' }, tags: ['hot'] }),
  product('cup', { title: 'Cup', price: { amount: 1290000, currency: 'VND' }, isNew: true, unknown: { kept: 1 } }),
  { id: 'ad', kind: 'banner', content: { title: '=cmd|calc' }, action: { url: 'https://example.com/' }, children: [] },
];
const locales = ['en', 'zh-Hans'];
const tableOf = (list = items, more = {}) => ({
  kinds, items: list, allowed: ['product', 'banner'], maximum: 100,
  taken: new Set([...list.map(({ id }) => id), 'slot']),
  columns: columnsOf({ kinds, allowed: ['product', 'banner'], items: list, locales }), ...more,
});
const table = tableOf();
const column = (pointer) => {
  const found = table.columns.find((each) => each.pointer === pointer);
  assert.ok(found, `${pointer} among ${table.columns.map((each) => each.pointer)}`);
  return found;
};

test('the columns are the fields, a text that differs by locale one for each', () => {
  assert.deepEqual(table.columns.map(({ pointer }) => pointer), [
    '/content/title', '/content/title/en', '/content/title/zh-Hans', '/content/price/amount', '/content/price/currency',
    '/content/isNew', '/content/date', '/content/tags', '/content/image/url', '/content/image/width', '/action/url',
  ]);
  assert.equal(column('/content/title/en').label, 'Title (en)');
  assert.deepEqual(items.map((item) => cellText(column('/content/title'), item)), ['', 'Cup', '=cmd|calc']);
  assert.deepEqual(items.map((item) => cellText(column('/content/title/zh-Hans'), item)), ['茶', '', '']);
  assert.equal(cellText(column('/content/tags'), items[0]), '["hot"]');
  assert.equal(cellText(column('/content/isNew'), items[1]), 'TRUE');
});

test('what titles an item comes first, as in its form, however the kind lists its fields', () => {
  const content = { type: 'object', required: ['image', 'title'], properties: {
    badge: { type: 'string' }, image: { type: 'object', required: ['url'], properties: {
      height: { type: 'integer' }, url: { type: 'string' } } }, subtitle: text, title: text,
  } };
  const columns = columnsOf({ kinds: { itemKinds: { card: { content } } }, allowed: ['card'], items: [], locales: [] });
  assert.deepEqual(columns.map(({ pointer }) => pointer), [
    '/content/title', '/content/image/url', '/content/image/height', '/content/subtitle', '/content/badge',
    '/action/url',
  ]);
});

/** What is written where, and what stands in the item then. */
const writes = [
  [0, '/content/title/en', 'Green tea', { title: { en: 'Green tea', 'zh-Hans': '茶' } }],
  [0, '/content/title/en', '', { title: { 'zh-Hans': '茶' } }],
  [1, '/content/title/zh-Hans', '杯', { title: { '*': 'Cup', 'zh-Hans': '杯' } }],
  [1, '/content/title', 'Mug', { title: 'Mug' }],
  [1, '/content/title', '  spaces stay  ', { title: '  spaces stay  ' }],
  [0, '/content/price/amount', '1,290.5', { price: { amount: 1290.5, currency: 'USD' } }],
  [0, '/content/price/currency', 'vnd', { price: { amount: 12.5, currency: 'VND' } }],
  [1, '/content/isNew', 'nein?', null], [1, '/content/isNew', 'FALSCH', { isNew: false }],
  [1, '/content/isNew', '', { isNew: undefined }],
  [0, '/content/price/amount', '1,5', null], [0, '/content/price/amount', '1.290.000', null],
  [0, '/content/price/currency', 'EUR', null], [0, '/content/date', '22.11.2026', null],
  [0, '/content/date', '2026-11-22T08:00:00Z', { date: '2026-11-22T08:00:00Z' }],
  [0, '/content/tags', '["hot", "new"]', { tags: ['hot', 'new'] }], [0, '/content/tags', '[hot]', null],
  [0, '/content/tags', '', { tags: undefined }],
  [1, '/content/image/url', 'https://a.example/1.png', { image: { url: 'https://a.example/1.png' } }],
];
for (const [place, pointer, written, wanted] of writes) {
  test(`${items[place].id} ${pointer} “${written}” is ${wanted ? JSON.stringify(wanted) : 'refused'}`, () => {
    const { item, reason } = writtenItem(column(pointer), items[place], written);
    if (!wanted) {
      assert.ok(reason);
      assert.equal(item, items[place]);
      return;
    }
    assert.equal(reason, undefined);
    assert.deepEqual(JSON.parse(JSON.stringify(item)),
      JSON.parse(JSON.stringify({ ...items[place], content: { ...items[place].content, ...wanted } })));
  });
}

test('what breaks a rule is written with a problem, and what is written anew as it was changes nothing', () => {
  const long = 'x'.repeat(81);
  const written = writtenItem(column('/content/title'), items[1], long);
  assert.equal(written.item.content.title, long);
  assert.match(written.problem, /at most 80/);
  assert.match(writtenItem(column('/content/price/amount'), items[0], '-1').problem, /at least 0/);
  assert.match(writtenItem(column('/content/price/amount'), items[0], '0.123').problem, /multiple of 0.01/);
  assert.equal(writtenItem(column('/content/price/amount'), items[0], '0.29').problem, undefined);
  assert.match(writtenItem(column('/content/title'), items[1], '').problem, /required/);
  for (const each of table.columns) {
    for (const item of items) assert.equal(writtenItem(each, item, cellText(each, item)).item, item);
  }
});

test('a cell says why nothing can be written into it', () => {
  assert.match(fixedReason(column('/content/title'), items[0]), /differs by locale/);
  assert.match(fixedReason(column('/content/price/amount'), items[2]), /no such field/);
  assert.equal(writtenItem(column('/content/title'), items[0], 'x').isFixed, true);
});

test('an image by locale, and all else that is no cell, is JSON', () => {
  const localized = { itemKinds: { picture: { content: { type: 'object', properties: {
    image: { type: 'object', 'x-localized': true, properties: { url: { type: 'string' } } },
  } } } } };
  const pictures = [{ id: 'a', kind: 'picture', content: { image: { en: { url: 'u' }, '*': { url: 'v' } } } }];
  const [only, ...rest] = columnsOf({ kinds: localized, allowed: ['picture'], items: pictures, locales });
  assert.equal(rest.filter(({ pointer }) => pointer.startsWith('/content')).length, 0);
  assert.equal(cellText(only, pictures[0]), '{"en":{"url":"u"},"*":{"url":"v"}}');
});

const fileOf = (list, how) => readCSV(writeCSV(fileRows(tableOf(list), how), how.separator));

test('a file that is read again changes nothing, with either separator and either header', () => {
  const many = [...items, product('odd', {
    title: { en: '\'=1', 'zh-Hans': '"a";b,\tc\nd' }, price: { amount: 1.125, currency: 'CNY' }, tags: ['=x'],
  }), product('e', { title: '-5', price: { amount: 0.125, currency: 'CNY' } }),
  product('f', { title: '\'', price: { amount: 1e23, currency: 'CNY' } })];
  for (const separator of [',', ';']) {
    for (const hasLabels of [true, false]) {
      const how = { hasLabels, separator };
      const plan = planOf(fileOf(many, how), tableOf(many), { removes: true, ordersBy: true });
      assert.deepEqual([plan.header, plan.outcomes.filter(({ what }) => what !== 'same')], [[], []]);
      assert.ok(plan.items.every((item, place) => item === many[place]));
      for (const cell of fileOf(many, how).rows.flat()) assert.doesNotMatch(cell, /^[=+@]/);
    }
  }
});

const csv = (text) => readCSV(text);
const plan = (text, how) => planOf(csv(text), table, how);

test('rows are changed, added, left out and put in order', () => {
  const text = 'id,kind,Title (en),/content/price/amount,/content/price/currency,title\n'
    + 'cup,,,1,,Cup\n,product,,3,USD,New\nown,product,,4,CNY,Own\n';
  const kept = plan(text);
  assert.equal(kept.isRefused, true, 'an emptied currency is required');
  assert.match(kept.outcomes[0].refusals[0].reason, /required/);
  const good = text.replace('cup,,,1,,Cup', 'cup,,,1,VND,Cup');
  const some = plan(good);
  assert.deepEqual(some.outcomes.map(({ what }) => what), ['changed', 'added', 'added']);
  assert.deepEqual(some.outcomes[0].differences, [{ name: 'Price / Amount', before: '1290000', after: '1' }]);
  assert.equal(some.items.length, 5);
  const ids = some.items.map(({ id }) => id).filter((id) => !id.startsWith('product-'));
  assert.deepEqual(ids, ['tea', 'cup', 'own', 'ad']);
  assert.deepEqual(some.items[1].content.unknown, { kept: 1 }, 'what is no column stays');
  assert.deepEqual(plan(good, { removes: true }).outcomes.map(({ what, id }) => `${what} ${id}`).slice(3),
    ['removed tea', 'removed ad']);
  assert.equal(plan(good, { ordersBy: true }).items[0].id, 'cup');
});

/** What is refused, and what is said of it. */
const refusals = {
  'no id': ['title\nx\n', /no column “id”/], 'an unknown column': ['id,Colour\ntea,x\n', /no column “Colour”/],
  'a column twice': ['id,title,/content/title\ncup,x,y\n', /twice/],
  'an id twice': ['id,Is New\ncup,0\ncup,0\n', /twice/],
  'an ambiguous number': ['id,/content/price/amount\ntea,"1,5"\n', /1\.5/],
  'a number of thousands in a European file': ['id;/content/price/amount\ntea;1.290\n', /1290.*1,2900/],
  'a kind that changes': ['id,kind\ntea,banner\n', /stays as it is: product/],
  'an unknown kind': ['id,kind\nnew,cake\n', /product, banner/],
  'an id of something else': ['id,kind,title,/content/price/amount,/content/price/currency\nslot,product,a,1,USD\n',
    /Something else/],
  'what is missing': ['id,kind,title\nnew,product,a\n', /required/],
  'an action': ['id,kind,title\nn,banner,a\n', /action/],
  'a text that is too long': [`id,title\ncup,${'x'.repeat(81)}\n`, /at most 80/],
  'a field of another kind': ['id,/content/price/amount\nad,1\n', /no such field/],
  'a text of all locales where it differs': ['id,title\ntea,x\n', /differs by locale/],
  'too many cells': ['id,title\ncup,a,b\n', /more cells/], 'an id that is none': ['id,kind\na b,product\n', /1 to 128/],
  'too many rows': [`id\n${'tea\n'.repeat(fileRowsMax + 1)}`, /At most 10000/],
};
for (const [name, [text, words]] of Object.entries(refusals)) {
  test(`a file is refused: ${name}`, () => {
    const { header, outcomes, items: next, isRefused } = plan(text);
    assert.equal(isRefused, true);
    assert.equal(next, items, 'nothing changes');
    const told = [...header, ...outcomes.flatMap((each) => each.refusals)].map(({ reason }) => reason);
    assert.match(told.join(' '), words);
  });
}

test('more items than the section takes are refused', () => {
  const text = 'id,kind,title,/action/url\nnew,banner,a,https://example.com/\n';
  assert.equal(planOf(csv(text), tableOf(items, { maximum: 4 })).isRefused, false);
  assert.match(planOf(csv(text), tableOf(items, { maximum: 3 })).header[0].reason, /takes 3/);
});

test('a decimal comma is read in a file that is separated by semicolons', () => {
  const { items: next } = plan('id;/content/price/amount\ntea;"12,75"\ncup;1290000,5\n');
  assert.deepEqual(next.slice(0, 2).map((item) => item.content.price.amount), [12.75, 1290000.5]);
});

test('five thousand rows come back', () => {
  const many = Array.from({ length: 5000 }, (_, number) => product(`p${number}`, {
    title: { en: `Product ${number}`, 'zh-Hans': `商品${number}` }, price: { amount: number / 100, currency: 'CNY' },
  }));
  const file = fileOf(many, { hasLabels: true, separator: ';' });
  assert.equal(file.rows.length, 5001);
  const { outcomes } = planOf(file, tableOf(many));
  assert.deepEqual(outcomes.filter(({ what }) => what === 'refused'), []);
  assert.ok(outcomes.every(({ what }) => what === 'same'));
});

test('tables import nothing of the rest but what they share', () => {
  for (const name of readdirSync(new URL('sheets/', assets))) {
    const source = readFileSync(new URL(`sheets/${name}`, assets), 'utf8');
    for (const [, from] of source.matchAll(/from '([^']+)';/g)) {
      assert.match(from, /^(\.\/[a-z-]+|\.\.\/shared)\.js$/, name);
    }
  }
});

test('every sentence of the tables has its Chinese', async () => {
  const { chinese } = await import('../../Sources/Service/Console/assets/lib/chinese.js');
  for (const name of [...readdirSync(new URL('sheets/', assets)).map((each) => `sheets/${each}`), 'views/section.js']) {
    const source = readFileSync(new URL(name, assets), 'utf8');
    for (const [, sentence] of source.matchAll(/\bt\(\s*'((?:[^'\\]|\\.)*)'/g)) {
      const key = sentence.replaceAll('\\\'', '\'');
      assert.ok(Object.hasOwn(chinese, key), `${name}: ${key}`);
    }
  }
});

test('a bound that a double cannot hold bounds a number all the same', () => {
  // As browsers have it: without a prototype, and so nothing to compare or divide.
  const most = Object.assign(Object.create(null), { rawJSON: '9223372036854775807' });
  for (const keyword of ['maximum', 'exclusiveMaximum', 'multipleOf']) {
    assert.notEqual(problemOf({ [keyword]: most }, 1e19), undefined, keyword);
    assert.equal(problemOf({ [keyword]: most }, 0), undefined, keyword);
  }
});
