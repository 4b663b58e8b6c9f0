// The way back from a choice that drops what was there.

import { isEqual } from '../lib/merge.js';
import { sideBySide, t } from '../lib/i18n.js';
import { announce, html, useState } from '../lib/ui.js';

/**
 * Replaces a value by one that says less, and offers what was there again as long as that is as it was put.
 * @template T
 * @param {T} value
 * @param {(value: T) => void} onChange
 * @returns {[object|false|null, (next: T, names?: string[]) => void]} what to draw, and what replaces; `names` say
 *   what goes
 */
export function useDropped(value, onChange) {
  const [dropped, setDropped] = useState(/** @type {{before: T, next: T, words: string}|null} */ (null));
  const replace = (/** @type {T} */ next, /** @type {string[]} */ names = []) => {
    const words = names.length > 0 ? t('Dropped: {names}.', { names: sideBySide(names) })
      : t('What was there is gone.');
    setDropped({ before: value, next, words });
    announce(words);
    onChange(next);
  };
  const undo = (/** @type {T} */ before) => {
    setDropped(null);
    onChange(before);
  };
  return [dropped && isEqual(dropped.next, value) && html`<p class="hint dropped">${dropped.words}${' '}
    <button type="button" class="link" onClick=${() => undo(dropped.before)}>${t('Undo')}</button></p>`, replace];
}
