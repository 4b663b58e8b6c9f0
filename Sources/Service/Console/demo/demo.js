// A page as a web app shows it: everything comes through the client that apps use.

import '/console/client/element.js';
import { html, render, useEffect, useMemo, useRef, useState } from '/console/vendor/preact.js';

const parameters = Object.fromEntries(new URLSearchParams(location.search));
const { page = 'home', wait = '25', ...attributes } = parameters;
const pollsMax = 50;
const source = `/?${new URLSearchParams(attributes)}`;

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

function Demo() {
  const [state, setState] = useState(null);
  const [polls, setPolls] = useState([]);
  const element = useRef();
  const settings = useMemo(() => {
    const tell = (poll) => setPolls((known) => [poll, ...known].slice(0, pollsMax));
    return { storage, fetch: watched(tell) };
  }, []);
  useEffect(() => element.current.addEventListener('state', ({ detail }) => setState(detail)), []);
  const { locale, platform, appVersion, bucket } = attributes;
  return html`<main class="demo">
    <hearth-page ref=${element} settings=${settings} src=${source} page=${page} wait=${Number(wait) || 0}
      aria-label="Home" role="region" />
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
        <button type="button" onClick=${() => element.current.refresh()}>Ask now</button>
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
