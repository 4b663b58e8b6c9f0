// A new section of one of the kinds.

import { useTyped } from '../lib/guard.js';
import { t } from '../lib/i18n.js';
import { newID, randomTail } from '../lib/ids.js';
import { Dialog, explain, html, useAction } from '../lib/ui.js';

export function AddSection(/** @type {{model: PageModel, onClose: () => void}} */ { model, onClose }) {
  const kinds = Object.entries(model.kinds.sectionKinds ?? {}).filter(([, { removed }]) => !removed);
  const begun = {
    kind: kinds[0]?.[0] ?? '', id: '', title: '', tail: randomTail(), sent: /** @type {any[]} */ ([]),
  };
  const typed = useTyped(`${model.path.join('/')} add`, begun, onClose);
  const { kind, id, title, tail, sent } = typed.values;
  const set = (/** @type {'kind'|'id'|'title'} */ name) => (/** @type {any} */ event) =>
    typed.set({ [name]: event.target.value });
  const { isBusy, failure, run } = useAction((error) =>
    error.isStale ? t('There is a section with this id already; choose another.') : explain(error));
  const add = async () => {
    const chosen = id || newID(kind, tail);
    typed.set({ id: chosen });
    const earlier = { sent, note: () => typed.set({ sent }) };
    await model.addSection(chosen, { kind, ...(title ? { title } : {}) }, earlier);
    typed.done();
  };
  const submit = (/** @type {any} */ event) => {
    event.preventDefault();
    run(add);
  };
  return html`<${Dialog} title=${t('Add section')} typed=${typed} size="small"><form onSubmit=${submit}>
    <div class="body form">
      <label>${t('Kind')}<select value=${kind} onChange=${set('kind')}>
        ${kinds.map(([name, { title: text, layout }]) => html`
          <option value=${name}>${text ?? name} (${name}, ${layout?.style})</option>`)}</select></label>
      <label>${t('Id')}<input value=${id} readonly=${isBusy} placeholder=${newID(kind, tail)}
        pattern="[A-Za-z][A-Za-z0-9._\\-]{0,63}" onInput=${set('id')} /></label>
      <label>${t('Title, for operators only')}
        <input value=${title} readonly=${isBusy} onInput=${set('title')} /></label>
      <p class="hint">${t('It goes last. It shows once it has something to show and you publish.')}</p>
      ${failure && html`<p class="error" role="alert">${failure}</p>`}
    </div>
    <footer>
      <button type="button" onClick=${typed.leave}>${t('Cancel')}</button>
      <button class="primary" disabled=${isBusy}>${t('Add')}</button>
    </footer>
  </form><//>`;
}
