import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

test('what an app downloads has less than 8 KiB', () => {
  const source = fileURLToPath(new URL('../../clients/typescript/index.js', import.meta.url));
  const bundle = execFileSync('esbuild', [source, '--bundle', '--minify', '--format=esm', '--target=es2022']);
  const size = gzipSync(bundle, { level: 9 }).length;
  console.log(`${size} bytes`);
  assert(size < 8192, `${size} bytes`);
});

test('signed pages add less than 3.5 kB', () => {
  const source = fileURLToPath(new URL('../../clients/typescript/signatures.js', import.meta.url));
  const others = ['client', 'json', 'page', 'record'].map((name) => `--external:./${name}.js`);
  const words = ['--bundle', '--minify', '--format=esm', '--target=es2022'];
  const bundle = execFileSync('esbuild', [source, ...words, ...others]);
  const size = gzipSync(bundle, { level: 9 }).length;
  console.log(`${size} bytes`);
  assert(size < 3500, `${size} bytes`);
});
