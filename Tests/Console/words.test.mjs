import './browser.mjs';
import assert from 'node:assert/strict';
import test from 'node:test';

const { formatInstant, instantIn, languageName, localTime, setLanguage, skippedWords, twiceWords } =
  await import('../../Sources/Service/Console/assets/lib/i18n.js');
const { nameIn, predicateWords } = await import('../../Sources/Service/Console/assets/lib/words.js');

const cases = [
  [undefined, 'Everyone', '所有人'],
  [{ attribute: 'platform', in: ['ios'] }, 'platform is ios'],
  [{ attribute: 'platform', in: ['ios', 'web'] }, 'platform is one of ios, web'],
  [{ attribute: 'bucket', between: [90, 99] }, 'bucket is from 90 to 99'],
  [{ attribute: 'bucket', between: 5 }, 'bucket is from {from} to {to}'],
  [{ audience: 'vip' }, 'the audience vip'],
  [{ any: [{ attribute: 'platform', notIn: ['ios'] }, { attribute: 'appVersion', atLeast: '15.0' }] },
    'all but ios below 15.0', '除低于 15.0 版本的 ios 外的所有客户端'],
  [{ not: { any: [{ audience: 'vip' }, { attribute: 'bucket', below: 5 }] } },
    'not (the audience vip or bucket is below 5)'],
];
for (const [predicate, english, chinese] of cases) {
  test(`who it is: ${english}`, () => {
    setLanguage('en');
    assert.equal(predicateWords(predicate), english);
    setLanguage('zh-Hans');
    if (chinese) assert.equal(predicateWords(predicate), chinese); else assert.notEqual(predicateWords(predicate), '');
  });
}

test('an instant names its zone, in either language', () => {
  for (const language of ['en', 'zh-Hans']) {
    setLanguage(language);
    assert.match(formatInstant('2027-02-05T16:00:00Z', 'Asia/Shanghai'), /GMT\+8/);
    assert.match(formatInstant('2027-02-05T16:00:00Z', 'UTC'), /UTC/);
  }
});

test('a local time is what the zone’s clocks show', () => {
  assert.equal(localTime('2027-02-05T16:00:00Z', 'Asia/Shanghai'), '2027-02-06T00:00');
  assert.equal(localTime('2027-02-05T16:00:07Z', 'UTC'), '2027-02-05T16:00:07');
});

test('only a time that the clocks skip has words against it', () => {
  setLanguage('en');
  assert.match(skippedWords('2031-03-30T02:30', 'Europe/Berlin') ?? '', /There is no 2031-03-30 02:30/);
  for (const [time, zone] of [['2031-03-30T03:30', 'Europe/Berlin'], ['2031-03-30T02:30', 'UTC'], ['', 'UTC']]) {
    assert.equal(skippedWords(time, zone), null);
  }
});

test('of a time that the clocks show twice the first is meant, as for the server', () => {
  setLanguage('en');
  for (const [local, zone, instant] of [
    ['2031-10-26T02:30', 'Europe/Berlin', '2031-10-26T00:30:00Z'],
    ['2031-10-26T01:30', 'Europe/London', '2031-10-26T00:30:00Z'],
    ['2031-11-02T01:30:07', 'America/New_York', '2031-11-02T05:30:07Z'],
    ['2031-04-06T01:45', 'Australia/Lord_Howe', '2031-04-05T14:45:00Z'],
  ]) {
    assert.equal(instantIn(local, zone), instant);
    assert.match(twiceWords(local, zone) ?? '', /time 1 of 2 is meant/);
    assert.match(twiceWords(instant, zone) ?? '', /time 1 of 2 is meant/);
  }
  assert.match(twiceWords('2031-10-26T01:30:00Z', 'Europe/Berlin') ?? '', /time 2 of 2 is meant/);
  for (const time of ['2031-10-26T03:00', '2031-10-25T02:30', '2031-03-30T02:30', '', undefined]) {
    assert.equal(twiceWords(time, 'Europe/Berlin'), null);
  }
  // Of a quarter of an hour as well.
  assert.equal(instantIn('2031-01-01T00:00', 'Asia/Kathmandu'), '2030-12-31T18:15:00Z');
  assert.equal(instantIn('2031-03-30T02:30', 'Europe/Berlin'), null);
});

test('a section is called by its title, by its kind, or by its id', () => {
  const draft = { sections: [{ id: 'otc', kind: 'otc', title: '场外' }, { id: 'faq', kind: 'faq' }] };
  const kinds = { sectionKinds: { faq: { title: 'Questions' } } };
  assert.deepEqual(['otc', 'faq', 'gone'].map((id) => nameIn(draft, kinds, id)), ['场外', 'Questions', 'gone']);
  assert.equal(nameIn(null, kinds, 'otc'), 'otc');
});

test('a locale has its language’s name, in either language', () => {
  setLanguage('en');
  assert.equal(languageName('en'), 'English');
  setLanguage('zh-Hans');
  assert.equal(languageName('en'), '英语');
  assert.equal(languageName('no such tag'), 'no such tag');
});
