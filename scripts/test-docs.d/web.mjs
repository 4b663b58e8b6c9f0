// What a browser gives the web app of docs/client.md, so that scripts/test-docs can have it run: it ends well once the
// app shows a page.
// usage: node web.mjs APP ORIGIN

const kept = new Map();
globalThis.location = { origin: process.argv[3] };
globalThis.localStorage = { getItem: (name) => kept.get(name) ?? null, setItem: (name, text) => kept.set(name, text) };
globalThis.document = {
  addEventListener() {},
  body: {
    set textContent(text) {
      console.log(text);
      process.exit(text.trim() ? 0 : 1);
    },
  },
};
setTimeout(() => process.exit(2), 30_000);
await import(process.argv[2]);
