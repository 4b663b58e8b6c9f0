/// What every generated TypeScript file holds, whatever the kinds are.
enum TypeScriptSupport {
  static let types = #"""

    /** A number that JavaScript would spell otherwise: it keeps its text, and counts as the nearest double. */
    export interface ExactNumber {
      readonly text: string;
      valueOf(): number;
    }
    /** A number that keeps its digits; `Number(it)` is the nearest double. */
    export type Exact = number | ExactNumber;
    /** Any value of JSON. */
    export type Value = null | boolean | Exact | string | readonly Value[] | { readonly [name: string]: Value };

    /** What a tap does. */
    export interface Action {
      readonly url?: string;
      readonly handler?: string;
      /** What the handler is given. */
      readonly arguments?: Record<string, any>;
      readonly event?: string;
      readonly attributes?: Record<string, any>;
    }

    /** One of several things that an item offers beside its tap, by a swipe or in a menu. */
    export interface ItemAction {
      readonly title: string;
      readonly action: Action;
      /** The side of the cell; `trailing` when absent. */
      readonly edge?: "leading" | "trailing" | (string & {});
      readonly role?: "destructive" | (string & {});
    }

    /** Space around something, in points. */
    export interface Inset {
      readonly top: number;
      readonly leading: number;
      readonly bottom: number;
      readonly trailing: number;
    }

    /** At least and then at most so much: points, or a fraction of the container (a width) or of the screen. */
    export interface LayoutBounds {
      minimum?: number | { fraction: number; of?: "screen" };
      maximum?: number | { fraction: number; of?: "screen" };
    }

    /** The size of a cell, in points. */
    export interface ItemSize {
      readonly width:
        | "container" | "column" | LayoutBounds & ({ points: number } | { fraction: number; of?: "screen" }
        | { content: { minimum?: number; maximum?: number } });
      readonly height: LayoutBounds & (
        | { points: number } | { aspect: number } | { fraction: number; of: "screen" }
        | { content: { lines?: number; minimum: number } });
    }

    /** What assistive technologies are told of a cell. */
    export interface Accessibility {
      readonly label?: string;
      readonly hint?: string;
      readonly traits?: string[];
      /** Whether it is only decoration, and left out. */
      readonly hidden?: boolean;
    }

    /** A colour, the same in light and dark, or one for each, and perhaps others where somebody wants more contrast. */
    export type LayoutColor = string | { light: string; dark: string; highContrast?: { light: string; dark: string } };

    /** What is drawn behind items or sections; the radius is of all corners, or of each. */
    export interface Background {
      readonly color?: LayoutColor;
      readonly cornerRadius?: number | { topLeading: number; topTrailing: number; bottomLeading: number; bottomTrailing: number };
      readonly gradient?: { angle?: number; stops: { at: number; color: LayoutColor }[] };
      readonly image?: BackgroundPicture | { light: BackgroundPicture; dark: BackgroundPicture };
      readonly border?: { color: LayoutColor; width: number };
      readonly shadow?: { color: LayoutColor; radius: number; x?: number; y?: number };
    }

    /** One picture behind something. */
    export interface BackgroundPicture {
      readonly fit?: "cover" | "contain" | "stretch" | (string & {});
      readonly sources?: { url: string; width: number }[];
      readonly url: string;
      readonly width?: number;
    }

    /** How items are laid out, in points. */
    export interface Layout {
      /** An unknown style is laid out as a `list`. */
      readonly style:
        | "list" | "grid" | "shelf" | "carousel" | "ticker" | "waterfall" | "outline" | "flow" | "pinned" | (string & {});
      readonly rows?: number[];
      readonly rowCount?: number;
      readonly columns?: { minimum: number };
      readonly alignment?: "leading" | "center" | "trailing" | "justified";
      readonly peek?: { leading?: number; trailing?: number };
      readonly paging?: "none" | "item" | "group" | "centered" | (string & {});
      readonly inset?: Inset;
      readonly itemSpacing?: number;
      readonly lineSpacing?: number;
      readonly separator?: { color: LayoutColor; width: number; leading?: number; trailing?: number };
      readonly group?: {
        cells: { column: number; columnSpan?: number; row: number; rowSpan?: number }[];
        columns: (number | { points: number })[];
        rows: (number | { points: number })[];
      };
      readonly itemSize?: ItemSize;
      readonly headerSize?: ItemSize;
      readonly footerSize?: ItemSize;
      /** The names of slots in the order that they stand in; the others follow by their names. */
      readonly slotOrder?: string[];
      /** By the names of slots; the others share a cell. */
      readonly slotSizes?: Record<string, ItemSize>;
      readonly stickyHeader?: boolean;
      readonly sticky?: boolean;
      readonly background?: Background;
      readonly backgroundFrame?: "inset" | "items" | "section" | (string & {});
    }

    /** An item as it crosses the wire. */
    export interface WireItem {
      id: string;
      kind: string;
      lists?: string[];
      content: Record<string, any>;
      aspect?: number;
      inset?: Inset;
      action?: Action;
      actions?: ItemAction[];
      accessibility?: Accessibility;
      expanded?: boolean;
      children?: WireItem[];
    }

