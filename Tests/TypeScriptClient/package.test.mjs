// The package that apps install from the repository, or from the file of `npm pack`.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const app = `
import { HearthClient, bucketOf } from 'hearth-client';
import type { Page, State } from 'hearth-client';
import { Lists } from 'hearth-client/lists';
import { Signatures } from 'hearth-client/signatures';
import type { Verification } from 'hearth-client/signatures';
import { framesOf } from 'hearth-client/layout';
import { HearthPage } from 'hearth-client/element';
import type { Room } from 'hearth-client/element';
const settings = { server: 'https://home.example.com', bodyMax: 1000, timing: { keepMin: 5 } };
const client: HearthClient = new HearthClient(settings);
const state: State = client.state;
const page: Page | null = state.page;
const verification: Verification | null = null;
console.log(state.name, page, bucketOf('device-1'), typeof Lists, typeof Signatures, typeof framesOf, verification);
export function draw(page: HearthPage) {
  page.draw('row', (item, { width }: Room) => document.createTextNode(item.id + width));
  page.addEventListener('click', () => page.refresh());
}
console.log(typeof HearthPage);
`;

/** Runs a body in a folder that is gone after it. */
function withFolder(body) {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-package-'));
  try { body(folder); } finally { rmSync(folder, { recursive: true, force: true }); }
}
const run = (folder, ...words) => execFileSync(words[0], words.slice(1), {
  cwd: folder, encoding: 'utf8',
  env: { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' },
});

/** Installs a package in a new project, and uses all of it. */
function use(folder, source) {
  mkdirSync(join(folder, 'app'));
  const at = join(folder, 'app');
  writeFileSync(join(at, 'package.json'), '{"name": "app", "private": true, "type": "module"}');
  run(at, 'npm', 'install', '--no-audit', '--no-fund', source);
  const files = readdirSync(join(at, 'node_modules/hearth-client'));
  assert.deepEqual(files.sort(), ['LICENSE', 'README.md', 'clients', 'package.json']);
  writeFileSync(join(at, 'app.ts'), app);
  for (const [module, resolution] of [['nodenext', 'nodenext'], ['es2022', 'node']]) {
    const words = ['--strict', '--target', 'es2022', '--lib', 'es2022,dom'];
    run(at, 'tsc', ...words, '--module', module, '--moduleResolution', resolution, 'app.ts');
  }
  assert.equal(run(at, 'node', 'app.js'), 'noData null 20 function function function null\nfunction\n');
}

test('what npm packs is installed, type-checked and used', () => {
  withFolder((folder) => {
    const [{ filename }] = JSON.parse(run(root, 'npm', 'pack', '--json', '--pack-destination', folder));
    use(folder, join(folder, filename));
  });
});

test('the package is installed from the repository', () => {
  withFolder((folder) => {
    // What is to be committed, in a repository of its own.
    const repository = join(folder, 'hearth');
    mkdirSync(repository);
    const files = ['package.json', 'LICENSE', 'README.md', 'clients', 'Package.swift'];
    for (const file of files) run(root, 'cp', '-r', join(root, file), repository);
    const who = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
    const git = (...words) => run(repository, 'git', ...who, ...words);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '-m', 'All');
    use(folder, `git+file://${repository}`);
  });
});
