import type { Item, Section } from './index';

/** One cell, in points from the section's top and leading edge. */
export interface Cell {
  /** `list` is the one cell of a carousel or a ticker, `slots` the one that slots share. */
  part: 'header' | 'item' | 'list' | 'slots' | 'footer';
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

/**
 * Where the cells of a section are (docs/layout.md).
 * @param width the container's
 * @param measure the height that an item's content needs in a width: for a header, a footer, and where the height follows the content
 */
export function framesOf(section: Section, width: number, measure: (item: Item, width: number) => number): Frames;
