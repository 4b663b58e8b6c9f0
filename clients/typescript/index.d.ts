// What docs/client.md, "On the web", explains.

/** Any value of JSON; numbers that JavaScript would spell otherwise are `Decimal`s. */
export type Value = null | boolean | number | Decimal | string | Value[] | { [name: string]: Value };

/**
 * What a tap does: calls the handler if the app has it, else opens the URL. Without either it is tracked alone; a newer
 * server may name another kind of target.
 */
export interface Action {
  url?: string;
  /** The name of a handler in the app. */
  handler?: string;
  /** What the handler is given. */
  arguments?: Record<string, Value>;
  event?: string;
  attributes?: Record<string, Value>;
}

/** One of several things that an item offers beside its tap, by a swipe or in a menu. */
export interface ItemAction {
  title: string;
  action: Action;
  /** The side of the cell; `trailing` when absent. */
  edge?: 'leading' | 'trailing' | (string & {});
  role?: 'destructive' | (string & {});
}

/** One cell. Members that are not named here come from a newer server, and are kept. */
export interface Item {
  id: string;
  kind: string;
  /** The ids of the section's lists that it is in; all of them when absent. */
  lists?: string[];
  content: Record<string, any>;
  /** Width divided by height. */
  aspect?: number;
  /** Space around the cell, within the room that the layout gives it. */
  inset?: Inset;
  action?: Action;
  /** The first of a side at the edge. */
  actions?: ItemAction[];
  accessibility?: Accessibility;
  expanded?: boolean;
  children?: Item[];
}

/** Space around something, in points. */
export interface Inset {
  top: number;
  leading: number;
  bottom: number;
  trailing: number;
}

/** So many points, or a fraction of the container within its insets (a width) or of the screen. */
export type Bound = number | { fraction: number; of?: 'screen' };

/** At least so much, and then at most so much. */
export interface Bounds {
  minimum?: Bound;
  maximum?: Bound;
}

/** The size of a cell, in points. */
export interface ItemSize {
  /** A fraction is of the container within its insets, or of the screen's width. */
  width:
    | 'container' | 'column' | ({ points: number } | { fraction: number; of?: 'screen' }
    | { content: { minimum?: number; maximum?: number } }) & Bounds;
  /** `lines`: as high as the content with so many lines of text. */
  height: Bounds & (
    | { points: number } | { aspect: number } | { fraction: number; of: 'screen' }
    | { content: { lines?: number; minimum: number } });
}

/**
 * A colour, `#RRGGBB` or `#RRGGBBAA`: the same in light and dark, or one for each, and perhaps others where somebody
 * wants more contrast.
 */
export type Color = string | { light: string; dark: string; highContrast?: { light: string; dark: string } };

/** What assistive technologies are told of a cell. */
export interface Accessibility {
  label?: string;
  hint?: string;
  /** `button`, `header`, `image`, …; a newer server may name others. */
  traits?: string[];
  /** Whether it is only decoration, and left out. */
  hidden?: boolean;
}

/** One picture behind something; without `fit` it covers the frame. */
export interface BackgroundPicture {
  fit?: 'cover' | 'contain' | 'stretch' | (string & {});
  /** The same in other widths, in pixels: `sourceOf` of `hearth-client/layout` chooses. */
  sources?: { url: string; width: number }[];
  url: string;
  /** In pixels. */
  width?: number;
}

/**
 * What is drawn behind items or sections: the colour, the gradient over it, the picture over both, then the border. The
 * radius is of all corners, or of each.
 */
export interface Background {
  color?: Color;
  cornerRadius?: number | { topLeading: number; topTrailing: number; bottomLeading: number; bottomTrailing: number };
  /** `angle` as in CSS, mirrored in a page that is read from the right; 180 when absent. `at` ascends from 0 to 1. */
  gradient?: { angle?: number; stops: { at: number; color: Color }[] };
  image?: BackgroundPicture | { light: BackgroundPicture; dark: BackgroundPicture };
  /** Inside of the edge. */
  border?: { color: Color; width: number };
  shadow?: { color: Color; radius: number; x?: number; y?: number };
}

/**
 * A line between rows of a list, grid, outline or shelf, so many points high, in the middle of the space between them.
 * `leading` and `trailing` are left free at its ends.
 */
