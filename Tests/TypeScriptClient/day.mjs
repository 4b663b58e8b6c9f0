// Counts the bytes that a client receives over a simulated day: a poll every 30 seconds, 20 publishes that each move
// one section and change one text. The home is the demo's.
//
// usage: BINARY_UNDER_TEST=.build/debug/hearth node Tests/TypeScriptClient/day.mjs

import { Agent, request } from 'node:http';
import { Hearth } from './hearth.mjs';

const [polls, publishes] = [2880, 20];
const hearth = await Hearth.start();

class Client {
  constructor(coding, takesChanges) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    Object.assign(this, { coding, takesChanges, agent, bytes: 0, statuses: {} });
  }

  poll() {
    return new Promise((resolve, reject) => {
      const headers = {
        'Accept-Encoding': this.coding, ...this.tag && { 'If-None-Match': this.tag },
        ...this.tag && this.takesChanges && { 'A-IM': 'hearth-changes' },
      };
      request(`${hearth.public}/v1/home?locale=en&platform=web`, { agent: this.agent, headers }, (answer) => {
        const before = this.seen ?? 0;
        const { socket } = answer;
        answer.on('data', () => {}).on('end', () => {
          this.seen = socket.bytesRead;
          this.bytes += this.seen - before;
          this.tag = answer.headers.etag;
          this.statuses[answer.statusCode] = (this.statuses[answer.statusCode] ?? 0) + 1;
          resolve();
        });
      }).on('error', reject).end();
    });
  }
}

const clients = [
  ['pages, gzip', 'gzip', false], ['pages, br', 'br, identity;q=0, gzip;q=0', false],
  ['changes, gzip', 'gzip', true], ['changes, br', 'br, identity;q=0, gzip;q=0', true],
].map(([name, ...rest]) => [name, new Client(...rest)]);
for (let poll = 0; poll < polls; poll += 1) {
  if (poll % (polls / publishes) === polls / publishes - 1) {
    const { sections } = await hearth.api('GET', '/draft');
    const number = Math.floor(poll / (polls / publishes));
    const { id } = sections[number % sections.length];
    await hearth.api('POST', `/sections/${id}/move`, { first: true });
    const titled = sections.filter(({ items }) => items?.[0].content.title);
    const { id: other, items: [first] } = titled[number % titled.length];
    await hearth.api('PUT', `/sections/${other}/items/${first.id}`, {
      kind: first.kind, content: { ...first.content, title: { '*': `News ${number}` } },
    });
    await hearth.api('POST', '/publish');
  }
  for (const [, client] of clients) await client.poll();
}
for (const [name, { bytes, statuses, agent }] of clients) {
  console.log(`${name}: ${bytes} bytes, heads included; ${JSON.stringify(statuses)}`);
  agent.destroy();
}
await hearth.stop();
