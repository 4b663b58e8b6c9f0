// How the items of a section come, and what came of asking an endpoint for them.

import {
  Badge, Check, LineField, NumberField, Problems, RawJSON, SelectField, ageWords, get, html, memberControls,
  problemWords, serverNow, t, useAction, useLoad, useState,
} from '../shared.js';
import { NamedLists } from './named-lists.js';

/** How long what is shown of an endpoint may be old, in milliseconds. */
const pause = 10_000;

/**
 * How the items come: with the page, later, from the app's own server, or of an endpoint that the server asks.
 * @param {{form: Form, settings: Editor['values']['settings'], editor: Editor,
 *   onChange: (patch: Partial<Editor['values']['settings']>) => void}} props
 */
export function Coming({ form, settings, editor, onChange }) {
  const { load, firstItems, source, asks, lists } = settings;
  const ways = {
    '': t('With the page'), lazy: t('Later, when the section comes near'), client: t('By the app, for its user'),
  };
  const fills = source?.fills ?? [];
  const parts = { header: t('Header'), slots: t('Slots'), footer: t('Footer') };
  const sourceOf = (/** @type {string|undefined} */ way, /** @type {string[]} */ fills) =>
    way === 'client' || fills.length > 0 ? { url: source?.url ?? '', ...fills.length > 0 && { fills } } : undefined;
  const choose = (/** @type {string} */ name) => {
    const way = /** @type {Section['load']} */ (name || undefined);
    onChange({ load: way, firstItems: way ? undefined : firstItems, source: sourceOf(way, fills) });
  };
  const toggle = (/** @type {string} */ part) => onChange({
    source: sourceOf(load, Object.keys(parts).filter((each) => fills.includes(each) !== (each === part))),
  });
  const control = memberControls({
    form, value: /** @type {Content} */ (settings), pointer: '', set: (name) => (value) => onChange({ [name]: value }),
  });
  const number = (/** @type {string} */ name, /** @type {string} */ label) =>
    control(NumberField, name, { label, isWhole: true });
  return html`<fieldset><legend>${t('How the items come')}</legend>
    <${SelectField} form=${form} pointer="/load" label=${t('Way')} choices=${Object.entries(ways)} value=${load ?? ''}
      onChange=${choose} />
    ${!load && number('firstItems', t('How many items stand in the page; all when empty'))}
    <fieldset><legend>${t('The app brings for its user')}</legend>
      ${Object.entries(parts).map(([part, title]) => html`<${Check}
          key=${part}
          disabled=${!form.mayEdit}
          checked=${fills.includes(part)}
          onChange=${() => toggle(part)}>${title}<//>
        <${Problems} form=${form} pointer="/source/fills/${fills.indexOf(part)}" />`)}</fieldset>
    ${source && html`
      <p class="hint">${t('What the section has of it is what to show to who is signed out or offline.')}</p>
      <${LineField}
        form=${form}
        pointer="/source/url"
        label=${t('What the app asks')}
        type="url"
        value=${source.url}
        onText=${(url) => onChange({ source: { ...source, url } })} />`}
    ${number('pollInterval', t('Seconds between two polls of the section by itself; the page’s when empty'))}
    ${number('freshFor', t('Seconds for which the content counts after a push; for ever when empty'))}
    ${control(RawJSON, 'asks', {
      label: t('Endpoint that the server asks for the content (JSON)'), rows: asks ? 8 : 2,
      hint: html`${t('The content is what it answered last.')} <code>{"url": "https://…", "every": 60, "items":
        {"from": "/offers", "item": {"kind": "…"}, "members": {"/id": "/sku", "/content/title": "/name"}}}</code>`,
    })}
    ${form.errors.filter(({ pointer }) => pointer.startsWith('/asks/')).map((problem) => html`
      <p class="error"><code>${problem.pointer}</code> ${problemWords(problem)}</p>`)}
    <${Asked} key=${editor.id} editor=${editor} />
    ${asks && form.mayEdit && html`<${Trial} key=${`${editor.id} trial`} editor=${editor} />`}
  </fieldset>
  <${NamedLists} form=${form} value=${lists} onChange=${(lists) => onChange({ lists })} />`;
}

/**
 * When the live section's endpoint gave an answer last, and why the last one came to nothing.
 * @param {{editor: Editor}} props
 */
function Asked({ editor }) {
  const path = /** @type {const} */ (['pages', editor.model.page, 'sections', editor.id, 'asked']);
  const [state] = useLoad(async () => (await get(path)).value, [editor.id], pause);
  if (!state?.asks) return null;
  const age = state.answeredAt ? ageWords(state.answeredAt, serverNow()) : t('none yet');
  return html`<p class="asked">
    <${Badge} kind=${state.failure ? 'error' : 'live'}>${t('Last answer: {age}', { age })}<//>
    ${!state.isOn && ` ${t('This server does not ask.')}`}
    ${state.failure && html` <span class="error">${state.failure}</span>`}</p>`;
}

/** @typedef {{failure?: string, errors: Trouble[], content?: object}} Made what the answer of an endpoint comes to */

/**
 * What the saved mapping makes of the endpoint's answer now.
 * @param {{editor: Editor}} props
 */
function Trial({ editor }) {
  const [made, setMade] = useState(/** @type {Made|null} */ (null));
  const { isBusy, failure, run } = useAction();
  const attempt = () => run(async () => {
    setMade(null);
    /** @type {{value: Made}} */
    const { value } = await get(['pages', editor.model.page, 'sections', editor.id, 'asked', 'answer']);
    setMade(value);
  });
  return html`<button type="button" disabled=${editor.isDirty} aria-busy=${isBusy} onClick=${attempt}>
      ${t('Ask now, and change nothing')}</button>
    ${editor.isDirty && html`<span class="hint">${t('Save first.')}</span>`}
    ${(failure ?? made?.failure) && html`<p class="error" role="alert">${failure ?? made?.failure}</p>`}
    ${made && html`<ul class="problems">${made.errors.map((problem) => html`
      <li><code>${problem.pointer}</code> ${problemWords(problem)}</li>`)}</ul>`}
    ${made?.content && html`<pre class="code" tabindex="0">${JSON.stringify(made.content, null, 2)}</pre>`}`;
}
