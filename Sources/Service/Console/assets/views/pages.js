// All pages, and a new one.

import { all, put } from '../lib/api.js';
import { typedIn, useTyped } from '../lib/guard.js';
import { t } from '../lib/i18n.js';
import { Badge, Dialog, Failure, Loading, explain, html, useAction, useLoad, useState } from '../lib/ui.js';

export function PagesView(/** @type {{setup: Setup}} */ { setup }) {
  const [pages, failure, reload] = useLoad(() => all(['pages'], 'pages'), []);
  const [isAdding, setAdding] = useState(() => typedIn('pages').length > 0);
  return html`<main class="view">
    <div class="heading"><h1>${t('Pages')}</h1>
      ${setup.rights.mayAddPages && html`<button class="primary" onClick=${() => setAdding(true)}>
        ${t('New page')}</button>`}
    </div>
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    ${!pages && !failure && html`<${Loading} />`}
    ${pages?.length === 0 && html`<p class="nothing">${t('There are no pages yet.')}</p>`}
    <ul class="cards">${pages?.map((/** @type {any} */ page) => html`<li key=${page.id}>
      <a href="#/pages/${encodeURIComponent(page.id)}">
        <strong>${page.title}</strong> <code>${page.id}</code>
        <span class="badges">
          ${page.live ? html`<${Badge} kind="live">${t('live: revision {number}', { number: page.live })}<//>`
            : html`<${Badge} kind="hidden">${t('not published')}<//>`}
          ${page.changed && html`<${Badge} kind="changed">${t('changed')}<//>`}
        </span></a></li>`)}
    </ul>
    ${isAdding && html`<${NewPage} onClose=${() => setAdding(false)} />`}
  </main>`;
}

function NewPage(/** @type {{onClose: () => void}} */ { onClose }) {
  /** @type {Record<string, any>} */
  const begun = { id: '', title: '', defaultLocale: 'zh-Hans', locales: 'zh-Hans, en', sent: [] };
  const typed = useTyped('pages new', begun, onClose);
  const { values } = typed;
  const { isBusy, failure, run } = useAction((error) =>
    error.isStale ? t('There is a page with this id already; choose another.') : explain(error));
  /** @type {(name: string, label: string, hint?: string) => object} */
  const field = (name, label, hint) => html`<label>${label}
    <input value=${values[name]} required readonly=${isBusy}
      onInput=${(event) => typed.set({ [name]: event.target.value })} />
    ${hint && html`<span class="hint">${hint}</span>`}</label>`;
  const add = async () => {
    const { id, title, defaultLocale, sent } = values;
    const locales = values.locales.split(/[\s,]+/).filter(Boolean);
    const body = { title, defaultLocale, locales };
    await put(['pages', id], body, { ifNoneMatch: '*', earlier: { sent, note: () => typed.set({ sent }) } });
    typed.done();
    location.hash = `#/pages/${encodeURIComponent(id)}`;
  };
  const submit = (/** @type {any} */ event) => {
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
