// What docs/apps.md, "Web", explains.

import type { Action, ClientError, HearthClient, Item, Page, Section, Settings, State, Update } from './index.js';

/** What a drawing may know of the place of an item. */
export interface Room {
  /** `null` in the bar and for the empty state. */
  section: Section | null;
  part: 'header' | 'tabs' | 'item' | 'list' | 'slot' | 'footer' | 'bar' | (string & {});
  /** In points. */
  width: number;
  /** In points; infinite while the height that the item needs is measured. */
  height: number;
  /**
   * How a plain drawing draws it: `head`, `foot`, `chip`, `card`, `upright`, `row`, `line`, `tile` in a group; empty by
   * its content.
   */
  form: string;
  isDark: boolean;
  /** The page's, for numbers and dates. */
  locale: string;
  /** The address of a picture, with the server where it names none. */
  resolve(url: string): string;
}

/** What the element takes in the place of its own width, height and pixels. */
export interface Metrics {
  screen?: { width: number; height: number };
  scale?: number;
}

/**
 * - `loading`: nothing has come yet.
 * - `fresh`: the last answer confirmed the page.
 * - `stale`: the page is what was kept, or the last answer was of no use.
 * - `offline`: the server cannot be reached.
 * - `refused`: the server answered with a problem, or no pinned key signed the answer.
 */
export type PageState = 'loading' | 'fresh' | 'stale' | 'offline' | 'refused';

/** The details of the events, by their names. */
export interface HearthPageEvents {
  /** An item was tapped, or one of its `actions` chosen. Addresses of the web open, unless the app prevents it. */
  action: CustomEvent<{ action: Action; item: Item; section: Section | null }>;
  /** Half of an item, or half a screen of it, was on the screen for a second; once for each visit. */
  impression: CustomEvent<{ item: Item; section: Section }>;
  /** What there is to show has changed, or how true it is. */
  state: CustomEvent<Omit<State, 'name'> & { state: PageState; name: string }>;
  /** A section comes into the document: what the app adds to its element stays until the section leaves. */
  section: CustomEvent<{ section: Section; node: HTMLElement }>;
  /** One of the lists that share a section was chosen. */
  list: CustomEvent<{ section: string; list: string }>;
  /** A section of which the app brings something is on the page: `fill` takes it. */
  source: CustomEvent<{ section: Section; url?: string }>;
}

/**
 * `<hearth-page src="https://home.example.com/?platform=web&appVersion=1.0.0" page="home">`. It scrolls by itself, as
 * high as the app makes it. Attributes: `src`, the server with the client's parameters; `page`, `home` when absent;
 * `wait`, for how many seconds the server may hold a poll, 25 when absent; `keys`, the public keys that sign the pages,
 * with spaces between; `theme`, `light` or `dark`, the device's when absent; `preview`, while nothing can be tapped and
 * no impressions are told.
 * Its own children show until a page is there. `state` is an attribute, too, for styles.
 */
export class HearthPage extends HTMLElement {
  /** Polls the page; `null` without `src`. */
  readonly client: HearthClient | null;
  /** The page that is shown. Setting one ends polling; a text is the id of the page to poll, `null` polls again. */
  get page(): Page | null;
  set page(page: Page | string | null);
  /** More settings of the client: a key, a storage, parameters. */
  settings: Partial<Settings>;
  /** Parameters in the place of the app's, for testers; the page stays until it is there for these. */
  overrides: Record<string, string>;
  metrics: Metrics | null;
  readonly state: PageState;
  /**
   * What draws the items of a kind: the node is made anew whenever the item, its place or the theme changes. `/tabs`
   * draws tabs: in the place of an item it is given the section with its `lists`, and `list`, the id of the one that
   * shows. A tap on what has `data-list` chooses that one.
   */
  draw(kind: string, drawing: (item: Item, room: Room) => Node): void;
  /**
   * What the app brings of a section with a `source`, slots by their names. What is not among it stays the page's;
   * `null` shows all of the page's again.
   */
  fill(section: string, parts: Pick<Section, 'header' | 'items' | 'slots' | 'footer'> | null): void;
  /** Scrolls to a section, as far as it takes to see it. */
  reveal(section: string): void;
  /** Shows a list of those that share a section. */
  choose(section: string, list: string): void;
  /** From now on pages are fetched and kept, but what is there stays until `activate`. */
  hold(): void;
  /** Shows what came since `hold`, at once. */
  activate(): void;
  /** Asks as soon as it may. */
  refresh(): void;
  /** Forgets the page, and asks for the whole one. */
  reset(): Promise<void>;
}

export type { ClientError, Update };

declare global {
  interface HTMLElementTagNameMap { 'hearth-page': HearthPage }
}
