import assert from 'node:assert/strict';
import test from 'node:test';

import './browser.mjs';

const { cropOf, formatOf, isAnimated, sizesOf } =
  await import('../../Sources/Service/Console/assets/gallery/cropping.js');
const { isKept, withAlt } = await import('../../Sources/Service/Console/assets/lib/pictures.js');

const picture = { width: 3000, height: 2000 };

test('a crop has the shape that is wanted, and the focal point in its middle as far as the edges let it', () => {
  assert.deepEqual(cropOf(picture, 1, { x: 50, y: 50 }, 1), { x: 500, y: 0, width: 2000, height: 2000 });
  assert.deepEqual(cropOf(picture, 1, { x: 0, y: 0 }, 1), { x: 0, y: 0, width: 2000, height: 2000 });
  assert.deepEqual(cropOf(picture, 1, { x: 100, y: 100 }, 2), { x: 2000, y: 1000, width: 1000, height: 1000 });
  assert.deepEqual(cropOf(picture, 3, { x: 50, y: 20 }, 1), { x: 0, y: 0, width: 3000, height: 1000 });
  assert.deepEqual(cropOf({ width: 1, height: 4000 }, 8, { x: 50, y: 50 }, 4).width, 1);
});

test('a crop never reaches beyond the picture', () => {
  for (const width of [1, 7, 333, 4001]) {
    for (const height of [1, 9, 500, 3999]) {
      for (const shape of [0.1, 0.75, 1, 349 / 114, 12]) {
        for (const focus of [{ x: 0, y: 100 }, { x: 33, y: 67 }]) {
          const crop = cropOf({ width, height }, shape, focus, 1.3);
          assert.ok(crop.x >= 0 && crop.y >= 0 && crop.width >= 1 && crop.height >= 1, JSON.stringify(crop));
          assert.ok(crop.x + crop.width <= width && crop.y + crop.height <= height, JSON.stringify(crop));
        }
      }
    }
  }
});

test('sizes are made at one, two and three times, and nothing is made larger than it is', () => {
  const cell = { width: 349, height: 114 };
  assert.deepEqual(sizesOf(cell, { width: 1047, height: 342 }).map(({ width }) => width), [349, 698, 1047]);
  assert.deepEqual(sizesOf(cell, { width: 1046, height: 342 }).map(({ times }) => times), [1, 2]);
  assert.deepEqual(sizesOf(cell, { width: 349, height: 114 }).map(({ times }) => times), [1]);
  assert.deepEqual(sizesOf(cell, { width: 300, height: 98 }).map(({ width, height }) => [width, height]), [[300, 98]]);
});

test('a crop is kept in the format of its original where browsers write it', () => {
  assert.deepEqual(['image/jpeg', 'image/png', 'image/webp', 'image/avif', 'image/gif'].map(formatOf),
    ['image/jpeg', 'image/png', 'image/webp', 'image/webp', 'image/png']);
});

const bytes = (...parts) => Uint8Array.from(parts.flatMap((part) =>
  typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part));

test('what moves is told from what does not', () => {
  const frame = [0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x4c, 1, 0];
  const screen = ['GIF89a', [1, 0, 1, 0, 0, 0, 0]];
  assert.equal(isAnimated(bytes(...screen, frame, [0x3b])), false);
  assert.equal(isAnimated(bytes(...screen, [0x21, 0xf9, 4, 0, 0, 0, 0, 0], frame, frame, [0x3b])), true);
  const chunk = (name, ...body) => [[0, 0, 0, body.length], name, body, [0, 0, 0, 0]];
  const png = ['\x89PNG\r\n\x1a\n', ...chunk('IHDR', 1, 2, 3)];
  assert.equal(isAnimated(bytes(...png, ...chunk('IDAT'), ...chunk('acTL'))), false);
  assert.equal(isAnimated(bytes(...png, ...chunk('acTL', 0), ...chunk('IDAT'))), true);
  assert.equal(isAnimated(bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 2, 0])), true);
  assert.equal(isAnimated(bytes('RIFF', [0, 0, 0, 0], 'WEBPVP8X', [10, 0, 0, 0, 0x10, 0])), false);
  assert.equal(isAnimated(bytes([0, 0, 0, 32], 'ftypavis')), true);
  assert.equal(isAnimated(bytes([0, 0, 0, 32], 'ftypavif')), false);
  assert.equal(isAnimated(bytes([0xff, 0xd8, 0xff, 0xe0])), false);
});

test('the text of a picture is the label of what says nothing of itself, and of nothing else', () => {
  const item = { id: 'a', kind: 'banner', content: { image: { url: 'https://a.example/a.png' }, color: '#ffffff' } };
  assert.equal(withAlt(item, 'A river').accessibility.label, 'A river');
  assert.deepEqual(withAlt({ ...item, accessibility: { traits: ['image'] } }, { en: 'A' }).accessibility,
    { traits: ['image'], label: { en: 'A' } });
  for (const other of [
    { ...item, accessibility: { label: 'Mine' } }, { ...item, accessibility: { hidden: true } },
    { ...item, content: { ...item.content, title: { 'zh-Hans': '河' } } }, { ...item, content: { text: 'Words' } },
  ]) assert.equal(withAlt(other, 'A river'), other);
  assert.equal(withAlt(item, undefined), item);
});

test('an address of a kept picture is told from others', () => {
  const hash = 'a'.repeat(64);
  assert.ok(isKept(`/v1/assets/${hash}.png`));
  const others = [undefined, '', `/v1/assets/${hash}`, `https://a.example/v1/assets/${hash}.png`, '/v1/assets/x.png'];
  for (const other of others) assert.ok(!isKept(other));
});
