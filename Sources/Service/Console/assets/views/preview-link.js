// The page on a real phone: a link with its QR code, and the links that are valid.

import {
  Dialog, Failure, announce, ask, browserStorage, copyField, explainMaking, formatInstant, get, html, joinSentences,
  makeSecret, options, remove, t, useAction, useAttempt, useLoad, useRef, useState, useTyped,
} from '../shared.js';

const key = 'hearth.public';
const hours = [1, 4, 24, 72, 168];

/** Where phones reach the public listener, as the operator said last; the server may know it better. */
function publicAddress() {
  const { protocol, hostname, port, origin } = location;
  // Where the admin listener has its usual port, the public one may have its own too.
  return browserStorage.get(key) ?? (port === '8081' ? `${protocol}//${hostname}:8080` : origin);
}

/** A QR code, drawn by the library that comes with it when it is first needed. */
function Code(/** @type {{text: string}} */ { text }) {
  const [library, failure, reload] = useLoad(async () => (await import('../vendor/qrcode.js')).default, []);
  if (failure) {
    return html`<div class="failure" role="alert"><p>${t('The QR code could not be loaded. If the server was upgraded, '
      + 'copy the link, then reload this page.')}</p>
      <button type="button" onClick=${reload}>${t('Try again')}</button></div>`;
  }
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

/** @typedef {PreviewLink & {token: string, url: string, demo?: string}} Made a link with its text */

const linkWords = (/** @type {PreviewLink} */ { createdBy, expiresAt, at, client }) => [
  t('by {name}', { name: createdBy }), t('until {time}', { time: formatInstant(expiresAt) }),
  at && t('shows {time}', { time: formatInstant(at) }), clientWords(client),
].filter(Boolean).join(' · ');

/** Whether the console is open at an address of the operator's own machine. */
const isLoopback = /^(localhost|127\.|\[::1\])/.test(location.hostname);

/** A link that was just made, with its QR code. Where the server does not know its address, the operator says it. */
function MadeLink(/** @type {{link: Made, onCopy: () => void}} */ { link, onCopy }) {
  const [address, setAddress] = useState(publicAddress);
  const [opensPage, setOpensPage] = useState(link.demo !== undefined);
  const field = useRef();
  const [copied, setCopied] = useState(/** @type {boolean|null} */ (null));
  const copy = async () => {
    const isCopied = await copyField(field.current);
    setCopied(isCopied);
    if (isCopied) onCopy();
  };
  const changeAddress = (/** @type {FieldEvent} */ event) => {
    setAddress(event.target.value);
    browserStorage.set(key, event.target.value);
  };
  const isRelative = link.url.startsWith('/');
  const url = isRelative ? `${address.replace(/\/+$/, '')}${link.url}` : link.url;
  // The page that draws it comes from where the console does.
  const code = opensPage ? `${location.origin}${link.demo}` : url;
  return html`<div class="made-link"><${Code} key=${code} text=${code} />
    <div class="form">
      ${link.demo ? html`<label>${t('The code opens')}<select
          onChange=${(event) => setOpensPage(event.target.value === 'page')}>
          ${options([['page', t('a page in the phone’s browser')], ['link', t('the link itself, for an app')]],
            opensPage ? 'page' : 'link')}</select></label>
        ${opensPage && isLoopback && html`<p class="hint">
          ${t('A phone cannot reach {address}: open the console by an address that it can reach.', {
            address: location.host,
          })}</p>`}`
        : html`<p class="hint">
          ${t('The link is for apps; a browser shows its data. With the setting admin.demo the code opens a page.')}
          </p>`}
      <label>${t('The link; it is shown this once')}<input
        ref=${field}
        readonly
        class="code"
        value=${url}
        onCopy=${onCopy}
        onFocus=${(event) => event.target.select()} /></label>
      <button type="button" onClick=${copy}>${copied ? t('Copied') : t('Copy')}</button>
      ${copied === false && html`<p class="error" role="alert">
        ${t('The browser does not let the console copy. The text is selected: copy it by the keyboard.')}</p>`}
      ${isRelative && html`<label>${t('Address that phones reach this server by')}
        <input type="url" value=${address} onInput=${changeAddress} /><span class="hint">
          ${t('The server does not know it: its setting previews.baseURL says it.')}</span></label>`}
      <p class="hint">
        ${t('Until {time}. In an app: the setting preview of its client, with this text:', {
          time: formatInstant(link.expiresAt),
        })} <code>${link.token}</code></p></div></div>`;
}

export function PreviewLinkDialog(/** @type {{model: PageModel, onClose: () => void}} */ { model, onClose }) {
  const typed = useTyped(`${model.path.join('/')} phone`, { hours: 24, name: '' }, onClose);
  const given = typed.values;
  const [made, setMade] = useState(/** @type {Made|null} */ (null));
  const [isTaken, setTaken] = useState(false);
  const { isBusy, failure: refusal, run } = useAction(explainMaking);
  const attempt = useAttempt();
  const path = /** @type {const} */ ([...model.path, 'previews']);
  /** @returns {Promise<{previews: PreviewLink[], hoursMax?: number}>} */
  const load = async () => (await get(path)).value;
  const [links, failure, reload] = useLoad(load, []);
  const known = Object.entries(model.clients[0]).filter(([, value]) => value !== undefined && value !== '');
  /** @type {Record<string, string>} */
  const client = Object.fromEntries(known.map(([name, value]) => [name, String(value)]));
  const make = async () => {
    const { once } = typed;
    const wanted = { client, at: model.at ?? undefined, name: given.name || undefined, hours: given.hours };
    setMade(await makeSecret(path, wanted, once, async ({ id }) => { await remove([...path, String(id)], { once }); }));
    typed.settle();
    setTaken(false);
    announce(t('The link is there.'));
    reload();
  };
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(make);
  };
  const revoke = (/** @type {number} */ id) => attempt(async () => {
    await remove([...path, String(id)]);
    if (made?.id === id) setMade(null);
    reload();
  }, id);
  // Whether it was read off the QR code is not known.
  const leave = async () => {
    const question = t('You have not copied the link, and it is never shown again. Close it?');
    if (!made || isTaken || await ask(question, t('Close it'))) typed.leave();
  };
  const most = links?.hoursMax ?? 168;
  return html`<${Dialog} title=${t('On a phone')} typed=${typed} onClose=${leave}><div class="body form">
    <p class="hint">${joinSentences([
    t('Whoever has the link sees this draft, without a token, until it ends.'),
    model.at ? t('It shows {time}.', { time: formatInstant(model.at) }) : t('It shows the present.'),
    Object.keys(client).length > 0 && t('It is for {client}.', { client: clientWords(client) }),
  ])}</p>
    <form class="pair" onSubmit=${submit}>
      <label>${t('Valid for')}<select onChange=${(event) => typed.set({ hours: Number(event.target.value) })}>
        ${options(hours.filter((count) => count <= most).map((count) =>
          [count, count === 1 ? t('{count} hour', { count }) : t('{count} hours', { count })]), given.hours)}
        </select></label>
      <label>${t('For whom, to know it by')}<input
        value=${given.name}
        onInput=${(event) => typed.set({ name: event.target.value })} /></label>
      <button class="primary" disabled=${isBusy}>${t('Make a link')}</button>
    </form>
    ${refusal && html`<p class="banner error" role="alert">${refusal}</p>`}
    ${made && html`<${MadeLink} key=${made.id} link=${made} onCopy=${() => setTaken(true)} />`}
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    ${links && links.previews.length > 0 && html`<h3>${t('Links that are valid')}</h3>
      <ul class="links">${links.previews.map((link) => html`<li key=${link.id}>
        <span><strong>${link.name || revisionWords(link.revision)}</strong>
          <span class="hint"> ${linkWords(link)}</span></span>
        ${model.mayEdit && html`<button
          type="button"
          aria-label=${t('Revoke {name}', { name: link.name || link.id })}
          onClick=${() => revoke(link.id)}>${t('Revoke')}</button>`}</li>`)}</ul>`}
  </div><//>`;
}
