// What the server says of a page, in the reader's language: each sentence by its code, over its values.

import { formatInstant, language, memberName } from './i18n.js';
import { predicateWords } from './words.js';

/**
 * @typedef {Record<string, any>} Values
 * @typedef {(values: Values) => string} Writer
 * @typedef {{code: string, values: Values}} Sentence
 */

/** @type {Map<string, any>} formats by their language and kind, which are slow to make */
const formats = new Map();

/** @type {<Format>(kind: string, make: (language: string) => Format) => Format} */
function formatOf(kind, make) {
  const name = `${language} ${kind}`;
  if (!formats.has(name)) formats.set(name, make(language));
  return formats.get(name);
}

const number = (/** @type {number} */ value) => formatOf('number', (name) => new Intl.NumberFormat(name)).format(value);
/** @type {(names: Iterable<string>, type?: 'conjunction'|'disjunction') => string} */
const list = (names, type = 'conjunction') =>
  formatOf(type, (name) => new Intl.ListFormat(name, { type })).format([...names].map(String));

/**
 * A number with the noun that goes with it.
 * @param {number} count
 * @param {Partial<Record<Intl.LDMLPluralRule, string>> & {other: string}} forms
 */
const counted = (count, forms) => {
  const rule = formatOf('plural', (name) => new Intl.PluralRules(name)).select(count);
  return `${number(count)} ${forms[rule] ?? forms.other}`;
};
const items = (/** @type {number} */ count) => counted(count, { one: 'item', other: 'items' });

/** Members of a content as the forms call them. */
const membersZh = (/** @type {string[]} */ members) => list(members.map((name) => memberName(name) ?? name));

/** Names, and how many there are beside them. */
const named = (/** @type {Values} */ { items: names, more }, /** @type {(count: number) => string} */ others) =>
  list(more > 0 ? [...names, others(more)] : names);
const values = (/** @type {any[]} */ allowed) =>
  allowed.map((value) => typeof value === 'string' ? value : JSON.stringify(value));

/** @type {Writer} */
const placeEn = ({ section, item, parent, slot, part, rule }) => {
  if (part === 'emptyState') return 'the empty state';
  if (rule) return `the rule ${rule}`;
  if (parent) return `${parent} in ${section}`;
  if (item) return `item ${item} in ${section}`;
  if (slot) return `the slot ${slot} of ${section}`;
  return part ? `the ${part} of ${section}` : section;
};
/** @type {Writer} */
const placeZh = ({ section, item, parent, slot, part, rule }) => {
  if (part === 'emptyState') return '空白页内容';
  if (rule) return `排序规则“${rule}”`;
  if (parent) return `“${section}”的“${parent}”`;
  if (item) return `“${section}”的条目“${item}”`;
  if (slot) return `“${section}”的插槽“${slot}”`;
  return part ? `“${section}”的${part === 'header' ? '页眉' : '页脚'}` : `“${section}”`;
};

/** When something shows, in the clocks of its zone. */
const timesEn = (/** @type {Values} */ { from, until, zone }) =>
  [from && `from ${formatInstant(from, zone)}`, until && `until ${formatInstant(until, zone)}`]
    .filter(Boolean).join(' ') || 'at all times';
const timesZh = (/** @type {Values} */ { from, until, zone }) =>
  [from && `自 ${formatInstant(from, zone)}`, until && `至 ${formatInstant(until, zone)}`]
    .filter(Boolean).join(' ') || '始终';

const noneEn = (/** @type {string[]} */ known) => known.length === 0 ? 'none' : list(known);
const noneZh = (/** @type {string[]} */ known) => known.length === 0 ? '无' : list(known);

