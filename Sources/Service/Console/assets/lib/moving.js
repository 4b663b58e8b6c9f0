// Items that go to another section, into a slot or out of it, where the kinds allow it: dragged, or by the keyboard.

import { get, put, remove } from './api.js';
import { t } from './i18n.js';
import { newID } from './ids.js';
import { idsIn } from './item.js';

/** @typedef {{section?: string, slot?: string, text: string}} Target another section, a slot of this one or its list */
/** @typedef {{editor: Editor, item: Item, from: string|null}} Dragged the item, and the slot that it is in */

/** @type {Dragged|null} what is dragged now: a browser tells nobody else before it is dropped */
let dragged = null;

export const dragging = {
  begin(/** @type {Dragged} */ what) { dragged = what; },
  end() { dragged = null; },
  get current() { return dragged; },
};

const kindOf = (/** @type {PageModel} */ model, /** @type {string} */ kind) => model.kinds.sectionKinds?.[kind] ?? {};
const isFull = (/** @type {{items?: {maximum?: number}}} */ kind, /** @type {Item[]|undefined} */ items) =>
  (items?.length ?? 0) >= (kind.items?.maximum ?? Infinity);

/** Whether another section takes an item into its list. */
export function takes(/** @type {PageModel} */ model, /** @type {string} */ id, /** @type {Item} */ item) {
  const section = model.section(id);
  const kind = kindOf(model, section?.kind ?? '');
  return Boolean(section) && (kind.items?.kinds ?? []).includes(item.kind) && !isFull(kind, section?.items)
    && model.rights.mayFill(model.page, id);
}

/**
 * Whether an empty slot of the section that is edited takes an item, or its list does.
 * @param {PageModel} model
 * @param {Dragged} dragged
 * @param {string|null} slot
 */
export function takesHere(model, { editor, item, from }, slot) {
  const { content, settings } = editor.values;
  const kind = kindOf(model, settings.kind);
  if (slot === from) return false;
  if (slot !== null) return (kind.slots?.[slot]?.kinds ?? []).includes(item.kind) && !content.slots?.[slot];
  return (kind.items?.kinds ?? []).includes(item.kind) && !isFull(kind, content.items);
}

/** Where an item may go. */
export function targetsOf(/** @type {PageModel} */ model, /** @type {Dragged} */ what) {
  const { editor, item } = what;
  const slots = Object.keys(kindOf(model, editor.values.settings.kind).slots ?? {});
  return /** @type {Target[]} */ ([
    ...(takesHere(model, what, null) ? [{ text: t('The list of this section') }] : []),
    ...slots.filter((slot) => takesHere(model, what, slot))
      .map((slot) => ({ slot, text: t('Slot {name}', { name: slot }) })),
    ...model.order.filter((id) => id !== editor.id && takes(model, id, item))
      .map((id) => ({ section: id, text: model.nameOf(id) })),
  ]);
}

/**
 * What makes an element take what is dragged: attributes for it.
 * @param {() => boolean|undefined|null} mayDrop
 * @param {() => void} drop
 */
export function dropPlace(mayDrop, drop) {
  const mark = (/** @type {On<DragEvent>} */ event, /** @type {boolean} */ isOver) =>
    event.currentTarget.classList.toggle('takes', isOver);
  return {
    onDragOver: (/** @type {On<DragEvent>} */ event) => {
      if (!mayDrop()) return;
      event.preventDefault();
      event.stopPropagation();
      mark(event, true);
    },
    onDragLeave: (/** @type {On<DragEvent>} */ event) => mark(event, false),
    onDrop: (/** @type {On<DragEvent>} */ event) => {
      mark(event, false);
      if (!mayDrop()) return;
      event.preventDefault();
      event.stopPropagation();
      drop();
      dragging.end();
    },
  };
}

/** Without the item, as it is typed now. */
function contentWithout(/** @type {SectionContent} */ content, /** @type {Dragged} */ { item, from }) {
  if (from === null) {
    return { ...content, items: (content.items ?? []).filter((other) => other.id !== item.id) };
  }
  const { [from]: _, ...slots } = content.slots ?? {};
  return { ...content, slots };
}

/**
 * Moves an item. Within its section that is an edit, to be saved; to another one it is done at once: there first, so
 * that nothing is lost when the second half fails.
 * @param {PageModel} model
 * @param {Dragged} what
 * @param {{section?: string, slot?: string|null}} target
 */
export async function moveItem(model, what, target) {
  const { editor, item, from } = what;
  if (target.section === undefined) {
    const rest = contentWithout(editor.values.content, what);
    const next = target.slot ? { ...rest, slots: { ...rest.slots, [target.slot]: item } }
      : { ...rest, items: [...(rest.items ?? []), item] };
    editor.set('content', next);
    return;
  }
  if (editor.isDirty) throw new Error(t('Save or discard your edits of this section first.'));
  const there = model.section(target.section);
  const taken = idsIn([
    ...(there?.items ?? []), ...Object.values(there?.slots ?? {}),
    ...(there?.header ? [there.header] : []), ...(there?.footer ? [there.footer] : []),
  ]);
  const id = taken.has(item.id) ? newID(item.id) : item.id;
  // As it is there now: a source may have filled it since.
  const here = /** @type {const} */ ([...model.path, 'sections', editor.id]);
  const { value, tag } = await get(from === null ? [...here, 'items', item.id] : [...here, 'content']);
  const content = /** @type {SectionContent} */ (value);
  const { id: _, ...body } = from === null ? /** @type {Item} */ (value) : content.slots?.[from] ?? item;
  await put([...model.path, 'sections', target.section, 'items', id], body);
  if (from === null) await remove([...here, 'items', item.id], { ifMatch: tag });
  else await put([...here, 'content'], contentWithout(content, what), { ifMatch: tag });
  await model.reload();
  await editor.refresh();
}
