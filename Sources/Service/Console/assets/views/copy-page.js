// A page like another one, whole.

import { post } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { useTyped } from '../lib/typed.js';
import { Check, DialogForm, explain, html, tellEarlier } from '../lib/ui.js';

/**
 * Whether a copy shows when what it is a copy of does.
 * @param {{keeps: boolean, onChange: (keeps: boolean) => void}} props
 */
export const KeptSchedules = ({ keeps, onChange }) => html`
  <${Check} checked=${keeps} onChange=${onChange}>${t('Keep the schedules')}<//>
  <p class="hint">${t('Without them, what shows at some time only shows always in the copy.')}</p>`;

/** Why a page was not made. */
export const takenWords = (/** @type {Failed} */ error) =>
  error.isStale ? t('There is a page with this id already; choose another.') : explain(error);

/** An id for a copy that no page has. */
function freeID(/** @type {string} */ id, /** @type {Set<string>} */ taken) {
  for (let number = 1; ; number += 1) {
    const free = `${id.slice(0, 50)}-copy${number > 1 ? `-${number}` : ''}`;
    if (!taken.has(free)) return free;
  }
}

/**
 * @param {{page: {id: string, title: string}, taken: string[], onClose: () => void}} props `taken` are the ids of pages
 */
export function CopyPage({ page, taken, onClose }) {
  const begun = { id: freeID(page.id, new Set(taken)), title: t('{title} (copy)', page), keeps: true };
  const typed = useTyped(`pages copy ${page.id}`, begun, onClose);
  const { id, title, keeps } = typed.values;
  const copy = async () => {
    const body = { id, title, schedules: keeps ? 'keep' : 'drop' };
    const answer = await post(['pages', page.id, 'duplicate'], body, { once: typed.once });
    tellEarlier(answer);
    location.hash = `#/pages/${encodeURIComponent(/** @type {{id: string}} */ (answer.done.body).id)}`;
  };
  const field = (/** @type {'id'|'title'} */ name, /** @type {string} */ label) => html`<label>${label}<input
    value=${typed.values[name]}
    required
    dir="auto"
    onInput=${(/** @type {FieldEvent} */ event) => typed.set({ [name]: event.target.value })} /></label>`;
  return html`<${DialogForm}
    title=${t('Duplicate {section}', { section: page.title })}
    action=${t('Duplicate')}
    typed=${typed}
    words=${takenWords}
    onSubmit=${copy}>
    ${field('id', t('Id of the copy'))}
    ${field('title', t('Title'))}
    <${KeptSchedules} keeps=${keeps} onChange=${(keeps) => typed.set({ keeps })} />
    <p class="hint">${t('The copy has all that the draft has, and is not published.')}</p>
  <//>`;
}
