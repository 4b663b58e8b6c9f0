// JSON whose numbers keep their text, written as the server writes it.

/** A number that JavaScript would spell otherwise, such as one of twenty digits. It counts as the nearest double. */
export class Decimal {
  /** @param {string} text */
  constructor(text) { this.text = text; }
  valueOf() { return Number(this.text); }
  toString() { return this.text; }
  toJSON() { return Number(this.text); }
}

/** Where such a number may stand. Finding it within a string as well costs time alone. */
const suspect = /(?:^|[:[,])\s*(?:-0(?![.\d])|-?(?:[\d.]{16}|0\.0{6}|\d[\d.]*[eE]))/;
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

/**
 * Reads JSON; text without such numbers is left to the engine.
 * @param {string} text
 * @returns {any}
 */
export function read(text) {
  if (!suspect.test(text)) return JSON.parse(text);
  let mark = '\\u0000';
  while (text.includes(mark)) mark += '#';
  const marked = text.replace(tokens, (token) =>
    token[0] === '"' || String(+token) === token ? token : `"${mark}${token}"`);
  const start = '\0' + mark.slice(6);
  return JSON.parse(marked, (_, value) => typeof value === 'string' && value.startsWith(start)
    ? new Decimal(value.slice(start.length)) : value);
}

/** A name by which JavaScript's order is that of its UTF-8 bytes. */
const inUTF8 = (/** @type {string} */ name) => name.replace(/[\ud800-\uffff]/g, (unit) =>
  String.fromCharCode(unit.charCodeAt(0) + (unit < '\ue000' ? 0x2000 : -0x800)));

/** The shape of what is not known here. */
const unknown = {};
/** @type {Map<object, Map<string, number>>} the places of a shape's members */
const places = new Map();

/**
 * The members' names in the order of a shape; those of an object that is data are in the order of their bytes.
 * What a newer server may add stays where it stands.
 * @param {any} object
 * @param {any} shape
 */
function namesOf(object, shape) {
  const names = Object.keys(object);
  if (!shape || shape.each) {
    names.sort();
    return names.some((name) => /[\ud800-\uffff]/.test(name))
      ? names.sort((left, right) => inUTF8(left) < inUTF8(right) ? -1 : 1) : names;
  }
  let order = places.get(shape);
  if (!order) places.set(shape, order = new Map(Object.keys(shape).map((name, place) => [name, place])));
  const found = names.map((name) => order?.get(name) ?? NaN);
  if (found.some((place, at) => place < found[at - 1]) && !found.some(Number.isNaN)) {
    names.sort((left, right) => Number(order?.get(left)) - Number(order?.get(right)));
  }
  return names;
}

/**
 * Writes JSON byte for byte as the server does.
 * @param {any} value
 * @param {any} [shape] the members of objects in their order, each with the shape of its value
 * @returns {string}
 */
export function write(value, shape) {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Decimal) return value.text;
  let text = '';
  if (Array.isArray(value)) {
    for (const element of value) text += (text && ',') + write(element, shape);
    return `[${text}]`;
  }
  for (const name of namesOf(value, shape)) {
    text += `${text && ','}${JSON.stringify(name)}:${
      write(value[name], shape && (shape.each ?? (Object.hasOwn(shape, name) ? shape[name] : unknown)))}`;
  }
  return `{${text}}`;
}
