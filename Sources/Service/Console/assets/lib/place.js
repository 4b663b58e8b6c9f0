// A place in what is edited, found again however the rest has changed since: elements by their ids, members by name.

/**
 * Where a pointer into what was there leads now.
 * @param {any} before what the pointer was made for
 * @param {any} now
 * @param {string} pointer
 * @returns {{pointer: string, was: any, is: any}|null} `null` when the place is gone, or in an item of another kind
 */
export function follow(before, now, pointer) {
  let [was, is, found] = [before, now, ''];
  for (const name of pointer.split('/').slice(1)) {
    if (was !== undefined && is === undefined) return null;
    let place = name;
    if (Array.isArray(was)) {
      if (!Array.isArray(is)) return null;
      const id = was[Number(name)]?.id;
      if (id !== undefined) place = String(is.findIndex((each) => each?.id === id));
      // Elements without ids are told apart by their number alone.
      else if (was.length !== is.length) return null;
      if (place === '-1') return null;
    }
    [was, is] = [was?.[name], is?.[place]];
    if (was?.kind !== is?.kind) return null;
    found += `/${place}`;
  }
  return { pointer: found, was, is };
}

/**
 * A copy with another value at a pointer.
 * @param {any} root
 * @param {string} pointer
 * @param {any} value
 * @returns {any}
 */
export function withAt(root, pointer, value) {
  const [, name, ...rest] = pointer.split('/');
  if (name === undefined) return value;
  const part = withAt(root?.[name], rest.map((each) => `/${each}`).join(''), value);
  return Array.isArray(root) ? root.with(Number(name), part) : { ...root, [name]: part };
}
