// A new section of one of the kinds.

import { useGuard } from '../lib/guard.js';
import { t } from '../lib/i18n.js';
import { Dialog, explain, html, useAction, useState } from '../lib/ui.js';

export function AddSection(/** @type {{model: PageModel, onClose: () => void}} */ { model, onClose }) {
  const kinds = Object.entries(model.kinds.sectionKinds ?? {});
  const [kind, setKind] = useState(kinds[0]?.[0] ?? '');
  const [id, setID] = useState('');
  const [title, setTitle] = useState('');
  const { isBusy, failure, run } = useAction((error) =>
    error.isStale ? t('There is a section with this id already; choose another.') : explain(error));
  const { leave } = useGuard(id !== '' || title !== '', onClose);
  const free = (/** @type {string} */ name) => {
    if (!model.section(name)) return name;
    for (let number = 2; ; number += 1) if (!model.section(`${name}-${number}`)) return `${name}-${number}`;
  };
  const add = async () => {
    // Once it may be there, its id is no longer free, and is still meant.
    const chosen = id || free(kind);
    setID(chosen);
    await model.addSection(chosen, { kind, ...(title ? { title } : {}) });
    onClose();
  };
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    run(add);
  };
  return html`<${Dialog} title=${t('Add section')} onClose=${leave} size="small"><form onSubmit=${submit}>
    <div class="body form">
      <label>${t('Kind')}<select value=${kind} onChange=${(event) => setKind(event.target.value)}>
        ${kinds.map(([name, { title: text, layout }]) => html`
          <option value=${name}>${text ?? name} (${name}, ${layout?.style})</option>`)}</select></label>
      <label>${t('Id')}<input value=${id} readonly=${isBusy} placeholder=${free(kind)}
        pattern="[A-Za-z][A-Za-z0-9._\\-]*" maxlength="64" onInput=${(event) => setID(event.target.value)} /></label>
      <label>${t('Title, for operators only')}
        <input value=${title} readonly=${isBusy} onInput=${(event) => setTitle(event.target.value)} /></label>
      <p class="hint">${t('It goes last. It shows once it has something to show and you publish.')}</p>
      ${failure && html`<p class="error" role="alert">${failure}</p>`}
    </div>
    <footer>
      <button type="button" onClick=${leave}>${t('Cancel')}</button>
      <button class="primary" disabled=${isBusy}>${t('Add')}</button>
    </footer>
  </form><//>`;
}
