// clients/kotlin on the JVM: compiled once, as it is released, then the checks beside this file, and run.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Hearth, newKey } from '../TypeScriptClient/hearth.mjs';
import { hostileHandler, nameOf } from '../TypeScriptClient/hostile.mjs';
import { documentOf, seeded, withServer } from '../TypeScriptClient/sample.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'hearth-kotlin-'));
const release = join(folder, 'hearth/hearth-client/1.2.3/hearth-client-1.2.3');
const library = `${release}.jar`;
const checks = join(folder, 'checks.jar');
/** Kotlin's own library is where its compiler is. */
const compiler = execFileSync('which', ['kotlinc'], { encoding: 'utf8' }).trim();
const runtime = join(realpathSync(compiler), '../../lib/kotlin-stdlib.jar');
const binary = process.env.BINARY_UNDER_TEST ?? join(root, '.build/debug/hearth');
const app = 'docs/apps/HomeActivity.kt';
/** The sources of a folder and those below it. */
const sourcesIn = (path) => readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) => {
  const name = `${path}/${entry.name}`;
  return entry.isDirectory() ? sourcesIn(name) : name.endsWith('.kt') ? [join(root, name)] : [];
});

test.before(() => {
  const kinds = join(folder, 'Kinds.kt');
  writeFileSync(kinds, execFileSync(binary, ['generate', 'kotlin', '--config', join(root, 'config')]));
  const maven = join(root, 'scripts/release.d/maven');
  execFileSync(maven, ['1.2.3', folder], { stdio: 'pipe' });
  const folders = ['clients/android-samples', 'Tests/KotlinClient'];
  const sources = [...folders.flatMap(sourcesIn), join(root, app), kinds];
  // The checks see what is internal.
  const options = ['-nowarn', '-jvm-target', '1.8', '-cp', library, `-Xfriend-paths=${library}`, '-d', checks];
  const env = { ...process.env, JAVA_OPTS: '-Xmx768m -XX:TieredStopAtLevel=1 -XX:+UseSerialGC' };
  execFileSync('kotlinc', [...options, ...sources], { env, stdio: 'pipe' });
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

const linesOf = (text) => text.trim().split('\n').map((line) => JSON.parse(line));
// Kotlin's assert is off without the first; the others save time where a program is soon over.
const program = [
  '-ea', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', '-Dfile.encoding=UTF-8',
  '-cp', [library, checks, runtime].join(':'), 'MainKt',
];
const java = async (...words) => {
  const { stdout } = await promisify(execFile)('java', [...program, ...words], { maxBuffer: 1 << 26 });
  return linesOf(stdout);
};

/** Runs the checks of a group, each as a test. */
async function runChecks(parent, ...words) {
  const found = await java(words[0], join(root, 'Tests'), ...words.slice(1));
  assert(found.length > 0);
  for (const { name, failure } of found) await parent.test(name, () => assert.equal(failure, null));
}
for (const group of ['frames', 'protocol', 'cases', 'client']) test(group, (parent) => runChecks(parent, group));

test('a release has the jar, its sources, and what it needs', () => {
  const listed = (path) => execFileSync('python3', ['-m', 'zipfile', '-l', path], { encoding: 'utf8' });
  assert.match(listed(library), /^hearth\/client\/PageClient\.class /m);
  assert.match(listed(`${release}-sources.jar`), /^PageClient\.kt /m);
  assert.match(readFileSync(`${release}.pom`, 'utf8'), /<version>1\.2\.3<\/version>/);
});

test('an app takes thirty lines, and an adapter less than two hundred', () => {
  for (const [path, most] of [[app, 30], ...sourcesIn('clients/android-samples').map((path) => [path, 199])]) {
    const count = readFileSync(path.startsWith('/') ? path : join(root, path), 'utf8').split('\n').length - 1;
    assert(count <= most, `${path} has ${count} lines`);
  }
});

test('the app and its client against a server', async (parent) => {
  const [first, stranger] = [newKey(), newKey()];
  process.env.HEARTH_SIGNING_KEYS = first.secret;
  const hearth = await Hearth.start();
  try {
    await runChecks(parent, 'app', hearth.public, first.pinned, stranger.pinned);
    const page = join(folder, 'home.page');
    const follow = (count) => [...program, 'follow', join(root, 'Tests'), hearth.public, page, String(count)];
    const child = spawn('java', follow(3), { stdio: ['ignore', 'pipe', 'inherit'] });
    const seen = [];
    for await (const line of createInterface(child.stdout)) {
      seen.push(JSON.parse(line));
      if (seen.length !== 2) continue;
      await hearth.api('POST', '/sections/otc/move', { first: true });
      await hearth.api('POST', '/publish');
    }
    assert.deepEqual(seen.map(({ standing }) => standing), ['NO_DATA', 'UP_TO_DATE', 'UP_TO_DATE']);
    assert.deepEqual([seen[2].first, seen[2].changes], ['otc', true]);
    await hearth.kill();
    const kept = linesOf(execFileSync('java', follow(2), { encoding: 'utf8' }));
    assert.deepEqual(kept.map(({ standing, version }) => [standing, version]),
      [['CACHED', seen[2].version], ['STALE', seen[2].version]]);
  } finally {
    await hearth.stop();
  }
});

test('whatever a server does, no page goes back or is foreign', async () => {
  await Promise.all([1, 2].map(async (seed) => {
    const { handler, counts } = hostileHandler(seeded(seed));
    await withServer(handler, async (server) => {
      let highest = 0;
      const polls = await java('hostile', join(root, 'Tests'), server, `${seed}`);
      for (const { kind, revision, text, kept, keptText } of polls) {
        assert([null, 'UNREACHABLE', 'REFUSED', 'UNREADABLE', 'DROPPED'].includes(kind), kind);
        const number = Number(revision?.split('.')[1] ?? 0);
        assert(number >= highest, `${number} after ${highest}`);
        highest = number;
        if (number) assert.equal(text, documentOf(nameOf(number)), `1.${number}`);
        // What is shown is kept.
        assert.deepEqual([kept ?? null, keptText ?? null], [revision, text]);
      }
      assert(highest > 5, JSON.stringify(counts));
    });
  }));
});
