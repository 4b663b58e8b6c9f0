// Everything by its name: pages, sections, actions. Ctrl K or ⌘K opens it.

import { allPages, get } from '../lib/api.js';
import { follow, isWord, matching, offered } from '../lib/commands.js';
import { t } from '../lib/i18n.js';
import { Dialog, Failure, html, useEffect, useLoad, useRef, useState } from '../lib/ui.js';

const shownMax = 50;

/** The contents of all pages that have a text, as commands that lead there. */
async function search(/** @type {string} */ text, /** @type {AbortSignal} */ signal) {
  const { value } = await get(['search'], { q: text, limit: 20 }, { signal });
  return value.results.map(({ page, section, item, matches }) => ({
    text: matches[0].text, detail: [page, section, item].filter(Boolean).join(' / '), isContent: true,
    run: () => {
      const way = ['pages', page, 'find', section, ...(item ? [item] : [])];
      location.hash = `#/${way.map(encodeURIComponent).join('/')}`;
    },
  }));
}

export function Palette(/** @type {{onClose: () => void}} */ { onClose }) {
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef();
  const [pages, failure, reload] = useLoad(allPages, []);
  // A source or a viewer of one page may not read them: then there are none.
  const [audiences] = useLoad(() => get(['audiences']).then(({ value }) => Object.keys(value.audiences), () => []), []);
  /** Whether Enter was pressed for a page before the pages were there. */
  const [isAwaited, setAwaited] = useState(false);
  const commands = [...offered(), ...(pages ?? []).map((/** @type {{id: string, title: string}} */ { id, title }) => ({
    text: t('Page {name}', { name: title }), detail: id,
    run: () => { location.hash = `#/pages/${encodeURIComponent(id)}`; },
  })), ...(audiences ?? []).map((name) => ({
    text: t('The audience {name}', { name }),
    run: () => { location.hash = `#/audiences/${encodeURIComponent(name)}`; },
  }))];
  /** @type {{text: string, list: import('../lib/commands.js').Command[]}} */
  const none = { text: '', list: [] };
  const [texts, setTexts] = useState(none);
  useEffect(() => {
    const wanted = text.trim();
    if (!isWord(wanted)) return undefined;
    const ending = new AbortController();
    // Behind the keys: whoever types on asks for nothing.
    const timer = setTimeout(() => {
      search(wanted, ending.signal).then((list) => setTexts({ text: wanted, list }), () => {});
    }, 200);
    return () => { clearTimeout(timer); ending.abort(); };
  }, [text]);
  // Texts come later than names, and so below them.
  const found = [...matching(commands, text).slice(0, shownMax), ...(texts.text === text.trim() ? texts.list : [])];
  const current = Math.min(at, Math.max(0, found.length - 1));
  const run = (/** @type {import('../lib/commands.js').Command|undefined} */ command) => {
    if (!command) return;
    onClose();
    // Once the dialog has given the focus back, so that what opens next may take it.
    setTimeout(() => follow(command));
  };
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (event.key in steps) {
      event.preventDefault();
      setAt((current + steps[event.key] + found.length) % Math.max(1, found.length));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (found.length === 0 && !pages) setAwaited(true); else run(found[current]);
    }
  };
  useEffect(() => { if (isAwaited && pages) run(found[0]); }, [isAwaited, pages]);
  useEffect(() => { list.current?.children[current]?.scrollIntoView({ block: 'nearest' }); }, [current]);
  const onInput = (/** @type {FieldEvent} */ event) => {
    setText(event.target.value);
    setAt(0);
    setAwaited(false);
  };
  return html`<${Dialog} title=${t('Go to…')} onClose=${onClose} size="small"><div class="body palette">
    <input
      type="text"
      role="combobox"
      aria-expanded="true"
      aria-controls="palette-list"
      aria-autocomplete="list"
      autofocus
      aria-activedescendant=${found.length > 0 ? `palette-${current}` : undefined}
      aria-label=${t('A page, a section, an action or any text')}
      placeholder=${t('A page, a section, an action or any text')}
      value=${text}
      onInput=${onInput}
      onKeyDown=${onKey} />
    <ul role="listbox" id="palette-list" ref=${list} aria-label=${t('Go to…')}>
      ${found.map((command, place) => html`<li
        key=${place}
        id="palette-${place}"
        role="option"
        aria-selected=${String(place === current)}
        onClick=${() => run(command)}>
        ${command.text} ${command.detail && html`<code>${command.detail}</code>`}</li>`)}</ul>
    ${failure && html`<${Failure} error=${failure} onRetry=${reload} />`}
    ${found.length === 0 && !failure && html`<p class="nothing" role="status">
      ${pages ? t('Nothing is called that.') : t('Loading…')}</p>`}
  </div><//>`;
}
