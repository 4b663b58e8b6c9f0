// All pages, and a new one.

import { all } from '../lib/api.js';
import { t } from '../lib/i18n.js';
import { make } from '../lib/part.js';
import { typedIn, useTyped } from '../lib/typed.js';
import { Badge, Dialog, Failure, Loading, explain, html, useAction, useLoad, useState } from '../lib/ui.js';
import { CopyPage } from './copy-page.js';

/** @type {() => Promise<PageSummary[]>} */
const load = () => all(['pages'], 'pages');

export function PagesView(/** @type {{setup: Setup}} */ { setup }) {
  const [pages, failure, reload] = useLoad(load, []);
  const left = (/** @type {string} */ place) => typedIn(place).map(({ dialog }) => dialog);
  const [isAdding, setAdding] = useState(() => left('pages').includes('new'));
  const [copied, setCopied] = useState(/** @type {string|null} */ (left('pages copy')[0] ?? null));
  const original = pages?.find(({ id }) => id === copied);
  return html`<main class="view">
    <div class="heading"><h1>${t('Pages')}</h1>
      ${setup.rights.mayAddPages && html`<button class="primary" onClick=${() => setAdding(true)}>
        ${t('New page')}</button>`}
    </div>
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    ${!pages && !failure && html`<${Loading} />`}
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
  const { isBusy, failure, run } = useAction((error) =>
    error.isStale ? t('There is a page with this id already; choose another.') : explain(error));
  /** @type {(name: keyof typeof begun, label: string, hint?: string) => object} */
  const field = (name, label, hint) => html`<label>${label}
    <input value=${values[name]} required readonly=${isBusy}
      onInput=${(event) => typed.set({ [name]: event.target.value })} />
    ${hint && html`<span class="hint">${hint}</span>`}</label>`;
  const add = async () => {
    const { id, title, defaultLocale } = values;
    const locales = values.locales.split(/[\s,]+/).filter(Boolean);
    await make(['pages', id], { title, defaultLocale, locales }, typed.once);
    typed.done();
    location.hash = `#/pages/${encodeURIComponent(id)}`;
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(add);
  };
  return html`<${Dialog} title=${t('New page')} typed=${typed} size="small">
    <form onSubmit=${submit}>
      <div class="body form">
        ${field('id', t('Id'), t('A letter, then letters, digits, “.”, “_” and “-”: activity-spring'))}
        ${field('title', t('Title'))}
        ${field('defaultLocale', t('Default locale'))}
        ${field('locales', t('Locales'), t('Separated by commas'))}
        ${failure && html`<p class="error" role="alert">${failure}</p>`}
      </div>
      <footer><button type="button" onClick=${typed.leave}>${t('Cancel')}</button>
        <button class="primary" disabled=${isBusy}>${t('Create')}</button></footer>
    </form>
  <//>`;
}
