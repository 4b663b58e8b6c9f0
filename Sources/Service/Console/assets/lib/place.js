// A place in what is edited, found again however the rest has changed since: elements by their ids, members by name.

import { memberOf, objectOf } from './members.js';
import { isEqual } from './merge.js';

/** The place of an element by its id, which may have been typed anew. */
function placeOf(/** @type {Value} */ id, /** @type {Value[]} */ was, /** @type {Value[]} */ is, at = 0) {
  const place = is.findIndex((each) => objectOf(each).id === id);
  const isRenamed = place < 0 && was.length === is.length && was.every((each, number) =>
    number === at || objectOf(each).id === objectOf(is[number]).id);
  return isRenamed ? at : place;
}

/**
 * Where a pointer into what was there leads now.
 * @param {Content} before what the pointer was made for
 * @param {Content} now
 * @param {string} pointer
 * @returns {{pointer: string, was: Content, is: Content}|null} `null` when the place is gone, or in an
 *   item of another kind
 */
export function follow(before, now, pointer) {
  let [was, is, found] = [before, now, ''];
  for (const name of pointer.split('/').slice(1)) {
    if (was !== undefined && is === undefined) return null;
    let place = name;
    if (Array.isArray(was)) {
      if (!Array.isArray(is)) return null;
      const { id } = objectOf(was[Number(name)]);
      if (id !== undefined) place = String(placeOf(id, was, is, Number(name)));
      // Elements without ids are told apart by their number alone.
      else if (was.length !== is.length) return null;
      if (place === '-1') return null;
    }
    [was, is] = [memberOf(was, name), memberOf(is, place)];
    if (objectOf(was).kind !== objectOf(is).kind) return null;
    found += `/${place}`;
  }
  return { pointer: found, was, is };
}

const isObject = (/** @type {unknown} */ value) => value !== null && typeof value === 'object';

/**
 * Texts that were typed where a value belongs, and are none, at the places that they are of now. Those are gone whose
 * place is gone, or was given another value since.
 * @template {{pointer: string}} Text
 * @param {Content} before what they were typed into
 * @param {Content} now
 * @param {Iterable<Text>} texts
 * @returns {Text[]}
 */
export function carriedTexts(before, now, texts) {
  return [...texts].flatMap((text) => {
    // What stands for the whole counts instead of it.
    if (text.pointer === '') return text;
    const found = follow(before, now, text.pointer);
    const around = follow(before, now, text.pointer.slice(0, text.pointer.lastIndexOf('/')));
    const isThere = found && isEqual(found.was, found.is) && (!isObject(around?.was) || isObject(around?.is));
    return isThere ? { ...text, pointer: found.pointer } : [];
  });
}

/**
 * A copy with another value at a pointer.
 * @param {Content} root
 * @param {string} pointer
 * @param {Content} value
 * @returns {Content}
 */
export function withAt(root, pointer, value) {
  const [, name, ...rest] = pointer.split('/');
  if (name === undefined) return value;
  const part = withAt(memberOf(root, name), rest.map((each) => `/${each}`).join(''), value);
  return Array.isArray(root) ? root.with(Number(name), part ?? null) : { ...objectOf(root), [name]: part };
}
