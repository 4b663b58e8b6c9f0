// Several tabs of one browser: one of them holds polls, and tells the others what comes.

import assert from 'node:assert/strict';
import test from 'node:test';
import { HearthClient, readPage } from '../../clients/typescript/index.js';
import { TestClock, documentOf, follow, memory } from './sample.mjs';

const versionOf = (name) => readPage(documentOf(name), 'home').version;
const url = 'https://home.example.com';

/** What a browser gives its tabs. */
class Browser {
  /** @type {Map<string, {grant(): void}[]>} */
  queues = new Map();
  channels = new Set();
  document = Object.assign(new EventTarget(), { visibilityState: 'visible' });

  locks = {
    request: (name, ...rest) => {
      const [{ signal } = {}, work] = rest.length > 1 ? rest : [undefined, rest[0]];
      const queue = this.queues.get(name) ?? [];
      this.queues.set(name, queue);
      return new Promise((resolve, reject) => {
        const next = () => { queue.shift(); queue[0]?.grant(); };
        const entry = { grant: () => { entry.isGranted = true; resolve(Promise.resolve(work()).finally(next)); } };
        signal?.addEventListener('abort', () => {
          if (entry.isGranted) return;
          queue.splice(queue.indexOf(entry), 1);
          reject(signal.reason);
        });
        if (queue.push(entry) === 1) entry.grant();
      });
    },
  };

  show(isShown) {
    this.document.visibilityState = isShown ? 'visible' : 'hidden';
    this.document.dispatchEvent(new Event('visibilitychange'));
  }

  /** Runs a body in a page of the browser. */
  async run({ hasLocks = true, isOpaque = false } = {}, body) {
    const { channels } = this;
    class Channel {
      constructor(name) { this.name = name; channels.add(this); }
      postMessage(data) {
        const copy = structuredClone(data);
        for (const other of channels) {
          if (other === this || other.name !== this.name) continue;
          queueMicrotask(() => channels.has(other) && other.onmessage?.({ data: copy }));
        }
      }
      close() { channels.delete(this); }
    }
    const denied = { request: async () => { throw new DOMException('denied', 'SecurityError'); } };
    const navigator = hasLocks ? { locks: isOpaque ? denied : this.locks } : {};
    const globals = { document: this.document, navigator, BroadcastChannel: Channel };
    const before = Object.keys(globals).map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
    try { await body(); } finally {
      for (const [name, old] of before) {
        if (old) Object.defineProperty(globalThis, name, old);
        else delete globalThis[name];
      }
    }
  }
}

/** A server that holds polls, and a browser with six connections to it. */
class Server {
  revision = 4;
  name = 'first';
  held = new Set();
  asked = [];
  open = 0;
  openMax = 0;
  isAway = false;

  constructor(clock) { this.clock = clock; }

  answer(headers) {
    if (headers['If-None-Match'] === `W/"${versionOf(this.name)}"`) return this.response(304, null);
    return this.response(200, documentOf(this.name));
  }

  response(status, body) {
    const headers = { 'Hearth-Revision': `1.${this.revision}`, 'Cache-Control': 'max-age=30' };
    return new Response(body, { status, headers });
  }

  fetch = async (_, { headers, signal }) => {
    this.asked.push({ at: this.clock.time, wait: headers.Prefer });
    this.openMax = Math.max(this.openMax, this.open += 1);
    try {
      if (this.isAway) throw new TypeError('no network');
      const now = this.answer(headers);
      if (!headers.Prefer || now.status !== 304) return now;
      await new Promise((done, stop) => {
        const poll = { done, stop };
        this.held.add(poll);
        const leave = () => this.held.delete(poll);
        signal.addEventListener('abort', () => { leave(); stop(signal.reason); });
        this.clock.sleep(50_000, signal).then(() => { leave(); done(); }, () => {});
      });
      return this.answer(headers);
    } finally { this.open -= 1; }
  };

  publish(name) {
    [this.name, this.revision] = [name, this.revision + 1];
    for (const { done } of this.held) done();
    this.held.clear();
  }

  go(isAway) {
    this.isAway = isAway;
    for (const { stop } of this.held) stop(new TypeError('gone'));
    this.held.clear();
  }
}

