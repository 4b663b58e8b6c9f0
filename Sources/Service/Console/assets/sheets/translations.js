// The texts of all pages in two locales beside each other: what is missing, and where one writes it.

import {
  DialogForm, Failure, Loading, Part, Problem, allPages, announce, explain, get, html, languageName, options, t, toast,
  useAction, useEffect, useLoad, useMemo, useRef, useState, useTyped, withoutPlace,
} from '../shared.js';
import { problemOf } from './columns.js';
import { withLines, writeCSV } from './csv.js';
import { ImportDialog, SeparatorChoice, download, useSeparator } from './files.js';
import { Grid } from './grid.js';
import {
  ownText, sourceText, stateOf, textsOf, translationPlan, translationRows, withTranslations,
} from './texts.js';

/** @typedef {import('./texts.js').Entry} Entry */
/** @typedef {import('./texts.js').Translation} Translation */
/** @typedef {import('./files.js').Rows} Rows */
/** @typedef {{text: string, source: string, before: string, from: string, locale: string}} Edit what is not saved */

/** How many drafts are read at once. */
const readsMax = 4;

/** The drafts of all pages, a few at a time. */
async function readDrafts() {
  const pages = await allPages();
  /** @type {Draft[]} */
  const drafts = [];
  for (let place = 0; place < pages.length; place += readsMax) {
    const some = pages.slice(place, place + readsMax);
    drafts.push(...(await Promise.all(some.map(({ id }) => get(['pages', id, 'draft'])))).map(({ value }) => value));
  }
  return drafts;
}

/** What an edit is kept by: a text in a locale. */
const editKey = (/** @type {Entry} */ { key }, /** @type {string} */ locale) => `${locale} ${key}`;

/** @param {{setup: Setup}} props */
export function TranslationsView({ setup }) {
  const [drafts, failure, reload] = useLoad(readDrafts, []);
  const typed = useTyped('translations edits', { edits: /** @type {Record<string, Edit>} */ ({}) }, () => {});
  if (failure && !drafts) return html`<${Failure} error=${failure} onRetry=${reload} />`;
  if (!drafts) return html`<${Loading} />`;
  return html`<${Translations} setup=${setup} drafts=${drafts} typed=${typed} reload=${reload} />`;
}

/** A choice among a few texts. */
const Choice = (/** @type {{label: string, value: string, choices: [string, string][],
  onChange: (value: string) => void}} */ { label, value, choices, onChange }) => html`<label>${label}
  <select onChange=${(/** @type {FieldEvent} */ event) => onChange(event.target.value)}>
    ${options(choices, value)}</select></label>`;

/**
 * @typedef {{values: {edits: Record<string, Edit>}, keptSince: string|null, leave: () => Promise<boolean>,
 *   set: (patch: {edits: Record<string, Edit>}) => void}} Written what is written and not saved
 */

