// What is behind a section or a page: colour, gradient, picture, border and shadow, as CSS.

import { inkOn, themed } from './nodes.js';

const fits = { contain: 'contain', stretch: '100% 100%' };

/**
 * How a background is drawn, and the colour that texts without one of their own have on it: black or white. On a page
 * that is read from the right, the angle of a gradient and the side of a shadow turn round.
 * @param {any} background
 * @param {{isDark: boolean, isMirrored: boolean, hasPictures: boolean, resolve: (picture: any) => string}} page
 */
export function groundOf(background, { isDark, isMirrored, hasPictures, resolve }) {
  const { color, gradient, image, border, shadow } = background ?? {};
  const tint = (/** @type {any} */ value) => themed(value, isDark);
  const side = isMirrored ? -1 : 1;
  const picture = hasPictures && tint(image);
  const fit = fits[/** @type {keyof typeof fits} */ (picture?.fit)] ?? 'cover';
  const stops = (gradient?.stops ?? []).map((/** @type {any} */ stop) => `${tint(stop.color)} ${stop.at * 100}%`);
  return {
    color: tint(color) ?? '',
    // One colour for what hides what scrolls below it.
    behind: tint(color ?? gradient?.stops[0].color) ?? '',
    layers: [
      picture && `url(${JSON.stringify(resolve(picture))}) center / ${fit} no-repeat`,
      gradient && `linear-gradient(${side * (gradient.angle ?? 180)}deg, ${stops})`,
    ].filter(Boolean).join(),
    edges: [
      border && `inset 0 0 0 ${border.width}px ${tint(border.color)}`,
      shadow && `${side * (shadow.x ?? 0)}px ${shadow.y ?? 0}px ${shadow.radius}px ${tint(shadow.color)}`,
    ].filter(Boolean).join(),
    ink: inkOn(gradient ? gradient.stops.map((/** @type {any} */ stop) => tint(stop.color)) : [tint(color)]),
  };
}

/** The corners of a background, by a radius for all or for each. */
export function roundOff(/** @type {HTMLElement} */ { style }, /** @type {any} */ radius = 0) {
  for (const [name, side] of [
    ['topLeading', 'StartStart'], ['topTrailing', 'StartEnd'], ['bottomLeading', 'EndStart'],
    ['bottomTrailing', 'EndEnd'],
  ]) /** @type {any} */ (style)[`border${side}Radius`] = `${radius[name] ?? (Number(radius) || 0)}px`;
}
