// Signed pages beyond the cases of Tests/ClientCases/signatures.json: what is kept, and a real server whose keys
// change.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { textOf } from '../../clients/typescript/index.js';
import { Signatures } from '../../clients/typescript/signatures.js';
import { Hearth, newKey } from './hearth.mjs';
import { QuickClient, answering, documentOf, memory } from './sample.mjs';

const [first, second, stranger] = [newKey(), newKey(), newKey()];
const isUnverified = (reason) => (error) => error.kind === 'unverified' && error.reason === reason;
const server = 'https://home.example.com';
/** Answers nothing. */
const offline = () => answering(new TypeError('offline'));
/** A client that pins the first key. */
const pinning = (mode, settings) => new QuickClient(new Signatures(mode, [first.pinned]).settings(settings));

test('keys that cannot be pinned are refused', () => {
  const five = Array.from({ length: 5 }, () => newKey().pinned);
  for (const keys of [[], ['short'], [first.pinned.slice(1)], [first.pinned, first.pinned], five]) {
    assert.throws(() => new Signatures('require', keys), TypeError);
  }
});

test('a browser that cannot verify takes nothing for verified, and shows what it is told to', async () => {
  const cases = JSON.parse(readFileSync(new URL('../ClientCases/signatures.json', import.meta.url), 'utf8'));
  const [{ signatures: { keys }, turns: [{ exchanges: [{ answer: { fields } }] }] }] = cases;
  const answer = async () => new Response(documentOf('first'), { headers: { 'Hearth-Revision': '1.7', ...fields } });
  const poll = async (mode, options) => {
    const signatures = new Signatures(mode, keys, { date: () => 1e12, ...options });
    const client = new QuickClient(signatures.settings({ server, fetch: answer }));
    return (await client.poll()).page.version;
  };
  const without = {
    digest: (...words) => crypto.subtle.digest(...words),
    importKey: async () => { throw new DOMException('no such algorithm', 'NotSupportedError'); },
  };
  for (const subtle of [without, undefined]) {
    await assert.rejects(poll('require', { subtle }), isUnverified('unsupported'));
    assert.match(await poll('report', { subtle }), /^[0-9a-f]{16}$/);
  }
  assert.match(await poll('require', {}), /^[0-9a-f]{16}$/);
});

test('a client that reports tells each change once, and what is kept then is shown by it alone', async () => {
  const storage = memory();
  const told = [];
  const signatures = new Signatures('report', [first.pinned], {
    report: ({ keyID, reason }) => told.push(keyID ?? reason),
  });
  const fetch = answering('first', 'first', 'second');
  const client = new QuickClient(signatures.settings({ server, storage, fetch }));
  for (let count = 0; count < 3; count += 1) await client.poll();
  assert.deepEqual(told, ['unsigned']);
  const reports = [];
  const report = ({ message }) => reports.push(message);
  const strict = pinning('require', { server, storage, report, fetch: offline() });
  await assert.rejects(strict.poll());
  assert.equal(strict.page, null);
  assert.match(reports[0], /it is not signed/);
  const lenient = pinning('report', { server, storage, fetch: offline() });
  await assert.rejects(lenient.poll());
  assert.equal(textOf(lenient.page), textOf(client.page));
});

test('what another page left in the storage says nothing of this one', async () => {
  const storage = memory();
  await pinning('report', { server, storage, fetch: answering('first') }).poll();
  const told = [];
  const signatures = new Signatures('report', [first.pinned], { report: (verification) => told.push(verification) });
  const other = new QuickClient(signatures.settings({ server, storage, page: 'start', fetch: offline() }));
  await assert.rejects(other.poll());
  assert.equal(other.page, null);
  assert.equal(signatures.verification, null);
  assert.deepEqual(told, []);
});

test('what a real server signs verifies, while its keys change', async () => {
  const serve = (...keys) => { process.env.HEARTH_SIGNING_KEYS = keys.map(({ secret }) => secret).join(','); };
  serve(first);
  const hearth = await Hearth.start();
  const again = async (...keys) => {
    await hearth.kill();
    serve(...keys);
    await hearth.serve();
  };
  try {
    const storage = memory();
    const settings = { server: hearth.public, parameters: { locale: 'en' }, storage };
    const signatures = new Signatures('require', [first.pinned, second.pinned]);
    const statuses = [];
    const fetch = async (...words) => {
      const response = await globalThis.fetch(...words);
      statuses.push(response.status);
      return response;
    };
    const client = new QuickClient(signatures.settings({ ...settings, fetch }));
    await client.poll();
    assert.deepEqual(signatures.verification, { keyID: first.id, reason: null });
    await hearth.api('POST', '/sections/otc/move', { first: true });
    await hearth.api('POST', '/publish');
    assert((await client.poll())?.changes.sections);
    await client.poll();
    await again(second, first);
    await client.poll();
    assert.equal(signatures.verification.keyID, second.id);
    const old = pinning('require', { ...settings, storage: undefined });
    await old.poll();
    await again(second);
    await client.poll();
    assert.deepEqual(statuses, [200, 226, 304, 304, 304]);
    await assert.rejects(old.poll(), isUnverified('unknownKey'));
    const strangers = new Signatures('require', [stranger.pinned]);
    const foreign = new QuickClient(strangers.settings({ ...settings, storage: undefined }));
    await assert.rejects(foreign.poll(), isUnverified('unknownKey'));
    await again();
    await assert.rejects(client.poll(), isUnverified('unsigned'));
    assert.equal(client.page.sections[0].id, 'otc');
    await hearth.kill();
    const kept = new Signatures('require', [first.pinned]);
    const cold = new QuickClient(kept.settings(settings));
    await assert.rejects(cold.poll(), ({ kind }) => kind === 'unreachable');
    assert.equal(textOf(cold.page), textOf(client.page));
    assert.deepEqual(kept.verification, { keyID: first.id, reason: null });
  } finally {
    await hearth.stop();
  }
});
