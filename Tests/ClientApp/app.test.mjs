// An app that depends on the client alone: what it fetches and builds, and that it shows the home, also offline.

import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
const binary = process.env.BINARY_UNDER_TEST ?? join(root, '.build/debug/hearth');
const env = { ...process.env, CLIENT_PACKAGE: clone };
const run = (...words) => execFileSync(words[0], words.slice(1), { encoding: 'utf8', env });

/** A program that docs/apps.md leads to. */
function program(name, most = 100) {
  const text = readFileSync(join(root, 'docs/apps', name), 'utf8');
  assert(text.split('\n').length <= most + 1, `${name} takes more than ${most} lines`);
  return text;
}

test.before(() => {
  run('git', 'clone', '--quiet', root, clone);
  run('git', '-C', clone, 'tag', '0.0.1');
  cpSync(join(here, 'Package.swift'), join(app, 'Package.swift'));
  cpSync(join(here, 'Sources'), join(app, 'Sources'), { recursive: true });
});
test.after(() => rmSync(folder, { recursive: true, force: true }));

test('an app fetches and builds nothing of the server', () => {
  const paths = ['--package-path', app, '--scratch-path', join(app, '.build'), '--cache-path', join(folder, 'cache')];
  const output = run('swift', 'build', ...paths);
  const { pins } = JSON.parse(readFileSync(join(app, 'Package.resolved')));
  assert.deepEqual(pins.map(({ identity }) => identity), ['hearth']);
  assert.deepEqual(readdirSync(join(app, '.build/checkouts')), ['hearth']);
  // Whatever is in the package has a folder; what is built has objects in it.
  const products = join(app, '.build/debug');
  const hasObjects = (name) => readdirSync(join(products, name)).some((file) => file.endsWith('.o'));
  const built = readdirSync(products).filter((name) => name.endsWith('.build') && hasObjects(name));
  assert.deepEqual(built.sort(), [
    'App.build', 'Figures.build', 'HearthClient.build', 'HomePayload.build', 'JSON.build', 'Polling.build',
  ]);
  const last = output.split('\n').filter((line) => line.startsWith('[')).at(-1) ?? '';
  const steps = Number(/\[\d+\/(\d+)\]/.exec(last)?.[1]);
  console.log(`the app is built in ${steps} steps`);
});

/** The app of docs/apps.md and what the client has for UIKit, against stubs that lay out and update as it does. */
function buildScreen() {
  program('HomeViewController.swift', 30);
  const sources = (path) => readdirSync(join(root, path)).filter((name) => name.endsWith('.swift'))
    .map((name) => join(root, path, name));
  const products = join(app, '.build/debug');
  const objects = ['JSON', 'HomePayload', 'Polling', 'HearthClient'].flatMap((name) =>
    readdirSync(join(products, `${name}.build`)).filter((file) => file.endsWith('.o'))
      .map((file) => join(products, `${name}.build`, file)));
  const options = (name) => ['-swift-version', '6', '-parse-as-library', '-module-name', name];
  const upcoming = [
    'ExistentialAny', 'InternalImportsByDefault', 'NonisolatedNonsendingByDefault', 'InferIsolatedConformances',
    'MemberImportVisibility',
  ].flatMap((feature) => ['-enable-upcoming-feature', feature]);
  const compile = (...words) => execFileSync('swiftc', words, { cwd: folder, stdio: 'pipe' });
  compile(...options('UIKit'), '-emit-module', '-emit-library', '-static', '-o', 'libUIKit.a',
    ...sources('Tests/ClientApp/UIKit'));
  compile(...options('Screen'), ...upcoming, '-strict-memory-safety', '-warnings-as-errors', '-o', 'screen',
    '-I', folder, '-I', join(products, 'Modules'), ...sources('Sources/HearthClient/UIKit'),
    join(root, 'docs/apps/HomeViewController.swift'), ...sources('Tests/ClientApp/Screen'), ...objects,
    '-L', folder, '-lUIKit');
}

