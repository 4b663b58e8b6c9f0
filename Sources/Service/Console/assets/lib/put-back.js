// Parts of a draft, put back as they are live.

import { put, remove } from './api.js';
import { isEqual } from './merge.js';
import { orderOf, woven } from './order.js';
import { formOf, pageSettingsOf, sectionIn } from './past.js';

export { woven as orderAround };

/** @typedef {import('./changes.js').State} State */

/** Which parts can be put back: an audience is that of every page that uses it. */
export const isPage = (/** @type {string} */ key) => !key.startsWith('audience:');

/**
 * A section: one that is new goes, one that is gone comes back, and another one gets the settings and the content that
 * differ.
 * @param {PageModel} model
 * @param {Draft} seen
 * @param {State} live
 * @param {string} id
 * @param {Once} once
 */
async function putSectionBack(model, seen, live, id, once) {
  const path = [...model.path, 'sections', id];
  const former = sectionIn(live, id);
  const present = seen.sections.find((section) => section.id === id);
  const tags = seen.sectionTags[id];
  if (!former) return void await remove(path, { ifMatch: tags.settings, once });
  if (!present) return void await model.makeAgain(former.section, former.rules, once);
  const { settings, content } = formOf(former.section);
  const own = formOf(present);
  if (!isEqual(own.settings, settings)) await put(path, settings, { ifMatch: tags.settings, once });
  if (!isEqual(own.content, content)) await put([...path, 'content'], content, { ifMatch: tags.content, once });
}

/** What a rule says of sections that a draft does not have is left out. */
const within = (/** @type {Draft} */ draft, /** @type {Record<string, number>} */ indices = {}) =>
  Object.fromEntries(Object.entries(indices).filter(([id]) => draft.sections.some((section) => section.id === id)));

/**
 * The page's own order, or another sort rule.
 * @param {PageModel} model
 * @param {State} live
 * @param {string} name
 * @param {string} tag
 * @param {Once} once
 */
async function putRuleBack(model, live, name, tag, once) {
  const path = [...model.path, 'sort-rules', name];
  const [former, present] = [live.sortRules?.[name], model.draft.sortRules[name]];
  if (!former) return void await remove(path, { ifMatch: tag, once });
  const own = name === 'default' ? present?.indices ?? {} : {};
  const body = { ...former, indices: { ...own, ...within(model.draft, former.indices) } };
  const answer = await put(path, body, present ? { ifMatch: tag, once } : { ifNoneMatch: '*', once });
  if (name !== 'default') return;
  // Of equal indices the order decides; what is new stands behind what it stands behind now.
  const wanted = live.sections.map(({ id }) => id).filter((id) => model.section(id));
  wanted.sort((left, right) => (body.indices[left] ?? 0) - (body.indices[right] ?? 0));
  const order = woven(wanted, orderOf(model.draft, name));
  await put([...model.path, 'order'], { sections: order, rule: name }, { ifMatch: answer.tag, once });
}

/**
 * Puts parts back as they are live, one after the other; says of each that could not be why.
 * @param {PageModel} model
 * @param {Draft} seen the draft that was looked at: what others changed since is left to them
 * @param {State} live the revision that is live
 * @param {string[]} keys
 * @param {Once} once
 * @returns {Promise<Map<string, unknown>>} what was refused, by its key
 */
export async function putBackLive(model, seen, live, keys, once) {
  /** @type {Map<string, unknown>} */
  const refused = new Map();
  const isOfOrder = (/** @type {string} */ key) => key === ':order' || key.startsWith('rule:');
  let tag = seen.orderTag;
  // Sections that come and go change the order, too: it is first, and each of its parts goes by what the last one made.
  for (const key of [...keys.filter(isOfOrder), ...keys.filter((key) => isPage(key) && !isOfOrder(key))]) {
    try {
      if (isOfOrder(key)) {
        await putRuleBack(model, live, key === ':order' ? 'default' : key.slice(5), tag, once);
        await model.reload();
        tag = model.draft.orderTag;
      } else if (key === ':settings') {
        await put(model.path, pageSettingsOf(live), { ifMatch: seen.settingsTag, once });
      } else await putSectionBack(model, seen, live, key, once);
    } catch (error) { refused.set(key, error); }
  }
  await model.reload();
  return refused;
}
