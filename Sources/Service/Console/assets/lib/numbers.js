// Numbers as people type them: read where they can mean one thing only, and never rounded in silence.

import { language, t } from './i18n.js';

/** What is pasted along with a number, and says nothing: marks of direction, spaces of no width. */
const invisible = /[\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;
/** Half as wide as an input method may have made them; and signs that look like a minus. */
const plain = (/** @type {string} */ text) => text.replace(invisible, '')
  .replace(/[\uFF01-\uFF5E]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) - 0xFEE0))
  .replace(/[。｡]/g, '.').replace(/[−‐‑–﹣]/g, '-').trim();

/** How much of a text a message repeats. */
const shownMax = 40;
const shortened = (/** @type {string} */ text) =>
  [...text].length > shownMax ? `${[...text].slice(0, shownMax).join('')}…` : text;

/** The digits of a decimal number without zeros around them, and the power of ten that they are multiplied by. */
function decimalOf(/** @type {string} */ literal) {
  const [, sign, whole, part = '', power = '0'] =
    /** @type {RegExpExecArray} */ (/^(-?)(\d+)(?:\.(\d+))?(?:e\+?(-?\d+))?$/i.exec(literal));
  const digits = (whole + part).replace(/^0+/, '');
  const short = digits.replace(/0+$/, '');
  return short === '' ? { digits: '0', power: 0 }
    : { digits: sign + short, power: Number(power) - part.length + digits.length - short.length };
}

/**
 * The number that a literal of JSON says: as it is where a double cannot hold it, `null` where nothing can.
 * @param {string} literal
 */
function exactly(literal) {
  const value = Number(literal);
  const wanted = decimalOf(literal);
  if (!Number.isFinite(value)) return null;
  const held = decimalOf(String(value));
  if (held.digits === wanted.digits && held.power === wanted.power) return value + 0;
  return value === 0 ? null : JSON.rawJSON?.(literal) ?? null;
}

/** What a text with separators in other places than the language has them may mean, each as it would be clear. */
function guesses(/** @type {string} */ text) {
  const [, sign, digits] = /^([+-]?)\s*([\d.,'’\s]*\d)$/.exec(text) ?? [];
  if (digits === undefined) return [];
  const bare = digits.replace(/['’\s]/g, '');
  const commas = bare.split(',').length - 1;
  const points = bare.split('.').length - 1;
  const without = bare.replace(/[.,]/g, '');
  const isGrouped = /^\d{1,3}(\D\d{3})+$/.test(bare);
  const asPoint = bare.replace(',', '.');
  /** @type {string[]} */
  let found = [];
  if (commas + points === 0) found = [bare];
  else if (commas + points === 1) found = bare.startsWith('0') || bare !== digits ? [asPoint] : [asPoint, without];
  else if (commas === 0 || points === 0) found = isGrouped || /^\d+(,\d+)*$/.test(bare) ? [without] : [];
  else if (commas === 1 && bare.indexOf(',') > bare.lastIndexOf('.')) {
    found = [bare.replaceAll('.', '').replace(',', '.')];
  } else if (points === 1 && bare.indexOf('.') > bare.lastIndexOf(',')) found = [bare.replaceAll(',', '')];
  return found.map((each) => (sign === '-' ? '-' : '') + each.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '')
    .replace(/^0+(?=\d)/, ''));
}

/** The literal of JSON that a text says, where it says one without doubt. */
function literalOf(/** @type {string} */ text) {
  const [, sign, rest] = /^([+-]?)\s*(.*)$/s.exec(text) ?? [];
  if (rest === undefined) return null;
  // A space that breaks no line is a separator; any other may stand between two cells that were pasted.
  const grouped = /^[1-9]\d{0,2}((,\d{3})+|([\u00A0\u2009\u202F]\d{3})+)(\.\d*)?$/.test(rest);
  const simple = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(rest);
  // What a group of three digits ends in a zero may be thousands as other languages write them.
  if ((!grouped && !simple) || /^[1-9]\d{0,2}\.\d\d0$/.test(rest)) return null;
  const [whole, ...others] = rest.replace(/[,\s]/g, '').split(/(?=[.e])/i);
  const [part = '', power = ''] = others[0]?.startsWith('.') ? others : ['', ...others];
  return (sign === '-' ? '-' : '') + (whole.startsWith('.') ? `0${whole}` : whole.replace(/^0+(?=\d)/, ''))
    + (part === '.' ? '' : part) + power.toLowerCase();
}

/** Why a text is no number, and what would be one. */
function refusalOf(/** @type {string} */ typed, /** @type {string} */ text) {
  const clear = [...new Set(guesses(text))];
  if (clear.length === 0) {
    return t('“{text}” is no number. Write one such as 1290.5.', { text: shortened(typed) });
  }
  const choices = new Intl.ListFormat(language, { type: 'disjunction' }).format(clear);
  return t('“{text}” can be read in several ways. Write {choices}.', { text: shortened(typed), choices });
}

/** @typedef {{isWhole?: boolean, least?: number, most?: number}} Wanted */

/**
 * Reads a number that was typed: digits of any width, a comma or a space that breaks no line between groups of three,
 * and a point before decimals. What can be meant in two ways is refused, and so is what would have to be rounded to be
 * kept.
 * @param {string} typed
 * @param {Wanted} [wanted]
 * @returns {{value?: Numeric, reason?: string}} neither where nothing was typed
 */
export function readNumber(typed, wanted = {}) {
  const { isWhole = false, least, most } = wanted;
  const text = plain(typed);
  if (text === '') return {};
  const literal = literalOf(text);
  if (literal === null) return { reason: refusalOf(typed.trim(), text) };
  if (isWhole && decimalOf(literal).power < 0) {
    return { reason: t('This must be a whole number, without decimals.') };
  }
  const value = exactly(literal);
  if (value === null) {
    return { reason: t('“{text}” is more than can be kept. Write fewer digits.', { text: shortened(typed.trim()) }) };
  }
  const about = Number(literal);
  if ((least !== undefined && about < least) || (most !== undefined && about > most)) {
    return { reason: most === undefined ? t('This must be at least {least}.', { least })
      : least === undefined ? t('This must be at most {most}.', { most })
        : t('This must be from {least} to {most}.', { least, most }) };
  }
  return { value };
}

/** A bound, as near to it as numbers are counted with. */
export const nearest = (/** @type {Numeric|undefined} */ value) =>
  typeof value === 'object' ? Number(value.rawJSON) : value;

/** A number as a field shows it once it is left: what is read as the same number. */
export const writtenNumber = (/** @type {Content} */ value) => value === undefined || value === null ? ''
  : JSON.isRawJSON?.(value) ? value.rawJSON : typeof value === 'object' ? JSON.stringify(value) : String(value);
