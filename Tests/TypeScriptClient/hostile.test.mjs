import assert from 'node:assert/strict';
import test from 'node:test';
import { textOf } from '../../clients/typescript/index.js';
import { readHead, textIn } from '../../clients/typescript/record.js';
import { hostileHandler, nameOf } from './hostile.mjs';
import { QuickClient, documentOf, memory, seeded, withServer } from './sample.mjs';

for (const seed of [1, 2, 3]) {
  test(`whatever a server does, no page goes back or is foreign (seed ${seed})`, async () => {
    const random = seeded(seed);
    const storage = memory();
    const { handler, counts } = hostileHandler(random);
    await withServer(handler, async (server) => {
      const settings = { server, storage, timeout: 0.15, bodyMax: 1 << 20, timing: { keepMin: 0 } };
      let client = new QuickClient(settings);
      let highest = 0;
      for (let poll = 0; poll < 150; poll += 1) {
        await client.poll().catch((error) => {
          assert(['unreachable', 'refused', 'unreadable', 'dropped'].includes(error.kind), String(error));
        });
        const number = Number(client.revision?.split('.')[1] ?? 0);
        assert(number >= highest, `${number} after ${highest}`);
        highest = number;
        if (number) assert.equal(textOf(client.page), documentOf(nameOf(number)), `1.${number}`);
        // What is shown is kept.
        const kept = storage.text && readHead(storage.text);
        assert.equal(kept?.revision ?? null, client.revision);
        if (kept) assert.equal(textIn(storage.text), textOf(client.page));
        // The app is ended, and starts again.
        if (random() < 0.1) client = new QuickClient(settings);
      }
      assert(highest > 5, JSON.stringify(counts));
    });
  });
}
