// How long texts are, as the server counts them.

import { t } from './i18n.js';

/**
 * Why a text is too long, with what there is and what there may be; nothing is cut off.
 * @param {unknown} text
 * @param {number|undefined} most
 * @param {'characters'|'bytes'} [unit] code points, or bytes of UTF-8
 */
export function tooLong(text, most, unit = 'characters') {
  if (typeof text !== 'string' || most === undefined || text.length * 3 <= most) return undefined;
  const count = unit === 'bytes' ? new TextEncoder().encode(text).length : [...text].length;
  if (count <= most) return undefined;
  return unit === 'bytes' ? t('Too long: {count} of {most} bytes. A letter takes 1 to 4.', { count, most })
    : t('Too long: {count} of {most} characters.', { count, most });
}