    /** A section as it crosses the wire. */
    export interface WireSection {
      id: string;
      kind: string;
      index: number;
      header?: WireItem;
      layout: Layout;
      lists?: { id: string; title: string }[];
      items?: WireItem[];
      slots?: Record<string, WireItem>;
      footer?: WireItem;
    }

    /** A page as it crosses the wire. */
    export interface WirePage {
      page: string;
      version: string;
      locale: string;
      /** The direction that the locale is read in; left to right when absent. */
      direction?: string;
      sortRule: string;
      /** What the screen is called. */
      title?: string;
      inset?: Inset;
      background?: Background;
      /** What stands at the two ends of the bar above the sections. */
      bar?: { leading?: WireItem[]; trailing?: WireItem[] };
      sections: WireSection[];
      emptyState?: WireItem;
    }

    /** What does not have the shape of its kind: where it is, and what is wrong. */
    export interface Dropped {
      readonly pointer: string;
      readonly detail: string;
    }

    /** An item of one kind. */
    export interface ItemOf<Kind extends string, Content> {
      /** Unique in its section. */
      readonly id: string;
      readonly kind: Kind;
      /** The ids of the section's lists that it is in; all of them when absent. */
      readonly lists?: readonly string[];
      /** What the cell shows. Members that these kinds do not name are in there as well. */
      readonly content: Content;
      /** Width divided by height. */
      readonly aspect?: number;
      /** Space around the cell. */
      readonly inset?: Inset;
      readonly action?: Action;
      /** What it offers beside that, the first of a side at the edge. */
      readonly actions?: readonly ItemAction[];
      readonly accessibility?: Accessibility;
      readonly expanded?: boolean;
      readonly children?: readonly Item[];
    }

    /** An item of a kind that these kinds do not name, or that does not belong there. */
    export interface UnknownItem {
      readonly kind: null;
      readonly json: WireItem;
    }

    /** What sections of all kinds have. */
    export interface SectionOf<Kind extends string> {
      /** Unique in its page. */
      readonly id: string;
      readonly kind: Kind;
      /** The operators' number; the order of the array is what counts. */
      readonly index: number;
      readonly layout: Layout;
      /** Lists that share the section: tabs choose which one shows. */
      readonly lists?: readonly { id: string; title: string }[];
    }

    /** A section of a kind that these kinds do not name, or without an item that its kind requires. */
    export interface UnknownSection {
      readonly kind: null;
      readonly json: WireSection;
    }

    /** A page whose sections and items have types. */
    export interface Page {
      readonly page: string;
      readonly version: string;
      readonly locale: string;
      /** The direction that the locale is read in; left to right when absent. */
      readonly direction?: string;
      readonly sortRule: string;
      /** What the screen is called. */
      readonly title?: string;
      readonly inset?: Inset;
      readonly background?: Background;
      /** What stands at the two ends of the bar above the sections; its items have no types here. */
      readonly bar?: { leading?: WireItem[]; trailing?: WireItem[] };
      /** In the order to draw them. */
      readonly sections: readonly Section[];
      /** What to show instead when there are no sections. */
      readonly emptyState?: Item;
      /** What was left out because it does not have the shape of its kind. */
      readonly dropped: readonly Dropped[];
    }
    """#

  static let reading = #"""

    /** The types of a page. An item without the shape of its kind is left out, and named in `dropped`. */
    export function typed(page: WirePage): Page {
      const dropped: Dropped[] = [];
      const sections = page.sections.map((json, position) => section(json, `/sections/${position}`, dropped));
      const emptyState = page.emptyState && item(page.emptyState, "/emptyState", null, dropped);
      return { ...page, sections, emptyState, dropped } as Page;
    }

    /** The page as it crosses the wire, without what was left out. */
    export function untyped(page: Page): WirePage {
      const { dropped: _, ...rest } = page;
      const sections = page.sections.map(untypedSection);
      return withoutAbsent({ ...rest, sections, emptyState: page.emptyState && untypedItem(page.emptyState) });
    }

    /** The section as it crosses the wire. */
    export function untypedSection(section: Section): WireSection {
      if (section.kind === null) return section.json;
      const { header, items, slots, footer } = section as any;
      return withoutAbsent({
        ...section,
        header: header && untypedItem(header),
        items: items && items.length ? items.map(untypedItem) : undefined,
        slots: slots && Object.keys(slots).length ? mapped(slots, untypedItem) : undefined,
        footer: footer && untypedItem(footer),
      });
    }

    /** The item as it crosses the wire. */
    export function untypedItem(item: Item): WireItem {
      if (item.kind === null) return item.json;
      if (!item.children) return item as any;
      return withoutAbsent({ ...item, children: item.children.length ? item.children.map(untypedItem) : undefined });
    }

    type Check = (value: any, at: string) => Dropped | null;

