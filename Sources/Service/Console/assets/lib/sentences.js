// What the server says, in the reader's language: each sentence by its code, over its values.

import { english } from './english-sentences.js';
import { formatInstant, language, spoken } from './i18n.js';
import { filled, named, number, placeZh } from './templates.js';
import { predicateWords } from './words.js';

/** @typedef {import('./templates.js').Writer} Writer */

/** @type {Record<string, Writer>|undefined} */
let chinese;

/** @type {Record<string, Record<string, Writer>>} every language's writers, by the sentences' codes */
export const writers = {
  en: english,
  /** Made once its words are there. */
  get 'zh-Hans'() {
    const tools = { formatInstant, named, number, placeZh, predicateWords };
    return chinese ??= spoken['zh-Hans']?.sentences?.(tools) ?? {};
  },
};

/**
 * A sentence in the reader's language.
 * @param {Sentence|undefined} sentence
 * @param {string} [text] what stands for it where there is no sentence, or one that a newer server has
 */
export function sentenceWords(sentence, text = '') {
  const write = sentence && writers[language][sentence.code];
  if (!write) return text;
  const { values: given } = sentence;
  try {
    return typeof write === 'string' ? filled(write, given)
      : write(/** @type {import('./templates.js').Values} */ (given));
  } catch { return text; }
}

/**
 * What is wrong at a place, in words.
 * @param {{detail: string, sentence?: Sentence}} problem
 */
export const problemWords = ({ detail, sentence }) => sentenceWords(sentence, detail);

/**
 * What changes, each in words.
 * @param {{summary?: string[], sentences?: Sentence[]}} changes
 * @param {(id: string) => string} nameOf of a section
 */
export const changeWords = ({ summary = [], sentences = [] }, nameOf) => summary.map((text, place) => {
  const sentence = sentences[place];
  const names = ['section', 'after'].filter((name) => typeof sentence?.values[name] === 'string')
    .map((name) => [name, nameOf(/** @type {string} */ (sentence.values[name]))]);
  return sentenceWords(sentence && { ...sentence, values: { ...sentence.values, ...Object.fromEntries(names) } }, text);
});

/**
 * What refuses a whole request, in each language by the code of its problem. What stands in English alone has no values
 * that a reader would have otherwise; of the rest the server's own sentence is as good.
 * @type {Record<string, Record<string, string | string[]>>}
 */
export const refusals = {
  en: {
    'invalid-content': ['Not taken, with {count|problem|problems}.'],
    stale: ['{changedBy} changed it at {changedAt}; read it again and decide.'],
  },
  get 'zh-Hans'() { return spoken['zh-Hans']?.refusals ?? {}; },
};

/**
 * Why a request was refused, in words.
 * @param {{code: string, message: string, body: ProblemDocument, status?: number}} problem
 */
export function refusalWords({ code, message, body, status }) {
  const isChinese = language === 'zh-Hans';
  for (const template of [refusals[language][code] ?? []].flat()) {
    try { return filled(template, { ...body, ...body.values }); } catch { /* The next has fewer values. */ }
  }
  return isChinese ? `服务器拒绝了请求（${code || status}）。` : message;
}
