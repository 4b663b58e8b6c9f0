// The cases of Tests/ClientCases, as Tests/HearthClientTests/ClientCasesTests.swift runs them.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import test from 'node:test';
import { HearthClient, readPage, textOf } from '../../clients/typescript/index.js';
import { Signatures } from '../../clients/typescript/signatures.js';
import { recordOf } from './sample.mjs';
import { text as signedCases } from '../ClientCases/signatures.mjs';

const folder = new URL('../ClientCases/', import.meta.url);
const documentOf = (name) => readFileSync(new URL(`documents/${name}.json`, folder), 'utf8');
const tagOf = (name) => `W/"${JSON.parse(documentOf(name)).to ?? JSON.parse(documentOf(name)).version}"`;
const timeout = 12_345;
const keepMax = 86_401;

/** A fetch that answers as a case says, a clock that stands still but for what it says, and what came of it. */
class Run {
  constructor(aCase, { chance, cut }) {
    this.case = aCase;
    this.cut = cut;
    this.chance = chance;
    this.exchanges = aCase.turns.flatMap((turn, number) => turn.exchanges.map((exchange) => ({ ...exchange, number })));
    this.time = 0;
    this.number = 0;
    this.pause = 0;
    this.changes = null;
    this.controller = new AbortController();
  }

  async go() {
    const { holds, revision = null, wait = 0, signatures, kept } = this.case;
    this.signatures = signatures && new Signatures(signatures.mode, signatures.keys, { date: () => 1e12 + this.time });
    const settings = {
      server: 'https://home.example.com', wait, timeout, timing: { keepMax },
      fetch: (url, options) => this.fetch(url, options), random: () => this.chance,
      clock: { now: () => this.time, date: () => 1e12 + this.time, sleep: (...given) => this.sleep(...given) },
      storage: { load: () => holds ? this.record(holds, revision) : kept && this.recordWithSignature(kept), save() {} },
    };
    const client = this.client = new HearthClient(this.signatures?.settings(settings) ?? settings);
    const isFirst = holds ? 'cached' : 'noData';
    const count = this.exchanges.length;
    for await (const state of client.states(this.controller.signal)) {
      if (!kept && this.number === 0 && this.exchanges.length === count) assert.equal(state.name, isFirst);
      if (state.update) this.changes = state.update.changes;
    }
    if (this.failure) throw this.failure;
    assert.equal(this.exchanges.length, 0, 'fewer requests than the case has');
  }

  record(page, revision) { return recordOf(page, { revision, since: 0 }); }

  recordWithSignature({ page, revision, signed, highest }) {
    return `hearth-signed ${JSON.stringify({ signed, highest })}\n${this.record(page, revision)}`;
  }

  async sleep(milliseconds, signal) {
    const isTimeout = [timeout, timeout + (this.case.wait ?? 0), keepMax]
      .some((seconds) => milliseconds === seconds * 1000);
    if (!isTimeout) {
      this.pause += milliseconds;
      this.time += milliseconds;
      return this.goOn();
    }
    return new Promise((_, stop) => signal.addEventListener('abort', () => stop(signal.reason)));
  }

  /** What the app does after a turn. */
  async goOn() {
    const turn = this.case.turns[this.number];
    if (!turn?.then || this.exchanges[0]?.number === this.number || this.gone === this.number) return;
    this.check();
    this.gone = this.number;
    assert.deepEqual(turn.then, ['reset']);
    await this.client.reset();
    this.pause = 0;
  }

  async fetch(url, { headers, cache }) {
    let fails;
    try {
      const exchange = this.exchanges.shift();
      if (exchange?.number !== this.number && this.gone !== this.number) this.check();
      this.number = exchange?.number;
      if (!exchange) {
        this.controller.abort();
        throw new TypeError('the case is over');
      }
      assert.equal(url, 'https://home.example.com/v1/pages/home');
      assert.equal(cache, 'no-store');
      assert.equal(headers['Accept-Signature'],
        this.signatures && 'sig1=("unencoded-digest" "hearth-revision");created;expires;keyid;alg="ed25519"');
      assert.deepEqual(this.asked(headers), exchange.asks);
      fails = exchange.answer.fails;
      if (!fails) return this.answer(exchange.answer);
    } catch (error) {
      this.failure ??= this.controller.signal.aborted ? null : error;
      this.controller.abort();
      throw error;
    }
    throw new TypeError(fails);
  }

  asked(headers) {
    const tag = headers['If-None-Match'];
    assert.equal(headers['A-IM'], tag && 'hearth-changes');
    const names = ['first', 'second', 'third', 'empty', 'newer', 'newer-next'];
    return {
      ...tag && { changesOf: names.find((name) => tagOf(name) === tag) },
      ...headers.Prefer && { wait: Number(headers.Prefer.slice(5)) },
      ...headers['Cache-Control'] === 'no-cache' && { pastCaches: true },
    };
  }

  answer({ status, body, text, tag, revision, replace, after = 0, fields = {}, isWhole }) {
    this.time += after * 1000;
    let sent = text ?? (body ? documentOf(body) : '');
    if (replace) {
      assert(sent.includes(replace[0]));
      sent = sent.replaceAll(replace[0], replace[1]);
    }
    const bytes = Buffer.from(sent);
    const all = {
      'Cache-Control': 'public, max-age=30', ...(tag ?? body) && { ETag: tagOf(tag ?? body) },
      ...revision && { 'Hearth-Revision': revision },
      ...status === 226 && { IM: 'hearth-changes' }, ...fields,
    };
    const headers = Object.entries(all).filter(([, value]) => value !== null);
    const content = isWhole ? bytes : bytes.subarray(0, this.cut);
    return new Response([204, 304].includes(status) ? null : content, { status, headers });
  }

  /** What is there at the end of a turn. */
  check() {
    const turn = this.case.turns[this.number];
    const { state, page, revision } = this.client;
    assert.equal(page && textOf(page), turn.holds && documentOf(turn.holds));
    if (turn.holds) assert.deepEqual(page, readPage(documentOf(turn.holds), 'home'));
    if (turn.revision !== undefined) assert.equal(revision, turn.revision);
    assert.equal(state.error?.kind, turn.reports);
    if (turn.because) assert.equal(state.error.reason, turn.because);
    const { keyID, reason } = this.signatures?.verification ?? {};
    if (turn.verification) assert.equal(keyID ?? reason, turn.verification);
    if (turn.code) assert.equal(state.error.code, turn.code);
    if (turn.state) assert.equal(state.name, turn.state);
    if (turn.changes) assert.deepEqual(this.changes, JSON.parse(documentOf(turn.changes)));
    if (turn.pause) assert.equal(Math.round(this.pause) / 1000, turn.pause[this.chance]);
    [this.pause, this.changes] = [0, null];
  }
}

test('the signed cases are what their signer writes', () => {
  assert.equal(readFileSync(new URL('signatures.json', folder), 'utf8'), signedCases);
});

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  for (const aCase of JSON.parse(readFileSync(new URL(file, folder), 'utf8'))) {
    // What an app changes while it runs, the web client does not have.
    if (aCase.needs) continue;
    test(`${file}: ${aCase.name}`, async () => {
      const length = aCase.cutEverywhere ? Buffer.byteLength(documentOf(aCase.turns[0].exchanges[0].answer.body)) : 0;
      for (const chance of [0, 1]) await new Run(aCase, { chance, cut: length ? length - 1 : undefined }).go();
      for (let cut = 0; cut < length; cut += 1) await new Run(aCase, { chance: 0, cut }).go();
    });
  }
}
