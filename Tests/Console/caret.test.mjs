import assert from 'node:assert/strict';
import test from 'node:test';
import { placeIn } from '../../Sources/Service/Console/assets/lib/caret.js';

/** The new text with a caret where that of the old one has gone. */
function carried(old, text) {
  const place = placeIn(old.replace('|', ''), text, old.indexOf('|'));
  return `${text.slice(0, place)}|${text.slice(place)}`;
}

test('a caret stays at what it stands at', () => {
  assert.equal(carried('{"a": "x|", "b": 1}', '{"a": "x", "b": 2}'), '{"a": "x|", "b": 2}');
  assert.equal(carried('{"a": 1, "b": "x y |"}', '{"a": 234, "b": "x y "}'), '{"a": 234, "b": "x y |"}');
  assert.equal(carried('{"a":1,"b":"x|"}', '{\n  "a": 23,\n  "b": "x"\n}'), '{\n  "a": 23,\n  "b": "x|"\n}');
  assert.equal(carried('{\n"a": 1,\n"b": "x|",\n"c": 1}', '{\n"a": 23,\n"b": "x",\n"c": 2}'),
    '{\n"a": 23,\n"b": "x|",\n"c": 2}');
  assert.equal(carried('{"a":1,"b":"x|","c":1}', '{ "a": 2, "b": "x", "c": 2 }').slice(0, 7), '{ "a":|',
    'else it stays where the texts part');
});
