// A page as it is kept: a line with the form and a hash of the next one, a line about the page, and the page's text,
// which its version is the hash of.

import { sha256 } from './sha256.js';

/**
 * What stands before the page.
 * @typedef {object} Head
 * @property {string} url where it was asked for, with what the client told of itself
 * @property {string | null} revision the edition that it was of
 * @property {number} since when the server last said that it is the page to show
 * @property {string} version
 */

/** Changed whenever a record means something else: another form is as good as none. */
const form = 'hearth-page 2 ';
const sealOf = (/** @type {string} */ line) => form + sha256(line).slice(0, 16);
/** The form and the line about the page; a line of signatures may stand before them. */
const pattern = /^(?:hearth-signed .*\n)?(hearth-page 2 [0-9a-f]{16})\n(.*)\n/;

/**
 * The record of a page.
 * @param {Head} head
 * @param {string} text
 */
export const sealed = (head, text) => {
  const line = JSON.stringify(head);
  return `${sealOf(line)}\n${line}\n${text}`;
};

/**
 * What a record says of its page; `null` for what is cut, damaged or no record at all.
 * @param {string} record
 * @returns {Head | null}
 */
export function readHead(record) {
  const [, seal, line] = pattern.exec(record) ?? [];
  return line && seal === sealOf(line) ? JSON.parse(line) : null;
}

/** The text of a record's page. */
export const textIn = (/** @type {string} */ record) => record.slice(pattern.exec(record)?.[0].length ?? 0);
