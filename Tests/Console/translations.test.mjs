// Texts of pages by locale: which lack one, what a translation changes, and what a file would.

import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

const assets = '../../Sources/Service/Console/assets';
const { setLanguage } = await import(`${assets}/lib/i18n.js`);
const { Rights } = await import(`${assets}/lib/roles.js`);
const { readCSV, writeCSV } = await import(`${assets}/sheets/csv.js`);
const { ownText, sourceText, stateOf, textsOf, translationPlan, translationRows, withTranslations } =
  await import(`${assets}/sheets/texts.js`);
setLanguage('en');

const text = { type: 'string', minLength: 1, maxLength: 20, 'x-localized': true };
const kinds = {
  itemKinds: {
    card: { content: {
      type: 'object',
      properties: {
        title: text, tags: { type: 'array', items: text }, count: { type: 'integer', 'x-localized': true },
        button: { type: 'object', properties: { label: text } },
      },
    } },
  },
  sectionKinds: { list: { title: 'List' } },
};
const card = (id, content, more = {}) => ({ id, kind: 'card', content, ...more });
const draft = {
  id: 'home', title: 'Home', defaultLocale: 'en', locales: ['en', 'ar'], displayTitle: { en: 'Home' },
  sections: [{
    id: 'top', kind: 'list', index: 0, header: { kind: 'card', content: { title: { en: 'Header' } } },
    items: [
      card('a', { title: { en: 'Tea', ar: 'شاي' }, tags: [{ en: 'hot' }, 'new'], count: { en: 1 } }),
      card('b', { title: 'Same', button: { label: { en: '=Go', '*': 'Go' } } }, {
        children: [card('c', { title: { en: 'Child' } })], accessibility: { label: { en: 'Label' } },
        actions: [{ title: { en: 'Delete' }, action: { handler: 'delete' } }],
      }),
    ],
    slots: { lead: card('s', { title: { en: 'Slot' } }) },
    lists: [{ id: 'new', title: { en: 'New', ar: 'جديد' } }, { id: 'old', title: { en: 'Old' } }],
  }],
};
const rights = new Rights({ name: 'lin', role: 'editor' });
const entries = textsOf(draft, kinds, rights);
const byKey = new Map(entries.map((entry) => [entry.key, entry]));
const at = (item, pointer) => {
  const found = entries.find((entry) => entry.item === item && entry.pointer === pointer);
  assert.ok(found, `${item} ${pointer}`);
  return found;
};

test('every text that may differ by locale is found, wherever it stands', () => {
  assert.deepEqual(entries.map(({ item, pointer }) => `${item}${pointer}`), [
    '/displayTitle', 's/content/title', 'a/content/title', 'a/content/tags/0', 'a/content/tags/1', 'b/content/title',
    'b/content/button/label', 'b/accessibility/label', 'b/actions/0/title', 'c/content/title', '/header/content/title',
    '/lists/0/title', '/lists/1/title',
  ]);
  assert.deepEqual(entries.map((entry) => stateOf(entry, 'ar')), [
    'missing', 'missing', 'there', 'missing', 'same', 'same', 'missing', 'missing', 'missing', 'missing', 'missing',
    'there', 'missing',
  ]);
  assert.equal(sourceText(at('b', '/content/button/label'), 'vi'), 'Go');
  assert.equal(ownText(at('b', '/content/title'), 'ar'), '');
  assert.equal(textsOf(draft, kinds, new Rights({ name: 'x', role: 'source', scopes: ['home/top'] }))
    .filter(({ mayEdit }) => mayEdit).every(({ resource }) => resource.at(-1) === 'content'), true);
});

const { header, items, slots } = draft.sections[0];
const resources = { content: { items, slots }, settings: { kind: 'list', header } };
const translation = (entry, words, more = {}) => ({
  entry, locale: 'ar', from: 'en', text: words, source: sourceText(entry, 'en'), before: ownText(entry, 'ar'), ...more,
});

test('a translation goes where its text stands by now, and changes nothing else', () => {
  const moved = { items: [items[1], items[0]], slots };
  const { value, stale } = withTranslations(moved, [
    translation(at('a', '/content/tags/0'), 'حار'), translation(at('b', '/content/title'), 'ذات'),
    translation(at('c', '/content/title'), 'طفل'), translation(at('s', '/content/title'), 'فتحة'),
    translation(at('a', '/content/title'), ''), translation(at('b', '/actions/0/title'), 'حذف'),
  ]);
  assert.deepEqual(stale, []);
  assert.deepEqual(value.items[1].content, {
    title: { en: 'Tea' }, tags: [{ en: 'hot', ar: 'حار' }, 'new'], count: { en: 1 },
  });
  assert.deepEqual(value.items[0].content.title, { '*': 'Same', ar: 'ذات' });
  assert.deepEqual(value.items[0].actions, [{ title: { en: 'Delete', ar: 'حذف' }, action: { handler: 'delete' } }]);
  assert.deepEqual(value.items[0].children[0].content.title, { en: 'Child', ar: 'طفل' });
  assert.deepEqual(value.slots.lead.content.title, { en: 'Slot', ar: 'فتحة' });
  const settings = withTranslations(resources.settings, [translation(at('', '/header/content/title'), 'رأس')]);
  assert.deepEqual(settings.value.header.content, { title: { en: 'Header', ar: 'رأس' } });
});

