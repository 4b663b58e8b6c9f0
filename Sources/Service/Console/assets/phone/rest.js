// The items of a list that do not stand in the page: asked for when their place comes into sight.

import { t } from '../lib/i18n.js';
import { html, useEffect, useRef, useState } from '../lib/ui.js';

/** How many of the page's items are drawn at first, and how many more at each end that comes into sight. */
const step = 100;

/**
 * Draws a list, as far as it comes into sight, and what more there is of it.
 * @param {object} props
 * @param {any} props.section
 * @param {(section: any, fetched: number) => Promise<Item[]>} [props.onMore] brings the items that follow those of the
 *   page and so many fetched ones; none when there are none any more
 * @param {(items: Item[]) => any} props.draw
 */
export function Rest({ section, onMore, draw }) {
  const { items = [], more, load } = section;
  const end = useRef();
  // What was fetched of another list is nothing here.
  const key = more ? `${more.of} ${more.count}` : '';
  /** @type {[{key: string, items: Item[], isOver?: boolean}, (next: any) => void]} */
  const [fetched, setFetched] = useState({ key: '', items: [] });
  const rest = fetched.key === key ? fetched : { items: [], isOver: false };
  const [drawn, setDrawn] = useState(step);
  // What has one place for all its items never comes to an end.
  const isOne = ['carousel', 'ticker'].includes(section.layout?.style);
  const undrawn = Math.max(0, items.length - drawn);
  const left = undrawn + (more?.count ?? 0) - rest.items.length;
  const isOpen = undrawn > 0 ? !isOne : left > 0 && !rest.isOver && onMore !== undefined;
  useEffect(() => {
    if (!isOpen) return undefined;
    const seen = new IntersectionObserver(async (entries) => {
      if (!entries.some((entry) => entry.isIntersecting)) return;
      seen.disconnect();
      if (undrawn > 0) return setDrawn(drawn + step);
      /** @type {Item[]} */
      let next = [];
      const fetch = /** @type {NonNullable<typeof onMore>} */ (onMore);
      try { next = await fetch(section, rest.items.length); } catch { /* The page has another list soon. */ }
      setFetched({ key, items: [...rest.items, ...next], isOver: next.length === 0 });
    });
    seen.observe(end.current);
    return () => seen.disconnect();
  }, [key, rest.items.length, isOpen, undrawn]);
  return html`${draw([...items.slice(0, drawn), ...(undrawn > 0 ? [] : rest.items)])}
    ${left > 0 && html`<p class="rest" ref=${end}>${t('{count} more', { count: left })}</p>`}
    ${load === 'client' && html`<p class="rest">${t('The app puts what is its user’s here.')}</p>`}`;
}
