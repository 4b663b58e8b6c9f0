// A page's sort rules: which there are, and the form of one. Their order is made by dragging in the list.

import {
  Confirm, Dialog, GoneResource, NameOfNew, NumberField, PredicateField, ResourceDialog, ScheduleField, html, leftIn,
  memberControls, options, predicateWords, remove, scheduleWords, t, useEffect, useResource, useState,
} from '../shared.js';

const nameOf = (/** @type {string} */ rule) => rule === 'default' ? t('Default order') : rule;

/** The rules in the order in which they win. */
function byPriority(/** @type {Draft['sortRules']} */ rules) {
  return Object.entries(rules).filter(([name]) => name !== 'default')
    .sort(([left, { priority: mine = 0 }], [right, { priority: other = 0 }]) =>
      other - mine || (left < right ? -1 : 1));
}

/** Whom a rule is for, when it applies, and how strong it is, in words. */
const ruleWords = (/** @type {SortRule} */ { audience, schedule, priority = 0 }) => [
  predicateWords(audience), scheduleWords(schedule ?? {}) || t('always'), t('priority {number}', { number: priority }),
].join(' · ');

/**
 * A rule in the list.
 * @param {{name: string, rule: SortRule, mayEdit: boolean, isLast: boolean,
 *   onDialog: (what: 'edit'|'delete') => void}} props
 */
function Rule({ name, rule, mayEdit, isLast, onDialog }) {
  const count = Object.keys(rule.indices ?? {}).length;
  return html`<li class="line-card">
    <span class="names"><strong>${nameOf(name)}</strong>
      <span class="hint">${name === 'default' ? t('for everyone else') : ruleWords(rule)}</span>
      <span class="hint">${t('Sections with an index of their own: {count}', { count })}</span></span>
    <span class="actions">${mayEdit && name !== 'default' && html`
      <button
        autofocus=${isLast}
        aria-label=${t('Edit {name}', { name })}
        onClick=${() => onDialog('edit')}>${t('Edit…')}</button>
      <button
        class="grave"
        aria-label=${t('Delete {name}', { name })}
        onClick=${() => onDialog('delete')}>${t('Delete…')}</button>`}</span></li>`;
}

export function RulesDialog(/** @type {{model: PageModel, onClose: () => void}} */ { model, onClose }) {
  const [dialog, setDialog] = useState(() => {
    const left = leftIn([...model.path, 'sort-rules']);
    return left && { what: 'edit', ...left };
  });
  // A new rule begins with the first of them.
  useEffect(() => { model.wantAudiences(); }, []);
  /** The rule that one comes back from. */
  const [last, setLast] = useState('');
  const back = () => {
    setLast(dialog?.name ?? '');
    setDialog(null);
  };
  const rules = model.draft.sortRules ?? {};
  if (dialog?.what === 'edit') {
    return html`<${RuleDialog}
      key=${dialog.name}
      model=${model}
      name=${dialog.name}
      onClose=${back}
      onMade=${onClose} />`;
  }
  if (dialog?.what === 'delete') return html`<${Delete} model=${model} name=${dialog.name} onClose=${back} />`;
  const entry = (/** @type {string} */ name, /** @type {SortRule} */ rule) => html`<${Rule}
    key=${name}
    name=${name}
    rule=${rule}
    mayEdit=${model.mayEdit}
    isLast=${name === last}
    onDialog=${(what) => setDialog({ what, name })} />`;
  return html`<${Dialog} title=${t('Sort rules')} onClose=${onClose}>
    <div class="body">
      <p class="hint">${t('Of the rules that apply to a client, the one with the highest priority orders the page. '
        + 'Choose a rule above the list of sections to arrange them for it.')}</p>
      <ul class="cards">
        ${byPriority(rules).map(([name, rule]) => entry(name, rule))}
        ${entry('default', rules.default ?? {})}</ul>
    </div>
    <footer><button onClick=${onClose}>${t('Close')}</button>
      ${model.mayEdit && html`<button class="primary" onClick=${() => setDialog({ what: 'edit', name: null })}>
        ${t('New rule')}</button>`}</footer>
  <//>`;
}

/** @type {(audiences: string[]) => SortRule} */
const newRule = (audiences) => ({
  priority: 0, indices: {},
  audience: audiences[0] ? { audience: audiences[0] } : { attribute: 'platform', in: ['ios'] },
});

/**
 * The form of a rule, or of a new one.
 * @param {{model: PageModel, name: string, onClose: () => void, onMade: () => void}} props
 */
function RuleDialog({ model, name, onClose, onMade }) {
  const rules = [...model.path, 'sort-rules'];
  const resource = useResource(name ? [...rules, name] : null, newRule(model.audiences), rules);
  const form = {
    attributes: model.attributes, audiences: model.audiences, mayEdit: model.mayEdit, ...resource.fields,
  };
  const control = memberControls({
    form, value: resource.value, pointer: '', set: (name) => resource.setting(name),
  });
  const isGone = Boolean(name) && !Object.hasOwn(model.draft.sortRules ?? {}, name);
  const goOn = async () => {
    await model.reload();
    if (name || resource.mayBeLost) return;
    if (!model.ordering.pending) model.ordering.setRule(resource.id);
    onMade();
  };
  const begin = (/** @type {FieldEvent} */ event) =>
    resource.setting('indices')(model.draft.sortRules[event.target.value]?.indices ?? {});
  return html`<${ResourceDialog}
    title=${name ? t('The rule {name}', { name }) : t('New rule')}
    resource=${resource}
    mayEdit=${model.mayEdit}
    action=${resource.isNew ? t('Create') : t('Save')}
    isReady=${!isGone}
    onSaved=${goOn}
    onClose=${onClose}>${() => html`
    ${isGone && html`<${GoneResource} resource=${resource} onBack=${() => model.reload()} />`}
    ${!name && html`<${NameOfNew} resource=${resource} placeholder="spring" />`}
    ${control(NumberField, 'priority', {
      label: t('Priority'), hint: t('The highest wins; equal ones by name.'), isWhole: true, isRequired: true,
    })}
    ${control(PredicateField, 'audience', { key: `audience ${resource.round}`, isRequired: true })}
    ${control(ScheduleField, 'schedule')}
    ${!name && html`<label>${t('It begins with')}<select onChange=${begin}>
        ${options(Object.keys(model.draft.sortRules).map((rule) => rule === 'default' ? ['', t('Default order')]
          : [rule, t('Order: {rule}', { rule })]), '')}</select></label>
      <p class="hint">${t('Then drag the sections. Those that you do not move keep the default order.')}</p>`}`}<//>`;
}

function Delete(/** @type {{model: PageModel, name: string, onClose: () => void}} */ { model, name, onClose }) {
  const run = async (/** @type {Once} */ once) => {
    await remove([...model.path, 'sort-rules', name], { ifMatch: model.draft.orderTag, once });
    await model.reload();
  };
  return html`<${Confirm}
    title=${t('Delete the rule {name}?', { name })}
    action=${t('Delete')}
    isGrave
    onConfirm=${run}
    onClose=${onClose}>
    <p>${t('With the next publish its clients get another rule’s order, or the default one.')}</p>
  <//>`;
}