test('the iOS app draws each section of the demo, as much as shows of it, and animates a change', async () => {
  buildScreen();
  const hearth = await Hearth.start();
  try {
    const query = 'platform=ios&appVersion=6.0.0&locale=en';
    const { sections } = await (await fetch(`${hearth.public}/v1/home?${query}`)).json();
    const child = spawn(join(folder, 'screen'), [hearth.public], {
      stdio: ['pipe', 'pipe', 'inherit'], env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder },
    });
    const ended = once(child, 'exit');
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    // A line that is no JSON says what does not hold.
    const next = async () => JSON.parse((await lines.next()).value);
    const ids = sections.map(({ id }) => id);
    let before = 0;
    for (const width of [375, 667]) {
      const said = await next();
      before = said.batches;
      assert.equal(said.width, width);
      assert.deepEqual(said.order.toSorted(), ids.toSorted());
      for (const id of ids) assert(said.drawn[id].cells > 0 && said.drawn[id].empty === 0, `${id} is not drawn`);
      // No more than what shows: the demo has more items than fit a screen.
      assert(said.most < 40, `${said.most} cells at once`);
      assert(said.backgrounds > 0);
    }
    await hearth.api('POST', '/sections/otc/move', { first: true });
    await hearth.api('POST', '/publish');
    child.stdin.write('\n');
    const { order, batches } = await next();
    assert.deepEqual([order[0], batches - before], ['otc', 1]);
    await next();
    child.stdin.end();
    assert.deepEqual(await ended, [0, null]);
  } finally {
    await hearth.stop();
  }
});

/** The lines of an app's run. */
async function* states(server, count) {
  const words = [server, join(folder, 'state/page'), String(count)];
  const child = spawn(join(app, '.build/debug/App'), words, { stdio: ['ignore', 'pipe', 'inherit'] });
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
    const kept = seen[2].slice(1);
    assert.deepEqual(await all(states(hearth.public, 2)), [['cached', ...kept], ['stale', ...kept]]);
    await hearth.serve();
    assert.deepEqual(await all(states(hearth.public, 2)), [['cached', ...kept], ['upToDate', ...kept]]);
  } finally {
    await hearth.stop();
  }
});

/**
 * What a strange network makes of polls, one after the other; an older or a strange answer has the client ask once
 * more.
 */
function strange(hearth, other) {
  const fields = { 'Content-Type': 'application/json', 'Cache-Control': 'max-age=0' };
  const page = async (path = '/v1/home?locale=en&platform=ios&appVersion=6.0.0&bucket=57') => {
    const response = await fetch(`${hearth.public}${path}`);
    const { headers } = response;
    const body = Buffer.from(await response.arrayBuffer());
    return { tag: headers.get('etag'), revision: headers.get('hearth-revision'), body };
  };
  const portal = (answer) =>
    answer.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>Welcome to the hotel</html>');
  const good = async (answer) => {
    const { tag, revision, body } = await page();
    answer.writeHead(200, { ...fields, ETag: tag, 'Hearth-Revision': revision }).end(body);
  };
  const old = (answer) =>
    answer.writeHead(200, { ...fields, ETag: other.tag, 'Hearth-Revision': '0.9' }).end(other.body);
  const coded = (coding, bytes) => (answer) =>
    answer.writeHead(200, { ...fields, 'Content-Encoding': coding }).end(Buffer.from(bytes, 'hex'));
  return [
    good,
    async (answer) => {
      const { body } = await page();
      answer.writeHead(200, { ...fields, 'Content-Length': body.length });
      answer.write(body.subarray(0, body.length / 2), () => answer.destroy());
    },
    portal,
    (answer) => answer.writeHead(302, { Location: '/portal' }).end(),
    portal,
    (answer) => answer.writeHead(302, { Location: '/v1/pages/home' }).end(),
    coded('gzip', '1f8b0800000000000003deadbeef'),
    coded('br', 'deadbeefdeadbeef'),
    (answer) => answer.writeHead(304, { ...fields, ETag: 'W/"0123456789abcdef"' }).end(),
    (answer) => answer.writeHead(503, fields).end(),
    old,
    old,
    (answer) => answer.writeHead(226, { ...fields, IM: 'hearth-changes' })
      .end('{"page":"home","from":"0123456789abcdef","to":"fedcba9876543210"}'),
    async (answer) => {
      const { body } = await page();
      answer.writeHead(200, fields).end(body.toString().replace('"page":"home"', '"page":"cart"'));
    },
    good,
  ];
}

