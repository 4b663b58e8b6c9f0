// What the console's modules hand to each other, for `tsc --checkJs --strict`. What the API answers is described in
// docs/openapi.yaml; its members that only a kind's schema knows are `any` here.

type PageModel = import('../../Sources/Service/Console/assets/lib/model.js').PageModel;
type Editor = import('../../Sources/Service/Console/assets/lib/editor.js').Editor;
type Ordering = import('../../Sources/Service/Console/assets/lib/ordering.js').Ordering;
type Once = import('../../Sources/Service/Console/assets/lib/once.js').Once;
type Rights = import('../../Sources/Service/Console/assets/lib/roles.js').Rights;
type Resource = import('../../Sources/Service/Console/assets/views/resource.js').Resource;

// What the API answers

type Me = { selector: string; name: string; role: string; scopes: string[]; expiresAt?: string };
type Schema = Record<string, any>;
type Layout = Record<string, any>;
type Schedule = { from?: string; until?: string; zone?: string };
type Predicate = any;
type Item = {
  id: string; kind: string; content?: any; action?: any; actions?: any[]; aspect?: number; expanded?: boolean;
  keepOnTop?: boolean; schedule?: Schedule; audience?: Predicate; children?: Item[]; inset?: any; accessibility?: any;
  lists?: string[];
};
type Section = {
  id: string; kind: string; index: number; title?: string; hidden?: boolean; layout?: Layout; schedule?: Schedule;
  audience?: Predicate; items?: Item[]; slots?: Record<string, Item>; header?: Item; footer?: Item; itemOrder?: any;
  lists?: { id: string; title: any }[];
};
type SortRule = { indices?: Record<string, number>; audience?: Predicate; schedule?: Schedule; priority?: number };
type Draft = {
  id: string; title: string; defaultLocale: string; locales: string[]; pollInterval?: number; emptyState?: Item;
  sections: Section[]; sortRules: Record<string, SortRule>; order: string[]; live?: number; changed: string[];
  isChanged: boolean; changedParts: import('../../Sources/Service/Console/assets/lib/parts.js').Parts;
  lastChanges: {
    sections?: Record<string, Change>; settings?: Change; order?: Change; rules?: Record<string, Change>;
    audiences?: Record<string, Change>;
  };
  orderTag: string; settingsTag: string;
  sectionTags: Record<string, { settings: string; content: string }>;
};
type Change = import('../../Sources/Service/Console/assets/lib/changes.js').Change;
type Kinds = {
  itemKinds?: Record<string, any>; sectionKinds?: Record<string, any>; [name: string]: any;
};
type Hidden = { section: string; reason: string };
type Payload = {
  id?: string; locale?: string; direction?: string; sortRule?: string; title?: string; inset?: any; background?: any;
  bar?: { leading?: Item[]; trailing?: Item[] }; sections: Section[]; hidden: Hidden[]; emptyState?: Item;
  problem?: import('../../Sources/Service/Console/assets/lib/api.js').Problem; isAbsent?: boolean;
  unsaved?: Record<string, any>; refusal?: any;
};
type Flip = {
  at: string; what: string; section?: string; item?: string; rule?: string; revision?: number; sections?: string[];
  settings?: true; rules?: string[]; order?: true; audiences?: string[];
};
type Sentence = { code: string; values: Record<string, any> };
type Trouble = {
  severity?: string; code?: string; pointer: string; detail: string; sentence?: Sentence; section?: string;
};
type Revision = {
  page: string; revision: number; kind: string; author: string; madeAt: string; message?: string; fingerprint?: string;
  problems: Trouble[]; pinned: boolean; live: boolean; source?: number;
  withheld?: { family: string; kind: string; audience: Predicate }[];
};

// What views and forms are given

type Setup = { kinds: Kinds; attributes: Record<string, any>; rights: Rights };
type Texts = {
  at(pointer: string): { text: string; reason: string } | undefined;
  set(pointer: string, text: string | null, reason?: string): void;
};
/** What every field of a form is given. */
type Form = {
  kinds: Kinds; attributes: Record<string, any>; locales: string[]; audiences: string[]; errors: Trouble[];
  texts: Texts; mayEdit: boolean;
  /** The lists that share the section. */
  lists?: { id: string; title: any }[];
  /** Shows who changed a field, where that is known; an item or a section as a whole. */
  follow?(pointer: string, label: string, isWhole?: boolean): void;
  /** How items go to other places, in the form of a section's content. */
  moves?: {
    begin(item: Item, from: string | null): void;
    targets(item: Item, from: string | null): { section?: string; slot?: string; text: string }[];
    to(item: Item, from: string | null, target: { section?: string; slot?: string }): void;
    place(slot: string | null): Record<string, (event: any) => void>;
  } | null;
  /** Whether the items are there for everyone and always, and have nothing below them: those of a bar. */
  isForEveryone?: boolean;
  /** The item that was searched for, which opens. */
  wanted?: { item: string } | null;
  /** What all of the form edits, as it is by now, for what takes its time; `sending` has the pictures on their way. */
  whole: {
    value: any; set(value: any): void; isThere(): boolean; sending: Set<object>;
    /** Whether something in it is not saved, and what saves it, where it is saved as a whole. */
    isDirty?(): boolean; save?(): any;
  };
  /** What is known of pictures, in a section's form. */
  pictures?: {
    page?: string; cellOf(pointer: string): { width: number; height: number } | null;
    inUse(): { url: string; width: number; height: number }[];
  };
};
/** One field: `onChange` gets `undefined` when the value goes. */
type FieldProps = {
  form: Form; schema: Schema; value: any; label: string; name: string; pointer: string; isRequired?: boolean;
  onChange: (value: any) => void;
};
/** A cell's height in points: fixed, or the least where it follows the content. */
type Size = { height?: number; minHeight?: number };
/** The width that a section has, in points. */
type Space = { inner: number; container: number; columns?: number; spacing?: number };

interface Element { dataset: DOMStringMap }
interface EventTarget { closest?(selector: string): Element | null }
interface Array<T> { with(place: number, value: T): T[]; toSpliced(place: number, count: number, ...more: T[]): T[] }

// The web client, which the server has below the console; clients/typescript has its types.
declare module '*/client/index.js' {
  export const read: (text: string) => any;
}
declare module '*/client/layout.js' {
  type Frame = { item: any; x: number; y: number; width: number; height: number };
  export const showing: (section: any, choice?: string) => any;
  export const sourceOf: (picture: any, width: number, scale?: number) => string;
  export const framesOf: (
    section: any, width: number, measure: (item: any, width: number) => number, options?: object,
  ) => { height: number; cells: Frame[]; leaves: { items: any[]; x: number; width: number }[] };
}
declare module '*/client/element.js' {}
declare module '*/client/background.js' {
  export const groundOf: (
    background: any,
    page: { isDark: boolean; isMirrored: boolean; hasPictures: boolean; resolve(picture: any): string },
  ) => { color: string; layers: string; ink: string };
}
declare module '*/client/plain.js' {
  export const rules: string;
  export const pictureOf: (picture: any, words: string, room: { resolve(url: string): string; width: number }) => Node;
}
declare module '*/client/sheet.js' {
  export const adopt: (root: any, rules: string) => void;
}
declare module '*/client/json.js' {
  export const write: (value: any) => string;
}
