// Which zone somebody's clocks show, by their country, and zones by a city's or a country's name.

import { folded, language, ownZone, zoneName, zoneNames } from '../shared.js';

/** The zones of a country; none where the browser does not know. */
function zonesOf(/** @type {string} */ region) {
  try {
    const locale = new Intl.Locale(`und-${region}`);
    return (locale.getTimeZones?.() ?? locale.timeZones ?? []).map(zoneName);
  } catch { return []; }
}

/**
 * The zone of a client: that of the country that it says, else of its locale. A country of several zones says none,
 * unless the operator's is among them.
 * @param {Record<string, string>} client
 * @returns {string|null}
 */
export function zoneOf({ country, locale }) {
  let region = /^[a-z]{2}$/i.test(country ?? '') ? country.toUpperCase() : undefined;
  try { region ??= new Intl.Locale(locale).maximize().region; } catch { /* No locale says no region. */ }
  const zones = region ? zonesOf(region) : [];
  return zones.includes(ownZone) ? ownZone : zones.length === 1 ? zones[0] : null;
}

/** @type {{language: string, places: {zone: string, words: string}[]}|null} */
let found = null;

/** Every zone, with its city and its countries as the operator's language calls them. */
export function places() {
  if (found?.language === language) return found.places;
  const names = new Intl.DisplayNames(language, { type: 'region', fallback: 'none' });
  /** @type {Map<string, string[]>} */
  const countries = new Map();
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const first of letters) {
    for (const second of letters) {
      const name = names.of(first + second);
      if (!name) continue;
      for (const zone of zonesOf(first + second)) countries.set(zone, [...countries.get(zone) ?? [], name]);
    }
  }
  const all = [...new Set([ownZone, 'UTC', ...countries.keys(), ...zoneNames()])];
  found = {
    language, places: all.map((zone) => ({
      zone, words: [/** @type {string} */ (zone.split('/').at(-1)).replaceAll('_', ' '), ...countries.get(zone) ?? []]
        .join(' · '),
    })),
  };
  return found.places;
}

/**
 * The zone that a text means: its name, or the first whose city or country begins with it, or has it.
 * @param {string} text
 * @returns {string|null}
 */
export function zoneNamed(text) {
  const wanted = folded(text.trim());
  if (!wanted) return null;
  const all = places();
  const has = (/** @type {(each: {zone: string, words: string}) => boolean} */ test) => all.find(test)?.zone;
  return has(({ zone }) => folded(zone) === wanted)
    ?? has(({ words }) => folded(words).startsWith(wanted))
    ?? has(({ words }) => folded(words).split(' · ').some((word) => word.startsWith(wanted)))
    ?? has(({ zone, words }) => `${folded(zone)} ${folded(words)}`.includes(wanted)) ?? null;
}
