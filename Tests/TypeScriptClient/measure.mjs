// Measures what the client does with a page of 200 sections of 100 items, and what it costs that numbers keep their
// text.
//
// usage: node Tests/TypeScriptClient/measure.mjs [SECTIONS ITEMS]

import { applying, changesBetween, read, readPage, textOf } from '../../clients/typescript/index.js';
import { sha256 } from '../../clients/typescript/sha256.js';

const [sections, items] = process.argv.length > 3 ? process.argv.slice(2).map(Number) : [200, 100];
const list = (count, make) => Array.from({ length: count }, (_, number) => make(number));
const versioned = (page) => {
  const text = textOf(page);
  const bare = text.replace(`,"version":"${page.version}"`, '');
  return { ...page, version: sha256(bare).slice(0, 16) };
};
const made = (serial) => versioned({
  page: 'home', version: 'x', locale: 'en', sortRule: 'default', sections: list(sections, (section) => ({
    id: `s${section}`, kind: 'grid', index: section, layout: { style: 'grid', rows: [2, 3], itemSpacing: 13 },
    items: list(items, (item) => ({
      id: `i${item}`, kind: 'navigation',
      content: {
        image: { height: 88, url: `https://pics.example.com/${section}/${item}.png`, width: 88 }, ...serial,
        title: `Item ${item} 扫一扫`,
      },
      action: { url: `app://item/${section}/${item}`, event: 'tap' },
    })),
  })),
});

/** The least of some runs, in milliseconds: what the machine does besides costs nothing here. */
function time(work, runs = 15) {
  let least = Infinity;
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    work();
    least = Math.min(least, performance.now() - start);
  }
  return `${least.toFixed(2)} ms`;
}

/** A section whose every twentieth item has another title. */
const retitled = (section) => ({
  ...section, items: section.items.map((item, place) =>
    place % 20 ? item : { ...item, content: { ...item.content, title: 'New' } }),
});

for (const [name, serial] of [
  ['numbers of few digits', { serial: 12345 }],
  ['a number of 20 digits in each item', { serial: read('12345678901234567890') }],
]) {
  const page = made(serial);
  const text = textOf(page);
  const moved = [page.sections.at(-1), ...page.sections.slice(0, -1)];
  const next = versioned({ ...page, sections: moved.map((section, at) => at % 10 ? section : retitled(section)) });
  const changes = changesBetween(page, next);
  console.log(`${name}: ${text.length} characters
  JSON.parse          ${time(() => JSON.parse(text))}
  read                ${time(() => read(text))}
  write               ${time(() => textOf(page))}   (JSON.stringify ${time(() => JSON.stringify(page))})
  SHA-256             ${time(() => sha256(text))}
  a page read, checked ${time(() => readPage(text, 'home'))}
  a set applied       ${time(() => applying(page, changes))}   (${JSON.stringify(changes).length} characters)
  and found           ${time(() => changesBetween(page, next))}`);
}
