// The nine styles of a section.

import { t } from '../lib/i18n.js';
import { framesOf } from '../client/layout.js';
import { html, useState } from '../lib/ui.js';
import { Cell } from './cell.js';
import { boundsOf, cornersOf, heightOf, inset, rowsOf, waterfall, widthOf } from './measure.js';

const points = (/** @type {any} */ number) => `${number}px`;
const heights = (/** @type {Size} */ { height, minHeight = 0 }) =>
  height !== undefined ? { height: points(height) } : { minHeight: points(minHeight) };

/** The space between cells of a line, and between lines. */
const gaps = (/** @type {Layout} */ layout) =>
  ({ columnGap: points(layout.itemSpacing ?? 0), rowGap: points(layout.lineSpacing ?? 0) });

/** A header, a footer or a slot with a size of its own. */
export function Sized(/** @type {{item: Item, size: any, space: Space, form?: string}} */ { item, size, space, form }) {
  const width = widthOf(size, { ...space, columns: 1, spacing: 0 });
  return html`<${Cell} item=${item} width=${width} bounds=${boundsOf(size, width)} form=${form}
    size=${heightOf(size, width, item)} />`;
}

/** The slots of a section, which share one cell, but for those with a size of their own. */
function Slots(/** @type {{layout: Layout, slots: Record<string, Item>, space: Space}} */ { layout, slots, space }) {
  const width = widthOf(layout.itemSize, { ...space, columns: 1, spacing: 0 });
  const size = heightOf(layout.itemSize, width);
  const sizes = layout.slotSizes ?? {};
  const named = Object.keys(slots).filter((name) => !sizes[name]).map((name) => slots[name]);
  const sized = Object.keys(slots).filter((name) => sizes[name]).sort();
  const share = (width - (named.length - 1) * 6) / Math.max(1, named.length);
  return html`${named.length > 0 && html`<div class="slots" style=${{ width: points(width), ...heights(size) }}>
      ${named.map((item) => html`<${Cell} key=${item.id} item=${item} width=${share} size=${size} />`)}</div>`}
    ${sized.length > 0 && html`<div class="flow" style=${gaps(layout)}>
      ${sized.map((name) => html`<${Sized} key=${name}
        item=${slots[name]} size=${sizes[name]} space=${space} />`)}</div>`}`;
}

function List(/** @type {{layout: Layout, items: Item[], space: Space}} */ { layout, items, space }) {
  const width = widthOf(layout.itemSize, { ...space, columns: 1, spacing: 0 });
  return html`<div class="stack" style=${{ gap: points(layout.lineSpacing ?? 0) }}>
    ${items.map((item) => html`<${Cell} key=${item.id} item=${item} width=${width}
      bounds=${boundsOf(layout.itemSize, width)} size=${heightOf(layout.itemSize, width, item)} />`)}
  </div>`;
}

/** @type {Record<string, string>} */
const aligned = { center: 'center', trailing: 'flex-end', justified: 'space-between' };

/** Cells one after the other, each as wide as its text. */
function Flow(/** @type {{layout: Layout, items: Item[], space: Space}} */ { layout, items, space }) {
  const width = widthOf(layout.itemSize, { ...space, columns: 1, spacing: 0 });
  return html`<div class="flow ${layout.alignment ?? ''}"
      style=${{ ...gaps(layout), justifyContent: aligned[layout.alignment] }}>
    ${items.map((item) => html`<${Cell} key=${item.id} item=${item} width=${width} form="chip"
      bounds=${boundsOf(layout.itemSize, width)} size=${heightOf(layout.itemSize, width, item)} />`)}</div>`;
}

function Grid(/** @type {{layout: Layout, items: Item[], space: Space}} */ { layout, items, space }) {
  const spacing = layout.itemSpacing ?? 0;
  return html`<div class="stack" style=${{ gap: points(layout.lineSpacing ?? 0) }}>
    ${rowsOf(items.length, layout.rows).map(({ start, end, columns }) => {
      const width = widthOf(layout.itemSize, { ...space, columns, spacing });
      const tiles = layout.background?.color ? '' : 'tiles';
      return html`<div class="line ${tiles}" key=${start} style=${{ gap: points(spacing) }}>
        ${items.slice(start, end).map((item) => html`<${Cell} key=${item.id} item=${item} width=${width}
          bounds=${boundsOf(layout.itemSize, width)} size=${heightOf(layout.itemSize, width, item)} />`)}
      </div>`;
    })}
  </div>`;
}

