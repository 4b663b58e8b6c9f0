// What is around a section's cells, in points from its top and leading edge: its background, and what stays at its top
// or at that of its page.

/** The styles whose sections are not high enough to scroll below their header; one that is not known is a list. */
const lowStyles = ['shelf', 'carousel', 'ticker', 'pinned'];

/**
 * @param {import('./index.js').Layout} layout
 * @param {import('./index.js').Item | undefined} footer
 * @param {import('./layout.js').Cell[]} cells
 * @param {{container: number, leading: number, inner: number, start: number, end: number, height: number,
 *   bottom: number}} at where slots and items begin and end, and what is around them
 * @returns {Pick<import('./layout.js').Frames, 'background' | 'sticky'>}
 */
export function chromeOf(layout, footer, cells, { container, leading, inner, start, end, height, bottom }) {
  const cell = cells.filter(({ part }) => part === 'header' || part === 'tabs').at(-1);
  const whole = { x: 0, y: 0, width: container, height };
  const top = cell ? start : 0;
  const area = layout.backgroundFrame === 'section' ? whole
    : layout.backgroundFrame === 'items' ? { ...whole, y: top, height: (footer ? end : height) - top }
      : { x: leading, y: start, width: Math.max(0, inner), height: end - start };
  const stays = layout.stickyHeader && cell && !lowStyles.includes(layout.style);
  const below = bottom + Number(cell?.item?.inset?.bottom ?? 0);
  return {
    background: layout.background && area.height > 0 ? area : null,
    sticky: stays ? { y: cell.y, until: Math.max(cell.y, height - below - cell.height) } : null,
  };
}

/**
 * @param {{section: {layout: import('./index.js').Layout}, height: number}[]} sections
 * @param {number} y
 * @param {{height: number}} [screen]
 */
export function staysOf(sections, y, screen) {
  let above = 0;
  /** @type {import('./layout.js').Sticky | null} */
  let last = null;
  const pushAway = () => { if (last) last.until = y - above; };
  const stays = sections.map(({ section: { layout: { style, sticky } }, height }) => {
    const isFloating = style === 'pinned';
    const isSticky = sticky && !isFloating && height > 0 && !(height * 2 > Number(screen?.height));
    const stay = { sticky: isSticky ? { y, until: y } : null, above: isSticky ? 0 : above };
    if (isSticky) {
      pushAway();
      [last, above] = [stay.sticky, height];
    }
    if (!isFloating) y += height;
    return stay;
  });
  pushAway();
  return stays;
}
