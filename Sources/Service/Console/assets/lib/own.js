// Which changes are one's own: those of this tab by their request ids, and those whose answer never came by what the
// audit tells of them.

/** The most that is remembered of either. */
const ownMax = 200;
/** How much earlier the server's clock may say that a change was made than it was sent, in milliseconds. */
const skew = 2000;

/** @type {Set<string>} the ids of the changes that this tab made last, as the audit names them */
const own = new Set();
/** @typedef {{path: string[], selector: string, at: number}} Try a change that was sent, by which token, and when */
/** @type {Try[]} those that no answer came to: each was made, or not */
let unanswered = [];

export function noteOwn(/** @type {string|null} */ id) {
  if (id) own.add(id);
  for (const first of own) if (own.size > ownMax) own.delete(first); else break;
}

/** Takes note of a change that no answer came to. */
export function noteUnanswered(/** @type {Try} */ sent) { unanswered = [...unanswered, sent].slice(-ownMax); }

/** What nobody who signs in next has made. */
export function forgetOwn() {
  own.clear();
  unanswered = [];
}

/** Publishing now or later, which is told apart from what is edited. */
const publishing = /^page\.(publish|rollback|schedule)/;

/**
 * @typedef {{id: number, at: string, actor: string, action: string, requestId?: string, token?: string, page?: string,
 *   section?: string, detail?: string}} Entry of the audit
 */

/** Whether an entry of the audit is of what was sent then, or of what the same token did there since. */
function isOf(/** @type {Entry} */ entry, /** @type {Try} */ { path, selector, at }) {
  const [area, page, part, section] = path;
  return area === 'pages' && entry.token === selector && Date.parse(entry.at) >= at - skew && entry.page === page
    && entry.section === (part === 'sections' ? section : undefined)
    && publishing.test(entry.action) === ['publish', 'rollback', 'scheduled'].includes(part);
}

/** Whether the audit tells of a change of one's own. */
export const isOwn = (/** @type {Entry} */ entry) =>
  own.has(entry.requestId ?? '') || unanswered.some((sent) => isOf(entry, sent));
