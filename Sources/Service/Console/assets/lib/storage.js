// The browser's storages. It may refuse them, or have no room: then what was set is there as long as the page is.

/**
 * One of them, by its name in the browser.
 * @param {'localStorage'|'sessionStorage'} name
 */
function storage(name) {
  /** @type {Map<string, string>} what the browser has not taken */
  const refused = new Map();
  /** @type {<T>(use: (storage: Storage) => T, otherwise: T) => T} */
  const among = (use, otherwise) => { try { return use(globalThis[name]); } catch { return otherwise; } };
  return {
    /** @returns {string|null} */
    get: (/** @type {string} */ key) => refused.get(key) ?? among((real) => real.getItem(key), null),

    /** Whether the browser has taken it, so that it outlives a reload. */
    set(/** @type {string} */ key, /** @type {string} */ value) {
      const isTaken = among((real) => {
        real.setItem(key, value);
        return true;
      }, false);
      if (isTaken) refused.delete(key); else refused.set(key, value);
      return isTaken;
    },

    remove(/** @type {string} */ key) {
      refused.delete(key);
      among((real) => real.removeItem(key), null);
    },

    /** @returns {string[]} */
    keys: () => [...new Set([
      ...among((real) => Array.from({ length: real.length }, (_, place) => String(real.key(place))), []),
      ...refused.keys(),
    ])],

    /** Whether the browser gives it at all. */
    get isThere() { return among((real) => real.getItem('') === null, false); },
  };
}

/** Ends with the tab. */
export const tabStorage = storage('sessionStorage');
/** Outlives the tab: preferences alone. */
export const browserStorage = storage('localStorage');