    interface SectionShape {
      header: readonly string[];
      items: readonly string[];
      slots: readonly (readonly [name: string, kinds: readonly string[], isRequired: boolean])[];
      footer: readonly string[];
    }

    function section(json: WireSection, at: string, dropped: Dropped[]): Section {
      const shape = shapes.get(json.kind);
      if (!shape) return { kind: null, json };
      const one = (name: "header" | "footer") => {
        const there = json[name];
        return there && (shape[name].length ? item(there, `${at}/${name}`, shape[name], dropped) : there);
      };
      const slots = json.slots && mapped(json.slots, (there, name) => {
        const kinds = shape.slots.find((slot) => slot[0] === name)?.[1] ?? [];
        return item(there, `${at}/slots/${name}`, kinds, dropped);
      });
      for (const [name, kinds, isRequired] of shape.slots) {
        const found: any = slots?.[name];
        // A required slot with one kind has that type; with several it may be of one that is not known.
        if (isRequired && (!found || (kinds.length === 1 && found.kind === null))) return { kind: null, json };
      }
      const items = shape.items.length ? all(json.items ?? [], `${at}/items`, shape.items, dropped) : json.items;
      return withoutAbsent({
        ...json, header: one("header"), items, slots: slots ?? (shape.slots.length ? {} : undefined), footer: one("footer"),
      });
    }

    /** An item, of one of some kinds or of any; nothing when it does not have the shape of its kind. */
    function item(json: WireItem, at: string, kinds: readonly string[] | null, dropped: Dropped[]): Item | undefined {
      const check = contents.get(json.kind);
      if (!check || (kinds && !kinds.includes(json.kind))) return { kind: null, json };
      const problem = check(json.content, `${at}/content`);
      if (problem) {
        dropped.push(problem);
        return undefined;
      }
      const children = json.children && all(json.children, `${at}/children`, null, dropped);
      return (children ? { ...json, children } : json) as any;
    }

    function all(json: readonly WireItem[], at: string, kinds: readonly string[] | null, dropped: Dropped[]): Item[] {
      return json.map((there, position) => item(there, `${at}/${position}`, kinds, dropped))
        .filter((there): there is Item => there !== undefined);
    }

    function mapped(from: any, change: (value: any, name: string) => any): any {
      return Object.fromEntries(Object.keys(from).map((name) => [name, change(from[name], name)])
        .filter(([, value]) => value !== undefined));
    }

    function withoutAbsent(object: any): any {
      for (const name of Object.keys(object)) if (object[name] === undefined) delete object[name];
      return object;
    }

    function typeOf(value: any): string {
      if (value === null) return "null";
      if (Array.isArray(value)) return "array";
      return typeof value === "object" && isExact(value) ? "number" : typeof value;
    }

    /** JSON holds no functions: only a number that keeps its text can say what it counts as. */
    function isExact(value: any): boolean {
      return typeof value.valueOf === "function" && typeof value.valueOf() === "number";
    }

    function expected(is: boolean, pointer: string, what: string): Dropped | null {
      return is ? null : { pointer, detail: `must be ${what}` };
    }

    /** What values are held against. */
    const is = {
      any: (() => null) as Check,
      text: ((value, at) => expected(typeof value === "string", at, "a string")) as Check,
      flag: ((value, at) => expected(typeof value === "boolean", at, "true or false")) as Check,
      exact: ((value, at) => expected(typeOf(value) === "number", at, "a number")) as Check,
      number: ((value, at) => expected(typeof value === "number", at, "a number of at most 15 digits")) as Check,
      whole: ((value, at) => expected(Number.isSafeInteger(value), at, "a whole number that fits")) as Check,
      exactWhole: ((value, at) =>
        expected(typeOf(value) === "number" && Number.isInteger(Number(value)), at, "a whole number")) as Check,
      nullable: (check: Check): Check => (value, at) => value === null ? null : check(value, at),
      list: (check: Check): Check => (value, at) => {
        if (!Array.isArray(value)) return expected(false, at, "an array");
        for (const [position, element] of value.entries()) {
          const problem = check(element, `${at}/${position}`);
          if (problem) return problem;
        }
        return null;
      },
      map: (check: Check): Check => (value, at) => {
        if (typeOf(value) !== "object") return expected(false, at, "an object");
        for (const name of Object.keys(value)) {
          const problem = check(value[name], place(at, name));
          if (problem) return problem;
        }
        return null;
      },
    };

    function object(value: any, at: string, members: readonly (readonly [string, Check, boolean])[]): Dropped | null {
      if (typeOf(value) !== "object") return expected(false, at, "an object");
      for (const [name, check, isRequired] of members) {
        if (Object.prototype.hasOwnProperty.call(value, name)) {
          const problem = check(value[name], place(at, name));
          if (problem) return problem;
        } else if (isRequired) {
          return { pointer: place(at, name), detail: "is required" };
        }
      }
      return null;
    }

    function place(at: string, name: string): string {
      return `${at}/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`;
    }
    """#
}
