import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const assets = new URL('../../Sources/Service/Console/assets/', import.meta.url);
/** Each folder, and those that its modules may import. What comes later (sheets, gallery) has all from shared.js. */
const rooms = {
  lib: ['lib', 'vendor', 'phone', 'client'],
  phone: ['phone', 'lib', 'vendor', 'client'],
  forms: ['forms', 'phone', 'lib', 'vendor', 'client'],
  views: ['views', 'forms', 'phone', 'lib', 'vendor', 'client'],
  sheets: ['sheets'],
  gallery: ['gallery'],
};

test('a module imports what is below it', () => {
  const found = [];
  for (const [room, allowed] of Object.entries(rooms)) {
    const folder = new URL(`${room}/`, assets);
    const names = readdirSync(folder).filter((name) => name.endsWith('.js'));
    assert.ok(names.length > 0, room);
    for (const name of names) {
      const text = readFileSync(new URL(name, folder), 'utf8');
      for (const [, way] of text.matchAll(/^(?:import|export)\b[^;]*? from '([^']+)';/gm)) {
        const [other, ...rest] = new URL(way, new URL(name, folder)).href.slice(assets.href.length).split('/');
        if (rest.length === 0 ? other !== 'shared.js' : !allowed.includes(other)) found.push(`${room}/${name}: ${way}`);
      }
    }
  }
  assert.deepEqual(found, []);
});
