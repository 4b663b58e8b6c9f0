// Making and changing a webhook, and giving it another secret.

import {
  Check, DialogForm, LineField, Problem, SelectField, allPages, explain, explainMaking, formatInstant, html, makeSecret,
  options, problemWords, put, remove, sideBySide, t, term, useLoad, useOnce, useState, useTyped,
} from '../shared.js';

/** How revisions come to be that a webhook is told of, the usual ones first. */
const kinds = ['publish', 'partial', 'scheduled', 'rollback', 'import', 'withheld', 'kinds', 'content'];
/** Those that a new one is told of: what sources fill in can be often. */
const usual = kinds.filter((kind) => kind !== 'content');

const kindWords = (/** @type {string} */ kind) => ({
  publish: t('a publish of the whole page'), partial: t('a publish of some changes'),
  scheduled: t('a scheduled publish'), rollback: t('a rollback'), import: t('an import'),
  withheld: t('a kind withheld, or lifted'), kinds: t('new kinds'), content: t('content that a source has filled in'),
}[kind] ?? term(kind));

/** What a webhook is told of, in words. */
export function toldOf(/** @type {string[]} */ told) {
  if (told.length === kinds.length) return t('all that goes live');
  const isUsual = told.length === usual.length && usual.every((kind) => told.includes(kind));
  return isUsual ? t('all but content that sources fill in') : sideBySide(told.map(kindWords));
}

/** @typedef {Pick<Webhook, 'name'|'url'|'format'|'kinds'|'pages'|'on'>} Said */
/** @typedef {Webhook & {secret: string}} Made a webhook with its secret */

/** What an operator says of a webhook. */
export const saidOf = (/** @type {Said} */ { name, url, format, kinds, pages, on }) =>
  ({ name, url, format, kinds, pages, on });

/**
 * Boxes of which some are ticked.
 * @param {{legend: string, choices: [string, string][], chosen: string[], hint?: string, problem?: string,
 *   onChange: (chosen: string[]) => void}} props
 */
