// The console's folders import downwards alone: what a form or a view needs knows nothing of it.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';

const assets = new URL('../../Sources/Service/Console/assets/', import.meta.url);
/** What the modules of each folder may import, beside each other. */
const below = {
  lib: ['client', 'vendor'],
  phone: ['lib', 'client', 'vendor'],
  forms: ['phone', 'lib', 'vendor'],
  views: ['forms', 'phone', 'lib', 'client', 'vendor', 'shared.js'],
  // They come later, and take all else from the module that is there by then.
  sheets: ['shared.js', 'vendor'],
  gallery: ['shared.js', 'vendor'],
};

/** The folders and files at the top that a module imports, types aside. */
function importsOf(text) {
  const code = text.replace(/\/\*[^]*?\*\//g, '').replace(/^\s*\/\/.*/gm, '');
  return [...code.matchAll(/(?:from\s*|import\s*\(?\s*)'\.\.\/([^'/]+)/g)].map(([, place]) => place);
}

for (const [folder, allowed] of Object.entries(below)) {
  test(`${folder} imports what is below it alone`, () => {
    const names = readdirSync(new URL(`${folder}/`, assets)).filter((name) => name.endsWith('.js'));
    assert.notEqual(names.length, 0);
    const upwards = names.flatMap((name) => importsOf(readFileSync(new URL(`${folder}/${name}`, assets), 'utf8'))
      .filter((place) => !allowed.includes(place)).map((place) => `${folder}/${name} imports ${place}`));
    assert.deepEqual(upwards, []);
  });
}

test('an import is found however it is written, and a type is none', () => {
  const text = "import { a,\n  b } from '../views/x.js';\nimport '../lib/y.js';\nconst z = import('../sheets.js');\n"
    + "export { c } from '../forms/z.js';\n/** @type {import('../phone/p.js').P} */\n// from '../gallery/g.js'\n";
  assert.deepEqual(importsOf(text), ['views', 'lib', 'sheets.js', 'forms']);
});
