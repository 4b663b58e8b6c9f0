// Where a caret stands once the text around it has changed.

/** @param {string} text */
const bare = (text) => text.replace(/\s/g, '');

/** How far two texts are the same from their beginnings. */
function commonLength(/** @type {string} */ left, /** @type {string} */ right) {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

/** The place in a text behind so many characters that are no white space. */
function placeBehind(/** @type {string} */ text, /** @type {number} */ count) {
  let place = 0;
  for (let left = count; left > 0 && place < text.length; place += 1) if (/\S/.test(text[place])) left -= 1;
  return place;
}

/**
 * The place in the new text that a place in the old one has become: as far from the beginning, or from the end, as the
 * texts agree there, else in the line that it is in; white space counts only where it is the same as well.
 * @param {string} old
 * @param {string} text
 * @param {number} place
 */
export function placeIn(old, text, place) {
  if (text.startsWith(old.slice(0, place))) return place;
  if (text.endsWith(old.slice(place))) return text.length - (old.length - place);
  const [before, after, now] = [bare(old.slice(0, place)), bare(old.slice(place)), bare(text)];
  if (now.startsWith(before)) return placeBehind(text, before.length);
  if (now.endsWith(after)) return placeBehind(text, now.length - after.length);
  const start = old.lastIndexOf('\n', place - 1) + 1;
  const [line] = old.slice(start).split('\n', 1);
  if (text.includes(line)) return text.indexOf(line) + place - start;
  return placeBehind(text, commonLength(before, now));
}