/** @type {Record<string, Writer>} */
const english = {
  'page-made': ({ page, count }) =>
    `Made the page ${page} with ${counted(count, { one: 'section', other: 'sections' })}`,
  'page-renamed': ({ from, to }) => `Renamed the page from “${from}” to “${to}”`,
  'default-locale-changed': ({ from, to }) => `Changed the default locale from ${from} to ${to}`,
  'locale-added': ({ locale }) => `Added the locale ${locale}`,
  'locale-removed': ({ locale }) => `Removed the locale ${locale}`,
  'locales-ordered': ({ locales }) => `Put the locales in the order ${list(locales)}`,
  'poll-interval-changed': ({ from, to }) => `Changed the poll interval from ${number(from)} s to ${number(to)} s`,
  'empty-state-added': () => 'Added the empty state',
  'empty-state-removed': () => 'Removed the empty state',
  'audience-added': ({ name, audience }) => `Added the audience ${name}: ${predicateWords(audience)}`,
  'audience-redefined': ({ name, audience }) => `Changed the audience ${name}: ${predicateWords(audience)}`,
  'audience-removed': ({ name }) => `Removed the audience ${name}`,
  'kind-withheld': ({ family, kind, audience }) => `Withheld ${family}/${kind} from: ${predicateWords(audience)}`,
  'kind-lifted': ({ family, kind }) => `Lifted the withholding of ${family}/${kind}`,
  'rule-added': ({ rule, audience }) => `Added the rule ${rule}${audience ? `, for: ${predicateWords(audience)}` : ''}`,
  'rule-removed': ({ rule }) => `Removed the rule ${rule}`,
  'priority-changed': ({ rule, from, to }) => `Changed the priority of the rule ${rule} from ${from} to ${to}`,
  'rule-index-added': ({ section, rule, to }) => `Put ${section} at ${to} in the rule ${rule}`,
  'rule-index-changed': ({ section, rule, from, to }) => `Moved ${section} from ${from} to ${to} in the rule ${rule}`,
  'rule-index-removed': ({ section, rule }) => `Took ${section} off the rule ${rule}`,
  'section-added': ({ section, kind }) => `Added ${kind} ${section}`,
  'section-removed': ({ section }) => `Removed ${section}`,
  'section-moved': ({ section, from, to }) => `Moved ${section} from ${from} to ${to}`,
  'section-put': ({ section, after }) => `Put ${section} ${after ? `after ${after}` : 'first'} in the page’s own order`,
  'screen-changed': ({ members }) => `Changed the ${list(members)} of the screen`,
  'section-hidden': ({ section }) => `Hid ${section}`,
  'section-restored': ({ section }) => `Restored ${section}`,
  'section-renamed': ({ section, to }) => `Renamed ${section} to “${to}”`,
  'section-title-removed': ({ section }) => `Took the operators’ title off ${section}`,
  'loading-changed': ({ section, members }) => `Changed how the items of ${section} come: ${list(members)}`,
  'layout-changed': ({ section, members }) => `Changed the layout of ${section}: ${list(members)}`,
  'items-sorted': ({ section, by, descending }) =>
    `Sorted the items of ${section} by ${by}${descending ? ', the greatest first' : ''}`,
  'items-unsorted': ({ section }) => `Left the items of ${section} in the order they were put`,
  'part-added': ({ section, part }) => `Gave ${section} a ${part}`,
  'part-removed': (place) => `Removed ${placeEn(place)}`,
  'slot-filled': (place) => `Filled ${placeEn(place)}`,
  'slot-emptied': (place) => `Emptied ${placeEn(place)}`,
  'items-added': (given) =>
    `Added ${given.items.length + given.more === 1 ? 'item' : 'items'} ` +
    `${named(given, (more) => `${number(more)} more`)} to ${placeEn(given)}`,
  'items-removed': (given) =>
    `Removed ${given.items.length + given.more === 1 ? 'item' : 'items'} ` +
    `${named(given, (more) => `${number(more)} more`)} from ${placeEn(given)}`,
  'item-moved': ({ section, parent, item, from, to }) =>
    `Moved item ${item} in ${placeEn({ section, parent })} from place ${from} to ${to}`,
  'items-moved': ({ count, ...place }) => `Moved ${items(count)} in ${placeEn(place)}`,
  'items-changed': ({ count, ...place }) =>
    `Changed ${counted(count, { one: 'more item', other: 'more items' })} in ${placeEn(place)}`,
  'id-changed': (given) => `Changed the id of ${placeEn(given)} from ${given.from} to ${given.to}`,
  'kind-changed': (given) => `Changed the kind of ${placeEn(given)} from ${given.from} to ${given.to}`,
  'members-changed': ({ members, ...place }) => `Changed the ${list(members)} of ${placeEn(place)}`,
  'kept-on-top': (place) => `Kept ${placeEn(place)} on top`,
  'kept-on-top-no-more': (place) => `No longer kept ${placeEn(place)} on top`,
  'starts-expanded': (place) => `Made ${placeEn(place)} start expanded`,
  'starts-collapsed': (place) => `Made ${placeEn(place)} start collapsed`,
  'audience-limited': ({ audience, ...place }) => `Limited ${placeEn(place)} to: ${predicateWords(audience)}`,
  'audience-changed': ({ audience, ...place }) =>
    `Changed the audience of ${placeEn(place)} to: ${predicateWords(audience)}`,
  'audience-opened': (place) => `Opened ${placeEn(place)} to everyone`,
  scheduled: ({ schedule, ...place }) => `Scheduled ${placeEn(place)} ${timesEn(schedule)}`,
  rescheduled: ({ schedule, ...place }) => `Rescheduled ${placeEn(place)} ${timesEn(schedule)}`,
  'schedule-removed': (place) => `Took the schedule off ${placeEn(place)}`,

  'twice-on-page': ({ id }) => `“${id}” appears twice on the page.`,
  'ids-in-several-sections': ({ id, section, count }) =>
    `“${id}” of ${section} is the id of an item of another section too` +
    `${count > 1 ? `, as are ${count - 1} others on the page` : ''}; ` +
    'clients that tell items apart by their ids alone need other ones.',
  'twice-in-section': ({ id }) => `“${id}” appears twice in the section; header, footer, slots and children count.`,
  'too-many-sections': ({ most, count }) =>
    `There may be at most ${counted(most, { one: 'section', other: 'sections' })}, and there are ${number(count)}.`,
  'too-many-sort-rules': ({ most, count }) =>
    `There may be at most ${counted(most, { one: 'sort rule', other: 'sort rules' })}, and there are ${number(count)}.`,
  'too-many-items': ({ most, count }) => `There may be at most ${items(most)}, and there are ${number(count)}.`,
  'too-few-items': ({ least, count }) =>
    `There must be at least ${items(least)}, and there ${count === 1 ? 'is' : 'are'} ${number(count)}.`,
  'children-too-deep': ({ most }) =>
    `There may be at most ${counted(most, { one: 'level', other: 'levels' })} of children.`,
  'conditions-too-deep': ({ most }) => `The condition is nested deeper than ${number(most)} levels.`,
  'unknown-audience': ({ name, known }) => `There is no audience “${name}”; there are: ${noneEn(known)}.`,
  'circular-audience': ({ name }) => `The audience “${name}” refers to itself.`,
  'schedule-inside-out': ({ from, until }) =>
    `It begins at ${formatInstant(from)} and ends at ${formatInstant(until)}; put the earlier one first.`,
  'schedule-over': ({ until }) => `It ended at ${formatInstant(until)}; remove it, or give it a later end.`,
  'schedule-outside': (window) =>
    `It does not overlap the time at which what contains it is shown: ${timesEn(window)}.`,
  nobody: () => 'No client can be in this audience, because its conditions exclude each other.',
  'nobody-inside': () => 'No client can be in this audience and in the one around it; widen one of them.',
  'nobody-can-draw': () =>
    'The clients of its audience are too old for this kind, and it has no fallback that they can draw.',
  'required-slot-empty': ({ slot }) =>
    `The slot ${slot} is empty, and the kind requires it; the section stays off the page until it is filled.`,
  'unknown-section': ({ name }) =>
    `The page has no section “${name}”; remove it from the rule, or put the section back.`,
  'equal-priority': ({ rival, priority }) =>
    `${rival} has priority ${priority} as well, and a client can be in both audiences. ` +
    `${rival} wins because of its name; give one of them a higher priority.`,
  'several-pinned': ({ rival }) =>
    `${rival} is pinned as well, and a client can see both at once; one would cover the other.`,
  'image-without-size': () =>
    'The picture has no width and height, and the item has no aspect; the cell jumps when the picture loads.',
  'missing-locale': ({ locales, default: own }) =>
    `There is no value for ${list(locales)}; give one for ${own}, the page’s default, or for all others.`,
  'missing-label': ({ what }) =>
    `The ${what} has no text and no accessibility label; give it a label, or say that it is hidden as decoration.`,
  'low-contrast': ({ ratio, theme }) =>
    `The text has a contrast of ${ratio} to what is behind it in ${theme}, and WCAG AA asks for 4.5; ` +
    'make one darker or lighter.',
  'over-budget': ({ bytes, most }) =>
    `The page has ${counted(bytes, { one: 'byte', other: 'bytes' })} when compressed, ` +
    `and its budget is ${number(most)}; remove sections or items.`,
  'unknown-page': ({ name, known }) => `There is no page “${name}”; there are: ${noneEn(known)}.`,
  'unknown-section-of-page': ({ page, name, known }) =>
    `The page ${page} has no section “${name}”; there are: ${noneEn(known)}.`,
  'unknown-section-kind': ({ kind, known }) => `There is no section kind “${kind}”; declared are: ${noneEn(known)}.`,
  'unknown-item-kind': ({ kind, known }) => `There is no item kind “${kind}”; declared are: ${noneEn(known)}.`,
  'kind-not-taken': ({ kind, known }) => `The kind ${kind} is not taken here; taken are: ${noneEn(known)}.`,
  'items-not-taken': ({ kind }) => `The section kind ${kind} takes no items.`,
  'unknown-slot': ({ kind, slot, known }) =>
    `The section kind ${kind} has no slot “${slot}”; it has: ${noneEn(known)}.`,
  'action-required': ({ kind }) => `Items of the kind ${kind} need an action.`,
  'action-forbidden': ({ kind }) => `Items of the kind ${kind} take no action.`,

  false: () => 'This is not allowed here.',
  type: ({ allowed }) => `This must be of the type ${list(allowed, 'disjunction')}.`,
  enum: ({ allowed }) => `This must be ${list(values(allowed), 'disjunction')}.`,
  const: ({ allowed }) => `This must be ${list(values(allowed), 'disjunction')}.`,
  required: () => 'This is required.',
  additionalProperties: ({ known }) => `There is no such member here; there are: ${noneEn(known)}.`,
  minProperties: ({ least, count }) =>
    `There must be at least ${counted(least, { one: 'member', other: 'members' })}, not ${number(count)}.`,
  maxProperties: ({ most, count }) =>
    `There may be at most ${counted(most, { one: 'member', other: 'members' })}, not ${number(count)}.`,
  minItems: ({ least, count }) =>
    `There must be at least ${counted(least, { one: 'element', other: 'elements' })}, not ${number(count)}.`,
  maxItems: ({ most, count }) =>
    `There may be at most ${counted(most, { one: 'element', other: 'elements' })}, not ${number(count)}.`,
  uniqueItems: () => 'This appears twice.',
  minimum: ({ least, value }) => `This must be at least ${least}, not ${value}.`,
  maximum: ({ most, value }) => `This may be at most ${most}, not ${value}.`,
  exclusiveMinimum: ({ bound, value }) => `This must be above ${bound}, not ${value}.`,
  exclusiveMaximum: ({ bound, value }) => `This must be below ${bound}, not ${value}.`,
  multipleOf: ({ divisor, value }) => `This must be a multiple of ${divisor}, not ${value}.`,
  minLength: ({ least, count }) =>
    `This needs at least ${counted(least, { one: 'character', other: 'characters' })}, and has ${number(count)}.`,
  maxLength: ({ most, count }) =>
    `This takes at most ${counted(most, { one: 'character', other: 'characters' })}, and has ${number(count)}.`,
  pattern: ({ pattern }) => `This must match the pattern ${pattern}.`,
  format: ({ format }) => ({
    uri: 'This must be an address such as https://example.com/.',
    'date-time': 'This must be a time such as 2026-11-21T09:00:00Z.',
    date: 'This must be a day such as 2026-11-21.',
    email: 'This must be an e-mail address.',
  })[/** @type {string} */ (format)] ?? `This must be of the format ${format}.`,
  anyOf: () => 'This matches none of the alternatives.',
  oneOf: () => 'This must match exactly one of the alternatives.',
  not: () => 'This is what it must not be.',
  'x-localized': ({ name }) =>
    name ? `“${name}” is not a locale tag such as zh-Hans.` : 'There must be a value for at least one locale.',
};

