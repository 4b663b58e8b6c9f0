// A page as a web app shows it: everything comes through the client that apps use.

import { HearthClient } from '/console/client/index.js';
import { Lists } from '/console/client/lists.js';
import { html, render, useCallback, useEffect, useRef, useState } from '/console/vendor/preact.js';
import { Phone } from '/console/phone/phone.js';

const parameters = Object.fromEntries(new URLSearchParams(location.search));
const { page = 'home', wait = '25', ...attributes } = parameters;
const pollsMax = 50;
/** In points. */
const screen = 390;

/** Tells of each request what it brought; the bytes are those of the body on the way. */
const watched = (tell) => async (url, options) => {
  const started = performance.now();
  const { Prefer: preference = 'changes', 'If-None-Match': edition } = options.headers;
  const poll = { at: new Date(), asked: edition ? preference : 'the page' };
  try {
    const response = await fetch(url, options);
    const { headers } = response;
    tell({
      ...poll, status: response.status, bytes: Number(headers.get('Content-Length') ?? 0),
      coding: headers.get('Content-Encoding') ?? '', edition: headers.get('Hearth-Revision') ?? '',
      milliseconds: performance.now() - started,
    });
    return response;
  } catch (error) {
    const milliseconds = performance.now() - started;
    if (!options.signal.aborted) tell({ ...poll, status: 'none', bytes: 0, coding: '', edition: '', milliseconds });
    throw error;
  }
};

const key = `hearth.demo ${location.search}`;
const storage = { load: () => localStorage.getItem(key), save: (text) => localStorage.setItem(key, text) };

/** What an update did, in words. */
function wordsOf({ old, changes }) {
  if (!old) return 'the first page';
  const { deletes = [], inserts = [], moves = [], updates = [] } = changes.sections ?? {};
  const counts = { moved: moves.length, new: inserts.length, gone: deletes.length, changed: updates.length };
  return Object.entries(counts).filter(([, count]) => count > 0)
    .map(([word, count]) => `${count} ${word}`).join(', ') || 'nothing that shows';
}

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;
const placesOf = (root) => new Map([...root.querySelectorAll('.phone-section')]
  .map((node) => [node.dataset.id, node.getBoundingClientRect().top]));

/** Sections slide to their new places, new ones appear, and those that changed light up. */
function animate(root, before, { old, changes }) {
  if (isStill() || !old) return;
  const changed = new Set((changes.sections?.updates ?? []).map(({ at }) => old.sections[at].id));
  for (const node of root.querySelectorAll('.phone-section')) {
    const from = before.get(node.dataset.id);
    const distance = from === undefined ? 0 : from - node.getBoundingClientRect().top;
    if (from === undefined) node.animate([{ opacity: 0, transform: 'scale(.96)' }, {}], 350);
    if (distance !== 0) {
      node.animate([{ transform: `translateY(${distance}px)` }, {}], { duration: 450, easing: 'ease' });
    }
    if (changed.has(node.dataset.id)) {
      node.animate([{ outline: '3px solid #a63c17' }, { outline: '3px solid transparent' }], 1200);
    }
  }
}

function Demo() {
  const [state, setState] = useState(null);
  const [polls, setPolls] = useState([]);
  const root = useRef();
  const client = useRef();
  const lists = useRef();
  const places = useRef(new Map());
  useEffect(() => {
    const leaving = new AbortController();
    const tell = (poll) => setPolls((known) => [poll, ...known].slice(0, pollsMax));
    client.current = new HearthClient({
      server: location.origin, page, parameters: attributes, wait: Number(wait) || 0, storage, fetch: watched(tell),
    });
    lists.current = new Lists(client.current);
    (async () => {
      for await (const next of client.current.states(leaving.signal)) {
        places.current = placesOf(root.current);
        setState(next);
      }
    })();
    const onVisible = () => { if (!document.hidden) client.current.refresh(); };
    document.addEventListener('visibilitychange', onVisible);
    return () => { leaving.abort(); document.removeEventListener('visibilitychange', onVisible); };
  }, []);
  const more = useCallback((section) => lists.current.more(section.id), []);
  useEffect(() => { if (state?.update) animate(root.current, places.current, state.update); }, [state]);
  const { locale, platform, appVersion, bucket } = attributes;
  // A phone shows the whole of it, a little smaller.
  const zoom = Math.min(1, (document.documentElement.clientWidth - 24) / (screen + 20));
  return html`<main class="demo" ref=${root}>
    <${Phone} payload=${state?.page} screen=${screen} zoom=${zoom}
      room=${innerHeight - 48} label="Home" canDrag=${false}
      onSelect=${() => {}} onMore=${more} />
    <div>
      <h1>${page}</h1>
      <p role="status"><span class="state">${state?.name ?? 'noData'}</span>
        ${state?.error && html`: ${state.error.message}`}
        ${state?.update && html` · ${wordsOf(state.update)}`}</p>
      <form method="get">
        ${Object.entries({ page, locale, platform, appVersion, bucket, wait }).map(([name, value]) => html`<label
          key=${name}>${name}
          <input name=${name} value=${value ?? ''} size="8" disabled=${false} /></label>`)}
        <button onClick=${show}>Show</button>
        <button type="button" onClick=${() => client.current.refresh()}>Ask now</button>
      </form>
      <table>
        <thead><tr>
          <th>at</th><th>asked for</th><th>status</th><th class="number">bytes</th><th>coding</th><th>edition</th>
          <th class="number">ms</th>
        </tr></thead>
        <tbody>${polls.map((poll) => html`<tr>
          <td>${poll.at.toLocaleTimeString()}</td><td>${poll.asked}</td><td>${poll.status}</td>
          <td class="number">${poll.bytes}</td><td>${poll.coding}</td><td>${poll.edition}</td>
          <td class="number">${Math.round(poll.milliseconds)}</td>
        </tr>`)}</tbody>
      </table>
    </div>
  </main>`;
}

/** An attribute that is not sent differs from an empty one; no form is sent, as the page's policy has it. */
function show(event) {
  event.preventDefault();
  const fields = [...new FormData(event.currentTarget.form)].filter(([, value]) => value !== '');
  location.search = String(new URLSearchParams(fields));
}

render(html`<${Demo} />`, document.querySelector('#demo'));
