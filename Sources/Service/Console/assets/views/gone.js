// Somebody deleted what a dialog edits: what was typed can be put back, or copied.

import { t } from '../lib/i18n.js';
import { attempt, html, useState } from '../lib/ui.js';

/** @param {{resource: Resource, onBack: () => any}} props `onBack` is called once it is there again */
export function GoneResource({ resource: { work, value }, onBack }) {
  const [isCopying, setCopying] = useState(false);
  const text = JSON.stringify(value, null, 2);
  const copy = () => {
    setCopying(true);
    // Without a secure connection there is no clipboard; the text is shown all the same.
    navigator.clipboard?.writeText(text).catch(() => {});
  };
  const putBack = () => attempt(async () => {
    await work.part.save({ ifNoneMatch: '*' });
    work.change({ refusal: null });
    await onBack();
  });
  return html`<div class="banner error" role="alert">
    <p>${t('Somebody deleted this. What you typed is still here.')}</p>
    <p class="actions">
      <button type="button" class="primary" onClick=${putBack}>${t('Put it back')}</button>
      <button type="button" onClick=${copy}>${t('Copy what I typed')}</button></p>
    ${isCopying && html`<label>${t('It is copied; here it is as text.')}<textarea
      class="code"
      readonly
      rows="8"
      value=${text}
      onFocus=${(event) => event.target.select()} /></label>`}</div>`;
}
