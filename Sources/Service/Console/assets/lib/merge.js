// Three-way merge of a section: settings by member, content by item and slot.
// What only one side changed is taken; what both changed is the operator's choice.

const text = (value) => JSON.stringify(value);

function entries(values) {
  const map = new Map();
  for (const [name, value] of Object.entries(values.settings)) map.set(`settings ${name}`, value);
  for (const item of values.content.items ?? []) map.set(`item ${item.id}`, item);
  map.set('order', (values.content.items ?? []).map((item) => item.id));
  for (const [name, value] of Object.entries(values.content.slots ?? {})) map.set(`slot ${name}`, value);
  return map;
}

/**
 * @returns {{rows: {key: string, mine: any, theirs: any, isConflict: boolean, choice: 'mine'|'theirs'}[]}}
 */
export function merge(base, mine, theirs) {
  const sides = [base, mine, theirs].map(entries);
  const keys = new Set(sides.flatMap((side) => [...side.keys()]));
  const rows = [];
  for (const key of keys) {
    const [before, own, other] = sides.map((side) => side.get(key));
    if (text(own) === text(other)) continue;
    const ownChanged = text(own) !== text(before);
    const otherChanged = text(other) !== text(before);
    rows.push({
      key, mine: own, theirs: other, isConflict: ownChanged && otherChanged && key !== 'order',
      choice: ownChanged ? 'mine' : 'theirs',
    });
  }
  return { rows };
}

function leaves(value, pointer = '', found = new Map()) {
  if (value === null || typeof value !== 'object' || JSON.isRawJSON?.(value) || Object.keys(value).length === 0) {
    if (value !== undefined) found.set(pointer, text(value));
    return found;
  }
  for (const [name, part] of Object.entries(value)) leaves(part, `${pointer}/${name}`, found);
  return found;
}

/** The places, as JSON pointers, at which two values differ, each with what stands there on either side. */
export function differingPlaces(left, right) {
  const sides = [leaves(left), leaves(right)];
  return [...new Set([...sides[0].keys(), ...sides[1].keys()])]
    .filter((pointer) => sides[0].get(pointer) !== sides[1].get(pointer))
    .map((pointer) => ({ pointer, left: sides[0].get(pointer), right: sides[1].get(pointer) }));
}

/** The section that the choices make. */
export function resolved(theirs, { rows }) {
  const chosen = entries(theirs);
  for (const { key, mine, choice } of rows) {
    if (choice !== 'mine') continue;
    if (mine === undefined) chosen.delete(key); else chosen.set(key, mine);
  }
  const settings = {};
  const slots = {};
  const items = new Map();
  for (const [key, value] of chosen) {
    const [what, ...rest] = key.split(' ');
    const name = rest.join(' ');
    if (what === 'settings') settings[name] = value;
    if (what === 'slot') slots[name] = value;
    if (what === 'item') items.set(name, value);
  }
  const order = (chosen.get('order') ?? []).filter((id) => items.has(id));
  const others = [...items.keys()].filter((id) => !order.includes(id));
  return { settings, content: { items: [...order, ...others].map((id) => items.get(id)), slots } };
}
