// How well text can be read on a colour, by WCAG 2.2.

import { objectOf } from './members.js';

/** The least contrast that WCAG AA asks of text. */
export const leastContrast = 4.5;

/** The relative luminance of an opaque colour, from 0 to 1; `null` for what is none. */
function luminanceOf(/** @type {Content} */ color) {
  if (typeof color !== 'string' || !/^#[0-9a-f]{6}(ff)?$/i.test(color)) return null;
  const [red, green, blue] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16) / 255)
    .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

const between = (/** @type {number} */ left, /** @type {number} */ right) =>
  (Math.max(left, right) + 0.05) / (Math.min(left, right) + 0.05);

/** A colour in light or in dark. */
const shade = (/** @type {Content} */ value, /** @type {'light'|'dark'} */ theme) =>
  typeof value === 'string' ? value : objectOf(value)[theme];

/**
 * The least contrast of texts to what is behind them, rounded down to a tenth: of texts without a colour of their own
 * an app draws black or white, whichever reads better. `null` where a colour is none, or lets shine through what is
 * behind it.
 */
export function contrastOn(
  /** @type {Content} */ color, /** @type {Content[]} */ inks, /** @type {'light'|'dark'} */ theme,
) {
  const behind = luminanceOf(shade(color, theme));
  if (behind === null) return null;
  const ratios = inks.map((ink) => luminanceOf(shade(ink, theme)))
    .flatMap((ink) => ink === null ? [] : [between(ink, behind)]);
  const own = Math.max(between(0, behind), between(1, behind));
  return Math.floor(Math.min(own, ...ratios) * 10) / 10;
}
