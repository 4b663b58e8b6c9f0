// The client against the real server, and against what may stand between them.

import assert from 'node:assert/strict';
import { createServer, request as ask } from 'node:http';
import { once } from 'node:events';
import test from 'node:test';
import { textOf } from '../../clients/typescript/index.js';
import { Hearth } from './hearth.mjs';
import { QuickClient, memory, seeded } from './sample.mjs';

let hearth;
test.before(async () => { hearth = await Hearth.start(); });
test.after(() => hearth?.stop());

const parameters = { platform: 'web', appVersion: '6.0.0', locale: 'en', bucket: 57 };
const wholePage = async (url) => (await fetch(url)).text();

/** Content with another text. */
const retitled = (content, random) => Object.fromEntries(Object.entries(content).map(([name, value]) =>
  [name, ['title', 'text'].includes(name) ? { '*': `News ${Math.floor(random() * 1000)} "今天"` } : value]));

/** Changes the draft at random, and publishes it. */
async function publish(random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  const { sections } = await hearth.api('GET', '/draft');
  const changes = 1 + Math.floor(random() * 3);
  for (let count = 0; count < changes; count += 1) {
    const { id, hidden, items } = pick(sections);
    const kind = random();
    if (hidden) await hearth.api('POST', `/sections/${id}/restore`, { first: true });
    else if (kind < 0.2) await hearth.api('POST', `/sections/${id}/hide`);
    else if (kind < 0.5 || !items?.length) {
      await hearth.api('POST', `/sections/${id}/move`, pick([{ first: true }, { last: true }]));
    } else {
      const { id: item, kind, content } = pick(items);
      const path = `/sections/${id}/items`;
      if (random() < 0.2 && items.length > 1) await hearth.api('DELETE', `${path}/${item}`);
      else {
        const target = pick([item, `new${count}`]);
        await hearth.api('PUT', `${path}/${target}`, { kind, content: retitled(content, random) });
      }
    }
  }
  await hearth.api('POST', '/publish');
}

test('fifty random publishes are followed by their changes', async () => {
  const asked = [];
  const client = new QuickClient({
    server: hearth.public, parameters,
    fetch: async (...options) => {
      const response = await fetch(...options);
      asked.push(response.status);
      return response;
    },
  });
  await client.poll();
  const random = seeded(15);
  for (let count = 0; count < 50; count += 1) {
    await publish(random);
    await client.poll();
    assert.equal(textOf(client.page), await wholePage(client.url));
  }
  // A change set that did not fit would have been followed by a whole page.
  assert.equal(asked.length, 51);
  assert(asked.filter((status) => status === 226).length > 25, `${asked}`);
});

test('a client that waits gets a publish, and one that was killed is gone on with', async () => {
  const storage = memory();
  const timing = { pauseMin: 0.01, spread: 0.01 };
  const client = new QuickClient({ server: hearth.public, parameters, wait: 30, storage, timing });
  const controller = new AbortController();
  const states = client.states(controller.signal);
  while ((await states.next()).value.name !== 'upToDate');
  const next = states.next();
  await hearth.api('POST', `/sections/${client.page.sections.at(-1).id}/move`, { first: true });
  await hearth.api('POST', '/publish');
  assert.equal(textOf((await next).value.page), await wholePage(client.url));
  const { page } = client;
  const lost = states.next();
  await hearth.kill();
  const { value } = await lost;
  assert.deepEqual([value.name, value.error.kind, value.page], ['stale', 'unreachable', page]);
  // Another start of the app, while the server is away.
  const later = new QuickClient({ server: hearth.public, parameters, storage });
  const { value: cached } = await later.states().next();
  assert.deepEqual([cached.name, cached.page], ['cached', page]);
  await hearth.serve();
  let state;
  do state = (await states.next()).value; while (state.name !== 'upToDate');
  assert.deepEqual(state.page, page);
  assert.equal(await later.poll(), null);
  assert.equal(later.state.name, 'upToDate');
  controller.abort();
});

/** What stands between: passes each request on, and changes the answer as told. */
async function between(change, body) {
  const server = createServer((request, response) => {
    const { host, ...headers } = request.headers;
    const onward = ask(hearth.public + request.url, { headers }, async (answer) => {
      const chunks = [];
      for await (const chunk of answer) chunks.push(chunk);
      change(response, answer, Buffer.concat(chunks), request);
    });
    onward.end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try { await body(`http://127.0.0.1:${server.address().port}`); } finally {
    server.closeAllConnections();
    server.close();
  }
}

for (const coding of ['br', 'gzip', 'identity']) {
  test(`a real answer that is cut at any byte is no page (${coding})`, async () => {
    let at = Infinity;
    let length = 0;
    const change = (response, answer, body) => {
      length = body.length;
      const headers = { ...answer.headers };
      // A cut that the framing does not show, as of a proxy that makes its own.
      delete headers['content-length'];
      response.writeHead(answer.statusCode, headers).end(body.subarray(0, at));
    };
    await between(change, async (server) => {
      const fetchCoded = (url, options) =>
        fetch(url, { ...options, headers: { ...options.headers, 'Accept-Encoding': coding } });
      const client = new QuickClient({ server, parameters, fetch: fetchCoded });
      await client.poll();
      const whole = client.page;
      const step = coding === 'identity' ? 41 : 7;
      for (at = 0; at < length; at += step) {
        const other = new QuickClient({ server, parameters, fetch: fetchCoded });
        await other.poll().then(() => {
          // The end of a coding may say nothing more than its checksum.
          assert(at > length - 20 && coding !== 'identity', `cut at ${at} of ${length}`);
          assert.deepEqual(other.page, whole);
        }, (error) => assert(['unreadable', 'unreachable'].includes(error.kind), String(error)));
      }
    });
  });
}

test('a cache that serves yesterday is asked past, and kept from going back', async () => {
  const old = await fetch(`${hearth.public}/v1/pages/home`);
  const yesterday = { status: old.status, headers: Object.fromEntries(old.headers), body: await old.text() };
  delete yesterday.headers['content-encoding'];
  delete yesterday.headers['content-length'];
  await publish(seeded(3));
  let isPassing = true;
  const change = (response, answer, body, request) => {
    if (!isPassing && request.headers['cache-control'] !== 'no-cache') {
      return response.writeHead(200, { ...yesterday.headers, age: '86400' }).end(yesterday.body);
    }
    if (isPassing !== null) return response.writeHead(answer.statusCode, answer.headers).end(body);
    return response.writeHead(200, yesterday.headers).end(yesterday.body);
  };
  await between(change, async (server) => {
    const client = new QuickClient({ server });
    await client.poll();
    const { revision } = client;
    const newest = textOf(client.page);
    isPassing = false;
    assert.equal(await client.poll(), null);
    assert.deepEqual([textOf(client.page), client.revision], [newest, revision]);
    // A node that lags behind: past caches there is nothing else.
    isPassing = null;
    await assert.rejects(client.poll(), { kind: 'dropped' });
    assert.deepEqual([textOf(client.page), client.revision, client.state.name], [newest, revision, 'stale']);
  });
});
