// Of a long list only the rows are drawn that are seen, some around them, and those that must not go.

import { useEffect, useLayoutEffect, useRef, useState } from '../lib/ui.js';

/** From how many rows on a list is long. */
export const longFrom = 100;
/** How far above and below what is seen rows are drawn, in pixels. */
const around = 500;
/** How many rows before and after the one with the focus are there for the keys, wherever the list is scrolled to. */
const beside = 10;
/** How high a row is until one was measured, in pixels. */
const usualHeight = 46;

/** What scrolls an element: the next one around it that is higher within than without. */
function scrollerOf(/** @type {Element} */ element) {
  for (let each = element.parentElement; each; each = each.parentElement) {
    if (each.scrollHeight > each.clientHeight && /auto|scroll/.test(getComputedStyle(each).overflowY)) return each;
  }
  return document.documentElement;
}

/**
 * Which rows of a list are seen by now. A child of the list is a row, by its `data-row`, or a gap of several that are
 * not drawn, by its `data-gap`, which is that of the first one.
 * @param {HTMLElement} list
 * @param {number} height of a row
 * @returns {[number, number]} from one until before another
 */
function seenRows(list, height) {
  const scroller = scrollerOf(list);
  const isWhole = scroller === document.documentElement;
  const { top, bottom } = scroller.getBoundingClientRect();
  const least = Math.max(0, isWhole ? 0 : top) - around;
  const most = Math.min(innerHeight, isWhole ? Infinity : bottom) + around;
  let [from, until] = [Infinity, 0];
  for (const child of /** @type {Iterable<HTMLElement>} */ (list.children)) {
    const { top: begins, bottom: ends } = child.getBoundingClientRect();
    if (ends < least || begins > most) continue;
    const first = Number(child.dataset.row ?? child.dataset.gap);
    const isGap = child.dataset.gap !== undefined;
    from = Math.min(from, isGap ? first + Math.max(0, Math.floor((least - begins) / height)) : first);
    until = Math.max(until, isGap ? first + Math.ceil((Math.min(ends, most) - begins) / height) : first + 1);
  }
  return from < until ? [from, until] : [0, 0];
}

/**
 * The rows of a list that are to be drawn, and how high the others are.
 * @param {{current: HTMLElement}} list
 * @param {number} count how many rows there are
 * @returns {{drawnWith: (others: number[]) => number[], height: number}} the rows, with some others
 */
export function useSeen(list, count) {
  const [state, setState] = useState({ from: 0, until: 30, focused: -1, height: usualHeight });
  const isLong = count > longFrom;
  const latest = useRef(state);
  latest.current = state;
  // Rows that come around the one with the focus may move it in the document, which takes the focus away.
  const held = useRef(/** @type {HTMLElement|null} */ (null));
  useLayoutEffect(() => {
    if (held.current?.isConnected && document.activeElement === document.body) {
      held.current.focus({ preventScroll: true });
    }
    held.current = null;
  });
  useEffect(() => {
    if (!isLong) return undefined;
    let frame = 0;
    const look = () => {
      cancelAnimationFrame(frame);
      frame = 0;
      if (!list.current?.isConnected) return;
      const rows = /** @type {HTMLElement[]} */ ([...list.current.querySelectorAll(':scope > [data-row]:not(.open)')]);
      const next = rows.find((row, place) => Number(rows[place + 1]?.dataset.row) === Number(row.dataset.row) + 1);
      const height = next ? rows[rows.indexOf(next) + 1].offsetTop - next.offsetTop : latest.current.height;
      const [from, until] = seenRows(list.current, height);
      // The row with the focus stays, wherever the list is scrolled to.
      const focused = Number(
        /** @type {HTMLElement|null} */ (document.activeElement?.closest('[data-row]'))?.dataset.row ?? -1);
      const before = latest.current;
      const isSame = before.from === from && before.until === until && before.focused === focused
        && before.height === height;
      if (isSame) return;
      const active = /** @type {HTMLElement|null} */ (document.activeElement);
      held.current = list.current.contains(active) ? active : null;
      setState({ from, until, focused, height });
    };
    frame = requestAnimationFrame(look);
    const later = () => { frame ||= requestAnimationFrame(look); };
    // The next key may come before the next frame.
    addEventListener('focusin', look);
    for (const name of ['scroll', 'resize']) addEventListener(name, later, { capture: true, passive: true });
    // What is opened or closed above moves the list.
    const sizes = new ResizeObserver(later);
    sizes.observe(list.current);
    return () => {
      cancelAnimationFrame(frame);
      sizes.disconnect();
      removeEventListener('focusin', look);
      for (const name of ['scroll', 'resize']) removeEventListener(name, later, { capture: true });
    };
  }, [isLong, count]);
  const { from, until, focused, height } = state;
  const drawnWith = (/** @type {number[]} */ others) => {
    const rows = new Set(others);
    const add = (/** @type {number} */ first, /** @type {number} */ end) => {
      for (let row = Math.max(0, first); row < Math.min(end, count); row += 1) rows.add(row);
    };
    add(isLong ? from : 0, isLong ? until : count);
    if (isLong && focused >= 0) add(focused - beside, focused + beside + 1);
    return [...rows].sort((left, right) => left - right);
  };
  return { drawnWith, height };
}