test('no strange network takes the page away, and the next good answer ends it', async () => {
  const hearth = await Hearth.start();
  const first = await fetch(`${hearth.public}/v1/home?locale=vi`);
  const answers = strange(hearth, { tag: first.headers.get('etag'), body: Buffer.from(await first.arrayBuffer()) });
  const late = (answer) => answer.writeHead(503).end();
  const proxy = createServer((_, answer) => { (answers.shift() ?? late)(answer); }).listen(0, '127.0.0.1');
  try {
    await once(proxy, 'listening');
    rmSync(join(folder, 'state'), { recursive: true, force: true });
    const seen = await all(states(`http://127.0.0.1:${proxy.address().port}`, 11));
    const [, [, version, section]] = seen;
    const names = ['noData', 'upToDate', ...Array(8).fill('stale'), 'upToDate'];
    assert.deepEqual(seen, names.map((name) => name === 'noData' ? [name, '-', '-'] : [name, version, section]));
    assert.deepEqual(answers, []);
  } finally {
    proxy.close();
    await hearth.stop();
  }
});

test('what may be null in Kotlin keeps its null', () => {
  const kinds = join(folder, 'nulls');
  const config = join(kinds, 'config');
  mkdirSync(config, { recursive: true });
  cpSync(join(root, 'config/hearth.yaml'), join(config, 'hearth.yaml'));
  cpSync(join(here, 'Nulls/kinds.yaml'), join(config, 'kinds.yaml'));
  writeFileSync(join(kinds, 'Kinds.kt'), run(binary, 'generate', 'kotlin', '--config', config));
  const files = [join(here, 'Nulls/main.kt'), join(kinds, 'Kinds.kt')];
  run('kotlinc', '-nowarn', ...files, '-include-runtime', '-d', join(kinds, 'nulls.jar'));
  const output = run('java', '-jar', join(kinds, 'nulls.jar'), join(here, 'Nulls/page.json'));
  assert.equal(output, '[]\nas it came\n');
});

test('the web app of the documents draws the home', async () => {
  const hearth = await Hearth.start();
  try {
    const page = await (await fetch(`${hearth.public}/v1/home?appVersion=6.0.0&locale=en&platform=web`)).json();
    const library = JSON.stringify(join(root, 'clients/typescript/index.js'));
    const code = program('home.mjs').replace("'hearth-client'", library);
    const output = execFileSync('node', ['--input-type=module', '--eval', `
      const blank = () => ({
        children: [], offsetTop: 0, replaceChildren(...children) { this.children = children; }, animate() {},
      });
      const home = blank();
      const kept = new Map();
      globalThis.location = { origin: '${hearth.public}' };
      globalThis.localStorage = {
        getItem: (name) => kept.get(name), setItem: (name, text) => { kept.set(name, text); done(text); },
      };
      globalThis.document = {
        hidden: false,
        querySelector: () => home, createElement: blank, addEventListener() {},
        body: { classList: { toggle() {} } },
      };
      function done(text) {
        setTimeout(() => {
          console.log(JSON.stringify(home.children.map(({ children }) => children.length)));
          console.log(text.includes('"sections":[{') ? 'kept' : 'nothing');
          process.exit(0);
        }, 50);
      }
      ${code}`], { encoding: 'utf8' });
    const counts = page.sections.map(({ items = [] }) => items.length);
    assert.deepEqual(output.trim().split('\n'), [JSON.stringify(counts), 'kept']);
  } finally {
    await hearth.stop();
  }
});
