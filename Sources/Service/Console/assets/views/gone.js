// Somebody deleted what is edited here: what was typed can be put back, or copied.

import { t } from '../lib/i18n.js';
import { copyField, html, useAttempt, useEffect, useRef, useState } from '../lib/ui.js';

/**
 * What was typed, as text that is copied where the browser lets it be, and selected to be copied where it does not.
 * @param {{text: string}} props
 */
function Copied({ text }) {
  const field = useRef();
  const [isCopied, setCopied] = useState(/** @type {boolean|null} */ (null));
  useEffect(() => { copyField(field.current).then(setCopied); }, []);
  return html`<label>${isCopied ? t('It is copied; here it is as text.') : t('What you typed')}<textarea
      ref=${field}
      class="code"
      readonly
      rows="8"
      value=${text}
      onFocus=${(event) => event.target.select()} /></label>
    ${isCopied === false && html`<p role="alert">
      ${t('The browser does not let the console copy. The text is selected: copy it by the keyboard.')}</p>`}`;
}

/**
 * @param {object} props
 * @param {string} props.words what happened
 * @param {() => string} props.textOf what was typed, as text
 * @param {string} [props.action] what putting it back is called
 * @param {(() => Promise<void>)|null} [props.onPutBack] where it can be put back
 * @param {() => void} [props.onDrop]
 */
export function Gone({ words, textOf, action = t('Put it back'), onPutBack, onDrop }) {
  // Each press copies anew, also what was copied before.
  const [copied, setCopied] = useState({ text: '', presses: 0 });
  const copy = () => setCopied(({ presses }) => ({ text: textOf(), presses: presses + 1 }));
  const attempt = useAttempt();
  return html`<div class="banner error" role="alert">
    <p>${words}</p>
    <p class="actions">
      ${onPutBack && html`<button type="button" class="primary" onClick=${() => attempt(onPutBack)}>
        ${action}</button>`}
      <button type="button" onClick=${copy}>${t('Copy what I typed')}</button>
      ${onDrop && html`<button type="button" onClick=${onDrop}>${t('Drop it')}</button>`}</p>
    ${copied.presses > 0 && html`<${Copied} key=${copied.presses} text=${copied.text} />`}</div>`;
}

/** @param {{resource: Resource, onBack: () => void}} props `onBack` is called once it is there again */
export function GoneResource({ resource, onBack }) {
  const putBack = async () => {
    await resource.whole.save({ ifNoneMatch: '*' });
    resource.change({ refusal: null });
    await onBack();
  };
  return html`<${Gone}
    words=${t('Somebody deleted this. What you typed is still here.')}
    textOf=${() => resource.asText}
    onPutBack=${putBack} />`;
}

/** @param {{model: PageModel, editor: Editor}} props */
export const GoneSection = ({ model, editor }) => html`<${Gone}
  words=${editor.goneWords}
  textOf=${() => editor.asText}
  action=${t('Put the section back')}
  onPutBack=${editor.mayEdit && !model.isGone ? () => editor.putBack() : null}
  onDrop=${() => model.dropSection()} />`;
