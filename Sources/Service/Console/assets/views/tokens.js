// Tokens, for admins.

import {
  Confirm, Dialog, DialogForm, Listed, NumberInput, ask, copyField, explainMaking, formatInstant, get, html,
  joinSentences, makeSecret, options, problemWords, readNumber, remove, sideBySide, t, term, typedIn, useLoad, useOnce,
  useRef, useState, useTyped,
} from '../shared.js';

const roles = ['viewer', 'source', 'editor', 'publisher', 'admin'];

/** @typedef {Token & {token: string}} Made a token with its secret */
/** @typedef {{what: 'new'}|{what: 'renew'|'revoke', token: Token}|{what: 'secret', token: Made}|null} Shown a dialog */

const load = async () => (await get(['tokens'])).value.tokens;

export function TokensView() {
  const [tokens, failure, reload] = useLoad(load, []);
  const [dialog, setDialog] = useState(
    /** @type {() => Shown} */ (() => typedIn('tokens').length > 0 ? { what: 'new' } : null));
  // What got no answer may be there.
  const close = () => {
    setDialog(null);
    reload();
  };
  const show = (/** @type {Made} */ token) => { reload(); setDialog({ what: 'secret', token }); };
  return html`<main class="view">
    <div class="heading"><h1>${t('Tokens')}</h1>
      <button class="primary" onClick=${() => setDialog({ what: 'new' })}>${t('New token')}</button></div>
    <${Listed} label=${t('Tokens')} list=${tokens} failure=${failure} onRetry=${reload}
      columns=${[t('Name'), t('Role'), t('For'), t('Last used'), t('Expires'), '']}>
      ${(/** @type {Token} */ token) => html`<tr key=${token.selector}>
        <td><strong>${token.name}</strong><br /><code>${token.selector}</code></td>
        <td data-name=${t('Role')} class="nowrap">${term(token.role)}</td>
        <td data-name=${t('For')}>${token.scopes.length === 0 ? t('everything') : sideBySide(token.scopes)}</td>
        <td data-name=${t('Last used')}>${token.lastUsedAt ? formatInstant(token.lastUsedAt) : t('not yet')}</td>
        <td data-name=${t('Expires')}>${token.expiresAt ? formatInstant(token.expiresAt) : t('never')}</td>
        <td class="nowrap buttons"><button onClick=${() => setDialog({ what: 'renew', token })}>${t('Renew…')}</button>
          <button class="grave" onClick=${() => setDialog({ what: 'revoke', token })}>
            ${t('Revoke…')}</button></td></tr>`}<//>
    ${dialog?.what === 'new' && html`<${NewToken} onClose=${close} onMade=${show} />`}
    ${dialog?.what === 'renew' && html`<${Renew} token=${dialog.token} onClose=${close} onMade=${show} />`}
    ${dialog?.what === 'secret' && html`<${Secret}
      title=${t('The token of {name}', { name: dialog.token.name })}
      label=${t('Token')}
      text=${dialog.token.token}
      question=${t('You have not copied the token, and it is never shown again. Close it?')}
      onClose=${close} />`}
    ${dialog?.what === 'revoke' && html`<${Confirm}
      title=${t('Revoke {name}?', { name: dialog.token.name })}
      action=${t('Revoke')}
      isGrave
      onClose=${close}
      onConfirm=${async (once) => { await remove(['tokens', dialog.token.selector], { once }); reload(); }}>
      <p>${t('Whoever uses it is turned away from the next request on.')}</p><//>`}
  </main>`;
}

/** For how many days a token can be made. */
const wantedDays = { isWhole: true, least: 1, most: 3650 };

function NewToken(/** @type {{onMade: (made: Made) => void, onClose: () => void}} */ { onMade, onClose }) {
  const typed = useTyped('tokens new', { name: '', role: 'viewer', scopes: '', days: '90' }, onClose);
  const { values } = typed;
  const words = (/** @type {Failed} */ error) =>
    error.errors?.length ? joinSentences(error.errors.map(problemWords)) : explainMaking(error);
  const set = (/** @type {string} */ name) => (/** @type {FieldEvent} */ event) =>
    typed.set({ [name]: event.target.value });
  const make = () => {
    const scopes = values.scopes.split(/[\s,]+/).filter(Boolean);
    const { value: days } = readNumber(values.days, wantedDays);
    const expiresAt = typeof days !== 'number' ? undefined
      : `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19)}Z`;
    const body = { name: values.name, role: values.role, scopes, expiresAt };
    const { once } = typed;
    return makeSecret(['tokens'], body, once, async ({ selector }) => {
      await remove(['tokens', selector], { once });
    });
  };
  return html`<${DialogForm}
    title=${t('New token')}
    action=${t('Create')}
    typed=${typed}
    isReady=${readNumber(values.days, wantedDays).reason === undefined}
    words=${words}
    onSubmit=${make}
    onDone=${onMade}>
    <label>${t('Name')}<input value=${values.name} required onInput=${set('name')} /></label>
    <label>${t('Role')}<select value=${values.role} onChange=${set('role')}>
      ${options(roles.map((role) => [role, term(role)]), values.role)}</select></label>
    <label>${t('For')}<input value=${values.scopes} placeholder="home, home/otc" onInput=${set('scopes')} />
      <span class="hint">${t('Pages, or page/section; empty for everything')}</span></label>
    <${NumberInput}
      label=${t('Expires after days')}
      text=${values.days}
      wanted=${wantedDays}
      onText=${(/** @type {string} */ days) => typed.set({ days })} />
  <//>`;
}

