// A browser that duplicates a tab copies its session storage, and with it the edits that are kept there: both have them
// then, and say so.

import { kept } from './kept.js';

const channel = typeof BroadcastChannel === 'function' ? new BroadcastChannel('hearth.edits') : null;

/** What tells the edits of this tab from others, and nothing of what they are; not when they were kept. */
const marks = () => kept.names().map((name) => {
  const text = JSON.stringify(kept.read(name), (key, value) => key === 'at' ? undefined : value);
  const sum = [...text].reduce((before, letter) => (before * 31 + (letter.codePointAt(0) ?? 0)) % 4_294_967_291, 7);
  return `${name} ${text.length} ${sum}`;
});

/** Whether it was asked since the tab was loaded: signing in again makes no tab. */
let hasLooked = false;

/**
 * Asks the other tabs once a load, and answers them from now on.
 * @param {() => void} tell is called where another tab has the same edits
 */
export function lookForTwin(tell) {
  if (!channel || hasLooked) return;
  hasLooked = true;
  const begun = marks();
  channel.onmessage = ({ data: { theirs, isAnswer } }) => {
    // By the time of an answer, the edits may be others already.
    const mine = isAnswer ? begun : marks();
    if (!mine.some((mark) => theirs.includes(mark))) return;
    tell();
    if (!isAnswer) channel.postMessage({ theirs: mine, isAnswer: true });
  };
  if (begun.length > 0) channel.postMessage({ theirs: begun, isAnswer: false });
}
