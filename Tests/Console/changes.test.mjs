import assert from 'node:assert/strict';
import { test } from 'node:test';
import './browser.mjs';

const base = '../../Sources/Service/Console/assets/lib/';
const { ageWords, changedByOthers, effectOf, keyOf, liveAlready, linesOf, placesOf, tickedOf } =
  await import(`${base}changes.js`);
const { orderAround } = await import(`${base}put-back.js`);

const section = (id, more = {}) => ({ id, kind: 'otc', index: 0, items: [], ...more });
const draftOf = (sections, more = {}) => ({
  id: 'home', title: 'Home', sections, sortRules: { default: { indices: {} } }, lastChanges: {}, changedParts: {},
  ...more,
});
const by = (...names) => ({ by: names, at: '2031-01-01T00:00:00Z' });

test('a line has what is live, what is in the draft, and whose it is', () => {
  const live = draftOf([section('a'), section('gone')]);
  const draft = draftOf([section('a', { title: 'A', index: 3 }), section('new')], {
    lastChanges: { sections: { a: by('mei') }, settings: by('lin') },
  });
  const sentence = { code: 'section-renamed', values: { section: 'a', to: 'A' } };
  const [a, gone, added, settings] = linesOf({
    draft, live, keys: ['a', 'gone', 'new', ':settings'], said: [{ text: 'Renamed a', sentence }],
    problems: [{ section: 'new', pointer: '', detail: '' }],
  });
  assert.deepEqual(placesOf(a).map(({ path, mine, theirs }) => [path, mine, theirs]), [[['title'], undefined, 'A']]);
  assert.deepEqual([a.change.by, a.said[0].text, a.isNew, a.isGone], [['mei'], 'Renamed a', false, false]);
  assert.equal(gone.isGone, true);
  assert.deepEqual([added.isNew, added.problems.length], [true, 1]);
  assert.deepEqual([settings.change.by, settings.isNew, placesOf(settings)], [['lin'], false, []]);
});

test('a sentence stands at the line that carries what it says', () => {
  const of = (code, values, keys) => keyOf({ code, values }, keys);
  assert.equal(of('section-moved', { section: 'a' }, ['a', ':order']), ':order');
  assert.equal(of('section-moved', { section: 'a' }, ['a']), 'a');
  assert.equal(of('rule-index-changed', { section: 'a', rule: 'ios' }, ['a', 'rule:ios']), 'rule:ios');
  assert.equal(of('rule-index-added', { section: 'a', rule: 'ios' }, ['a']), 'a');
  assert.equal(of('audience-redefined', { name: 'vip' }, [':settings', 'audience:vip']), 'audience:vip');
  assert.equal(of('audience-changed', { section: 'a', place: 'a' }, ['a', ':settings']), 'a');
  assert.equal(of('poll-interval-changed', { from: 30, to: 60 }, [':settings']), ':settings');
  assert.equal(of('section-renamed', { section: 'b' }, ['a']), undefined);
});

test('what users see of a change goes by the time at which it is live', () => {
  const at = (time) => ({ at: time, zone: 'Asia/Shanghai' });
  const later = section('a', { schedule: { from: '2031-02-17T00:00:00Z', zone: 'Asia/Shanghai' } });
  const of = (before, after, time = '2031-01-01T00:00') => effectOf({ before, after }, at(time));
  assert.deepEqual(of(section('a'), section('a', { title: 'A' })), { what: 'changes' });
  assert.deepEqual(of(undefined, section('a')), { what: 'appears' });
  assert.deepEqual(of(section('a'), section('a', { hidden: true })), { what: 'disappears' });
  assert.deepEqual(of(section('a'), undefined), { what: 'disappears' });
  assert.deepEqual(of(section('a'), later), {
    what: 'disappears', returns: '2031-02-17T00:00:00Z', zone: 'Asia/Shanghai',
  });
  assert.deepEqual(of(section('a'), later, '2031-02-17T08:00'), { what: 'changes' });
  assert.equal(of(undefined, later).begins, '2031-02-17T00:00:00Z');
  assert.deepEqual(of(undefined, section('a', { hidden: true })), { what: 'unseen' });
});

test('one’s own changes are ticked, and nothing that waits, is others’ or is nobody’s', () => {
  const draft = draftOf([], { lastChanges: {
    sections: { mine: by('lin'), theirs: by('mei'), both: by('mei', 'lin'), waits: by('lin') }, order: by('lin'),
  } });
  const keys = ['mine', 'theirs', 'both', 'waits', 'unknown', ':order'];
  const ticked = (ticks) => tickedOf({ keys, draft, waits: new Map([['waits', {}]]), ticks, me: 'lin' });
  assert.deepEqual(ticked({}), ['mine', ':order']);
  assert.deepEqual(ticked({ mine: false, waits: true, both: true }), ['both', 'waits', ':order']);
});

test('what others changed between two looks is known by its line', () => {
  const rules = (priority) => ({ default: { indices: {} }, ios: { priority } });
  const before = draftOf([section('a'), section('b'), section('c')], { sortRules: rules(1) });
  const now = draftOf([section('a', { title: 'A' }), section('b', { title: 'B' })], {
    sortRules: rules(2), pollInterval: 60, lastChanges: { sections: { a: by('mei'), b: by('lin') } },
  });
  assert.deepEqual(changedByOthers(before, now, 'lin'), ['a', 'c', 'rule:ios', ':settings']);
  assert.deepEqual(changedByOthers(now, now, 'lin'), []);
});

test('what others have published as well is no reason to look again', () => {
  const item = (id, text) => ({ id, kind: 'ticker', content: { text } });
  const of = (...items) => draftOf([section('a', { items })]);
  const given = {
    was: of(item('x', 'old'), item('y', 'old')), before: of(item('x', 'mine'), item('y', 'old')),
    is: of(item('x', 'old'), item('y', 'theirs')), now: of(item('x', 'mine'), item('y', 'theirs')), changed: ['a'],
  };
  assert.deepEqual(liveAlready(given), ['a']);
  assert.deepEqual(liveAlready({ ...given, is: given.was }), []);
});

test('an age is said in the largest unit that fits', () => {
  const now = Date.parse('2031-01-02T00:00:00Z');
  assert.equal(ageWords('2031-01-01T23:59:50Z', now), 'now');
  assert.equal(ageWords('2031-01-01T23:57:30Z', now), '2 minutes ago');
  assert.equal(ageWords('2031-01-01T21:00:00Z', now), '3 hours ago');
  assert.equal(ageWords('2031-01-01T00:00:00Z', now), 'yesterday');
  assert.equal(ageWords('2031-01-02T00:00:09Z', now), 'now');
});

test('an order that is put back leaves what is new behind what it stands behind', () => {
  assert.deepEqual(orderAround(['b', 'a'], ['new', 'a', 'other', 'b']), ['new', 'b', 'a', 'other']);
});
