import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import test from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';

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

/** Bytes as brotli makes them of an entry of the element and what it imports at once, apart from some modules. */
function sizeOf(name, ...apart) {
  const source = fileURLToPath(new URL(`../../clients/typescript/${name}.js`, import.meta.url));
  const words = ['--bundle', '--minify', '--format=esm', '--target=es2022'];
  const external = apart.map((each) => `--external:./${each}.js`);
  const size = brotliCompressSync(execFileSync('esbuild', [source, ...words, ...external])).length;
  console.log(`${name}: ${size} bytes`);
  return size;
}

test('the element, which lays out and draws what an app draws, has less than 15 kB', () => {
  assert(sizeOf('element', 'polling', 'plain', 'seen', 'signatures', 'actions', 'ticker') < 15_000);
});

test('plain drawings add less than 3 kB, and polling less than 8 kB', () => {
  assert(sizeOf('plain', 'nodes') < 3_000);
  assert(sizeOf('polling', 'signatures') < 8_000);
});

test('with all but signatures it has less than 26 kB', () => {
  assert(sizeOf('element', 'signatures') < 26_000);
});