export interface Separator {
  color: Color;
  width: number;
  leading?: number;
  trailing?: number;
}

/**
 * Cells of different sizes, in the order in which items fill them. A column or row is a share of what points and
 * spacing leave, or has so many points; cells count them from 0.
 */
export interface Group {
  cells: { column: number; columnSpan?: number; row: number; rowSpan?: number }[];
  columns: (number | { points: number })[];
  rows: (number | { points: number })[];
}

/** How items are laid out, in points; docs/layout.md says what each member means. */
export interface Layout {
  /** An unknown style is laid out as a `list`. */
  style:
    | 'list' | 'grid' | 'shelf' | 'carousel' | 'ticker' | 'waterfall' | 'outline' | 'flow' | 'pinned' | (string & {});
  rows?: number[];
  /** How many rows a shelf has, and a leaf of a carousel with `rows`; one when absent. */
  rowCount?: number;
  /** As many columns as fit, of so many points at least, in the place of `rows`. */
  columns?: { minimum: number };
  /** Where the items of a flow's line stand; leading when absent. */
  alignment?: 'leading' | 'center' | 'trailing' | 'justified';
  /** How much of its neighbours is seen where a shelf or carousel rests. */
  peek?: { leading?: number; trailing?: number };
  /** Where a shelf or carousel rests; anywhere, and at a leaf, when absent. */
  paging?: 'none' | 'item' | 'group' | 'centered' | (string & {});
  inset?: Inset;
  itemSpacing?: number;
  lineSpacing?: number;
  /** What is drawn between rows. */
  separator?: Separator;
  /** A pattern of cells that repeats in a grid or shelf, each time of the size of an item. */
  group?: Group;
  itemSize?: ItemSize;
  headerSize?: ItemSize;
  footerSize?: ItemSize;
  /** The names of slots in the order that they stand in; the others follow by their names. */
  slotOrder?: string[];
  /** By the names of slots; the others share a cell. */
  slotSizes?: Record<string, ItemSize>;
  /** Whether the header stays at the top while its section scrolls below it. */
  stickyHeader?: boolean;
  /** Whether all of the section stays at the top while those below it scroll. */
  sticky?: boolean;
  background?: Background;
  /** Where the background is drawn; `inset` when absent. */
  backgroundFrame?: 'inset' | 'items' | 'section' | (string & {});
}

/** The items of a list that are not here yet: `href` answers the next ones, and `of` is the hash of the whole list. */
export interface More {
  href: string;
  count: number;
  of: string;
}

/** One group of a page. */
export interface Section {
  id: string;
  kind: string;
  /** The operators' number; the order of the array is what counts. */
  index: number;
  /** Only in the section's own answer. */
  position?: number;
  /** `lazy`: ask `more` once it is about to be seen; `client`: the app asks `source` for its user. */
  load?: 'lazy' | 'client' | (string & {});
  /**
   * Where the app gets what is its user's: the items with `load: 'client'`, and what `fills` names. What is here of it
   * is what to show instead.
   */
  source?: { url: string; fills?: ('header' | 'slots' | 'footer' | (string & {}))[] };
  /** The seconds after which the section may be asked for by itself. */
  pollInterval?: number;
  header?: Item;
  layout: Layout;
  /** Two lists or more that share the section: tabs choose which one shows (`showing` of `hearth-client/layout`). */
  lists?: { id: string; title: string }[];
  items?: Item[];
  /** What of the items is not here: `Lists` of `hearth-client/lists` asks for it. */
  more?: More;
  slots?: Record<string, Item>;
  footer?: Item;
}

/** A screen, its sections in the order to draw them. Never change it: it is what the next change set applies to. */
export interface Page {
  page: string;
  /** 16 hexadecimal digits of the SHA-256 of the rest. */
  version: string;
  locale: string;
  /** The direction that the locale is read in; left to right when absent. */
  direction?: 'rightToLeft' | (string & {});
  sortRule: string;
  /** What the screen is called. */
  title?: string;
  /** Space around all sections. */
  inset?: Inset;
  background?: Background;
  /** What stands at the two ends of the bar above the sections. */
  bar?: { leading?: Item[]; trailing?: Item[] };
  sections: Section[];
  emptyState?: Item;
}

