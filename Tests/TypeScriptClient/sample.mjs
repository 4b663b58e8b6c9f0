// Pages and servers for the tests.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { HearthClient } from '../../clients/typescript/index.js';
import { sealed } from '../../clients/typescript/record.js';

/** The exact text of a document of the cases. */
export const documentOf = (name) =>
  readFileSync(new URL(`../ClientCases/documents/${name}.json`, import.meta.url), 'utf8');

/** A client that may be asked as often as a test likes. */
export class QuickClient extends HearthClient {
  constructor({ timing, ...settings }) { super({ ...settings, timing: { pauseMin: 0.001, ...timing } }); }
}

/** Deterministic random numbers (mulberry32), so that a failure can be had again. */
export function seeded(seed) {
  let state = seed;
  return () => {
    state = state + 0x6d2b79f5 | 0;
    let value = Math.imul(state ^ state >>> 15, state | 1);
    value ^= value + Math.imul(value ^ value >>> 7, value | 61);
    return ((value ^ value >>> 14) >>> 0) / 2 ** 32;
  };
}

/** The record of a document of the cases, as of a server's page. */
export const recordOf = (name, { revision = '1.7', since = 1 } = {}) =>
  sealed({
    url: 'https://home.example.com/v1/pages/home', revision, since, version: JSON.parse(documentOf(name)).version,
  }, documentOf(name));

/** The page's text in a record. */
export const keptIn = (record) => record.split('\n').at(-1);

/** What keeps one text in memory. */
export function memory(text = null) {
  return { text, saved: 0, load() { return this.text; }, save(text) { this.text = text; this.saved += 1; } };
}

/** Answers with the named documents in turn, the last one again and again. */
export function answering(...names) {
  const asked = [];
  const fetch = async (url, { headers }) => {
    asked.push({ url, ...headers });
    const name = names.length > 1 ? names.shift() : names[0];
    if (name instanceof Error) throw name;
    return new Response(documentOf(name), { headers: { 'Hearth-Revision': '1.7' } });
  };
  return Object.assign(fetch, { asked });
}

/** Runs a body against a server that answers by a handler. */
export async function withServer(handler, body) {
  const server = createServer(handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try { return await body(`http://127.0.0.1:${server.address().port}`); } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** Lets everything go on that waits for nothing but its turn. */
export const settled = async () => { for (let turn = 0; turn < 4; turn += 1) await new Promise(setImmediate); };

/** A clock that goes on when a test says so. */
export class TestClock {
  time = 0;
  start = 1e12;
  /** @type {Set<{at: number, wake(): void}>} */
  timers = new Set();
  now() { return this.time; }
  date() { return this.start + this.time; }
  sleep(milliseconds, signal) {
    return new Promise((done, stop) => {
      if (signal?.aborted) return stop(signal.reason);
      const timer = { at: this.time + milliseconds, wake: done };
      this.timers.add(timer);
      signal?.addEventListener('abort', () => { this.timers.delete(timer); stop(signal.reason); });
    });
  }
  async advance(milliseconds) {
    const end = this.time + milliseconds;
    for (;;) {
      await settled();
      const [next] = [...this.timers].sort((one, other) => one.at - other.at);
      if (!next || next.at > end) break;
      this.timers.delete(next);
      this.time = Math.max(this.time, next.at);
      next.wake();
    }
    this.time = end;
    await settled();
  }
}

/** Reads what a client says until the signal; what it said is in the array. */
export function follow(client, signal) {
  const said = [];
  const reading = async () => { for await (const state of client.states(signal)) said.push(state); };
  reading().catch((error) => said.push(error));
  return said;
}
