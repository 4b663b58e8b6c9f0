// All pages, and a new one.

import { allPages } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { make } from '../lib/part.js';
import { typedIn, useTyped } from '../lib/typed.js';
import { Badge, DialogForm, Reading, html, useLoad, useState } from '../lib/ui.js';
import { CopyPage, takenWords } from './copy-page.js';

export function PagesView(/** @type {{setup: Setup}} */ { setup }) {
  const [pages, failure, reload] = useLoad(allPages, []);
  const left = (/** @type {string} */ place) => typedIn(place).map(({ dialog }) => dialog);
  const [isAdding, setAdding] = useState(() => left('pages').includes('new'));
  const [copied, setCopied] = useState(/** @type {string|null} */ (left('pages copy')[0] ?? null));
  const original = pages?.find(({ id }) => id === copied);
  return html`<main class="view">
    <div class="heading"><h1>${t('Pages')}</h1>
      ${setup.rights.mayAddPages && html`<button class="primary" onClick=${() => setAdding(true)}>
        ${t('New page')}</button>`}
    </div>
    <${Reading} value=${pages} failure=${failure} onRetry=${reload} />
    ${pages?.length === 0 && html`<p class="nothing">${t('There are no pages yet.')}</p>`}
    <ul class="cards">${pages?.map((page) => html`<li key=${page.id}>
      <a href="#/pages/${encodeURIComponent(page.id)}">
        <strong>${page.title}</strong> <code>${page.id}</code>
        <span class="badges">
          ${!page.live && html`<${Badge} kind="hidden">${t('not published')}<//>`}
          ${page.changed && html`<${Badge} kind="changed">${t('changed')}<//>`}
        </span></a>
      ${setup.rights.mayAddPages && html`<button
        aria-label=${t('Duplicate {section}', { section: page.title })}
        onClick=${() => setCopied(page.id)}>${t('Duplicate…')}</button>`}</li>`)}
    </ul>
    ${isAdding && html`<${NewPage} onClose=${() => setAdding(false)} />`}
    ${pages && original && html`<${CopyPage}
      page=${original}
      taken=${pages.map(({ id }) => id)}
      onClose=${() => setCopied(null)} />`}
  </main>`;
}

function NewPage(/** @type {{onClose: () => void}} */ { onClose }) {
  /** @type {Record<'id'|'title'|'defaultLocale'|'locales', string>} */
  const begun = { id: '', title: '', defaultLocale: 'zh-Hans', locales: 'zh-Hans, en' };
  const typed = useTyped('pages new', begun, onClose);
  const { values } = typed;
  /** @type {(isBusy: boolean, name: keyof typeof begun, label: string, hint?: string) => object} */
  const field = (isBusy, name, label, hint) => html`<label>${label}
    <input value=${values[name]} required readonly=${isBusy}
      onInput=${(event) => typed.set({ [name]: event.target.value })} />
    ${hint && html`<span class="hint">${hint}</span>`}</label>`;
  const add = async () => {
    const { id, title, defaultLocale } = values;
    const locales = values.locales.split(/[\s,]+/).filter(Boolean);
    await make(['pages', id], { title, defaultLocale, locales }, typed.once);
    return id;
  };
  return html`<${DialogForm} title=${t('New page')} action=${t('Create')} typed=${typed} words=${takenWords}
    onSubmit=${add}
    onDone=${(/** @type {string} */ id) => { location.hash = `#/pages/${encodeURIComponent(id)}`; }}>
    ${(/** @type {boolean} */ isBusy) => html`
      ${field(isBusy, 'id', t('Id'), t('A letter, then letters, digits, “.”, “_” and “-”: activity-spring'))}
      ${field(isBusy, 'title', t('Title'))}
      ${field(isBusy, 'defaultLocale', t('Default locale'))}
      ${field(isBusy, 'locales', t('Locales'), t('Separated by commas'))}`}
  <//>`;
}
