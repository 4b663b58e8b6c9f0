// What differs between two phones, section by section.

import { write } from '../client/json.js';
import { movedSections } from '../lib/order.js';

/** @type {WeakMap<object, string>} each section as text, which is made once */
const texts = new WeakMap();

function text(/** @type {Section} */ section) {
  const { index, ...rest } = section;
  if (!texts.has(section)) texts.set(section, write(rest));
  return texts.get(section) ?? '';
}

/** @returns {[Map<string, string>, Map<string, string>]} the marks of the first and of the second phone */
export function differences(/** @type {Payload|null} */ first, /** @type {Payload|null} */ second) {
  if (!first || !second) return [new Map(), new Map()];
  const sides = [first, second]
    .map((payload) => new Map(payload.sections.map((section) => [section.id, text(section)])));
  const common = (/** @type {Map<string, string>} */ mine, /** @type {Map<string, string>} */ other) =>
    [...mine.keys()].filter((id) => other.has(id));
  const moved = movedSections(common(sides[0], sides[1]), common(sides[1], sides[0]));
  const marksOf = (/** @type {Map<string, string>} */ mine, /** @type {Map<string, string>} */ other) => {
    /** @type {Map<string, string>} */
    const marks = new Map();
    for (const [id, section] of mine) {
      if (!other.has(id)) marks.set(id, 'new');
      else if (other.get(id) !== section) marks.set(id, 'changed');
      else if (moved.has(id)) marks.set(id, 'moved');
    }
    return marks;
  };
  return [marksOf(sides[0], sides[1]), marksOf(sides[1], sides[0])];
}