/**
 * A token like another: what it may do and how long stay, and so does the old one for a while.
 * @param {{token: Token, onMade: (made: Made) => void, onClose: () => void}} props
 */
function Renew({ token, onMade, onClose }) {
  const [grace, setGrace] = useState(3600);
  const once = useOnce();
  const end = new Date(Date.now() + grace * 1000).toISOString();
  const until = token.expiresAt && token.expiresAt < end ? token.expiresAt : end;
  // The old one ends as the first try had it; what that made gives way at once to one whose secret is seen.
  /** @type {(selector: string, grace: number) => Promise<Made>} */
  const rotate = (selector, grace) => makeSecret(['tokens', selector, 'rotate'], { grace }, once, (lost) =>
    rotate(lost.selector, 0));
  const choices = [[3600, t('for an hour')], [86_400, t('for a day')], [604_800, t('for a week')]];
  return html`<${DialogForm}
    title=${t('Renew {name}?', { name: token.name })}
    action=${t('Renew')}
    words=${explainMaking}
    onSubmit=${() => rotate(token.selector, grace)}
    onDone=${onMade}
    onClose=${onClose}>
    <p>${token.expiresAt
      ? t('A new token of the same name and rights is made. It ends when the old one would have: {time}.', {
        time: formatInstant(token.expiresAt),
      })
      : t('A new token of the same name and rights is made. It does not end by itself.')}</p>
    <label>${t('The old one is still taken')}
      <select value=${grace} onChange=${(event) => setGrace(Number(event.target.value))}>
        ${options(choices, grace)}</select></label>
    <p class="hint">${t('until {time}', { time: formatInstant(until) })}</p>
  <//>`;
}

/**
 * A secret that is shown this once, to be copied.
 * @param {{title: string, label: string, text: string, question: string, onClose: () => void}} props
 */
export function Secret({ title, label, text, question, onClose }) {
  const [isTaken, setTaken] = useState(false);
  const [hasFailed, setFailed] = useState(false);
  const field = useRef();
  // It is never shown again, so that no key and no click beside it closes it unasked.
  const leave = async () => { if (isTaken || await ask(question, t('Close it'))) onClose(); };
  const copy = async () => {
    const isCopied = await copyField(field.current);
    setTaken((before) => before || isCopied);
    setFailed(!isCopied);
  };
  return html`<${Dialog} title=${title} onClose=${leave} size="small">
    <div class="body form"><p>${t('It is shown this once. Copy it now.')}</p>
      <label>${label}<input
        ref=${field}
        readonly
        value=${text}
        onFocus=${(event) => event.target.select()}
        onCopy=${() => setTaken(true)} /></label>
      ${hasFailed && html`<p class="error" role="alert">
        ${t('The browser does not let the console copy. The text is selected: copy it by the keyboard.')}</p>`}</div>
    <footer><button onClick=${copy}>${isTaken ? t('Copied') : t('Copy')}</button>
      <button class="primary" onClick=${leave}>${t('Done')}</button></footer>
  <//>`;
}
