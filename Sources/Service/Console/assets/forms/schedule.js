// When something shows, in the clocks of a zone. The server resolves local times; those that never come are refused.

import { localOf, ownZone, skippedWords, t, twiceWords } from '../lib/i18n.js';
import { ZoneOptions, html } from '../lib/ui.js';
import { Labelled, Problems } from './labelled.js';

const ends = /** @type {const} */ (['from', 'until']);

export function ScheduleField(/** @type {FieldProps<Schedule>} */ { form, value, pointer, onChange }) {
  const zone = value?.zone ?? (value ? 'UTC' : ownZone);
  const set = (/** @type {'from'|'until'} */ name) => (/** @type {FieldEvent} */ event) => {
    const next = { ...value, zone };
    if (event.target.value) next[name] = event.target.value; else delete next[name];
    onChange(next.from || next.until ? next : undefined);
  };
  // The clocks' times stay, and mean other instants.
  const setZone = (/** @type {FieldEvent} */ event) => {
    /** @type {Schedule} */
    const next = { zone: event.target.value };
    for (const name of ends) if (value?.[name]) next[name] = localOf(value[name], zone);
    onChange(next);
  };
  const time = (/** @type {'from'|'until'} */ name, /** @type {string} */ label) => html`<${Labelled}
    form=${form}
    pointer="${pointer}/${name}"
    label=${label}
    problem=${skippedWords(localOf(value?.[name], zone), zone)}
    hint=${twiceWords(value?.[name], zone)}>
    ${(attributes) => html`<input
      ...${attributes}
      type="datetime-local"
      step="1"
      value=${localOf(value?.[name], zone)}
      onChange=${set(name)} />`}<//>`;
  return html`<fieldset><legend>${t('Schedule')}</legend><${Problems} form=${form} pointer=${pointer} />
    ${time('from', t('Shows from'))}${time('until', t('Until, not included'))}
    <${Labelled} form=${form} pointer="${pointer}/zone" label=${t('Zone')}>
      ${(attributes) => html`<select ...${attributes} onChange=${setZone}>
        <${ZoneOptions} zone=${zone} /></select>`}<//>
  </fieldset>`;
}
