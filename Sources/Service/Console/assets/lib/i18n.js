// English is the key; a dictionary translates it.

import { browserStorage } from './storage.js';

const key = 'hearth.language';

const englishTerms = {
  beforeTime: 'not yet: its schedule begins later', afterTime: 'no more: its schedule is over',
  expired: 'its source has not confirmed its content for too long',
  hidden: 'hidden by an operator', empty: 'it has nothing to show', audience: 'this client is not of its audience',
  capability: 'this client cannot draw its kind', kindWithheld: 'its kind is withheld from this client',
  requiredSlotEmpty: 'a slot that its kind requires is empty',
  appears: 'appears', disappears: 'disappears', applies: 'applies', ends: 'ends',
  viewer: 'viewer', source: 'source', editor: 'editor', publisher: 'publisher', admin: 'admin',
  publish: 'publish', withheld: 'kind withheld or lifted', rollback: 'roll back', content: 'content', kinds: 'kinds',
};
/** @typedef {Record<string, string>} Words */
/**
 * @typedef {object} Spoken the words of a language
 * @property {Words} texts
 * @property {Words} terms
 * @property {Words} members
 * @property {typeof import('./chinese-sentences.js').chineseSentences} [sentences] what the server says
 * @property {Record<string, string|string[]>} [refusals]
 */
/** @type {Record<string, Spoken>} what is there of each language by now */
export const spoken = { en: { texts: {}, terms: englishTerms, members: {} } };

/** @type {Record<string, string>} */
export const languages = { en: 'English', 'zh-Hans': '简体中文' };

/** Brings the words of a language, which most do not need. */
export async function fetchLanguage(/** @type {string} */ name) {
  if (spoken[name]) return;
  const { chinese, chineseMembers, chineseRefusals, chineseSentences, chineseTerms } = await import('./chinese.js');
  spoken[name] = {
    texts: chinese, terms: chineseTerms, members: chineseMembers, sentences: chineseSentences,
    refusals: chineseRefusals,
  };
}

export let language = browserStorage.get(key) ?? (navigator.language.startsWith('zh') ? 'zh-Hans' : 'en');
if (!languages[language]) language = 'en';
// Before anything is drawn; without the words, in English.
await fetchLanguage(language).catch(() => { language = 'en'; });
document.documentElement.lang = language;

/** Speaks a language whose words are there. */
export function setLanguage(/** @type {string} */ name) {
  language = name;
  browserStorage.set(key, name);
  document.documentElement.lang = name;
}

/**
 * The text in the operator's language; `{name}` stands for a value.
 * @param {string} text
 * @param {Record<string, unknown>} [values]
 */
