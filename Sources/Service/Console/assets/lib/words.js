// Predicates and sections in words, for lists and notes; the form of a predicate is in forms/predicate.js.

import { oldIn } from './conditions.js';
import { sideBySide, t } from './i18n.js';

const listed = (/** @type {Content} */ value) => sideBySide([value].flat());

function comparisonWords(/** @type {Joined} */ { attribute, ...rest }) {
  const [operator, value] = Object.entries(rest)[0] ?? [];
  switch (operator) {
    case 'in': return [value].flat().length === 1 ? t('{attribute} is {value}', { attribute, value: listed(value) })
      : t('{attribute} is one of {value}', { attribute, value: listed(value) });
    case 'notIn': return t('{attribute} is none of {value}', { attribute, value: listed(value) });
    case 'atLeast': return t('{attribute} is at least {value}', { attribute, value });
    case 'below': return t('{attribute} is below {value}', { attribute, value });
    case 'between': {
      // Anything can be typed as JSON.
      const [from, to] = Array.isArray(value) ? value : [];
      return t('{attribute} is from {from} to {to}', { attribute, from, to });
    }
    case 'matches': return t('{attribute} begins with {value}', { attribute, value });
    default: return JSON.stringify({ attribute, ...rest });
  }
}

/**
 * Who a predicate is for.
 * @param {Predicate|undefined} value
 * @param {boolean} [isInner] whether it stands among others
 * @returns {string}
 */
export function predicateWords(value, isInner = false) {
  if (value === undefined || value === null) return t('Everyone');
  const joined = (/** @type {Predicate[]} */ parts, /** @type {string} */ word) => {
    const text = parts.map((part) => predicateWords(part, parts.length > 1)).join(` ${word} `);
    return isInner && parts.length > 1 ? `(${text})` : text;
  };
  if (typeof value === 'string') return t('the audience {name}', { name: value });
  if (value.audience !== undefined) return t('the audience {name}', { name: value.audience });
  const old = oldIn(value);
  if (old) return t('all but {platforms} below {version}', { platforms: listed(old.platforms), version: old.below });
  if (Array.isArray(value.all)) return joined(value.all, t('and'));
  if (Array.isArray(value.any)) return joined(value.any, t('or'));
  if (value.not !== undefined) return t('not {condition}', { condition: predicateWords(value.not, true) });
  return comparisonWords(value);
}

/** What operators call a section: its title, or that of its kind. */
/** @type {(section: Pick<Section, 'kind'|'title'>|null|undefined, kinds: Kinds, id: string) => string} */
export const sectionName = (section, kinds, id) =>
  section?.title ?? kinds.sectionKinds?.[section?.kind ?? '']?.title ?? id;

/** Kinds, each with what operators call it. */
export const titlesOf = (/** @type {Record<string, {title?: string}>|undefined} */ kinds = {}) =>
  Object.entries(kinds).map(([name, { title }]) => [name, title ?? name]);

/**
 * What operators call a section of a draft.
 * @param {{sections: Section[]}|null} draft
 * @param {Kinds} kinds
 * @param {string} id
 * @returns {string}
 */
export function nameIn(draft, kinds, id) {
  return sectionName(draft?.sections.find((each) => each.id === id), kinds, id);
}

/** The names that several have, which do not tell one from another. */
export function repeatedIn(/** @type {string[]} */ names) {
  const seen = new Set();
  return new Set(names.filter((name) => seen.size === seen.add(name).size));
}
