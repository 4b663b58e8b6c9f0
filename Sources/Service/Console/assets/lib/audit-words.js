// What the audit tells beside an action. It is kept as English text, in a few forms; what is none of them is a name.

import { formatInstant, language, term } from './i18n.js';

/** @type {[form: RegExp, chinese: string][]} */
const forms = [
  [/^added (?<added>\[.*\]), changed (?<changed>\[.*\]), deleted (?<deleted>\[.*\])$/,
    '新增 {added}，修改 {changed}，删除 {deleted}'],
  [/^copy of (?<section>\S+)$/, '复制自“{section}”'],
  [/^from (?<from>\d+) to (?<to>\d+): (?<reason>.*)$/s, '由 {from} 升至 {to}：{reason}'],
  [/^(?<id>\d+) of (?<revision>\S+) until (?<until>\S+Z)$/, '{id}（{revision}），至 {until}'],
  [/^revision (?<number>\d+) at (?<at>\S+Z)(?<reason>.*)$/s, '修订 {number}，{at}{reason}'],
  [/^(?<sections>.+) at (?<at>\d{4}-\S+Z)(?<reason>.*)$/s, '{sections}，{at}{reason}'],
  [/^(?<old>[0-9a-f]{64}\.\w+) by (?<other>[0-9a-f]{64}\.\w+)$/, '{old} 换为 {other}'],
  [/^(?<old>[\w-]{8,}) to (?<renewed>[\w-]{8,})$/, '{old} 换为 {renewed}'],
  [/^(?<selector>[\w-]{8,}) (?<role>viewer|source|editor|publisher|admin) (?<name>.*)$/s, '{selector} {name}（{role}）'],
  [/^(?<count>\d+) more requests were refused while .*$/, '审计无法写入期间，另有 {count} 个请求被拒绝'],
  [/^(?<path>[A-Z]+ \/\S*): no token$/, '{path}：没有令牌'],
  [/^(?<path>[A-Z]+ \/\S*): no such token$/, '{path}：没有这个令牌'],
  [/^(?<path>[A-Z]+ \/\S*): the token has expired$/, '{path}：令牌已过期'],
  [/^(?<path>[A-Z]+ \/\S*): the token was revoked$/, '{path}：令牌已吊销'],
];

/** The details of an entry, in words; times are in the operator's zone. */
export function detailWords(detail = '') {
  const [form, chinese] = language === 'zh-Hans' ? forms.find(([each]) => each.test(detail)) ?? [] : [];
  const groups = form?.exec(detail)?.groups ?? {};
  const text = chinese?.replace(/\{(\w+)\}/g, (_, name) => name === 'role' ? term(groups.role) : groups[name]);
  return (text ?? detail).replace(/\b\d{4}-\d\d-\d\dT[\d:]+Z/g, (instant) => formatInstant(instant));
}