/** What changed in a list, in the terms of a batch update; absent where nothing did. */
export type ListChanges<Insert, Own> = {
  /** Positions in the old list. */
  deletes?: number[];
  /** `at` is a position in the new list. */
  inserts?: ({ at: number } & Insert)[];
  /** From positions in the old list to positions in the new one. */
  moves?: { from: number; to: number }[];
  /** `at` is a position in the old list. */
  updates?: ({ at: number; set?: Record<string, any>; unset?: string[] } & Own)[];
};
/** Changes of items or children. */
export type ItemChanges = ListChanges<{ item: Item }, { children?: ItemChanges }>;
/** What leads from one page to another. */
export interface ChangeSet {
  page: string;
  from: string;
  to: string;
  set?: Record<string, any>;
  unset?: string[];
  sections?: ListChanges<{ section: Section }, { items?: ItemChanges }>;
}

/** A page that came in the place of another. */
export interface Update {
  /** What was held before; `null` at first. */
  old: Page | null;
  page: Page;
  /** What leads from the one to the other, whether the server sent it or the whole page; `null` at first. */
  changes: ChangeSet | null;
}

/**
 * - `unreachable`: no answer came, it broke off, or it could not be unpacked.
 * - `refused`: the server answered with a problem (RFC 9457).
 * - `unreadable`: the answer is not this page, or damaged.
 * - `dropped`: the answer was of an older edition than the page that is held, and so was the one asked for past caches.
 * - `otherHistory`: the same, three times in a row and for `timing.lagMax`: the server's database was made anew, or an
 *   old one was restored. `reset()` takes what it has.
 * - `unverified`: no pinned key signed the answer; only with `Signatures` of `hearth-client/signatures`.
 * - `storage`: the page could not be kept, or what was kept could not be used.
 */
export type ErrorKind =
  | 'unreachable' | 'refused' | 'unreadable' | 'dropped' | 'otherHistory' | 'unverified' | 'storage';

/** Why a poll brought nothing. The page that is held stays good to show. */
export class ClientError extends Error {
  constructor(kind: ErrorKind, message: string, refusal?: object);
  readonly kind: ErrorKind;
  /** The HTTP status of a refusal. */
  readonly status?: number;
  /** The problem's stable name; `null` when something in between refused. */
  readonly code?: string | null;
  /** Why an answer is `unverified`, see `SignatureFailure` of `hearth-client/signatures`. */
  readonly reason?: string;
  /** The id by which the server's log knows the request. */
  readonly requestID?: string | null;
  /** For how many seconds the server asks to be left alone, at most a day. */
  retryAfter: number | null;
}

/** What there is to show, and how true it is. */
export interface State {
  /**
   * - `noData`: there is no page yet.
   * - `cached`: the page is what the storage had; the server has not answered yet.
   * - `upToDate`: the last answer confirmed it.
   * - `stale`: the last poll brought nothing, see `error`; the page was the one to show at `since`.
   */
  name: 'noData' | 'cached' | 'upToDate' | 'stale';
  page: Page | null;
  /** When the server last said that this is the page, in milliseconds as of `Date.now()`; `null` without a page. */
  since: number | null;
  /** Why the last poll brought nothing. */
  error: ClientError | null;
  /** In how many seconds the client asks again after a failure; only in `states`. */
  retryIn: number | null;
  /** What this state brought; `null` when the page is the same as before. */
  update: Update | null;
}

/** Keeps one text for the app. What it loads is checked; an app may keep it wherever it can be replaced whole. */
export interface PageStorage {
  load(): string | null | undefined | Promise<string | null | undefined>;
  save(text: string): unknown;
}

