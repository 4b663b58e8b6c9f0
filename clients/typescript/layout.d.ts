import type { Item, Section } from './index.js';

/** One cell, in points from the section's top and leading edge. */
export interface Cell {
  /**
   * `list` is the one cell of a carousel or a ticker, `slots` the one that slots share, `slot` one with a size of its
   * own.
   */
  part: 'header' | 'item' | 'list' | 'slots' | 'slot' | 'footer';
  /** What it shows; `null` where it shows several. */
  item: Item | null;
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a section's cells are. */
export interface Frames {
  /** The height of the section, insets included. */
  height: number;
  cells: Cell[];
}

/** What the screen and the kinds add. */
export interface Options {
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
 *   follows the content
 */
export function framesOf(
  section: Section, width: number, measure: (item: Item, width: number) => number, options?: Options,
): Frames;