/** Where the cells of what scrolls sideways stand, texts as wide as they may be. */
const framesIn = (/** @type {Layout} */ layout, /** @type {Item[]} */ items, /** @type {Space} */ space) =>
  framesOf({ layout, items }, space.container, () => 0, { scale: 3 });

/** What the keyboard scrolls. */
const scrolled = () => ({ tabindex: '0', role: 'group', 'aria-label': t('A row that scrolls sideways') });

/** Columns that scroll sideways through the whole width of the page. */
function Shelf(/** @type {{layout: Layout, items: Item[], space: Space}} */ { layout, items, space }) {
  const { cells, scrolling } = framesIn(layout, items, space);
  const edge = inset(layout);
  const isOfText = layout.itemSize?.width?.content !== undefined;
  const stops = isOfText ? [] : scrolling?.stops ?? [];
  const start = Math.min(...cells.map(({ x, item }) => x - inset(item).leading));
  return html`<div class="shelf paging-${layout.paging ?? 'none'}" ...${scrolled()}
      style=${{ marginInline: `${points(-edge.leading)} ${points(-edge.trailing)}` }}>
    <div class="side-by-side" style=${{
      ...gaps(layout), paddingInlineStart: points(start), width: isOfText ? undefined : points(scrolling?.extent),
      paddingInlineEnd: points(isOfText ? edge.trailing : 0),
      gridTemplateRows: `repeat(${Math.min(layout.rowCount ?? 1, items.length)}, auto)`,
    }}>
      ${items.map((item, place) => {
        const { leading, trailing } = inset(item);
        const width = cells[place].width + leading + trailing;
        return html`<${Cell} key=${item.id} item=${item} width=${width} bounds=${boundsOf(layout.itemSize, width)}
          size=${heightOf(layout.itemSize, cells[place].width, item)} />`;
      })}
      ${stops.map((/** @type {number} */ stop) => html`<i class="stop" key=${`stop ${stop}`}
        style=${{ insetInlineStart: points(stop) }} />`)}
    </div>
  </div>`;
}

/** What a leaf of a carousel shows: one item, or rows of them. */
function Leaf(/** @type {{layout: Layout, items: Item[], width: number, size: any}} */ { layout, items, width, size }) {
  if (!layout.rows) return html`<${Cell} item=${items[0]} width=${width} size=${size} />`;
  const spacing = layout.itemSpacing ?? 0;
  const lines = rowsOf(items.length, layout.rows);
  const count = layout.rowCount ?? 1;
  const height = size.height === undefined ? undefined
    : (size.height - (count - 1) * (layout.lineSpacing ?? 0)) / count;
  return lines.map(({ start, end, columns }) => html`<div class="line" key=${start} style=${{ gap: points(spacing) }}>
    ${items.slice(start, end).map((item) => html`<${Cell} key=${item.id} item=${item} form="upright"
      width=${(width - (columns - 1) * spacing) / columns} size=${{ height }} />`)}
  </div>`);
}

function Carousel(/** @type {{layout: Layout, items: Item[], space: Space}} */ { layout, items, space }) {
  const [at, setAt] = useState(0);
  if (items.length === 0) return null;
  const { leaves, scrolling } = framesIn(layout, items, space);
  const { stops } = /** @type {{stops: number[]}} */ (scrolling);
  const shown = Math.min(at, Math.max(0, stops.length - 1));
  const start = leaves[0].x - inset(layout).leading;
  const goOn = (/** @type {any} */ event) => {
    event.stopPropagation();
    setAt((shown + 1) % stops.length);
  };
  const isFree = stops.length === 0;
  return html`<div class="carousel ${isFree ? 'free' : ''}" ...${isFree ? scrolled() : {}} style=${{
    width: points(space.inner), ...heights(heightOf(layout.itemSize, leaves[0].width)),
    ...cornersOf(layout.background?.cornerRadius),
  }}>
    <div class="strip" style=${{
      '--shift': `${stops[shown] ?? 0}px`, columnGap: points(layout.itemSpacing ?? 0),
      paddingInlineStart: points(start),
    }}>
      ${leaves.map(({ items: held, width }, number) => html`<div key=${number} class="leaf"
          style=${{ width: points(width), rowGap: points(layout.lineSpacing ?? 0) }}>
        <${Leaf} layout=${layout} items=${held} width=${width} size=${heightOf(layout.itemSize, width)} /></div>`)}
    </div>
    ${stops.length > 1 && html`<button class="dots" tabindex="-1" onClick=${goOn}
        aria-label=${t('Next picture; {at} of {count} shows', { at: shown + 1, count: stops.length })}>
      ${stops.map((_, number) => html`<i class=${number === shown ? 'on' : ''} />`)}</button>`}
  </div>`;
}

