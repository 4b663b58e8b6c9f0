// A new section of one of the kinds.

import { DialogForm, explain, html, newID, randomTail, repeatedIn, t, useTyped } from '../shared.js';
import { KindSketch } from './kind-sketch.js';

/** @param {{model: PageModel, after?: string, onClose: () => void}} props `after` is the section that it goes below */
export function AddSection({ model, after: above, onClose }) {
  const kinds = Object.entries(model.kinds.sectionKinds ?? {}).filter(([, { removed }]) => !removed);
  const repeated = repeatedIn(kinds.map(([name, { title: text }]) => text ?? name));
  const begun = { kind: kinds[0]?.[0] ?? '', id: '', title: '', tail: randomTail(), above };
  const typed = useTyped(`${model.path.join('/')} add`, begun, onClose);
  const { kind, id, title, tail, above: after } = typed.values;
  const set = (/** @type {'kind'|'id'|'title'} */ name) => (/** @type {FieldEvent} */ event) =>
    typed.set({ [name]: event.target.value });
  const words = (/** @type {Failed} */ error) =>
    error.isStale ? t('There is a section with this id already; choose another.') : explain(error);
  const add = async () => {
    const chosen = id || newID(kind, tail);
    typed.set({ id: chosen });
    await model.addSection(chosen, { kind, ...(title ? { title } : {}) }, typed.once, after);
  };
  /** As a press of a button does: Enter on a choice, or a second click, takes it. */
  const onKey = (/** @type {On<KeyboardEvent>} */ event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    event.target.form?.requestSubmit();
  };
  return html`<${DialogForm} title=${t('Add section')} action=${t('Add')} typed=${typed} size="medium" words=${words}
    onSubmit=${add}>${(/** @type {boolean} */ isBusy) => html`
      <fieldset class="kind-choices"><legend>${t('Kind')}</legend><div>
        ${kinds.map(([name, { title: text, layout, header, footer }]) => html`<label
          key=${name}
          onDblClick=${(/** @type {On<Event, HTMLLabelElement>} */ event) => event.currentTarget.form?.requestSubmit()}>
          <input type="radio" name="kind" value=${name} checked=${name === kind} onChange=${set('kind')}
            onKeyDown=${onKey} autofocus=${name === kind} />
          <${KindSketch} layout=${layout} hasHeader=${!!header?.length} hasFooter=${!!footer?.length} />
          <span>${text ?? name}${text && repeated.has(text) ? ` (${name})` : ''}</span></label>`)}</div></fieldset>
      <label>${t('Id')}<input value=${id} readonly=${isBusy} placeholder=${newID(kind, tail)}
        pattern="[A-Za-z][A-Za-z0-9._\\-]{0,63}" onInput=${set('id')} /></label>
      <label>${t('Title, for operators only')}
        <input value=${title} readonly=${isBusy} onInput=${set('title')} /></label>
      <p class="hint">${after === undefined || !model.section(after)
        ? t('It goes last. It shows once it has something to show and you publish.')
        : t('It goes below {section}. It shows once it has something to show and you publish.', {
          section: model.nameOf(after),
        })}</p>`}<//>`;
}
