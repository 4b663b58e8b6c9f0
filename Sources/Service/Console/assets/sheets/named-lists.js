// Lists that share a section by tabs above its items: which there are, and which an item is in.

import { Check, Field, Problems, html, t, textSchema } from '../shared.js';

/** @type {Schema} */
const listsSchema = {
  type: 'array', maxItems: 12,
  items: {
    type: 'object', required: ['id', 'title'], additionalProperties: false,
    properties: { id: { type: 'string', maxLength: 64 }, title: textSchema },
  },
};

/**
 * The lists that share a section.
 * @param {{form: Form, value?: Section['lists'], onChange: (value: Section['lists']) => void}} props
 */
export const NamedLists = ({ form, value, onChange }) => html`<details class="more" open=${value !== undefined}>
  <summary>${t('Lists, by tabs above the items')}</summary>
  <${Field}
    form=${form}
    schema=${listsSchema}
    value=${value}
    name="lists"
    label=${t('Two lists or more')}
    pointer="/lists"
    onChange=${(lists) => onChange(lists?.length > 0 ? lists : undefined)} /></details>`;

/** A title in the first locale that it has of these. */
/** @type {(title: string|Record<string, string>, locales: string[]) => string|undefined} */
const titleIn = (title, locales) => typeof title === 'string' ? title
  : [...locales, '*'].map((locale) => title?.[locale]).find(Boolean);

/**
 * The lists that an item is in; all of them where none is chosen.
 * @param {{form: Form, value?: string[], pointer: string, onChange: (value: string[]|undefined) => void}} props
 */
export function ListsOfItem({ form, value = [], pointer, onChange }) {
  const toggle = (/** @type {string} */ id) => {
    const next = value.includes(id) ? value.filter((each) => each !== id) : [...value, id];
    onChange(next.length > 0 ? next : undefined);
  };
  const { lists = [] } = form;
  const known = lists.map(({ id }) => id);
  // One that is gone can be taken away.
  const all = [...lists, ...value.filter((id) => !known.includes(id)).map((id) => ({ id, title: id }))];
  return html`<fieldset><legend>${t('In these lists; in all where none is chosen')}</legend>
    <${Problems} form=${form} pointer="${pointer}/lists" />
    ${all.map(({ id, title }) => html`<${Check}
      key=${id}
      disabled=${!form.mayEdit}
      checked=${value.includes(id)}
      onChange=${() => toggle(id)}>${titleIn(title, form.locales) ?? id}<//>`)}</fieldset>`;
}
