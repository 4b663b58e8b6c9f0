// Follows the answers of a file as a client does, and says how many it followed.
//
// usage: node follow.mjs FILE, each line a status, a tab, the version that it leads to, a tab, and the body

import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { HearthClient, textOf } from '../../clients/typescript/index.js';

/** A line ends with a newline alone: U+2028 is a letter in JSON. */
async function* lines(file) {
  let rest = '';
  for await (const text of createReadStream(file, 'utf8')) {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
}

/** @type {string[]} */
let [status, version, body] = [];
let asked = 0;
let changed = 0;
const client = new HearthClient({
  server: 'https://home.example.com', timing: { pauseMin: 0 },
  fetch: async () => {
    asked += 1;
    const headers = { ...status === '226' && { IM: 'hearth-changes' } };
    return new Response(body, { status: Number(status), headers });
  },
});
let followed = 0;
for await (const line of lines(process.argv[2])) {
  [status, version, body] = line.split('\t');
  const update = await client.poll();
  followed += 1;
  assert.equal(client.page?.version, version);
  // A change set that did not fit, or led elsewhere, would have been asked for again.
  assert.equal(asked, followed);
  if (status === '200') assert.equal(textOf(client.page), body);
  else if (update) changed += 1;
}
console.log(`followed ${followed}, ${changed} by their changes`);
