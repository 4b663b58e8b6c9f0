// Pages and servers for the tests.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';

/** The exact text of a document of the cases. */
export const documentOf = (name) =>
  readFileSync(new URL(`../ClientCases/documents/${name}.json`, import.meta.url), 'utf8');

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
