// What can be done from here by name: each view offers its own while it is shown.

/**
 * @typedef {object} Command
 * @property {string} text what it is called
 * @property {string} [detail] its id, or where it leads
 * @property {() => void} run
 */

/** @type {Set<() => Command[]>} */
const offers = new Set();

/**
 * Offers commands from now on.
 * @param {() => Command[]} commands
 * @returns {() => void} ends it
 */
export function offer(commands) {
  offers.add(commands);
  return () => { offers.delete(commands); };
}

/** A text as it is searched for: in lowercase, and Latin letters without their marks, which few type. */
export const folded = (/** @type {string} */ text) => text.normalize('NFD')
  .replace(/(\p{Script=Latin})[\u0300-\u036f]+/gu, '$1').normalize('NFC').toLowerCase().replaceAll('đ', 'd');

/** Whether a text is worth a search: a letter of an alphabet is not, and one character of Chinese is a word. */
export const isWord = (/** @type {string} */ text) => text.length > 1
  || /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(text);

/** @type {string|null} the address that a command led to, until what is there has taken the focus */
let led = null;
/** @type {Element|null} what had the focus when the command was followed */
let from = null;

// Whoever goes on by a key or a click is led no more.
for (const name of ['keydown', 'compositionstart', 'pointerdown']) addEventListener(name, () => { led = null; }, true);

/** Does what a command says, and has what it leads to take the focus. */
export function follow(/** @type {Command} */ command) {
  command.run();
  led = location.hash;
  from = document.activeElement;
}

/**
 * Gives the focus to what a command led to, once it is drawn: to what the first of these selects, or the next.
 * @param {string[]} selectors
 */
export function arrive(...selectors) {
  const place = location.hash;
  const look = (/** @type {number} */ frames) => requestAnimationFrame(() => {
    if (led !== place || led !== location.hash) return;
    const active = /** @type {HTMLElement|null} */ (document.activeElement);
    // A view that is drawn anew takes the focus itself; a field or a button has it only by somebody's will.
    if (active && active !== from && active.tabIndex >= 0) {
      led = null;
      return;
    }
    const found = selectors.map((each) => /** @type {HTMLElement|null} */ (document.querySelector(each)));
    const element = frames > 0 ? found[0] : found.find(Boolean);
    // What a modal dialog covers cannot have it.
    if (!element || document.querySelector('dialog:modal')) {
      if (frames > 0) look(frames - 1);
      return;
    }
    led = null;
    if (element.tabIndex < 0) element.tabIndex = -1;
    element.focus();
  });
  if (led === place) look(30);
}

/** The fields of the selected section, and of the item that is open in it. */
const field = ':is(input, select, textarea, button):not(:disabled, [hidden], [tabindex="-1"])';
export const formPlaces = [`#tab-panel ${field}`, '.tabs [aria-selected=true]'];
export const itemPlaces = [`#tab-panel .item.open .item-body ${field}`, ...formPlaces];

/**
 * The commands that a text means: those that begin with it first, then those that hold all of its words.
 * @param {Command[]} commands
 * @param {string} text
 */
export function matching(commands, text) {
  const wanted = folded(text.trim());
  const words = wanted.split(/\s+/).filter(Boolean);
  const textOf = (/** @type {Command} */ command) => folded(`${command.text} ${command.detail ?? ''}`);
  const isBegun = (/** @type {string|undefined} */ part) => part !== undefined && folded(part).startsWith(wanted);
  const rank = (/** @type {Command} */ command) => isBegun(command.text) || isBegun(command.detail) ? 0 : 1;
  return commands.filter((command) => words.every((word) => textOf(command).includes(word)))
    .map((command, place) => ({ command, place }))
    .sort((left, right) => rank(left.command) - rank(right.command) || left.place - right.place)
    .map(({ command }) => command);
}

export const offered = () => [...offers].reverse().flatMap((commands) => commands());