/** So many tabs of an app. */
async function withTabs(count, options, body) {
  const [clock, browser] = [new TestClock(), new Browser()];
  const server = new Server(clock);
  await browser.run(options, async () => {
    const storage = memory();
    const tabs = Array.from({ length: count }, () => {
      const over = new AbortController();
      const random = () => 0.5;
      const client = new HearthClient({ server: url, wait: 50, clock, fetch: server.fetch, random, storage });
      return { client, over, said: follow(client, over.signal) };
    });
    try { await body({ clock, browser, server, tabs, storage }); } finally {
      for (const { over } of tabs) over.abort();
      await clock.advance(0);
    }
    assert.equal(browser.channels.size, 0);
    assert([...browser.queues.values()].every((queue) => queue.length === 0));
  });
}
const shown = (tabs) => [...new Set(tabs.map(({ client }) => `${client.state.name} ${client.page?.version}`))];

test('of ten tabs one holds polls, and all show what it gets', async () => {
  await withTabs(10, {}, async ({ clock, server, tabs, storage }) => {
    await clock.advance(5000);
    assert.equal(server.held.size, 1);
    server.asked.length = 0;
    server.publish('second');
    await clock.advance(100);
    assert.deepEqual(shown(tabs), [`upToDate ${versionOf('second')}`]);
    assert.equal(storage.text.includes(versionOf('second')), true);
    const updates = tabs.map(({ said }) => said.at(-1).update?.changes?.to);
    assert.deepEqual([...new Set(updates)], [versionOf('second')]);
    await clock.advance(600_000);
    // One poll a minute, for all of them.
    assert(server.asked.length <= 13, `${server.asked.length}`);
    assert(server.asked.every(({ wait }) => wait === 'wait=50'));
    assert.equal(new Set(tabs.map(({ client }) => client.state.since)).size, 1);
  });
});

test('when the tab that holds polls is closed, another one takes over', async () => {
  await withTabs(3, {}, async ({ clock, server, tabs }) => {
    await clock.advance(5000);
    for (const name of ['second', 'third']) {
      tabs.shift().over.abort();
      await clock.advance(2000);
      assert.equal(server.held.size, 1);
      server.publish(name);
      await clock.advance(100);
      assert.deepEqual(shown(tabs), [`upToDate ${versionOf(name)}`]);
    }
  });
});

test('a tab that the user pulls asks itself, and the others see it', async () => {
  await withTabs(3, {}, async ({ clock, server, tabs }) => {
    await clock.advance(5000);
    server.asked.length = 0;
    [server.name, server.revision] = ['second', 9];
    tabs[2].client.refresh();
    await clock.advance(100);
    assert.deepEqual(shown(tabs), [`upToDate ${versionOf('second')}`]);
    assert.deepEqual(server.asked.map(({ wait }) => wait), [undefined]);
  });
});

test('all tabs say that the server is away, and one of them asks', async () => {
  await withTabs(8, {}, async ({ clock, server, tabs }) => {
    await clock.advance(5000);
    server.asked.length = 0;
    server.go(true);
    await clock.advance(30_000);
    assert.deepEqual(shown(tabs), [`stale ${versionOf('first')}`]);
    assert(server.asked.length < 8, `${server.asked.length}`);
    server.go(false);
    server.publish('second');
    await clock.advance(60_000);
    assert.deepEqual(shown(tabs), [`upToDate ${versionOf('second')}`]);
  });
});

test('an older page of another tab is not taken', async () => {
  await withTabs(2, {}, async ({ clock, server, tabs, browser }) => {
    await clock.advance(5000);
    server.publish('second');
    await clock.advance(100);
    const head = { url: '', revision: '1.4', since: clock.date(), version: versionOf('first') };
    for (const channel of browser.channels) channel.onmessage({ data: { head, record: null } });
    const damaged = { head: { ...head, revision: '1.9' }, record: 'damaged' };
    for (const channel of browser.channels) channel.onmessage({ data: damaged });
    await clock.advance(5000);
    assert.deepEqual(shown(tabs), [`upToDate ${versionOf('second')}`]);
  });
});

