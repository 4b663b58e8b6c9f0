// The page on a real phone: a link with its QR code, and the links that are valid.

import { get, post, remove } from '../lib/api.js';
import { formatInstant, t } from '../lib/i18n.js';
import { Dialog, Failure, announce, attempt, explain, html, useLoad, useState } from '../lib/ui.js';

const key = 'hearth.public';
const hours = [1, 4, 24, 72, 168];

/** Where phones reach the public listener, as the operator said last; the server may know it better. */
const publicAddress = () => localStorage.getItem(key) ?? `${location.protocol}//${location.hostname}:8080`;

/** A QR code, drawn by the library that comes with it when it is first needed. */
function Code(/** @type {{text: string}} */ { text }) {
  const [library, failure, reload] = useLoad(async () => (await import('../vendor/qrcode.js')).default, []);
  if (failure) return html`<${Failure} error=${failure} onRetry=${reload} />`;
  if (!library) return null;
  const code = library(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  let path = '';
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) path += `M${column} ${row}h1v1h-1z`;
    }
  }
  return html`<svg
    class="qr"
    viewBox="-4 -4 ${count + 8} ${count + 8}"
    role="img"
    aria-label=${t('QR code of the link')}
    shape-rendering="crispEdges">
    <rect x="-4" y="-4" width=${count + 8} height=${count + 8} fill="#fff" /><path d=${path} fill="#000" /></svg>`;
}

const clientWords = (/** @type {Record<string, string>} */ client) =>
  Object.entries(client).map(([name, value]) => `${name}=${value}`).join(', ');

const revisionWords = (/** @type {string} */ revision) => revision === 'draft' ? t('Draft')
  : revision === 'live' ? t('Live') : t('Revision {number}', { number: revision });

const linkWords = (/** @type {any} */ { createdBy, expiresAt, at, client }) => [
  t('by {name}', { name: createdBy }), t('until {time}', { time: formatInstant(expiresAt) }),
  at && t('shows {time}', { time: formatInstant(at) }), clientWords(client),
].filter(Boolean).join(' · ');

/** A link that was just made, with its QR code. Where the server does not know its address, the operator says it. */
function MadeLink(/** @type {{link: {url: string, token: string, expiresAt: string}}} */ { link }) {
  const [address, setAddress] = useState(publicAddress);
  const changeAddress = (/** @type {any} */ event) => {
    setAddress(event.target.value);
    localStorage.setItem(key, event.target.value);
  };
  const isRelative = link.url.startsWith('/');
  const url = isRelative ? `${address.replace(/\/+$/, '')}${link.url}` : link.url;
  return html`<div class="made-link"><${Code} key=${url} text=${url} />
    <div class="form">
      <label>${t('The link; it is shown this once')}<input
        readonly
        class="code"
        value=${url}
        onFocus=${(event) => event.target.select()} /></label>
      ${isRelative && html`<label>${t('Address that phones reach this server by')}
        <input type="url" value=${address} onInput=${changeAddress} /></label>`}
      <p class="hint">
        ${t('Until {time}. In an app: the setting preview of its client, with this text:', {
          time: formatInstant(link.expiresAt),
        })} <code>${link.token}</code></p></div></div>`;
}

export function PreviewLinkDialog(/** @type {{model: PageModel, onClose: () => void}} */ { model, onClose }) {
  const [given, setGiven] = useState(/** @type {{hours: number, name: string}} */ ({ hours: 24, name: '' }));
  const [made, setMade] = useState(/** @type {any} */ (null));
  const [refusal, setRefusal] = useState('');
  const path = [...model.path, 'previews'];
  const [links, failure, reload] = useLoad(async () => (await get(path)).value, []);
  const known = Object.entries(model.clients[0]).filter(([, value]) => value !== undefined && value !== '');
  /** @type {Record<string, string>} */
  const client = Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
  const make = async (/** @type {any} */ event) => {
    event.preventDefault();
    setRefusal('');
    try {
      const { at } = model;
      const { name } = given;
      const wanted = { client, hours: given.hours, ...(at ? { at } : {}), ...(name ? { name } : {}) };
      const { value } = await post(path, wanted);
      setMade(value);
      announce(t('The link is there.'));
      reload();
    } catch (/** @type {any} */ error) { setRefusal(explain(error)); }
  };
  const revoke = (/** @type {number} */ id) => attempt(async () => {
    await remove([...path, String(id)]);
    if (made?.id === id) setMade(null);
    reload();
  });
  const most = links?.hoursMax ?? 168;
  return html`<${Dialog} title=${t('On a phone')} onClose=${onClose}><div class="body form">
    <p class="hint">${t('Whoever has the link sees this draft, without a token, until it ends.')}
      ${' '}${model.at ? t('It shows {time}.', { time: formatInstant(model.at) }) : t('It shows the present.')}
      ${' '}${Object.keys(client).length > 0 ? t('It is for {client}.', { client: clientWords(client) }) : ''}</p>
    <form class="pair" onSubmit=${make}>
      <label>${t('Valid for')}<select onChange=${(event) => setGiven({ ...given, hours: Number(event.target.value) })}>
        ${hours.filter((count) => count <= most).map((count) => html`
          <option value=${count} selected=${count === given.hours}>
            ${count === 1 ? t('{count} hour', { count }) : t('{count} hours', { count })}</option>`)}</select></label>
      <label>${t('For whom, to know it by')}<input
        maxlength="60"
        value=${given.name}
        onInput=${(event) => setGiven({ ...given, name: event.target.value })} /></label>
      <button class="primary">${t('Make a link')}</button>
    </form>
    ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
    ${made && html`<${MadeLink} link=${made} />`}
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    ${links?.previews.length > 0 && html`<h3>${t('Links that are valid')}</h3>
      <ul class="links">${links.previews.map((/** @type {any} */ link) => html`<li key=${link.id}>
        <span><strong>${link.name || revisionWords(link.revision)}</strong>
          <span class="hint"> ${linkWords(link)}</span></span>
        ${model.mayEdit && html`<button
          type="button"
          aria-label=${t('Revoke {name}', { name: link.name || link.id })}
          onClick=${() => revoke(link.id)}>${t('Revoke')}</button>`}</li>`)}</ul>`}
  </div><//>`;
}
