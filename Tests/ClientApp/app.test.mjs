// An app that depends on the client alone: what it fetches and builds, and that it shows the home, also offline.

import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
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
function program(name) {
  const text = readFileSync(join(root, 'docs/apps', name), 'utf8');
  // There is no library for Android.
  assert(text.split('\n').length <= (name.endsWith('.kt') ? 132 : 101), 'an app takes a hundred lines');
  return text;
}

test.before(() => {
  run('git', 'clone', '--quiet', root, clone);
  run('git', '-C', clone, 'tag', '0.0.1');
  cpSync(join(here, 'Package.swift'), join(app, 'Package.swift'));
  cpSync(join(here, 'Sources'), join(app, 'Sources'), { recursive: true });
  mkdirSync(join(app, 'Sources/Screen'));
  writeFileSync(join(app, 'Sources/Screen/Screen.swift'), program('HomeViewController.swift'));
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
    'Screen.build', 'UIKit.build',
  ]);
  const last = output.split('\n').filter((line) => line.startsWith('[')).at(-1) ?? '';
  const steps = Number(/\[\d+\/(\d+)\]/.exec(last)?.[1]);
  console.log(`the app is built in ${steps} steps`);
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

test('the Android app of the documents shows the home, and what it kept', async () => {
  const hearth = await Hearth.start();
  try {
    const sources = join(folder, 'android');
    mkdirSync(sources);
    writeFileSync(join(sources, 'App.kt'), program('HomeClient.kt'));
    writeFileSync(join(sources, 'Kinds.kt'), run(binary, 'generate', 'kotlin', '--config', join(root, 'config')));
    cpSync(join(here, 'Stubs'), sources, { recursive: true });
    const files = readdirSync(sources).map((name) => join(sources, name));
    run('kotlinc', '-nowarn', ...files, '-include-runtime', '-d', join(folder, 'app.jar'));
    const output = run('java', '-jar', join(folder, 'app.jar'), hearth.public, join(folder, 'home.json'));
    const lines = output.trim().split('\n');
    const [, rows] = /^(\d+) rows, 0 as before$/.exec(lines[0]);
    for (const line of lines.slice(1, 3)) assert.match(line, /^again in 3[0-3] s$/);
    assert.equal(lines[4], `${rows} rows, ${rows} as before`);
    assert.equal(lines[3], 'all rows have a text');
    assert.equal(lines[5], 'again in 0 s');
    // What a page of the demo has on Android: each of its sections is there.
    const page = await (await fetch(`${hearth.public}/v1/home?appVersion=6.0.0&locale=en&platform=android`)).json();
    assert.deepEqual(lines[6].split(' '), page.sections.map(({ id }) => id));
  } finally {
    await hearth.stop();
  }
});

test('the Android app does nothing that the guide forbids', { timeout: 120_000 }, async () => {
  const page = (name) => readFileSync(join(root, `Tests/ClientCases/documents/${name}.json`));
  const cacheControl = { 'Cache-Control': 'max-age=99999999999999999999' };
  const give = (name, revision) => (_, answer) =>
    answer.writeHead(200, { ...cacheControl, ...revision && { 'Hearth-Revision': revision } }).end(page(name));
  const drip = (_, answer) => {
    answer.writeHead(200, { 'Hearth-Revision': '1.9' });
    const bytes = page('third');
    let at = 0;
    const timer = setInterval(() => { if (at < bytes.length) answer.write(bytes.subarray(at, at += 1)); }, 200);
    answer.on('close', () => clearInterval(timer));
  };
  const refuse = (after) => (_, answer) => answer.writeHead(429, { 'Retry-After': after }).end();
  // What has the right hash, and cannot be read.
  const nonsense = (_, answer) => {
    const version = createHash('sha256').update('{"page":"home"}}').digest('hex').slice(0, 16);
    answer.writeHead(200, { 'Hearth-Revision': '1.9' }).end(`{"page":"home","version":"${version}"}}`);
  };
  const answers = [
    give('first', '1.4'),
    // An older edition, also past caches, and pages that say none.
    give('second', '1.2'), give('second', '1.2'), give('second'), give('second'), drip,
    refuse('0'), refuse('0'), nonsense,
    give('second', '1.5'),
    refuse('3600'),
  ];
  const asked = [];
  const server = createServer((request, answer) => {
    asked.push({ at: Date.now(), past: request.headers['cache-control'] === 'no-cache' });
    (answers.shift() ?? give('third', '1.6'))(request, answer);
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const address = `http://127.0.0.1:${server.address().port}`;
    const child = spawn('java', ['-cp', join(folder, 'app.jar'), 'MainKt', address,
      join(folder, 'strange.json'), '9'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = [];
    for await (const line of createInterface(child.stdout)) lines.push(line);
    const version = (name) => JSON.parse(page(name)).version;
    const shown = lines.map((line) => line.split(' ').slice(0, 2));
    const [first, second] = [version('first'), version('second')];
    assert.deepEqual(shown.map(([seen]) => seen), [...Array(7).fill(first), second, second, second]);
    const pauses = shown.map(([, seconds]) => Number(seconds));
    assert(pauses[0] >= 86_400 && pauses[0] < 100_000, `${pauses}`);
    assert(pauses[8] >= 3600 && pauses[9] >= 3599, `${pauses}`);
    // The last poll was one too early, and asked nothing.
    const pasts = [false, false, true, false, true, ...Array(6).fill(false)];
    assert.deepEqual(asked.map(({ past }) => past), pasts);
    assert(asked[6].at - asked[5].at < 10_000, 'a dripping answer ends');
    const polls = asked.filter(({ past }) => !past).map(({ at }) => at);
    const least = Math.min(...polls.slice(1).map((at, poll) => at - polls[poll]));
    assert(least >= 900, `two polls within ${least} ms`);
    answers.push(refuse(''));
    const words = ['-cp', join(folder, 'app.jar'), 'MainKt', address, join(folder, 'new.json'), '0'];
    const { stdout } = await promisify(execFile)('java', words);
    assert.match(stdout, /^null 6[0-6]\n$/);
  } finally {
    server.closeAllConnections();
    server.close();
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
