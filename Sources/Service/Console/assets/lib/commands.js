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

/**
 * The commands that a text means: those that begin with it first, then those that hold all of its words.
 * @param {Command[]} commands
 * @param {string} text
 */
export function matching(commands, text) {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/).filter(Boolean);
  const textOf = (/** @type {Command} */ command) => `${command.text} ${command.detail ?? ''}`.toLowerCase();
  const isBegun = (/** @type {string|undefined} */ part) => part?.toLowerCase().startsWith(wanted);
  const rank = (/** @type {Command} */ command) => isBegun(command.text) || isBegun(command.detail) ? 0 : 1;
  return commands.filter((command) => words.every((word) => textOf(command).includes(word)))
    .map((command, place) => ({ command, place }))
    .sort((left, right) => rank(left.command) - rank(right.command) || left.place - right.place)
    .map(({ command }) => command);
}

export const offered = () => [...offers].reverse().flatMap((commands) => commands());