function Boxes({ legend, choices, chosen, hint, problem, onChange }) {
  const toggle = (/** @type {string} */ name) => onChange(
    choices.map(([each]) => each).filter((each) => chosen.includes(each) !== (each === name)));
  return html`<fieldset class="boxes"><legend>${legend}</legend>
    <div class="box-list">${choices.map(([name, words]) => html`<${Check}
      key=${name}
      checked=${chosen.includes(name)}
      onChange=${() => toggle(name)}>${words}<//>`)}</div>
    ${hint && html`<p class="hint">${hint}</p>`}
    ${problem && html`<p class="error" role="alert">${problem}</p>`}</fieldset>`;
}

/**
 * The form of a webhook: a new one, whose secret is shown then, or one that is there.
 * @param {{hook: Webhook|null, tag: string|null, onMade: (made: Made) => void, onSaved: () => void,
 *   onClose: () => void}} props
 */
export function WebhookDialog({ hook, tag, onMade, onSaved, onClose }) {
  const begun = hook ? saidOf(hook)
    : { name: '', url: '', format: 'standard', kinds: usual, pages: [], on: true };
  const typed = useTyped(`webhooks ${hook ? hook.id : 'new'}`, begun, onClose);
  const { values, once } = typed;
  const [errors, setErrors] = useState(/** @type {Trouble[]} */ ([]));
  const words = (/** @type {Failed} */ error) =>
    error.errors?.length ? '' : hook ? explain(error) : explainMaking(error);
  const [pages] = useLoad(allPages, []);
  const form = { errors, mayEdit: true };
  const at = (/** @type {string} */ name) => errors.filter(({ pointer }) => pointer.split('/')[1] === name)
    .map(problemWords).join(' ');
  const set = (/** @type {string} */ name) => (/** @type {string} */ text) => {
    setErrors(errors.filter(({ pointer }) => pointer !== `/${name}`));
    typed.set({ [name]: text });
  };
  const make = async () => {
    const body = { ...values, name: values.name.trim(), url: values.url.trim() };
    try {
      if (hook) return void await put(['webhooks', String(hook.id)], body, { ifMatch: tag, once });
      return await makeSecret(['webhooks'], body, once, async ({ id }) => {
        // Nobody knows its secret.
        await remove(['webhooks', String(id)], { ifMatch: '*', once });
      });
    } catch (error) {
      setErrors(error instanceof Problem ? error.errors : []);
      throw error;
    }
  };
  const names = [...new Set([...(pages ?? []).map((/** @type {{id: string}} */ { id }) => id), ...values.pages])];
  const titleOf = (/** @type {string} */ id) =>
    (pages ?? []).find((/** @type {{id: string}} */ page) => page.id === id)?.title;
  return html`<${DialogForm}
    title=${hook ? t('The webhook {name}', { name: hook.name }) : t('New webhook')}
    action=${hook ? t('Save') : t('Create')}
    typed=${typed}
    isReady=${values.kinds.length > 0}
    words=${words}
    onSubmit=${make}
    onDone=${hook ? onSaved : onMade}>
    <${LineField} form=${form} pointer="/name" label=${t('Name')} isRequired required maxlength="200"
      value=${values.name} onText=${set('name')} />
    <${LineField} form=${form} pointer="/url" label=${t('Address')} isRequired required type="text" inputmode="url"
      hint=${t('http or https, and public unless the server’s setting outgoing.addressesAllowed lists it.')}
      autocomplete="off" spellcheck=${false} placeholder="https://…" value=${values.url} onText=${set('url')} />
    <${SelectField} form=${form} pointer="/format" label=${t('What is sent')} choices=${[
      ['standard', t('The event as JSON, signed (Standard Webhooks)')], ['slack', t('A sentence for Slack')],
    ]} value=${values.format} onChange=${set('format')} />
    <${Boxes}
      legend=${t('Told of')}
      choices=${kinds.map((kind) => [kind, kindWords(kind)])}
      chosen=${values.kinds}
      problem=${values.kinds.length === 0 ? t('Tick at least one.') : at('kinds')}
      onChange=${(/** @type {string[]} */ kinds) => typed.set({ kinds })} />
    <${Boxes}
      legend=${t('Pages')}
      choices=${names.map((id) => [id, titleOf(id) ? `${titleOf(id)} (${id})` : id])}
      chosen=${values.pages}
      hint=${values.pages.length === 0 ? t('None is ticked: it is told of all pages, later ones too.') : undefined}
      problem=${at('pages')}
      onChange=${(/** @type {string[]} */ pages) => typed.set({ pages })} />
  <//>`;
}

/**
 * Another secret. The old one signs too for a while, so that a receiver can take the new one without a gap.
 * @param {{hook: Webhook, onMade: (made: Made) => void, onClose: () => void}} props
 */
export function RotateDialog({ hook, onMade, onClose }) {
  const [grace, setGrace] = useState(86_400);
  const once = useOnce();
  const [end] = useState(() => Date.now());
  const until = new Date(end + grace * 1000).toISOString();
  // What an earlier try has made nobody knows: the secret that is seen takes its place.
  const rotate = () => makeSecret(['webhooks', String(hook.id), 'rotate'], { grace }, once, async () => {});
  const choices = [
    [0, t('not at all')], [3600, t('for an hour')], [86_400, t('for a day')], [604_800, t('for a week')],
  ];
  return html`<${DialogForm}
    title=${t('Another secret for {name}?', { name: hook.name })}
    action=${t('Make another secret')}
    words=${explainMaking}
    onSubmit=${rotate}
    onDone=${onMade}
    onClose=${onClose}>
    <p>${t('What is sent is signed with the new secret from now on.')}</p>
    <label>${t('The old one signs too')}
      <select value=${grace} onChange=${(/** @type {FieldEvent} */ event) => setGrace(Number(event.target.value))}>
        ${options(choices, grace)}</select></label>
    ${grace > 0 && html`<p class="hint">${t('until {time}', { time: formatInstant(until) })}</p>`}
  <//>`;
}
