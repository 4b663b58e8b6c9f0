// The way back from a choice that drops what was there.

import { isEqual } from '../lib/merge.js';
import { sideBySide, t } from '../lib/i18n.js';
import { announce, html, useState } from '../lib/ui.js';

/**
 * Replaces a value by one that says less, and offers what was there again as long as that is as it was put.
 * @param {any} value
 * @param {(value: any) => void} onChange
 * @returns {[any, (next: any, names?: string[]) => void]} what to draw, and what replaces; `names` say what goes
 */
export function useDropped(value, onChange) {
  const [dropped, setDropped] = useState(/** @type {{before: any, next: any, words: string}|null} */ (null));
  const replace = (/** @type {any} */ next, /** @type {string[]} */ names = []) => {
    const words = names.length > 0 ? t('Dropped: {names}.', { names: sideBySide(names) })
      : t('What was there is gone.');
    setDropped({ before: value, next, words });
    announce(words);
    onChange(next);
  };
  const undo = () => {
    setDropped(null);
    onChange(dropped?.before);
  };
  return [dropped && isEqual(dropped.next, value) && html`<p class="hint dropped">${dropped.words}${' '}
    <button type="button" class="link" onClick=${undo}>${t('Undo')}</button></p>`, replace];
}
