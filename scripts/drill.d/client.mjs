// Clients of clients/typescript that poll through the front: scripts/drill.d/clients.py starts this, and reads a line
// for each answer.
import { applying, HearthClient, read, readPage, textOf } from '../../clients/typescript/index.js';

const [server, count, care, ...pages] = process.argv.slice(2);
const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');

async function run(name, page) {
  let answer = null;
  const client = new HearthClient({
    server, page, parameters: { locale: 'en' }, timeout: 30, timing: { pauseMin: 0.05 },
    fetch: async (url, settings) => {
      const response = await fetch(url, settings);
      const text = await response.text();
      const field = (name) => response.headers.get(name);
      const { status, headers } = response;
      const version = field('ETag')?.replace(/^W\/"|"$/g, '') ?? null;
      answer = { status, edition: field('Hearth-Revision'), version, trouble: null };
      if (status === 226) answer.trouble = look(client.page, text, answer.version);
      return new Response([204, 304].includes(status) ? null : text, { status, headers });
    },
  });
  let [count, first] = [0, null];
  for (;;) {
    const start = performance.now() / 1000;
    let trouble = null;
    answer = null;
    try { await client.poll(); } catch (error) {
      // What it has stays good; whether it may be without an answer is for the checker to say.
      if (error.kind === 'unreadable') trouble = error.message;
      // A server that asked to be left alone is not asked, and its refusal counts.
      answer ??= { status: error.status ?? 0, edition: null, version: null, trouble: error.message };
    }
    const items = client.page?.sections.flatMap((section) => section.items ?? []);
    const titles = new Set(items?.map((item) => item.content.title));
    count += 1;
    first ??= answer.edition;
    // A careless one is handed what it was handed at first, once in a while, and takes it.
    const taken = count % 20 === 0 ? first : answer.edition;
    say({
      start, end: performance.now() / 1000, client: name, page, ...answer, trouble: trouble ?? answer.trouble,
      title: titles.size === 1 ? [...titles][0] : null,
      held: care === 'careless' ? taken : client.revision, shown: client.page?.version ?? null,
    });
    await pause(0.1 + Math.random() * 0.2);
  }
}

/** What is wrong with a change set: it has to lead to a page whose bytes are what its version says. */
function look(base, text, version) {
  try {
    const page = applying(base, read(text));
    readPage(textOf(page), page.page);
    return page.version === version ? null : `the changes lead to ${page.version}, and the tag says ${version}`;
  } catch (error) {
    return `the changes from ${base?.version} lead to no page of version ${version}: ${error.message}`;
  }
}

for (let number = 0; number < Number(count); number += 1) for (const page of pages) run(`keeper ${number}`, page);