test('what nobody sees holds no poll, and asks at once when somebody looks', async () => {
  await withTabs(3, {}, async ({ clock, server, tabs, browser }) => {
    await clock.advance(5000);
    browser.show(false);
    await clock.advance(1000);
    assert.deepEqual([server.held.size, server.open], [0, 0]);
    server.asked.length = 0;
    server.publish('second');
    await clock.advance(600_000);
    assert.equal(server.asked.length, 0);
    browser.show(true);
    await clock.advance(1000);
    assert.deepEqual(shown(tabs), [`upToDate ${versionOf('second')}`]);
    await clock.advance(2000);
    assert.equal(server.held.size, 1);
  });
});

test('a tab that is opened where nobody sees it gets its first page', async () => {
  const [clock, browser] = [new TestClock(), new Browser()];
  browser.document.visibilityState = 'hidden';
  await browser.run({}, async () => {
    const server = new Server(clock);
    const client = new HearthClient({ server: url, wait: 50, clock, fetch: server.fetch });
    const over = new AbortController();
    follow(client, over.signal);
    await clock.advance(60_000);
    assert.deepEqual(server.asked.map(({ wait }) => wait), [undefined]);
    assert.equal(client.page.version, versionOf('first'));
    over.abort();
    await clock.advance(0);
  });
});

test('without locks each tab asks for itself', async () => {
  await withTabs(3, { hasLocks: false }, async ({ clock, server, tabs }) => {
    await clock.advance(5000);
    assert.equal(server.held.size, 3);
    server.publish('second');
    await clock.advance(100);
    assert.deepEqual(shown(tabs), [`upToDate ${versionOf('second')}`]);
  });
});

test('a frame whose browser denies it locks holds its own poll, and keeps what it gets', async () => {
  await withTabs(2, { isOpaque: true }, async ({ clock, server, tabs, storage }) => {
    await clock.advance(5000);
    assert.equal(server.held.size, 2);
    server.publish('second');
    await clock.advance(100);
    assert.deepEqual(shown(tabs), [`upToDate ${versionOf('second')}`]);
    assert(storage.text.includes(versionOf('second')));
  });
});

test('of a server with another history all tabs show what it has when one of them is reset', async () => {
  await withTabs(3, {}, async ({ clock, browser, server, tabs, storage }) => {
    await clock.advance(5000);
    server.publish('second');
    await clock.advance(100);
    // The database was made anew.
    server.publish('first');
    server.revision = 2;
    await clock.advance(5000);
    await tabs[2].client.reset();
    await clock.advance(5000);
    assert.deepEqual(shown(tabs), [`upToDate ${versionOf('first')}`]);
    assert.deepEqual(tabs.map(({ client }) => client.revision), ['1.2', '1.2', '1.2']);
    browser.show(false);
    await clock.advance(1000);
    assert.match(storage.text, /"revision":"1.2"/);
  });
});

test('what a tab asked before it was frozen makes no tab stale', async () => {
  for (const late of ['page', 'failure']) {
    await withTabs(3, {}, async ({ clock, server, tabs, storage }) => {
      await clock.advance(5000);
      const { save } = storage;
      // What another tab tells is still being kept when the answer comes.
      storage.save = async (text) => { await clock.sleep(1500); storage.text = text; };
      const [{ client }] = tabs;
      const { fetch } = client.settings;
      client.settings.fetch = async (_, { signal }) => {
        client.settings.fetch = fetch;
        await clock.sleep(7000, signal);
        if (late === 'failure') throw new TypeError('gone');
        return new Response(documentOf('first'), { headers: { 'Hearth-Revision': '1.4' } });
      };
      client.refresh();
      await clock.advance(5000);
      server.publish('second');
      tabs[1].client.refresh();
      await clock.advance(12_000);
      assert.equal(server.held.size, 1, late);
      await clock.advance(48_000);
      storage.save = save;
      assert.deepEqual(shown(tabs), [`upToDate ${versionOf('second')}`], late);
      assert.deepEqual(tabs.flatMap(({ said }) => said.filter(({ error }) => error)), [], late);
    });
  }
});