const lineOf = (/** @type {{content?: any}} */ { content = {} }) => content.text ?? content.title ?? '';

function Ticker(/** @type {{layout: Layout, items: Item[], space: Space}} */ { layout, items, space }) {
  const width = widthOf(layout.itemSize, { ...space, columns: 1, spacing: 0 });
  const letters = items.reduce((sum, item) => sum + lineOf(item).length, 0);
  // Twice the same, so that it runs without an end.
  return html`<div class="ticker" style=${{ width: points(width), ...heights(heightOf(layout.itemSize, width)) }}>
    <div class="track" style=${{ animationDuration: `${Math.max(8, letters * 0.35)}s` }}>
      ${[false, true].map((isCopy) => html`<span class="run" aria-hidden=${isCopy ? 'true' : undefined}>
        ${items.map((item) => html`<span key=${item.id} data-item=${item.id}>${lineOf(item)}</span>`)}</span>`)}
    </div>
  </div>`;
}

function Waterfall(/** @type {{layout: Layout, items: Item[], space: Space}} */ { layout, items, space }) {
  const columns = layout.rows?.at(-1) ?? 2;
  const spacing = layout.itemSpacing ?? 0;
  const lineSpacing = layout.lineSpacing ?? 0;
  const width = widthOf({ width: 'column' }, { ...space, columns, spacing });
  return html`<div class="line" style=${{ gap: points(spacing) }}>
    ${waterfall(items, columns, width, layout.itemSize, lineSpacing).map((list, number) => html`
      <div class="stack" key=${number} style=${{ gap: points(lineSpacing), width: points(width) }}>
        ${list.map((item) => html`<${Cell} key=${item.id} item=${item} form=${item.content?.price ? 'card' : undefined}
          width=${width} size=${heightOf(layout.itemSize, width, item)} />`)}
      </div>`)}
  </div>`;
}

/** @param {{item: any, layout: Layout, width: number, depth: number}} props */
function OutlineRow({ item, layout, width, depth }) {
  const [isOpen, setOpen] = useState(item.expanded === true);
  const children = item.children ?? [];
  const indent = depth * 16;
  const toggle = (/** @type {any} */ event) => {
    event.stopPropagation();
    setOpen(!isOpen);
  };
  return html`<div class="outline-row" style=${{ paddingInlineStart: points(indent) }}>
      <${Cell} item=${item} form="row" width=${width - indent} size=${heightOf(layout.itemSize, width, item)}>
        ${children.length > 0 && html`<button class="chevron ${isOpen ? 'open' : ''}" tabindex="-1"
          aria-expanded=${String(isOpen)} aria-label=${t('Show what is below')} onClick=${toggle}>›</button>`}
      <//>
    </div>
    ${isOpen && children.map((/** @type {any} */ child) => html`<${OutlineRow} key=${child.id} item=${child}
      layout=${layout} width=${width} depth=${depth + 1} />`)}`;
}

function Outline(/** @type {{layout: Layout, items: Item[], space: Space}} */ { layout, items, space }) {
  return html`<div class="stack" style=${{ gap: points(layout.lineSpacing ?? 0) }}>
    ${items.map((item) => html`<${OutlineRow} key=${item.id} item=${item} layout=${layout} width=${space.inner}
      depth=${0} />`)}</div>`;
}

/** @type {Record<string, (given: any) => object | null>} */
const styles = {
  list: List, flow: Flow, grid: Grid, shelf: Shelf, carousel: Carousel, ticker: Ticker, waterfall: Waterfall,
  outline: Outline, pinned: List,
};

/**
 * What a section shows between its header and its footer: slots stand above the items, or with them in the one cell
 * that there is.
 * @param {{layout: Layout, items: Item[], slots?: Record<string, Item>, space: Space}} props
 */
export function Body({ layout, items, slots = {}, space }) {
  const Style = styles[layout.style] ?? List;
  const names = Object.keys(slots).sort();
  const isOne = Style === Carousel || Style === Ticker;
  if (isOne || names.length === 0) {
    const all = [...names.map((name) => slots[name]), ...items];
    return html`<${Style} layout=${layout} items=${all} space=${space} />`;
  }
  return html`<div class="stack" style=${{ gap: points(layout.lineSpacing ?? 0) }}>
    <${Slots} layout=${layout} slots=${slots} space=${space} />
    ${items.length > 0 && html`<${Style} layout=${layout} items=${items} space=${space} />`}</div>`;
}
