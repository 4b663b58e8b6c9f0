// An app that depends on the client alone: what it fetches and builds, and that it shows the home, also offline.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { Hearth } from '../TypeScriptClient/hearth.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hearth-app-'));
const clone = join(folder, 'hearth');
const app = join(folder, 'app');
const run = (...words) => execFileSync(words[0], words.slice(1), { encoding: 'utf8', env: { ...process.env, HEARTH_PACKAGE: clone } });

test.before(() => {
  run('git', 'clone', '--quiet', root, clone);
  run('git', '-C', clone, 'tag', '0.0.1');
  cpSync(join(here, 'Package.swift'), join(app, 'Package.swift'));
  cpSync(join(here, 'Sources'), join(app, 'Sources'), { recursive: true });
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('an app fetches and builds nothing of the server', () => {
  const output = run('swift', 'build', '--package-path', app, '--scratch-path', join(app, '.build'), '--cache-path', join(folder, 'cache'));
  const { pins } = JSON.parse(readFileSync(join(app, 'Package.resolved')));
  assert.deepEqual(pins.map(({ identity }) => identity), ['hearth']);
  assert.deepEqual(readdirSync(join(app, '.build/checkouts')), ['hearth']);
  const built = readdirSync(join(app, '.build/debug')).filter((name) => name.endsWith('.build')).map((name) => name.replace(/\.build$/, ''));
  assert.deepEqual(built.filter((name) => !/-tool$/.test(name)).sort(), ['App', 'HearthClient', 'HomePayload', 'JSON', 'Polling']);
  const steps = Number(/\[\d+\/(\d+)\]/.exec(output.split('\n').filter((line) => line.startsWith('[')).at(-1) ?? '')?.[1]);
  console.log(`the app is built in ${steps} steps`);
});

/** The lines of an app's run. */
async function* states(server, count) {
  const child = spawn(join(app, '.build/debug/App'), [server, join(folder, 'state/page'), String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  yield* createInterface(child.stdout);
  assert.deepEqual(await ended, [0, null]);
}

async function all(lines) {
  const found = [];
  for await (const line of lines) found.push(line.split(' '));
  return found;
}

test('the app shows the home, waits for a publish, and shows what it kept when the server is gone', async () => {
  const hearth = await Hearth.start();
  try {
    const seen = [];
    for await (const line of states(hearth.public, 3)) {
      seen.push(line.split(' '));
      if (seen.length !== 2) continue;
      await hearth.api('POST', '/sections/otc/move', { first: true });
      await hearth.api('POST', '/publish');
    }
    assert.deepEqual(seen.map(([name]) => name), ['noData', 'upToDate', 'upToDate']);
    assert.equal(seen[2][2], 'otc');
    assert(existsSync(join(folder, 'state/page')));
    await hearth.kill();
    assert.deepEqual(await all(states(hearth.public, 2)), [['cached', ...seen[2].slice(1)], ['stale', ...seen[2].slice(1)]]);
    await hearth.serve();
    assert.deepEqual(await all(states(hearth.public, 2)), [['cached', ...seen[2].slice(1)], ['upToDate', ...seen[2].slice(1)]]);
  } finally {
    await hearth.stop();
  }
});
