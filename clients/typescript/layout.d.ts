import type { Item, Layout, Section } from './index.js';

/** One cell, in points from the section's top and leading edge. */
export interface Cell {
  /**
   * `tabs` choose which of the section's lists shows, `list` is the one cell of a carousel or a ticker, `slots` the one
   * that slots share, `slot` one with a size of its own.
   */
  part: 'header' | 'tabs' | 'item' | 'list' | 'slots' | 'slot' | 'footer';
  /** What it shows; `null` where it shows several. */
  item: Item | null;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The line below the row that it is the first cell of; absent without one. */
  separator?: Area;
}

/** One leaf of a carousel, as high as its cell, from the section's leading edge before anything is scrolled. */
export interface Leaf {
  /** What it shows: one item, or as many as its rows take. */
  items: Item[];
  x: number;
  width: number;
}

/**
 * How a shelf or a carousel scrolls sideways, in points from the leading edge of what shows: of a shelf the container,
 * of a carousel its cell.
 */
export interface Scrolling {
  /** The width of all that scrolls. */
  extent: number;
  /** How far it is scrolled where it comes to rest, ascending from 0; empty where it rests anywhere. */
  stops: number[];
}

/** A rectangle, in points from the section's top and leading edge. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/**
 * What stays at the top: the header of a section, or its tabs where there are some, in points from the section's top;
 * or a section, in points from the page's. It stands at `y`, or as far down as that is scrolled, but never below
 * `until`.
 */
export interface Sticky {
  y: number;
  until: number;
}

/** How a section is part of what stays at the top of its page. */
export interface Stay {
  /** How the section stays; `null` where it scrolls along. */
  sticky: Sticky | null;
  /** How high the section is that stays above it: a header that stays does so below that one. */
  above: number;
}

/** Where a section's cells are. */
export interface Frames {
  /** The height of the section, insets included. */
  height: number;
  /** From top to bottom; those of a shelf in the order of its items, before anything is scrolled. */
  cells: Cell[];
  /** Those of a carousel. */
  leaves: Leaf[];
  /** `null` for what does not scroll sideways. */
  scrolling: Scrolling | null;
  /** Where the background is drawn; `null` without one, and where it has no height. */
  background: Area | null;
  /** How the header stays; `null` where it scrolls along. */
  sticky: Sticky | null;
}

/** What the screen and the kinds add. */
export interface Options {
  /**
   * What the app has of the screen. Without it, fractions of a screen's width are of the container's, and those of its
   * height are as high as the content.
   */
  screen?: { width: number; height: number };
  /**
   * The screen's pixels for a point: what is computed is rounded down to whole pixels, what is measured up; without it
   * nothing is.
   */
  scale?: number;
  /**
   * The width that an item's content needs, with what its kind adds around the text: where the width follows the
   * content. Without it such a cell is as wide as it may be.
   */
  measureWidth?: (item: Item) => number;
}

/**
 * Where the cells of a section are (docs/layout.md).
 * @param width the container's
 * @param measure the height that an item's content needs in a width: for a header, a footer, and where the height
 *   follows the content; with lines, that of the content with so many lines of text, whatever the text says
 */
export function framesOf(
  section: Section, width: number, measure: (item: Item, width: number, lines?: number) => number, options?: Options,
): Frames;

/**
 * How all sections of a page stay at its top: those of which their layout says so, if they take no more than half of
 * the screen.
 * @param sections in their order, with their heights
 * @param top where the first one begins, from the page's top
 * @param screen what the app has of it; without it, sections of any height stay
 */
export function staysOf(
  sections: { section: { layout: Layout }; height: number }[], top: number, screen?: { height: number },
): Stay[];

/**
 * The section with the items of one of its lists alone, whose id is `list`: of the chosen one, or of the first.
 * One without lists is what it was.
 */
export function showing(section: Section, choice?: string): Section & { list?: string };

/** What stands in a section's slots, in their order, and the size that the layout has for each. */
export function slotsOf(section: Section): { item: Item; size?: Layout['itemSize'] }[];

/** How far a cell or leaf is from the left edge of a container of a width, on a page that is read in a direction. */
export function leftOf(frame: { x: number; width: number }, container: number, direction?: string): number;

/** A picture of a content; `sources` are the same in other widths, in pixels. */
export interface Picture {
  url: string;
  width?: number;
  sources?: readonly { readonly url: string; readonly width: number }[];
}

/**
 * The address of the narrowest that has a pixel for each that is drawn, else of the widest.
 * @param width how wide the picture is drawn, in points
 * @param scale pixels for a point; 1 when absent
 */
export function sourceOf(picture: Picture, width: number, scale?: number): string;
