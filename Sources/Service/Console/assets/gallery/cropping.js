// The part of a picture that a crop keeps, and the sizes that are made of it.

/** @typedef {{width: number, height: number}} Extent */
/** @typedef {{x: number, y: number}} Focus in percent from the left and the upper edge */

/** How near a crop may come. */
export const zoomMax = 4;

/**
 * The greatest part of a shape, as near as it is wanted, with the focal point in its middle as far as the edges let it.
 * @param {Extent} picture in pixels
 * @param {number} shape width divided by height
 * @param {Focus} focus
 * @param {number} zoom from 1 on
 */
export function cropOf(picture, shape, focus, zoom) {
  const wide = Math.min(picture.width, picture.height * shape) / zoom;
  const width = Math.max(1, Math.round(wide));
  const height = Math.max(1, Math.min(Math.round(wide / shape), picture.height));
  const begin = (/** @type {number} */ length, /** @type {number} */ part, /** @type {number} */ percent) =>
    Math.round(Math.min(Math.max(length * percent / 100 - part / 2, 0), length - part));
  return {
    x: begin(picture.width, width, focus.x), y: begin(picture.height, height, focus.y), width, height,
  };
}

/**
 * The sizes for a cell at one, two and three times, as far as the crop has the pixels; never larger than it. Of a crop
 * that is smaller than the cell, its own.
 * @param {Extent} cell in points
 * @param {Extent} crop in pixels
 * @returns {({times: number} & Extent)[]} the smallest first
 */
export function sizesOf(cell, crop) {
  const sizes = [1, 2, 3]
    .map((times) => ({ times, width: Math.round(cell.width * times), height: Math.round(cell.height * times) }))
    .filter(({ width, height }) => width <= crop.width && height <= crop.height);
  return sizes.length > 0 ? sizes : [{ times: crop.width / cell.width, width: crop.width, height: crop.height }];
}

/** The format that a crop is kept in: that of its original, where browsers write it. */
export const formatOf = (/** @type {string} */ type) =>
  ['image/jpeg', 'image/png'].includes(type) ? type : type === 'image/gif' ? 'image/png' : 'image/webp';

const text = (/** @type {Uint8Array} */ bytes, /** @type {number} */ at, length = 4) =>
  String.fromCharCode(...bytes.subarray(at, at + length));
const big = (/** @type {Uint8Array} */ bytes, /** @type {number} */ at) =>
  ((bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]) >>> 0;

/** Whether a GIF has more than one picture (GIF89a §20). */
function hasFrames(/** @type {Uint8Array} */ bytes) {
  const table = (/** @type {number} */ flags) => flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
  let [at, frames] = [13 + table(bytes[10]), 0];
  const skip = () => {
    while (bytes[at] > 0) at += 1 + bytes[at];
    at += 1;
  };
  while (at < bytes.length && frames < 2) {
    if (bytes[at] === 0x2c) {
      frames += 1;
      at += 11 + table(bytes[at + 9]);
    } else if (bytes[at] === 0x21) at += 2;
    else break;
    skip();
  }
  return frames > 1;
}

/** Whether a picture moves: a crop would keep its first moment alone. */
export function isAnimated(/** @type {Uint8Array} */ bytes) {
  if (text(bytes, 0) === 'GIF8') return hasFrames(bytes);
  // RFC 9649 §2.7.1: the flag of an animation.
  if (text(bytes, 0) === 'RIFF' && text(bytes, 12) === 'VP8X') return (bytes[20] & 0x02) !== 0;
  if (text(bytes, 4) === 'ftyp') return text(bytes, 8) === 'avis';
  if (text(bytes, 1, 3) !== 'PNG') return false;
  for (let at = 8; at + 8 <= bytes.length; at += 12 + big(bytes, at)) {
    const name = text(bytes, at + 4);
    if (name === 'acTL') return true;
    if (name === 'IDAT') return false;
  }
  return false;
}
