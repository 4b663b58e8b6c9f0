// What a text of JSON has twice: a parser takes the last, and says nothing of the first.

/**
 * The first member that an object of the text has twice, and where it stands again; `null` when there is none.
 * @param {string} text which is JSON
 * @returns {{name: string, line: number, column: number}|null}
 */
export function repeatedMember(text) {
  /** @type {(Set<string>|null)[]} the names in each object that is open, `null` for a list */
  const open = [];
  for (const { 0: token, index } of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?|[[\]{}]/g)) {
    const names = open.at(-1);
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : null);
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) {
      const name = JSON.parse(token.slice(0, -1));
      if (names?.has(name)) {
        const lines = text.slice(0, index).split('\n');
        return { name, line: lines.length, column: /** @type {string} */ (lines.at(-1)).length + 1 };
      }
      names?.add(name);
    }
  }
  return null;
}

/**
 * Whether a value has members; a number that is kept with its digits has none.
 * @param {unknown} value
 * @returns {value is Members}
 */
export const isObject = (value) =>
  value !== null && typeof value === 'object' && !Array.isArray(value) && !JSON.isRawJSON?.(value);

/** The members of an object; none of what is no object. */
export const objectOf = (/** @type {Content} */ value) => isObject(value) ? value : {};

/**
 * The member of an object by a name, or the element of a list by its number.
 * @param {Content} value
 * @param {string} name
 */
export const memberOf = (value, name) => Array.isArray(value) ? value[Number(name)] : objectOf(value)[name];