/** @param {{setup: Setup, drafts: Draft[], typed: Written, reload: () => void}} props */
function Translations({ setup, drafts, typed, reload }) {
  const entries = useMemo(() => drafts.flatMap((draft) => textsOf(draft, setup.kinds, setup.rights)),
    [drafts, setup]);
  const byKey = useMemo(() => new Map(entries.map((entry) => [entry.key, entry])), [entries]);
  const locales = useMemo(() => [...new Set(drafts.flatMap((draft) => draft.locales))], [drafts]);
  const localesOf = (/** @type {string} */ page) => drafts.find(({ id }) => id === page)?.locales ?? [];
  const [page, setPage] = useState('');
  const [chosenFrom, setFrom] = useState(drafts[0]?.defaultLocale ?? '');
  const from = locales.includes(chosenFrom) ? chosenFrom : locales[0] ?? '';
  const others = locales.filter((locale) => locale !== from);
  const [chosen, setLocale] = useState('');
  const locale = others.includes(chosen) ? chosen : others[0] ?? '';
  const [shown, setShown] = useState('missing');
  const [dialog, setDialog] = useState(/** @type {'in'|'out'|null} */ (null));
  const [problems, setProblems] = useState(/** @type {Record<string, string>} */ ({}));
  const [done, setDone] = useState(/** @type {{edits: Record<string, Edit>, page: string}[]} */ ([]));
  const { isBusy, failure, run } = useAction();
  const { edits } = typed.values;
  const count = Object.keys(edits).length;

  // What is written stays in the list until it is saved and the list is another.
  const listed = useMemo(() => entries.filter((entry) => (page === '' || entry.page === page)
    && localesOf(entry.page).includes(locale)
    && (shown === 'all' || stateOf(entry, locale) === shown || edits[editKey(entry, locale)] !== undefined)),
    [entries, page, locale, shown]);
  const names = [
    ['page', t('Page'), 110], ['place', t('Where'), 220], ['label', t('Field'), 130],
    ['source', languageName(from), 320], ['text', languageName(locale), 320],
  ];
  /** @type {import('./grid.js').GridProps['cellOf']} */
  const cellOf = (row, column) => {
    const entry = listed[row];
    const looked = [entry.page, entry.place, entry.label, sourceText(entry, from)];
    if (column < looked.length) return { text: looked[column], fixed: t('Only the translation is written here.') };
    const edit = edits[editKey(entry, locale)];
    const text = edit?.text ?? ownText(entry, locale);
    return {
      text, mark: edit ? 'edited' : '',
      fixed: entry.mayEdit ? undefined : t('You can look at this, but not change it.'),
      problem: problems[editKey(entry, locale)] ?? (text === '' ? undefined : problemOf(entry.schema, text)),
    };
  };
  const setEdits = (/** @type {Record<string, Edit>} */ next) => {
    setDone((before) => [...before.slice(-99), { edits, page }]);
    typed.set({ edits: next });
  };
  const withEdits = (/** @type {Translation[]} */ translations) => {
    const next = { ...edits };
    const cleared = { ...problems };
    for (const { entry, text, source, before, from: of, locale: to } of translations) {
      const key = editKey(entry, to);
      delete cleared[key];
      if (text === ownText(entry, to)) delete next[key];
      else next[key] = { text, source, before, from: of, locale: to };
    }
    setProblems(cleared);
    setEdits(next);
  };
  /** @type {import('./grid.js').GridProps['onEdit']} */
  const onEdit = (written) => withEdits(written.filter(({ column, row }) => column === 4 && listed[row]?.mayEdit)
    .map(({ row, text }) => {
      const entry = listed[row];
      return {
        entry, locale, from, text: withLines(text), source: sourceText(entry, from), before: ownText(entry, locale),
      };
    }));
  const undo = () => {
    const before = done.at(-1);
    if (!before) return;
    setDone(done.slice(0, -1));
    typed.set({ edits: before.edits });
    announce(t('Undone'));
  };

  /** Saves what is written, section by section; what somebody changed meanwhile stays here, and is told. */
  const save = async () => {
    /** @type {Map<string, {resource: string[], translations: Translation[]}>} */
    const groups = new Map();
    const left = { ...edits };
    /** @type {Record<string, string>} */
    const wrong = {};
    for (const [key, { text, source, before, from: of, locale: to }] of Object.entries(edits)) {
      const entry = byKey.get(key.slice(to.length + 1));
      if (!entry) {
        wrong[key] = t('This text is not there any more.');
        continue;
      }
      const name = entry.resource.join('/');
      const group = groups.get(name) ?? { resource: entry.resource, translations: [] };
      group.translations.push({ entry, locale: to, from: of, text, source, before });
      groups.set(name, group);
    }
    for (const { resource, translations } of groups.values()) {
      try {
        const stale = await saveInto(resource, translations);
        for (const { entry, locale: to } of translations) delete left[editKey(entry, to)];
        for (const { translation: { entry, locale: to }, reason } of stale) {
          left[editKey(entry, to)] = edits[editKey(entry, to)];
          wrong[editKey(entry, to)] = reason;
        }
      } catch (error) {
        if (!(error instanceof Problem) || error.status === 401) throw error;
        for (const { entry, locale: to } of translations) wrong[editKey(entry, to)] = explain(error);
      }
      typed.set({ edits: { ...left } });
    }
    setProblems(wrong);
    setDone([]);
    reload();
    const failed = Object.keys(wrong).length;
    if (failed === 0) announce(t('Saved'));
    else toast(t('Not saved, with the reason at each: {count}', { count: failed }), 'failure');
  };
  const onKey = useRef((/** @type {KeyboardEvent} */ _) => {});
  onKey.current = (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 's') return;
    if (document.querySelector('dialog:modal')) return;
    event.preventDefault();
    // What was being written is drawn by then.
    setTimeout(() => saveNow.current());
  };
  const saveNow = useRef(() => {});
  saveNow.current = () => { if (count > 0) run(save); };
  useEffect(() => {
    const listen = (/** @type {KeyboardEvent} */ event) => onKey.current(event);
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  const choose = (/** @type {string} */ of, /** @type {string} */ to) => {
    setPage(of);
    const own = drafts.find(({ id }) => id === of)?.defaultLocale ?? from;
    setFrom(own === to ? localesOf(of).find((each) => each !== to) ?? from : own);
    setLocale(to);
    setShown('missing');
  };
  const discard = async () => {
    if (await typed.leave()) setProblems({});
  };
  return html`<div class="translations">
    <div class="heading"><h1>${t('Translations')}</h1></div>
    <${Overview} drafts=${drafts} entries=${entries} onChoose=${choose} />
    <div class="sheet-tools">
      <${Choice} label=${t('Page')} value=${page} onChange=${setPage}
        choices=${[['', t('All pages')], ...drafts.map(({ id, title }) => [id, title])]} />
      <${Choice} label=${t('From')} value=${from} onChange=${setFrom}
        choices=${locales.map((each) => [each, languageName(each)])} />
      <${Choice} label=${t('Into')} value=${locale} onChange=${setLocale}
        choices=${others.map((each) => [each, languageName(each)])} />
      <${Choice} label=${t('Shown')} value=${shown} onChange=${setShown} choices=${[
        ['missing', t('What is missing')], ['same', t('What is the same everywhere')],
        ['there', t('What is translated')], ['all', t('All texts')],
      ]} />
      <span class="grow hint" role="status">${t('{count} texts', { count: listed.length })}</span>
      <button type="button" disabled=${!locale} onClick=${() => setDialog('in')}>${t('Read a CSV file…')}</button>
      <button type="button" disabled=${!locale} onClick=${() => setDialog('out')}>${t('As a CSV file…')}</button>
    </div>
    ${failure && html`<p class="banner error" role="alert">${failure}</p>`}
    ${typed.keptSince && html`<p class="banner" role="status">${t('What you had not saved is back.')}</p>`}
    <div class="sheet-place">
      ${locale === '' ? html`<p class="hint">${t('All pages have one locale. There is nothing to translate.')}</p>`
        : listed.length === 0 ? html`<p class="hint">${t('There is no such text.')}</p>`
          : html`<${Grid}
            label=${t('Translations')}
            columns=${names.map(([key, label, width]) => ({ key, label, width }))}
            count=${listed.length}
            keyOf=${(/** @type {number} */ row) => listed[row].key}
            cellOf=${cellOf}
            onEdit=${onEdit}
            onStep=${(/** @type {string} */ step) => { if (step === 'undo') undo(); }} />`}</div>
    <div class="panel-foot">
      <span class="grow hint">${count > 0 ? t('Not saved: {count}', { count }) : ''}</span>
      <button type="button" disabled=${count === 0 || isBusy} onClick=${discard}>${t('Discard')}</button>
      <button type="button" class="primary" title="Ctrl+S" disabled=${count === 0 || isBusy} onClick=${() => run(save)}>
        ${t('Save')}</button></div>
    ${dialog === 'out' && html`<${ExportDialog} entries=${listed} from=${from} locale=${locale}
      onClose=${() => setDialog(null)} />`}
    ${dialog === 'in' && html`<${TextsImport} entries=${byKey} localesOf=${localesOf} onTake=${withEdits}
      onClose=${() => setDialog(null)} />`}</div>`;
}

/** Saves translations into a section's content, on top of what others have saved meanwhile. */
async function saveInto(/** @type {string[]} */ resource, /** @type {Translation[]} */ translations) {
  const part = /** @type {Part<SectionContent>} */ (new Part('', resource, { form: withoutPlace }));
  /** @type {{translation: Translation, reason: string}[]} */
  let stale = [];
  const meet = (/** @type {import('../lib/part.js').Read<SectionContent>} */ read) => {
    const made = withTranslations(read.value, translations);
    stale = made.stale;
    part.settle(read, made.value);
    return true;
  };
  meet(await part.read());
  if (part.isDirty) await part.saveOver(meet);
  return stale;
}

/**
 * How many texts lack a locale, by page.
 * @param {{drafts: Draft[], entries: Entry[], onChoose: (page: string, locale: string) => void}} props
 */
function Overview({ drafts, entries, onChoose }) {
  const locales = [...new Set(drafts.flatMap((draft) => draft.locales))];
  const counts = useMemo(() => {
    /** @type {Map<string, number>} */
    const found = new Map();
    for (const entry of entries) {
      for (const locale of locales) {
        const key = `${entry.page} ${locale}`;
        if (stateOf(entry, locale) === 'missing') found.set(key, (found.get(key) ?? 0) + 1);
      }
    }
    return found;
  }, [entries]);
  return html`<details class="more" open=${drafts.length <= 8}><summary>${t('What is missing')}</summary>
    <div class="outcomes" tabindex="0" role="region" aria-label=${t('What is missing')}><table>
      <thead><tr><th>${t('Page')}</th>${locales.map((locale) => html`<th>${languageName(locale)}</th>`)}</tr></thead>
      <tbody>${drafts.map((draft) => html`<tr><td>${draft.title}</td>${locales.map((locale) => html`<td>
        ${!draft.locales.includes(locale) ? '–' : html`<button type="button" class="link"
          aria-label=${t('{page}, {locale}: {count} missing', {
            page: draft.title, locale: languageName(locale), count: counts.get(`${draft.id} ${locale}`) ?? 0,
          })} onClick=${() => onChoose(draft.id, locale)}>${counts.get(`${draft.id} ${locale}`) ?? 0}</button>`}</td>`)}
        </tr>`)}</tbody></table></div></details>`;
}

/** @param {{entries: Entry[], from: string, locale: string, onClose: () => void}} props */
function ExportDialog({ entries, from, locale, onClose }) {
  const [separator, setSeparator] = useSeparator();
  const write = () =>
    download(`translations ${from} ${locale}.csv`, writeCSV(translationRows(entries, from, locale), separator));
  return html`<${DialogForm}
    title=${t('As a CSV file')}
    action=${t('Download')}
    isReady=${entries.length > 0}
    onSubmit=${write}
    onClose=${onClose}>
    <p class="hint">${t('The file has the {count} texts that are shown.', { count: entries.length })}${' '}
      ${t('Write in the column “translation”, and leave the others.')}</p>
    <${SeparatorChoice} value=${separator} onChange=${setSeparator} />
  <//>`;
}

/**
 * @param {{entries: Map<string, Entry>, localesOf: (page: string) => string[],
 *   onTake: (translations: Translation[]) => void, onClose: () => void}} props
 */
function TextsImport({ entries, localesOf, onTake, onClose }) {
  const [read, setRead] = useState(/** @type {Rows|null} */ (null));
  const [overwritten, setOverwritten] = useState(/** @type {Set<number>} */ (new Set()));
  const plan = useMemo(() => read?.rows ? translationPlan(read, entries, localesOf) : null, [read, entries]);
  const isRefused = Boolean(plan && (plan.header.length > 0 || plan.outcomes.some(({ what }) => what === 'refused')));
  const taken = (plan?.outcomes ?? []).filter(({ what, line, translation }) =>
    translation && (what !== 'stale' || overwritten.has(line)));
  const toggle = (/** @type {number} */ line) => {
    const next = new Set(overwritten);
    if (!next.delete(line)) next.add(line);
    setOverwritten(next);
  };
  const onRead = (/** @type {Rows} */ given) => {
    setRead(given);
    setOverwritten(new Set());
  };
  return html`<${ImportDialog} read=${read} onRead=${onRead} plan=${plan} isRefused=${isRefused}
    isNothing=${taken.length === 0} chosen=${overwritten} onChoose=${toggle}
    onTake=${() => onTake(taken.flatMap(({ translation }) => translation ?? []))} onClose=${onClose} />`;
}