/** @type {Record<string, Writer>} */
const chinese = {
  'page-made': ({ page, count }) => `新建页面“${page}”，含 ${number(count)} 个分区`,
  'page-renamed': ({ from, to }) => `页面由“${from}”更名为“${to}”`,
  'default-locale-changed': ({ from, to }) => `默认语言由 ${from} 改为 ${to}`,
  'locale-added': ({ locale }) => `新增语言 ${locale}`,
  'locale-removed': ({ locale }) => `移除语言 ${locale}`,
  'locales-ordered': ({ locales }) => `语言顺序改为 ${list(locales)}`,
  'poll-interval-changed': ({ from, to }) => `轮询间隔由 ${number(from)} 秒改为 ${number(to)} 秒`,
  'empty-state-added': () => '新增空白页内容',
  'empty-state-removed': () => '移除空白页内容',
  'audience-added': ({ name, audience }) => `新增受众“${name}”：${predicateWords(audience)}`,
  'audience-redefined': ({ name, audience }) => `受众“${name}”改为：${predicateWords(audience)}`,
  'audience-removed': ({ name }) => `移除受众“${name}”`,
  'kind-withheld': ({ family, kind, audience }) => `停用 ${family}/${kind}，对象：${predicateWords(audience)}`,
  'kind-lifted': ({ family, kind }) => `恢复 ${family}/${kind}`,
  'rule-added': ({ rule, audience }) => `新增排序规则“${rule}”${audience ? `，适用于：${predicateWords(audience)}` : ''}`,
  'rule-removed': ({ rule }) => `移除排序规则“${rule}”`,
  'priority-changed': ({ rule, from, to }) => `排序规则“${rule}”的优先级由 ${from} 改为 ${to}`,
  'rule-index-added': ({ section, rule, to }) => `在排序规则“${rule}”中将“${section}”放在 ${to}`,
  'rule-index-changed': ({ section, rule, from, to }) => `在排序规则“${rule}”中将“${section}”由 ${from} 移到 ${to}`,
  'rule-index-removed': ({ section, rule }) => `从排序规则“${rule}”中移出“${section}”`,
  'section-added': ({ section, kind }) => `新增分区“${section}”（${kind}）`,
  'section-removed': ({ section }) => `移除分区“${section}”`,
  'section-moved': ({ section, from, to }) => `“${section}”由 ${from} 移到 ${to}`,
  'section-put': ({ section, after }) => `在页面自身的顺序中，“${section}”${after ? `移到“${after}”之后` : '移到最前'}`,
  'screen-changed': ({ members }) => `修改整个页面的${membersZh(members)}`,
  'section-hidden': ({ section }) => `隐藏“${section}”`,
  'section-restored': ({ section }) => `恢复“${section}”`,
  'section-renamed': ({ section, to }) => `“${section}”更名为“${to}”`,
  'section-title-removed': ({ section }) => `移除“${section}”的运营标题`,
  'loading-changed': ({ section, members }) => `修改“${section}”内容项的加载方式：${membersZh(members)}`,
  'layout-changed': ({ section, members }) => `修改“${section}”的布局：${membersZh(members)}`,
  'items-sorted': ({ section, by, descending }) => `“${section}”的条目按 ${by} 排序${descending ? '，从大到小' : ''}`,
  'items-unsorted': ({ section }) => `“${section}”的条目恢复为放入时的顺序`,
  'part-added': (place) => `新增${placeZh(place)}`,
  'part-removed': (place) => `移除${placeZh(place)}`,
  'slot-filled': (place) => `填充${placeZh(place)}`,
  'slot-emptied': (place) => `清空${placeZh(place)}`,
  'items-added': (given) => `在${placeZh(given)}中新增条目 ${named(given, (more) => `另外 ${number(more)} 个`)}`,
  'items-removed': (given) => `从${placeZh(given)}中移除条目 ${named(given, (more) => `另外 ${number(more)} 个`)}`,
  'item-moved': ({ section, parent, item, from, to }) =>
    `${placeZh({ section, parent })}中的条目“${item}”由第 ${from} 位移到第 ${to} 位`,
  'items-moved': ({ count, ...place }) => `移动${placeZh(place)}中的 ${number(count)} 个条目`,
  'items-changed': ({ count, ...place }) => `修改${placeZh(place)}中的另外 ${number(count)} 个条目`,
  'id-changed': (given) => `${placeZh(given)}的标识由 ${given.from} 改为 ${given.to}`,
  'kind-changed': (given) => `${placeZh(given)}的类型由 ${given.from} 改为 ${given.to}`,
  'members-changed': ({ members, ...place }) => `修改${placeZh(place)}的${membersZh(members)}`,
  'kept-on-top': (place) => `将${placeZh(place)}置顶`,
  'kept-on-top-no-more': (place) => `取消${placeZh(place)}的置顶`,
  'starts-expanded': (place) => `${placeZh(place)}改为默认展开`,
  'starts-collapsed': (place) => `${placeZh(place)}改为默认收起`,
  'audience-limited': ({ audience, ...place }) => `${placeZh(place)}仅限：${predicateWords(audience)}`,
  'audience-changed': ({ audience, ...place }) => `${placeZh(place)}的受众改为：${predicateWords(audience)}`,
  'audience-opened': (place) => `${placeZh(place)}对所有人开放`,
  scheduled: ({ schedule, ...place }) => `为${placeZh(place)}设置排期：${timesZh(schedule)}`,
  rescheduled: ({ schedule, ...place }) => `${placeZh(place)}的排期改为：${timesZh(schedule)}`,
  'schedule-removed': (place) => `取消${placeZh(place)}的排期`,

  'twice-on-page': ({ id }) => `“${id}”在页面中出现了两次。`,
  'ids-in-several-sections': ({ id, section, count }) =>
    `“${section}”中条目的 ID “${id}”也出现在其他分区${count > 1 ? `，页面上另有 ${count - 1} 个类似的 ID` : ''}；只按 ID 区分条目的客户端需要不同的 ID。`,
  'twice-in-section': ({ id }) => `“${id}”在分区中出现了两次；页眉、页脚、插槽和子项都计入。`,
  'too-many-sections': ({ most, count }) => `最多 ${number(most)} 个分区，现有 ${number(count)} 个。`,
  'too-many-sort-rules': ({ most, count }) => `最多 ${number(most)} 条排序规则，现有 ${number(count)} 条。`,
  'too-many-items': ({ most, count }) => `最多 ${number(most)} 个条目，现有 ${number(count)} 个。`,
  'too-few-items': ({ least, count }) => `至少 ${number(least)} 个条目，现有 ${number(count)} 个。`,
  'children-too-deep': ({ most }) => `子项最多 ${number(most)} 层。`,
  'conditions-too-deep': ({ most }) => `条件嵌套超过 ${number(most)} 层。`,
  'unknown-audience': ({ name, known }) => `没有受众“${name}”；现有：${noneZh(known)}。`,
  'circular-audience': ({ name }) => `受众“${name}”引用了自身。`,
  'schedule-inside-out': ({ from, until }) => `开始于 ${formatInstant(from)}，结束于 ${formatInstant(until)}；请把较早的时间放在前面。`,
  'schedule-over': ({ until }) => `已于 ${formatInstant(until)} 结束；请移除，或改为更晚的结束时间。`,
  'schedule-outside': (window) => `与其所在部分的显示时间没有重叠：${timesZh(window)}。`,
  nobody: () => '没有客户端能属于此受众，因为其条件互相排斥。',
  'nobody-inside': () => '没有客户端能同时属于此受众与外层受众；请放宽其中之一。',
  'nobody-can-draw': () => '其受众的客户端版本过旧，无法绘制此类型，也没有可绘制的替代类型。',
  'required-slot-empty': ({ slot }) => `插槽“${slot}”为空，而此类型必须有它；填充之前，该分区不会出现在页面中。`,
  'unknown-section': ({ name }) => `页面没有分区“${name}”；请从规则中移除，或恢复该分区。`,
  'equal-priority': ({ rival, priority }) =>
    `“${rival}”的优先级也是 ${priority}，而客户端可能同时属于两个受众。“${rival}”因名称在前而生效；请提高其中之一的优先级。`,
  'several-pinned': ({ rival }) => `“${rival}”也固定在底部，客户端可能同时看到两者；其中一个会遮住另一个。`,
  'image-without-size': () => '图片没有宽和高，条目也没有宽高比；图片加载时单元格会跳动。',
  'missing-locale': ({ locales, default: own }) => `缺少 ${list(locales)} 的值；请为页面的默认语言 ${own} 或“其他”提供一个。`,
  'missing-label': ({ what }) => `${what === 'image' ? '图片' : '按钮'}没有文字，也没有无障碍标签；请添加标签，或注明它只是装饰。`,
  'low-contrast': ({ ratio, theme }) =>
    `${theme === 'dark' ? '深色' : '浅色'}模式下文字与背景的对比度为 ${ratio}，WCAG AA 要求 4.5；请调深或调浅其中之一。`,
  'over-budget': ({ bytes, most }) => `页面压缩后为 ${number(bytes)} 字节，预算为 ${number(most)} 字节；请移除一些分区或条目。`,
  'unknown-page': ({ name, known }) => `没有页面“${name}”；现有：${noneZh(known)}。`,
  'unknown-section-of-page': ({ page, name, known }) => `页面“${page}”没有分区“${name}”；现有：${noneZh(known)}。`,
  'unknown-section-kind': ({ kind, known }) => `没有分区类型“${kind}”；已声明：${noneZh(known)}。`,
  'unknown-item-kind': ({ kind, known }) => `没有条目类型“${kind}”；已声明：${noneZh(known)}。`,
  'kind-not-taken': ({ kind, known }) => `这里不接受类型“${kind}”；可用：${noneZh(known)}。`,
  'items-not-taken': ({ kind }) => `分区类型“${kind}”不接受条目。`,
  'unknown-slot': ({ kind, slot, known }) => `分区类型“${kind}”没有插槽“${slot}”；现有：${noneZh(known)}。`,
  'action-required': ({ kind }) => `类型“${kind}”的条目必须有动作。`,
  'action-forbidden': ({ kind }) => `类型“${kind}”的条目不能有动作。`,

  false: () => '这里不允许有内容。',
  type: ({ allowed }) => `类型必须是 ${list(allowed, 'disjunction')}。`,
  enum: ({ allowed }) => `必须是 ${list(values(allowed), 'disjunction')}。`,
  const: ({ allowed }) => `必须是 ${list(values(allowed), 'disjunction')}。`,
  required: () => '此项必填。',
  additionalProperties: ({ known }) => `这里没有这个成员；现有：${noneZh(known)}。`,
  minProperties: ({ least, count }) => `至少 ${number(least)} 个成员，现有 ${number(count)} 个。`,
  maxProperties: ({ most, count }) => `最多 ${number(most)} 个成员，现有 ${number(count)} 个。`,
  minItems: ({ least, count }) => `至少 ${number(least)} 个元素，现有 ${number(count)} 个。`,
  maxItems: ({ most, count }) => `最多 ${number(most)} 个元素，现有 ${number(count)} 个。`,
  uniqueItems: () => '重复出现。',
  minimum: ({ least, value }) => `不能小于 ${least}，现为 ${value}。`,
  maximum: ({ most, value }) => `不能大于 ${most}，现为 ${value}。`,
  exclusiveMinimum: ({ bound, value }) => `必须大于 ${bound}，现为 ${value}。`,
  exclusiveMaximum: ({ bound, value }) => `必须小于 ${bound}，现为 ${value}。`,
  multipleOf: ({ divisor, value }) => `必须是 ${divisor} 的倍数，现为 ${value}。`,
  minLength: ({ least, count }) => `至少 ${number(least)} 个字符，现有 ${number(count)} 个。`,
  maxLength: ({ most, count }) => `最多 ${number(most)} 个字符，现有 ${number(count)} 个。`,
  pattern: ({ pattern }) => `必须符合格式 ${pattern}。`,
  format: ({ format }) => ({
    uri: '必须是地址，例如 https://example.com/。', 'date-time': '必须是时间，例如 2026-11-21T09:00:00Z。', date: '必须是日期，例如 2026-11-21。',
    email: '必须是电子邮件地址。',
  })[/** @type {string} */ (format)] ?? `必须符合格式 ${format}。`,
  anyOf: () => '不符合任何一种可选形式。',
  oneOf: () => '必须恰好符合一种可选形式。',
  not: () => '这正是不允许的内容。',
  'x-localized': ({ name }) => name ? `“${name}”不是语言标签，例如 zh-Hans。` : '至少要有一种语言的值。',
};

