// What the console's modules hand to each other, for `tsc --checkJs --strict`. What the API answers is described in
// docs/openapi.yaml; a member that only a kind's schema knows is a `Value` here.

type PageModel = import('../../Sources/Service/Console/assets/lib/model.js').PageModel;
type Editor = import('../../Sources/Service/Console/assets/lib/editor.js').Editor;
type Ordering = import('../../Sources/Service/Console/assets/lib/ordering.js').Ordering;
type Once = import('../../Sources/Service/Console/assets/lib/once.js').Once;
type Rights = import('../../Sources/Service/Console/assets/lib/roles.js').Rights;
type Resource<Form extends Content = Content> =
  import('../../Sources/Service/Console/assets/views/resource.js').Resource<Form>;

// What the API answers

/** What JSON holds, of a shape that only the schema of a kind knows. */
type Value = null | boolean | number | string | Value[] | { [name: string]: Value | undefined };
/** A number; one that a double cannot hold, with its digits as they are. */
type Numeric = number | { rawJSON: string };
/** A value, where there may be none. */
type Content = Value | undefined;
type Me = { selector: string; name: string; role: string; scopes: string[]; expiresAt?: string };
/** What an object of JSON has. */
type Members = Record<string, Content>;
/** JSON Schema with the keywords that kinds may use (docs/kinds.md, "Content: the schema"). */
type Schema = {
  type?: string | string[]; enum?: Value[]; const?: Value; anyOf?: AnySchema[]; oneOf?: AnySchema[];
  allOf?: AnySchema[]; not?: AnySchema;
  properties?: Record<string, AnySchema>; required?: string[]; additionalProperties?: AnySchema;
  propertyNames?: AnySchema; minProperties?: number; maxProperties?: number;
  items?: AnySchema; prefixItems?: AnySchema[]; minItems?: number; maxItems?: number; uniqueItems?: boolean;
  minLength?: number; maxLength?: number; pattern?: string; format?: string;
  minimum?: Numeric; maximum?: Numeric; exclusiveMinimum?: Numeric; exclusiveMaximum?: Numeric; multipleOf?: Numeric;
  $defs?: Record<string, AnySchema>; $ref?: string; $schema?: string; $comment?: string;
  title?: string; description?: string; default?: Value; 'x-localized'?: boolean;
  /** Of the console's own: points, for which the kinds may have a name. */
  'x-points'?: boolean;
};
/** A schema, `true` for any value, or `false` for none. */
type AnySchema = Schema | boolean;
/**
 * What a section lays over the layout of its kind (`Layout` in docs/openapi.yaml). A `Content` differs by locale, is a
 * name in the kinds, or has such members.
 */