test('what somebody changed since is left as it is, and told', () => {
  const entry = at('a', '/content/title');
  const cases = [
    [{ items: [], slots: {} }, /not there any more/],
    [{ items: [card('a', { title: { en: 'Green tea', ar: 'شاي' } })] }, /another now: “Green tea”/],
    [{ items: [card('a', { title: { en: 'Tea', ar: 'الشاي' } })] }, /Somebody translated it meanwhile: “الشاي”/],
    [{ items: [card('a', { title: { en: 'Tea' } })] }, /took the translation out/],
  ];
  for (const [now, words] of cases) {
    const { value, stale } = withTranslations(now, [translation(entry, 'جديد')]);
    assert.deepEqual(value, now);
    assert.match(stale[0].reason, words);
  }
});

const file = (change = (rows) => rows) =>
  readCSV(writeCSV(change(translationRows(entries, 'en', 'ar').map((row) => [...row])), ';'));
const plan = (change) => translationPlan(file(change), byKey, () => ['en', 'ar']);
const rowOf = (rows, item, pointer) => rows.find((row) => row[2] === item && row[3] === pointer);

test('a file that comes back as it was changes nothing', () => {
  const { header: told, outcomes } = plan();
  assert.deepEqual(told, []);
  assert.deepEqual(outcomes.map(({ what }) => what), entries.map(() => 'same'));
});

/** What is done to a file, and what becomes of the row. */
const changes = {
  'a new translation': [(rows) => { rowOf(rows, 'c', '/content/title')[5] = 'طفل'; }, 'added'],
  'another translation': [(rows) => { rowOf(rows, 'a', '/content/title')[5] = 'الشاي'; }, 'changed'],
  'one that is taken out': [(rows) => { rowOf(rows, 'a', '/content/title')[5] = ''; }, 'removed'],
  'one of a text that is the same everywhere': [(rows) => { rowOf(rows, 'b', '/content/title')[5] = 'ذات'; }, 'added'],
  'a source text that is another now': [(rows) => {
    Object.assign(rowOf(rows, 'c', '/content/title'), { 4: 'Kid', 5: 'طفل' });
  }, 'stale', /another now: “Child”/],
  'a text that somebody translated meanwhile': [(rows) => {
    Object.assign(rowOf(rows, 'a', '/content/title'), { 5: 'الشاي', 6: '' });
  }, 'stale', /translated it meanwhile/],
  'a text that is too long': [(rows) => { rowOf(rows, 'c', '/content/title')[5] = 'x'.repeat(21); }, 'refused',
    /at most 20/],
  'a text that is gone': [(rows) => {
    Object.assign(rowOf(rows, 'c', '/content/title'), { 2: 'z', 5: 'x' });
  }, 'refused', /not there any more/],
  'a row that is there twice': [(rows) => { rows.push([...rowOf(rows, 'c', '/content/title')]); }, 'refused', /twice/],
};
for (const [name, [change, what, words]] of Object.entries(changes)) {
  test(`a file with ${name}`, () => {
    const { header: told, outcomes } = plan((rows) => { change(rows); return rows; });
    assert.deepEqual(told, []);
    const [only, ...others] = outcomes.filter((outcome) => outcome.what !== 'same');
    assert.deepEqual([only.what, others], [what, []]);
    if (words) assert.match(only.refusals[0].reason, words);
  });
}

test('a file whose first row is another is refused', () => {
  const heads = [
    [4, 'source', /names no locale/], [6, 'exported (en)', /same locale/], [3, 'where', /no column “where”/],
  ];
  for (const [place, name, words] of heads) {
    const { header: told, outcomes } = plan((rows) => { rows[0][place] = name; return rows; });
    assert.match(told.map(({ reason }) => reason).join(' '), words);
    assert.deepEqual(outcomes, []);
  }
  const other = plan((rows) => {
    Object.assign(rows[0], { 5: 'translation (vi)', 6: 'exported (vi)' });
    rowOf(rows, 'c', '/content/title')[5] = 'x';
    return rows;
  });
  assert.match(other.outcomes.find(({ what }) => what === 'refused').refusals[0].reason, /no locale vi/);
});
