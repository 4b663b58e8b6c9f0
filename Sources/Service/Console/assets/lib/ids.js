// Ids of what is new: by chance, so that two operators never give one id to two things, and none is given again.

/** No vowels, so that no words come about, and nothing that looks like something else. */
const letters = '23456789bcdfghjkmnpqrstvwxz';
const count = 10;
/** The longest that an id may be: a section's. */
const longest = 64;

/** Of letters that are as likely as each other: 10 of 27 are one of 2·10¹⁴. */
export function randomTail() {
  let tail = '';
  while (tail.length < count) {
    for (const byte of crypto.getRandomValues(new Uint8Array(count))) {
      // What is left over of 256 would make the first letters likelier.
      if (byte < 256 - 256 % letters.length && tail.length < count) tail += letters[byte % letters.length];
    }
  }
  return tail;
}

const tail = new RegExp(`-([${letters}]{${count}}|\\d+)$`);

/**
 * An id that nothing has had, after what it is a copy of, or after its kind.
 * @param {string} name
 * @param {string} [end]
 */
export const newID = (name, end = randomTail()) => `${name.replace(tail, '').slice(0, longest - count - 1)}-${end}`;