type Layout = {
  style?: string; rows?: Value[]; rowCount?: number; columns?: { minimum?: Content }; alignment?: string;
  peek?: Members; paging?: string; inset?: Content; itemSpacing?: Content; lineSpacing?: Content; separator?: Members;
  group?: Members; itemSize?: Members; headerSize?: Members; footerSize?: Members; slotOrder?: string[];
  slotSizes?: Record<string, Members>; stickyHeader?: boolean; sticky?: boolean; background?: Members;
  backgroundFrame?: string;
};
type Schedule = { from?: string; until?: string; zone?: string };
/** A condition on an attribute, with one of the operators. */
type Comparison = {
  attribute: string; in?: Value[]; notIn?: Value[]; atLeast?: Value; below?: Value; between?: Value[]; matches?: Value;
};
/** One of these: a named audience, predicates joined, or a comparison. */
type Joined = Partial<Comparison> & { audience?: string; all?: Predicate[]; any?: Predicate[]; not?: Predicate };
/** Who is meant; a bare string names an audience. */
type Predicate = string | Joined;
type Item = {
  id: string; kind: string; content?: Content; action?: Content; actions?: Value[]; aspect?: number; expanded?: boolean;
  keepOnTop?: boolean; schedule?: Schedule; audience?: Predicate; children?: Item[]; inset?: Content;
  accessibility?: Content; lists?: string[]; hidden?: boolean;
};
type Section = {
  id: string; kind: string; index: number; title?: string; hidden?: boolean; layout?: Layout; schedule?: Schedule;
  audience?: Predicate; items?: Item[]; slots?: Record<string, Item>; header?: Item; footer?: Item; itemOrder?: Content;
  lists?: { id: string; title: string | Record<string, string> }[]; load?: 'lazy' | 'client';
  source?: { url: string; fills?: string[] }; firstItems?: Numeric; pollInterval?: Numeric; freshFor?: Numeric;
  asks?: Content;
  /** Of a phone: the items that do not stand in the page. */
  more?: { href: string; count: number; of: string };
};
type SortRule = { indices?: Record<string, number>; audience?: Predicate; schedule?: Schedule; priority?: number };
type Draft = {
  id: string; title: string; displayTitle?: Content; defaultLocale: string; locales: string[]; pollInterval?: number;
  emptyState?: Item;
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
/** A kind of items; nothing is known of one that is gone. */
type ItemKind = {
  title?: string; content?: AnySchema; children?: string[]; action?: 'optional' | 'required' | 'forbidden';
  requires?: Record<string, string>; fallback?: { kind: string; content?: Record<string, string> }; removed?: boolean;
};
/** A kind of sections; nothing is known of one that is gone. */
type SectionKind = {
  title?: string; layout?: Layout; items?: { kinds: string[]; minimum?: number; maximum?: number };
  slots?: Record<string, { kinds: string[]; required?: boolean }>; header?: string[]; footer?: string[];
  showsWithoutItems?: boolean; depth?: number; requires?: Record<string, string>; fallback?: { kind: string };
  removed?: boolean;
};
/** What config/kinds.yaml says. */
type Kinds = {
  itemKinds?: Record<string, ItemKind>; sectionKinds?: Record<string, SectionKind>;
  $defs?: Record<string, AnySchema>; tokens?: Record<string, Value>;
};
type Hidden = { section: string; reason: string };
type Payload = {
  id?: string; locale?: string; direction?: string; sortRule?: string; title?: string; inset?: Content;
  background?: Content; bar?: { leading?: Item[]; trailing?: Item[] }; sections: Section[]; hidden: Hidden[];
  emptyState?: Item; problem?: { message: string }; isAbsent?: boolean; unsaved?: Record<string, unknown>;
  refusal?: import('../../Sources/Service/Console/assets/lib/api.js').Problem;
};
type Flip = {
  at: string; what: string; section?: string; item?: string; rule?: string; revision?: number; sections?: string[];
  settings?: true; rules?: string[]; order?: true; audiences?: string[];
};
type Sentence = { code: string; values: Record<string, Content> };
type Trouble = {
  severity?: string; code?: string; pointer: string; detail: string; sentence?: Sentence; section?: string;
};
type Revision = {
  page: string; revision: number; kind: string; author: string; madeAt: string; message?: string; fingerprint?: string;
  problems: Trouble[]; pinned: boolean; live: boolean; source?: number;
  withheld?: { family: string; kind: string; audience: Predicate }[];
};

type PageSummary = { id: string; title: string; live?: number; changed: boolean };
type PageSettings = {
  title?: string; defaultLocale: string; locales?: string[]; pollInterval?: number; emptyState?: Item;
  displayTitle?: Content; bar?: { leading?: Item[]; trailing?: Item[] }; inset?: Content; background?: Content;
};
/** A revision with all that the page was then. */
type RevisionDetail = Revision & PageSettings & {
  title: string; locales: string[]; sections: Section[]; sortRules: Record<string, SortRule>;
};
/** What the server says of what it refuses. */
type ProblemDocument = {
  title?: string; detail?: string; code?: string; errors?: Trouble[]; moreErrors?: number; uses?: AssetUse[];
  waiting?: Waiting[]; made?: unknown; etag?: string; changedBy?: string; changedAt?: string;
  values?: Record<string, Value>;
};
/** What an operation throws: what the server refused, that there is no answer, or what the console says itself. */
type Failed = Error & { status?: number; code?: string; isStale?: boolean; errors?: Trouble[] };
type Waiting = import('../../Sources/Service/Console/assets/lib/parts.js').Waiting;
type Parts = import('../../Sources/Service/Console/assets/lib/parts.js').Parts;
type AlsoChanged = { section?: string; rule?: string; audiences: string[] };
type NodeProblem = { name: string; problem: string; problemCode?: string };
/** What a publish or a rollback would come to. */
type DryRun = {
  revision: number; isPublishable: boolean; problems: Trouble[]; summary: string[]; sentences: Sentence[];
  alsoChanged?: AlsoChanged[]; disappears?: { section: string; returns?: string }[]; waiting?: Waiting[];
  nodes?: { problems: NodeProblem[] };
};
type Published = Revision & {
  alsoChanged?: AlsoChanged[];
  nodes?: { serving: number; of: number; missing?: string[]; problems?: NodeProblem[] };
};
type ScheduledPublish = Parts & {
  id: number; page: string; revision?: number; publishedSince?: Parts; held?: true; missed?: true; at: string;
  zone: string; author: string; message?: string;
};
/** An entry of the audit. */
type Audit = {
  id: number; at: string; actor: string; token?: string; address?: string; requestId?: string; action: string;
  page?: string; section?: string; item?: string; detail?: string; before?: string; after?: string;
};
type Asset = {
  url: string; width: number; height: number; bytes: number; createdAt: string; createdBy: string; name?: string;
  alt?: string | Record<string, string>; tags?: string[]; focus?: { x: number; y: number }; original?: string;
};
type AssetUse = {
  place: 'draft' | 'scheduled' | 'live' | 'revision'; page: string; section?: string; revision?: number;
};
type AssetPlace = { page: string; section?: string; count: number; reason?: 'scope' | 'kind' | 'text' };
type AssetReplacement = { replaced: AssetPlace[]; refused: AssetPlace[]; remaining: AssetUse[] };
type Attribute = { type: string; values?: string[]; minimum?: number; maximum?: number };
type Attributes = Record<string, Attribute>;
type Token = {
  selector: string; name: string; role: string; scopes: string[]; createdAt: string; createdBy: string;
  expiresAt?: string; lastUsedAt?: string;
};
type Webhook = {
  id: number; name: string; url: string; format: 'standard' | 'slack'; kinds: string[]; pages: string[]; on: boolean;
  offReason?: string; createdAt: string; createdBy: string; formerSecretUntil?: string; waiting: number;
  waitingSince?: string;
};
type WebhookDelivery = {
  id: number; message: string; page: string; edition: string; event: { kind: string }; at: string;
  state: 'waiting' | 'delivered' | 'given-up';
  tries: number; nextAt?: string; lastAt?: string; status?: number; detail?: string;
};
type PreviewLink = {
  id: number; page: string; name?: string; revision: string; at?: string; client: Record<string, string>;
  createdAt: string; createdBy: string; expiresAt: string;
};
type SearchResult = {
  page: string; section: string; title?: string; item?: string; slot?: string;
  matches: { pointer: string; text: string }[];
};
/** A change of a field, an item or a section. */
type FieldChange = {
  revision?: number; at: string; by: string[]; publishedBy?: string; from?: Value; to?: Value;
};
type ServerNode = {
  name: string; address: string; instance: string; since: string; silentSeconds: number; alive: boolean; this: boolean;
  version: string; schema: number; pages: Record<string, string>; problem?: string; problemCode?: string;
};
type Withholding = {
  family: 'items' | 'sections'; kind: string; audience: Predicate; reason: string; author: string; at: string;
};
type Asked = {
  isOn: boolean; asks?: Content; every?: number; age?: number; answeredAt?: string; triedAt?: string; failure?: string;
};
type SectionContent = { items?: Item[]; slots?: Record<string, Item> };
type SectionSettings = Omit<Section, 'items' | 'slots'>;
/** A section's settings as the form has them: where it stands is the order's. */
type SectionForm = Omit<SectionSettings, 'id' | 'index'>;

/** What each path below /admin/v1 answers a reader. */
type AnswerAt<Path extends readonly string[]> =
  Path extends readonly ['whoami'] ? Me :
  Path extends readonly ['kinds'] ? Kinds :
  Path extends readonly ['attributes'] ? { attributes: Attributes } :
  Path extends readonly ['audit'] ? { entries: Audit[]; next?: string } :
  Path extends readonly ['audiences'] ? { audiences: Record<string, Predicate> } :
  Path extends readonly ['audiences', string, 'uses'] ? { uses: string[] } :
  Path extends readonly ['nodes'] ? { alive: number; nodes: ServerNode[] } :
  Path extends readonly ['search'] ? { results: SearchResult[]; next?: string } :
  Path extends readonly ['tokens'] ? { tokens: Token[] } :
  Path extends readonly ['webhooks'] ? { webhooks: Webhook[]; isSending: boolean; most: number } :
  Path extends readonly ['webhooks', string] ? Webhook :
  Path extends readonly ['webhooks', string, 'deliveries'] ? { deliveries: WebhookDelivery[]; next?: string } :
  Path extends readonly ['withheld'] ? { withheld: Withholding[] } :
  Path extends readonly ['assets']
    ? { assets: Asset[]; next?: string; tags?: string[]; limits: { bytes: number; pixels: number } } :
  Path extends readonly ['assets', string] ? Asset :
  Path extends readonly ['assets', string, 'uses'] ? { uses: AssetUse[]; count: number } :
  Path extends readonly ['pages'] ? { pages: PageSummary[]; next?: string } :
  Path extends readonly ['pages', string] ? PageSettings :
  Path extends readonly ['pages', string, ...infer Rest] ? AnswerOfPage<Rest> : Value;

/** What each path below a page answers a reader. */
type AnswerOfPage<Path extends readonly unknown[]> =
  Path extends readonly ['draft'] ? Draft :
  Path extends readonly ['preview'] ? Payload :
  Path extends readonly ['problems'] ? { problems: Trouble[] } :
  Path extends readonly ['timeline'] ? { flips: Flip[] } :
  Path extends readonly ['revisions'] ? { revisions: Revision[]; next?: string } :
  Path extends readonly ['revisions', string] ? RevisionDetail :
  Path extends readonly ['scheduled'] ? { scheduled: ScheduledPublish[] } :
  Path extends readonly ['previews'] ? { previews: PreviewLink[]; hoursMax: number } :
  Path extends readonly ['changes']
    ? { from: string; to: string; changes: object; summary: string[]; sentences: Sentence[] } :
  Path extends readonly ['sort-rules', string] ? SortRule :
  Path extends readonly ['sections', string] ? SectionSettings :
  Path extends readonly ['sections', string, 'content'] ? SectionContent :
  Path extends readonly ['sections', string, 'items', string] ? Item :
  Path extends readonly ['sections', string, 'history'] ? { changes: FieldChange[]; next?: string } :
  Path extends readonly ['sections', string, 'asked'] ? Asked :
  Path extends readonly ['sections', string, 'asked', 'answer']
    ? { failure?: string; bytes?: number; content?: SectionContent; errors: Trouble[] } : Value;

/** What each path answers a dry run. */
type DryRunAt<Path extends readonly string[]> =
  Path extends readonly ['pages', string, 'publish' | 'rollback'] ? DryRun :
  Path extends readonly ['assets', string, 'replace'] ? AssetReplacement : Value;

/** What each path answers a change. */
type ChangedAt<Path extends readonly string[]> =
  Path extends readonly ['pages', string, 'publish' | 'rollback'] ? Published :
  Path extends readonly ['pages', string, 'scheduled'] ? ScheduledPublish :
  Path extends readonly ['pages', string, 'previews'] ? PreviewLink & { token: string; url: string; demo?: string } :
  Path extends readonly ['tokens'] | readonly ['tokens', string, 'rotate'] ? Token & { token: string } :
  Path extends readonly ['webhooks'] | readonly ['webhooks', string, 'rotate'] ? Webhook & { secret: string } :
  Path extends readonly ['assets'] ? Asset :
  Path extends readonly ['assets', string, 'replace'] ? AssetReplacement : AnswerAt<Path>;

// What views and forms are given

/** What stands inside a component. */
type Drawn = import('../../Sources/Service/Console/assets/vendor/preact.js').Drawn;
/** What a field's handler gets: of a box to tick, what is typed, or a choice. */
type FieldEvent = On<Event>;
/** An event of an element that is known to be of one kind. */
type On<Kind extends Event, Target extends HTMLElement = HTMLInputElement> = Kind & {
  target: Target; currentTarget: Target; relatedTarget?: Node | null;
};
/** A drag, or what is copied and pasted, which a browser that tells of it gives what it carries. */
type Drag = DragEvent & { dataTransfer: DataTransfer };
type Clip = ClipboardEvent & { clipboardData: DataTransfer };
type Setup = { kinds: Kinds; attributes: Record<string, Attribute>; rights: Rights };
type Texts = {
  at(pointer: string): { text: string; reason: string } | undefined;
  set(pointer: string, text: string | null, reason?: string): void;
};
/** What every field of a form is given. */
type Form = {
  kinds: Kinds; attributes: Record<string, Attribute>; locales: string[]; audiences: string[]; errors: Trouble[];
  texts: Texts; mayEdit: boolean;
  /** The lists that share the section. */
  lists?: { id: string; title: string | Record<string, string> }[];
  /** Shows who changed a field, where that is known; an item or a section as a whole. */
  follow?(pointer: string, label: string, isWhole?: boolean): void;
  /** How items go to other places, in the form of a section's content. */
  moves?: {
    begin(item: Item, from: string | null): void;
    targets(item: Item, from: string | null): { section?: string; slot?: string; text: string }[];
    to(item: Item, from: string | null, target: { section?: string; slot?: string }): void;
    place(slot: string | null): Record<string, (event: On<DragEvent>) => void>;
  } | null;
  /** Whether the items are there for everyone and always, and have nothing below them: those of a bar. */
  isForEveryone?: boolean;
  /** The item that was searched for, which opens. */
  wanted?: { item: string } | null;
  /** What all of the form edits, as it is by now, for what takes its time; `sending` has the pictures on their way. */
  whole: {
    value: Content; set(value: Content): void; isThere(): boolean; sending: Set<object>;
    /** Whether something in it is not saved, and what saves it, where it is saved as a whole. */
    isDirty?(): boolean; save?(): Promise<unknown>;
  };
  /** What is known of pictures, in a section's form. */
  pictures?: {
    page?: string; cellOf(pointer: string): { width: number; height: number } | null;
    inUse(): { url: string; width: number; height: number }[];
  };
};
/** One field of what its schema promises: `onChange` gets `undefined` when the value goes. */
type FieldProps<Given = Content> = {
  form: Form; schema: Schema; value: Given | undefined; label: string; name: string; pointer: string;
  isRequired?: boolean; onChange: (value: Given | undefined) => void;
};
/** A cell's height in points: fixed, or the least where it follows the content. */
type Size = { height?: number; minHeight?: number };
/** The width that a section has, in points. */
type Space = { inner: number; container: number; columns?: number; spacing?: number };

interface Element { readonly dataset: DOMStringMap; checkVisibility(): boolean }
interface EventTarget { closest?(selector: string): Element | null }
interface Array<T> { with(place: number, value: T): T[]; toSpliced(place: number, count: number, ...more: T[]): T[] }

// The web client, which the server has below the console; clients/typescript has its types.
declare module '*/client/index.js' {
  export const read: (text: string) => unknown;
}
declare module '*/client/layout.js' {
  type Frame = { item: unknown; x: number; y: number; width: number; height: number };
  export const sourceOf: (picture: { url: string }, width: number, scale?: number) => string;
  export const framesOf: (
    section: { layout?: Layout; items: { id: string }[] }, width: number,
    measure: (item: { id: string }, width: number) => number,
    options?: { screen?: { width: number; height: number }; scale?: number; measureWidth?(): number },
  ) => { height: number; cells: Frame[]; leaves: { x: number; width: number }[] };
}
declare module '*/client/element.js' {}
declare module '*/client/background.js' {
  export const groundOf: (
    background: Content,
    page: { isDark: boolean; isMirrored: boolean; hasPictures: boolean; resolve(picture: { url: string }): string },
  ) => { color: string; layers: string; ink: string };
}
declare module '*/client/plain.js' {
  export const rules: string;
  export const pictureOf: (
    picture: { url: string }, words: string, room: { resolve(url: string): string; width: number },
  ) => Node;
}
declare module '*/client/sheet.js' {
  export const adopt: (root: Document | ShadowRoot, rules: string) => void;
}
declare module '*/client/json.js' {
  export const write: (value: Content) => string;
}