export function t(text, values = {}) {
  const translated = spoken[language].texts[text] ?? text;
  return translated.replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/** Sentences one after the other, as the language sets them: Chinese has no space behind a full stop. */
export const joinSentences = (/** @type {(string|false|null|undefined)[]} */ sentences) =>
  sentences.filter(Boolean).join(language === 'zh-Hans' ? '' : ' ');

/** Names side by side, as the language separates them. */
export const sideBySide = (/** @type {readonly unknown[]} */ names) => names.join(language === 'zh-Hans' ? '、' : ', ');

/** One of a closed list of the API's words, as operators read it. */
export const term = (/** @type {string} */ word) => spoken[language].terms[word] ?? word;

/**
 * What a member of a content is called in the operator's language, where it is known.
 * @type {(name: string) => string|undefined}
 */
export const memberName = (name) =>
  Object.hasOwn(spoken[language].members, name) ? spoken[language].members[name] : undefined;

/** What a locale's language is called. */
export function languageName(/** @type {string} */ tag) {
  try { return new Intl.DisplayNames(language, { type: 'language' }).of(tag) ?? tag; } catch { return tag; }
}

/** @type {Map<string, Intl.DateTimeFormat>} by what each is for: a browser takes long to make one */
const formats = new Map();

/** @type {Intl.DateTimeFormatOptions} never without the zone */
const instantStyle = {
  year: 'numeric', month: 'short', day: 'numeric',
  hour: 'numeric', minute: '2-digit', second: '2-digit', timeZoneName: 'short',
};

/**
 * An instant in words, in a zone (the operator's own when none is given), with the zone's name.
 * @param {string|undefined} text
 * @param {string} [zone]
 */
export function formatInstant(text, zone, style = instantStyle) {
  if (!text) return '';
  const name = `${language} ${zone} ${JSON.stringify(style)}`;
  let format = formats.get(name);
  if (!format) {
    try { format = new Intl.DateTimeFormat(language, { ...style, timeZone: zone }); } catch {
      format = new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' });
    }
    formats.set(name, format);
  }
  const parts = format.formatToParts(new Date(text));
  const zoneName = parts.find(({ type }) => type === 'timeZoneName');
  const words = (/** @type {Intl.DateTimeFormatPart[]} */ of) => of.map(({ value }) => value).join('');
  if (language !== 'zh-Hans' || !zoneName) return words(parts);
  // Chinese would have the zone between the day and the hour, where nobody reads it as one time.
  return `${words(parts.filter((part) => part !== zoneName)).replace(/\s+/g, ' ').trim()} ${zoneName.value}`;
}

/**
 * An instant as a local time of a zone, the form that `datetime-local` takes.
 * @param {string|undefined} text
 * @param {string} zone
 */
export function localTime(text, zone) {
  if (!text) return '';
  const format = formats.get(zone) ?? new Intl.DateTimeFormat('en-CA', {
    timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit',
    minute: '2-digit', second: '2-digit',
  });
  formats.set(zone, format);
  const parts = Object.fromEntries(format.formatToParts(new Date(text)).map(({ type, value }) => [type, value]));
  const seconds = parts.second === '00' ? '' : `:${parts.second}`;
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}${seconds}`;
}

/** A time as a zone's clocks show it: what has no distance from UTC is a local time already. */
export const localOf = (/** @type {string|undefined} */ text, /** @type {string} */ zone) =>
  /Z$|[+-]\d\d:\d\d$/.test(text ?? '') ? localTime(text, zone) : text ?? '';

/** How far a zone's clocks are ahead of UTC at an instant, all in milliseconds. */
export const ahead = (/** @type {number} */ instant, /** @type {string} */ zone) =>
  Date.parse(`${localTime(new Date(instant).toISOString(), zone)}Z`) - instant;

/**
 * The instants at which a zone's clocks show a local time, in their order: none where they are put forward past it, two
 * where they are put back over it.
 * @param {string} local as `datetime-local` has it
 * @param {string} zone
 */
function instantsIn(local, zone) {
  const wanted = Date.parse(`${local}Z`);
  if (Number.isNaN(wanted)) return [];
  // The zone's clocks a day before and after know both distances from UTC that may hold.
  const found = [-86_400_000, 86_400_000].map((away) => wanted - ahead(wanted + away, zone));
  return [...new Set(found)].filter((instant) => instant + ahead(instant, zone) === wanted)
    .map((instant) => new Date(instant).toISOString().replace('.000', '')).sort();
}

/** The instant at which a zone's clocks show a local time, the first of two as for the server; `null` without any. */
export const instantIn = (/** @type {string} */ local, /** @type {string} */ zone) =>
  instantsIn(local, zone)[0] ?? null;

/** Why a local time cannot be meant: a zone's clocks never show it. */
export const skippedWords = (/** @type {string} */ local, /** @type {string} */ zone) =>
  Date.parse(`${local}Z`) && !instantIn(local, zone)
    ? t('There is no {time} in {zone}: the clocks are put forward past it. Choose another time.', {
      time: local.replace('T', ' '), zone,
    }) : null;

/** Which one is meant where a zone's clocks show a time twice. */
export function twiceWords(/** @type {string|undefined} */ text, /** @type {string} */ zone) {
  const local = localOf(text, zone);
  const [first, second] = instantsIn(local, zone);
  if (!second) return null;
  const number = text === second ? 2 : 1;
  return t('The clocks show {time} twice in {zone}: time {number} of 2 is meant, {instant}.', {
    time: local.replace('T', ' '), zone, number, instant: formatInstant(number === 2 ? second : first, zone),
  });
}

export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC';

/** Names that browsers still list by what they were called before. */
/** @type {Record<string, string>} */
const renamed = {
  'Asia/Saigon': 'Asia/Ho_Chi_Minh', 'Asia/Calcutta': 'Asia/Kolkata', 'Asia/Katmandu': 'Asia/Kathmandu',
  'Asia/Rangoon': 'Asia/Yangon', 'Europe/Kiev': 'Europe/Kyiv',
};
const known = new Set([
  ownZone, 'UTC', ...Intl.supportedValuesOf('timeZone').map((/** @type {string} */ zone) => renamed[zone] ?? zone),
]);

/** What a zone is called now. */
export const zoneName = (/** @type {string} */ zone) => renamed[zone] ?? zone;
/** The names of all zones. */
export const zoneNames = () => [...known];

/** The zones to choose from, one that is in use already among them. */
export const zonesWith = (/** @type {string} */ zone) => known.has(zone) ? [...known] : [zone, ...known];