/** Time, for tests. */
export interface Clock {
  /** Milliseconds that only ever go up. */
  now(): number;
  /** The date, in milliseconds as of `Date.now()`: it may jump. */
  date(): number;
  /** Resolves later; rejects when the signal is aborted. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<unknown>;
}

/** Pauses, in seconds. */
export interface Timing {
  /** The shortest time between two polls, whoever asks for them and whatever the server says: 1. */
  pauseMin: number;
  /** The longest pause while polls fail: 300. */
  pauseMax: number;
  /** What is added by chance is up to this, or a tenth of the pause where that is more: 1. */
  spread: number;
  /** For how long a page holds when the server does not say: 30. */
  maxAge: number;
  /** How old the date of the last confirmation may get in the storage while the page stays the same: 60. */
  keepMin: number;
  /**
   * For how long a storage is waited for, at the start and before a page is shown: 2. One that takes longer is
   * reported; what it loads is still shown if there is no page by then.
   */
  keepMax: number;
  /** For how long after the last confirmation a server that sends older editions is one that lags behind: 600. */
  lagMax: number;
}

/** Which page a client polls, and how. */
export interface Settings {
  /** Where the public listener is: `https://home.example.com`, with a path when it is served below one. */
  server: string | URL;
  /** The page's id: `home`. */
  page?: string;
  /** What the client tells of itself: `platform`, `appVersion`, `locale`, `bucket`, and what the server declares. */
  parameters?: Record<string, string | number | undefined>;
  /** The key that the server may ask its clients for. */
  clientKey?: string;
  /**
   * For how many whole seconds the server may hold a poll until the page changes; 0, as by default, asks at intervals.
   */
  wait?: number;
  /** How many seconds an answer may take, what the server holds it not counted: 20. */
  timeout?: number;
  /** The most bytes of an answer, unpacked: 32 MiB. A longer one is `unreadable`. */
  bodyMax?: number;
  timing?: Partial<Timing>;
  storage?: PageStorage;
  /** What marks and admits what is kept: `Signatures` of `hearth-client/signatures` brings it. */
  records?: Records;
  /** Is told of what fails without harm to the page: the storage. */
  report?: (error: ClientError) => void;
  fetch?: typeof globalThis.fetch;
  clock?: Clock;
  /** 0 to 1, drawn anew each time. */
  random?: () => number;
}

/** What stands before a page that is kept, and whether one may be shown. */
export interface Records {
  mark(text: string): string;
  /** Rejects for a record that is not to be shown. */
  admit(record: string): Promise<void>;
  forget(): void;
}

/** Polls one page and holds it. */
export class HearthClient {
  constructor(settings: Settings);
  /** The page that is held. */
  readonly page: Page | null;
  /** The edition that it is of, as `Hearth-Revision` has it. */
  readonly revision: string | null;
  /** The URL that is polled. */
  readonly url: string;
  /** What there is to show now. */
  readonly state: State;
  /**
   * What there is to show, and each change of it; polls for as long as it is iterated, from one place at a time.
   * Ends with the signal; iterate it again to go on.
   */
  states(signal?: AbortSignal): AsyncGenerator<State, void, void>;
  /**
   * Has `states` ask as soon as it may: a second after the last poll, and not before what the server asked for. The
   * user pulled, or the app came to the foreground.
   */
  refresh(): void;
  /**
   * Forgets the page, here, in the storage and in tabs that share polls, and has `states` ask for the whole one. What
   * the server sends then is shown, of whatever edition it is.
   */
  reset(): Promise<void>;
  /**
   * Asks once, as soon as it may; whoever asks meanwhile shares the answer. For apps with a rhythm of their own. While
   * the server asked to be left alone it throws that refusal again.
   * @throws ClientError, or the signal's reason
   */
  poll(signal?: AbortSignal): Promise<Update | null>;
  /**
   * What the page's server answers at a path and query of its own, such as a link of the page.
   * @throws ClientError
   */
  get(path: string): Promise<string>;
}

/** A number that JavaScript would spell otherwise: it keeps its text, and counts as the nearest double. */
export class Decimal {
  constructor(text: string);
  readonly text: string;
  valueOf(): number;
  toString(): string;
  toJSON(): number;
}

/** Reads JSON whose numbers keep their text. Throws SyntaxError. */
export function read(text: string): any;
/** Reads a page and checks it: that it is the one of this id, and agrees with its hash. Throws Error. */
export function readPage(text: string, id: string): Page;
/** The text of a page, byte for byte as the server writes it. */
export function textOf(page: Page): string;
/** The page after a change set. Throws Error when it is for another page or version, or does not fit. */
export function applying(page: Page, changes: ChangeSet): Page;
/** What leads from one page to another, with the fewest moves. */
export function changesBetween(old: Page, next: Page): ChangeSet;
/** The hundredth of all devices that one is in: 0 to 99. */
export function bucketOf(deviceID: string, salt?: string): number;
