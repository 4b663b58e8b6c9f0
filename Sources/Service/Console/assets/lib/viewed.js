// What a page's view shows, kept over a reload in the entry that the tab's history has of it.

/**
 * @typedef {object} View
 * @property {string} page
 * @property {string|null} section the open one
 * @property {string|null} at the time that the phones show
 * @property {string} [zone] whose clocks say it
 * @property {string} compare
 * @property {Record<string, string>[]} clients
 */

let isTaken = false;
let written = '';

/**
 * What was shown of a page when the tab was loaded anew: the first view of a page asks for it, and gets it once.
 * @param {string} page
 * @returns {View|null}
 */
export function viewBefore(page) {
  if (isTaken) return null;
  isTaken = true;
  const view = history.state?.view;
  return view?.page === page && Array.isArray(view.clients) && view.clients.length === 2 ? view : null;
}

/** Keeps what is shown. */
export function keepView(/** @type {View} */ view) {
  const text = JSON.stringify(view);
  // A browser takes some hundred a minute, and a key typed changes nothing of it.
  if (text === written && history.state?.view) return;
  written = text;
  history.replaceState({ ...history.state, view }, '');
}
