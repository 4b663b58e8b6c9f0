// What differs between two phones, section by section.

import { write } from '../client/json.js';
import { movedSections } from '../lib/order.js';

const text = ({ index, ...section }) => write(section);

/** @returns {[Map<string, string>, Map<string, string>]} the marks of the first and of the second phone */
export function differences(first, second) {
  if (!first || !second) return [new Map(), new Map()];
  const sides = [first, second].map((payload) => new Map(payload.sections.map((section) => [section.id, text(section)])));
  const common = (mine, other) => [...mine.keys()].filter((id) => other.has(id));
  const moved = movedSections(common(sides[0], sides[1]), common(sides[1], sides[0]));
  return [[sides[0], sides[1]], [sides[1], sides[0]]].map(([mine, other]) => {
    const marks = new Map();
    for (const [id, section] of mine) {
      if (!other.has(id)) marks.set(id, 'new');
      else if (other.get(id) !== section) marks.set(id, 'changed');
      else if (moved.has(id)) marks.set(id, 'moved');
    }
    return marks;
  });
}
