// What drawings are made of.

/** Makes an element with a class and children; what is null is left out. */
export function made(/** @type {string} */ tag, /** @type {string} */ name, /** @type {any[]} */ ...children) {
  const element = document.createElement(tag);
  element.className = name;
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== ''));
  return element;
}

/** A colour or picture: of one for light and one for dark where there are two, of more contrast where it is wanted. */
export const themed = (/** @type {any} */ value, /** @type {boolean} */ isDark) => {
  if (!value?.light || !value.dark) return value;
  const chosen = (matchMedia('(prefers-contrast: more)').matches && value.highContrast) || value;
  return chosen[isDark ? 'dark' : 'light'];
};

/** Black or white, whichever reads better on the opaque ones of some colours. */
export function inkOn(/** @type {any[]} */ colors) {
  const lights = colors.filter((color) => /^#[0-9a-f]{6}(ff)?$/i.test(color)).map((color) => {
    const [red, green, blue] = [1, 3, 5].map((start) => parseInt(color.slice(start, start + 2), 16) / 255)
      .map((value) => value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  });
  // The contrast of black with the darkest one against that of white with the lightest.
  return lights.length === 0 ? '' : Math.min(...lights) * Math.max(...lights) > 0.0525 ? '#1c1b1a' : '#fff';
}

/** What a page or a layout leaves free on each side, in points. */
export const insetOf = (/** @type {any} */ holder) =>
  ({ top: 0, leading: 0, bottom: 0, trailing: 0, ...holder?.inset });

/** What a browser may open; what else an address names is the app's. */
export const isOpened = (/** @type {string | undefined} */ url) => /^(https?|mailto|tel):/i.test(url ?? '');
