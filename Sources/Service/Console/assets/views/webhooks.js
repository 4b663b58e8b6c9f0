// Webhooks, for admins: whom the server tells of what went live, how that stands, and what they were told.

import {
  Badge, Confirm, Listed, Once, ask, formatInstant, get, html, post, put, remove, serverNow,
  sideBySide, t, term, typedIn, useAttempt, useLoad, useState,
} from '../shared.js';
import { Secret } from './tokens.js';
import { RotateDialog, WebhookDialog, saidOf, toldOf } from './webhook-dialogs.js';

/** How often the list and the deliveries are looked at, in milliseconds. */
const pause = 5_000;

/** @typedef {import('./webhook-dialogs.js').Made} Made */
/**
 * @typedef {{what: 'new'}|{what: 'edit', hook: Webhook, tag: string|null}|{what: 'secret', hook: Made}
 *   |{what: 'rotate'|'delete', hook: Webhook}|null} Shown a dialog
 */

/** @returns {Promise<{webhooks: Webhook[], most: number, isSending: boolean}>} */
const load = async () => (await get(['webhooks'])).value;

export function WebhooksView() {
  const [list, failure, reload] = useLoad(load, [], pause);
  const [shown, setShown] = useState(/** @type {number|null} */ (null));
  const [dialog, setDialog] = useState(/** @type {() => Shown} */ (() =>
    typedIn('webhooks').some(({ dialog }) => dialog === 'new') ? { what: 'new' } : null));
  const run = useAttempt();
  // What got no answer may be there.
  const close = () => {
    setDialog(null);
    reload();
  };
  const show = (/** @type {Made} */ hook) => {
    reload();
    setDialog({ what: 'secret', hook });
  };
  const edit = (/** @type {Webhook} */ { id }) => run(async () => {
    const { value, tag } = await get(['webhooks', String(id)]);
    setDialog({ what: 'edit', hook: value, tag });
  }, `edit ${id}`);
  const flip = async (/** @type {Webhook} */ hook) => {
    const question = t('What goes live while {name} is off is not told to it later. Switch it off?', {
      name: hook.name,
    });
    if (hook.on && !await ask(question, t('Switch off'))) return;
    await run(async () => {
      const path = /** @type {const} */ (['webhooks', String(hook.id)]);
      const { value, tag } = await get(path);
      await put(path, { ...saidOf(value), on: !hook.on }, { ifMatch: tag, once: new Once() });
      reload();
    }, hook.id);
  };
  return html`<main class="view webhooks">
    <div class="heading"><h1>${t('Webhooks')}</h1>
      <button
        class="primary"
        disabled=${list && list.webhooks.length >= list.most}
        onClick=${() => setDialog({ what: 'new' })}>${t('New webhook')}</button></div>
    <p class="hint">${t('They are told of what goes live, once all nodes serve it.')}</p>
    ${list && list.webhooks.length >= list.most && html`<p class="hint">
      ${t('There are as many as the setting webhooks.countMax allows: {count}.', { count: list.most })}</p>`}
    ${list && !list.isSending && html`<p class="banner warning">
      ${t('This node sends nothing: its setting webhooks.on is false. While no node sends, deliveries wait.')}</p>`}
    <${Listed} label=${t('Webhooks')} list=${list && list.webhooks} failure=${failure} onRetry=${reload}
      nothing=${t('There are no webhooks.')} columns=${[t('Name'), t('Told of'), t('State'), '']}>
      ${(/** @type {Webhook} */ hook) => html`<tr key=${hook.id}>
        <td><strong>${hook.name}</strong><br /><code>${hook.url}</code></td>
        <td data-name=${t('Told of')}>${toldOf(hook.kinds)}
          ${hook.pages.length > 0 && html`<br />${sideBySide(hook.pages)}`}</td>
        <td data-name=${t('State')}><${State} hook=${hook} /></td>
        <td class="buttons">
          <button
            aria-expanded=${String(shown === hook.id)}
            aria-label=${t('Deliveries to {name}', { name: hook.name })}
            onClick=${() => setShown(shown === hook.id ? null : hook.id)}>${t('Deliveries')}</button>
          <button
            aria-label=${t('Edit {name}', { name: hook.name })}
            onClick=${() => edit(hook)}>${t('Edit…')}</button>
          <button
            aria-label=${t('Another secret for {name}', { name: hook.name })}
            onClick=${() => setDialog({ what: 'rotate', hook })}>${t('Secret…')}</button>
          <button
            class=${hook.on ? 'grave' : ''}
            aria-label=${hook.on
              ? t('Switch {name} off', { name: hook.name }) : t('Switch {name} on', { name: hook.name })}
            onClick=${() => flip(hook)}>${hook.on ? t('Switch off…') : t('Switch on')}</button>
          <button
            class="grave"
            aria-label=${t('Delete {name}', { name: hook.name })}
            onClick=${() => setDialog({ what: 'delete', hook })}>${t('Delete…')}</button></td></tr>`}<//>
    ${list?.webhooks.filter((hook) => hook.id === shown).map((hook) => html`
      <${Deliveries} key=${hook.id} hook=${hook} onSent=${reload} />`)}
    ${dialog?.what === 'new' && html`<${WebhookDialog} hook=${null} tag=${null} onMade=${show} onClose=${close} />`}
    ${dialog?.what === 'edit' && html`<${WebhookDialog} hook=${dialog.hook} tag=${dialog.tag} onSaved=${reload}
      onClose=${close} />`}
    ${dialog?.what === 'rotate' && html`<${RotateDialog} hook=${dialog.hook} onMade=${show} onClose=${close} />`}
    ${dialog?.what === 'secret' && html`<${Secret}
      title=${t('The secret of {name}', { name: dialog.hook.name })}
      label=${t('Secret')}
      text=${dialog.hook.secret}
      question=${t('You have not copied the secret, and it is never shown again. Close it?')}
      onClose=${close} />`}
    ${dialog?.what === 'delete' && html`<${Confirm}
      title=${t('Delete {section}?', { section: dialog.hook.name })}
      action=${t('Delete')}
      isGrave
      onClose=${close}
      onConfirm=${(/** @type {Once} */ once) =>
        remove(['webhooks', String(dialog.hook.id)], { ifMatch: '*', once })}>
      <p>${t('What waits for it is never sent, and what it was told is forgotten.')}</p><//>`}
  </main>`;
}

/** Whether a webhook is on, and what waits for it. */
function State(/** @type {{hook: Webhook}} */ { hook }) {
  return html`${hook.on ? html`<${Badge} kind="live">${t('on')}<//>` : html`<${Badge} kind="warning">${t('off')}<//>`}
    ${hook.offReason && html`${' '}${hook.offReason}`}
    ${hook.waiting > 0 && html`<br />${t('{count} wait, since {time}', {
      count: hook.waiting, time: formatInstant(hook.waitingSince),
    })}`}`;
}

/** What became of a delivery, in words. */
const stateWords = (/** @type {WebhookDelivery} */ { state, nextAt = '' }) => state === 'delivered' ? t('taken')
  : state === 'given-up' ? t('given up')
    : Date.parse(nextAt) <= serverNow() ? t('waits') : t('waits until {time}', { time: formatInstant(nextAt) });

/** The last deliveries of a webhook, the newest first. */
function Deliveries(/** @type {{hook: Webhook, onSent: () => void}} */ { hook, onSent }) {
  const load = async () => (await get(['webhooks', String(hook.id), 'deliveries'])).value.deliveries;
  const [list, failure, reload] = useLoad(load, [hook.id], pause);
  const run = useAttempt();
  const send = (/** @type {number} */ id) => run(async () => {
    await post(['webhooks', 'deliveries', String(id), 'send'], undefined, { once: new Once() });
    reload();
    onSent();
  }, id);
  const title = t('Deliveries to {name}', { name: hook.name });
  return html`<section><h2>${title}</h2>
    <${Listed} label=${title} list=${list} failure=${failure} onRetry=${reload}
      nothing=${t('It was told of nothing yet.')} columns=${[t('Revision'), t('Made'), t('State'), t('Tries'), '']}>
      ${(/** @type {WebhookDelivery} */ each) => html`<tr key=${each.id}>
        <td><strong>${each.page} ${each.edition}</strong><br /><code>${each.message}</code></td>
        <td data-name=${t('Made')}>${formatInstant(each.at)} · ${term(each.event.kind)}</td>
        <td data-name=${t('State')}>${stateWords(each)}
          ${each.detail && html`<br /><span class="hint">${each.detail}</span>`}</td>
        <td data-name=${t('Tries')}>${each.tries}</td>
        <td class="nowrap buttons"><button
          aria-label=${t('Send {page} {edition} again', { page: each.page, edition: each.edition })}
          onClick=${() => send(each.id)}>${t('Send again')}</button></td></tr>`}<//>
  </section>`;
}
