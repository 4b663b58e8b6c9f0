// A server that goes back, drips, lies about lengths, and ignores what was asked: by chance, from a seed.

import zlib from 'node:zlib';
import { readPage } from '../../clients/typescript/index.js';
import { documentOf } from './sample.mjs';

export const names = ['first', 'second', 'third'];
/** What an edition is: its number says which page. */
export const nameOf = (number) => names[number % 3];
const versionOf = (name) => readPage(documentOf(name), 'home').version;
const changes = { 'first second': 'first-to-second', 'second third': 'second-to-third' };

/** Answers to a poll, each a way to be wrong but for the first. */
const answers = {
  right: ({ now, asked }, response) => {
    const fields = { 'Hearth-Revision': `1.${now}`, ETag: `W/"${versionOf(nameOf(now))}"` };
    const held = /"(.+)"/.exec(asked['if-none-match'] ?? '')?.[1];
    if (held === versionOf(nameOf(now))) return response.writeHead(304, fields).end();
    const base = names.find((name) => versionOf(name) === held);
    const set = changes[`${base} ${nameOf(now)}`];
    if (set) return response.writeHead(226, { ...fields, IM: 'hearth-changes' }).end(documentOf(set));
    return response.writeHead(200, fields).end(documentOf(nameOf(now)));
  },
  older: ({ now, pick }, response) => {
    const number = Math.max(1, now - 1 - pick(3));
    response.writeHead(200, { 'Hearth-Revision': `1.${number}` }).end(documentOf(nameOf(number)));
  },
  ofNoEdition: ({ pick }, response) => response.end(documentOf(names[pick(3)])),
  anotherTag: (_, response) => response.writeHead(304, { ETag: 'W/"0123456789abcdef"' }).end(),
  changesOfAnother: ({ now }, response) => response
    .writeHead(226, { IM: 'hearth-changes', 'Hearth-Revision': `1.${now}` }).end(documentOf('newer-to-newer-next')),
  cut: ({ now, pick }, response) => {
    const bytes = Buffer.from(documentOf(nameOf(now)));
    response.writeHead(200, { 'Hearth-Revision': `1.${now}` }).end(bytes.subarray(0, pick(bytes.length)));
  },
  longerThanItIs: ({ now }, response) => {
    const bytes = Buffer.from(documentOf(nameOf(now)));
    response.writeHead(200, { 'Hearth-Revision': `1.${now}`, 'Content-Length': bytes.length + 10 });
    response.write(bytes, () => response.destroy());
  },
  damaged: ({ now, pick }, response) => {
    const bytes = Buffer.from(documentOf(nameOf(now)));
    bytes[pick(bytes.length)] ^= 1;
    response.writeHead(200, { 'Hearth-Revision': `1.${now}` }).end(bytes);
  },
  drip: ({ now }, response) => {
    const bytes = Buffer.from(documentOf(nameOf(now)));
    response.writeHead(200, { 'Hearth-Revision': `1.${now}` });
    let at = 0;
    const timer = setInterval(() => response.write(bytes.subarray(at, at += 1)), 5);
    response.on('close', () => clearInterval(timer));
  },
  bomb: (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
  portal: (_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>'),
  away: (_, response) => response.destroy(),
  busy: (_, response) => response.writeHead(503, { 'Retry-After': '0' }).end('{}'),
};
const bomb = zlib.gzipSync(Buffer.alloc(4 << 20, ' '));

/** Answers requests by chance, and counts the ways. */
export function hostileHandler(random) {
  const pick = (count) => Math.floor(random() * count);
  const kinds = Object.keys(answers);
  const counts = {};
  let now = 1;
  const handler = (request, response) => {
    if (random() < 0.2) now += 1;
    const kind = random() < 0.4 ? 'right' : kinds[pick(kinds.length)];
    counts[kind] = (counts[kind] ?? 0) + 1;
    answers[kind]({ now, asked: request.headers, pick }, response);
  };
  return { handler, counts };
}