/** @type {Record<string, Record<string, Writer>>} every language's writers, by the sentences' codes */
export const writers = { en: english, 'zh-Hans': chinese };

/**
 * A sentence in the reader's language.
 * @param {Sentence|undefined} sentence
 * @param {string} [text] what stands for it where there is no sentence, or one that a newer server has
 */
export function sentenceWords(sentence, text = '') {
  const write = sentence && writers[language][sentence.code];
  try { return write ? write(sentence.values) : text; } catch { return text; }
}

/**
 * What is wrong at a place, in words.
 * @param {{detail: string, sentence?: Sentence}} problem
 */
export const problemWords = ({ detail, sentence }) => sentenceWords(sentence, detail);

/**
 * What changes, each in words.
 * @param {{summary?: string[], sentences?: Sentence[]}} changes
 */
export const changeWords = ({ summary = [], sentences = [] }) =>
  summary.map((text, place) => sentenceWords(sentences[place], text));

/**
 * What refuses a whole request, by the code of its problem document.
 * @type {Record<string, (body: Values) => string>}
 */
const refusals = {
  'unknown-page': () => '没有这个页面，它可能已被删除。',
  'unknown-section': () => '没有这个分区，它可能已被删除。',
  'unknown-item': () => '没有这个条目，它可能已被删除。',
  'unknown-sort-rule': () => '没有这个排序规则，它可能已被删除。',
  'unknown-audience': () => '没有这个受众，它可能已被删除。',
  'unknown-revision': () => '没有这个修订，它可能已被清理。',
  'unknown-scheduled-publish': () => '没有这个定时发布：它已被取消，或已上线。',
  'unknown-token': () => '没有这个令牌，它可能已被吊销。',
  'not-found': () => '此路径下没有内容。',
  'invalid-name': () => '名称无效：以字母开头，最多 64 个字母、数字、点、下划线或短横线。',
  'invalid-content': ({ errors = [] }) => `内容有 ${number(errors.length)} 处错误。`,
  'invalid-order': () => '排序无效：每个分区必须恰好出现一次。',
  'not-publishable': ({ errors = [] }) => `页面无法上线：检查发现 ${number(errors.length)} 个错误。`,
  'content-too-large': () => '内容过大。',
  forbidden: () => '此令牌无权这样做。',
  'too-many-failures': () => '失败的请求过多，请稍后再试。',
  stale: ({ changedBy, changedAt }) => changedBy
    ? `${changedBy} 已于 ${formatInstant(changedAt)} 做了改动；请重新读取后再决定。`
    : '内容已有改动；请重新读取后再决定。',
  'precondition-required': () => '需要先读取内容，才能改动它。',
  'default-rule': () => '默认排序规则不能删除。',
  'history-cut': () => '数据库缺少已上线的内容：可能恢复了备份。在作出决定之前不会发布任何内容。',
  'asset-in-use': () => '此图片正在使用，不能删除。',
  'unknown-asset': () => '没有这张图片，它可能已被删除。',
  'assets-full': () => '图片的数量或总大小已达上限。',
  'assets-share-full': () => '此来源上传的图片已达其份额的上限。',
  'in-use': () => '此受众正在使用，不能删除。',
  'not-published': () => '页面或分区尚未上线，不能单独发布其中一部分；请先发布整个草稿。',
  'too-many-sections': () => '页面的分区数已达上限。',
  'too-many-sort-rules': () => '页面的排序规则数已达上限。',
  'too-many-audiences': () => '受众数已达上限。',
  'own-token': () => '令牌不能吊销自身；请使用其他令牌。',
  'idempotency-key-running': () => '同一请求正在处理中，请稍后再试。',
  'disk-full': () => '磁盘已满。没有任何改动。',
  'database-gone': () => '数据库文件被移除、移动、替换或覆盖。没有任何改动；请恢复该文件。',
  'database-unavailable': () => '数据库暂时无法使用。没有任何改动。',
  'handing-over': () => '服务器正在交接。没有任何改动，请稍后再试。',
  internal: () => '服务器出错。日志中记录了原因。',
};

/**
 * Why a request was refused, in words.
 * @param {{code: string, message: string, body: Values}} problem
 */
export const refusalWords = ({ code, message, body }) =>
  language === 'zh-Hans' ? refusals[code]?.(body) ?? message : message;
