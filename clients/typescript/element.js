// <hearth-page>: a page as an app shows it, drawn by frames. Only what is near the screen is in the document.

import { groundOf, roundOff } from './background.js';
import { showing, slotsOf, sourceOf, staysOf } from './layout.js';
import { insetOf, isOpened, made, themed } from './nodes.js';
import { indexOf, placesOf } from './places.js';
import { adopt, rules } from './sheet.js';

/** @typedef {import('./index.js').Item} Item */
/** @typedef {import('./index.js').Page} Page */
/** @typedef {import('./index.js').Section} Section */
/** @typedef {import('./element.js').Room} Room */
/** @typedef {import('./places.js').Place} Place */
/** @typedef {import('./places.js').Box} Box */
/** @typedef {import('./places.js').SectionPlaces & {wanted: Wanted[], stay: import('./layout.js').Stay}} Places */
/** @typedef {{item: Item, width: number, form: string, guess: number}} Wanted what is to be measured */
/**
 * @typedef {object} Cell
 * @property {HTMLElement} node
 * @property {Place} place
 * @property {Drawn} owner
 * @property {Holder} holder
 * @property {any[]} drawn what it shows
 * @property {Set<Animation>} flights
 */
/** @typedef {{node: HTMLElement, cells: Map<string, Cell>, current?: string, scrolled: number}} Holder */
/**
 * @typedef {object} Drawn a section in the document
 * @property {HTMLElement} node
 * @property {Holder} ends
 * @property {Holder} body
 * @property {Holder | null} row
 * @property {HTMLElement | null} ticker
 * @property {any[]} [ran] what the ticker runs
 * @property {HTMLElement} ground
 * @property {any[]} [painted] what the ground shows
 * @property {string} ink of texts on it
 * @property {HTMLElement[]} sides what a mouse scrolls a row with
 * @property {Places} places
 * @property {Set<Animation>} flights
 */

/** How many cells are measured at once. */
const measuredAtOnce = 200;
/** How many cells that are not needed are kept to be filled anew. */
const spareMax = 60;
/** In milliseconds. */
const flight = 300;
/** How high the bar is, in points. */
const barHeight = 44;

const media = (/** @type {string} */ query) => matchMedia(`(${query})`);
const isStill = () => media('prefers-reduced-motion: reduce').matches;
const px = (/** @type {number} */ points) => `${points}px`;
const isFloating = (/** @type {Section} */ { layout }) => layout.style === 'pinned';
/** Whether a section does not scroll along. */
const isFixed = (/** @type {Places} */ { section, stay }) => stay.sticky || isFloating(section);

/**
 * What draws the items that the app draws nothing for, once it is here.
 * @type {any}
 */
let plainly = null;
/** @type {Promise<unknown> | undefined} */
let coming;
const bringPlain = () => coming ??= import('./plain.js').then((drawings) => { plainly = drawings; });

/** A server that renders has no elements, and may import this. @type {typeof HTMLElement} */
const Base = globalThis.HTMLElement ?? class {};

export class HearthPage extends Base {
  static get observedAttributes() { return ['src', 'page', 'wait', 'keys', 'theme', 'preview']; }

  /** @type {import('./client.js').HearthClient | null} */
  client = null;
  /** @type {Partial<import('./index.js').Settings>} */
  #settings = {};
  /** @type {Record<string, string>} */
  #overrides = {};
  /** Whether pages are fetched, and shown later. */
  #isHeld = false;
  /** Where the page was asked for. */
  #origin = '';
  /** @type {import('./element.js').Metrics | null} */
  #metrics = null;
  /** @type {import('./polling.js').ShownLists | null} */
  #lists = null;
  #over = new AbortController();
  #sizes = new ResizeObserver(() => this.#resize());
  /** @type {Page | null} */
  #page = null;
  #hasOwnPage = false;
  #isStarting = false;
  /** @type {Map<string, (item: Item, room: Room) => Node>} */
  #drawings = new Map();
  /** Counts what makes all drawings anew. */
  #look = 0;
  /** What the app brings of sections. @type {Map<string, Partial<Section> | null>} */
  #filled = new Map();
  /** Items of outlines that were opened or closed here, and lists that were chosen. @type {Map<string, any>} */
  #opened = new Map();
  /** @type {WeakMap<Item, Map<string, number>>} */
  #measures = new WeakMap();
  /** @type {Map<string, {sum: number, count: number}>} */
  #means = new Map();
  /** @type {Places[]} */
  #places = [];
  /** @type {Map<string, Drawn>} */
  #drawn = new Map();
  /** @type {Cell[]} */
  #spare = [];
  /** @type {WeakMap<Element, Cell>} */
  #cells = new WeakMap();
  #width = 0;
  #height = 0;
  /** How high all sections are that stand one below the other. */
  #length = 0;
  /** What the places of sections were computed for. */
  #space = '';
  /**
   * What an empty page was drawn for.
   * @type {any[]}
   */
  #empty = [];
  #isDrawing = false;
  #isIdle = false;
  /** How far the page is scrolled, and since when. */
  #scrolled = 0;
  #scrolledAt = 0;
  /** While what moves is drawn where it was as well. */
  #isHolding = false;
  /** @type {string} */
  #name = 'loading';

  #canvas = made('div', 'hp-canvas');
  #floor = made('div', 'hp-floor');
  #bar = made('header', 'hp-bar');
  #probe = made('div', 'hp-probe');
  #root = made('div', 'hp', this.#bar, this.#canvas, this.#floor, this.#probe);
  /** @type {import('./seen.js').Seen | null} */
  #watch = null;

  connectedCallback() {
    adopt(this.getRootNode(), rules);
    for (const name of ['page', 'settings', 'metrics', 'overrides']) {
      // What was set before the element was known to the browser.
      if (!Object.hasOwn(this, name)) continue;
      const value = /** @type {any} */ (this)[name];
      delete /** @type {any} */ (this)[name];
      /** @type {any} */ (this)[name] = value;
    }
    this.#probe.setAttribute('aria-hidden', 'true');
    if (!this.#root.isConnected) this.append(this.#root);
    if (!this.hasAttribute('tabindex')) this.tabIndex = 0;
    const { signal } = this.#over = new AbortController();
    const on = (/** @type {EventTarget} */ target, /** @type {string} */ name, /** @type {any} */ hear) =>
      target.addEventListener(name, hear, { signal });
    on(this, 'scroll', () => {
      this.#scrolled = this.scrollTop;
      this.#scrolledAt = performance.now();
      this.#plan();
    });
    on(this, 'click', (/** @type {MouseEvent} */ event) => this.#tap(event));
    on(this, 'keydown', (/** @type {KeyboardEvent} */ event) => this.#press(event));
    on(this, 'focusin', (/** @type {FocusEvent} */ event) => this.#focused(event));
    for (const query of ['prefers-color-scheme: dark', 'prefers-contrast: more']) {
      on(media(query), 'change', () => this.#restyle());
    }
    on(document.fonts, 'loadingdone', () => this.#remeasure());
    this.#sizes.observe(this);
    // Whoever is moved in the document forgets how far it was scrolled.
    this.scrollTop = this.#scrolled;
    for (const { row } of this.#drawn.values()) this.#scrollRow(row);
    this.#arrange();
    this.#restyle();
    this.#see();
    this.#start();
  }

  disconnectedCallback() {
    this.#over.abort();
    this.#leaving.abort();
    this.#sizes.disconnect();
    this.client = null;
    this.#see();
  }

  /** @param {string} name */
  attributeChangedCallback(name) {
    if (!this.isConnected) return;
    if (name === 'preview') this.#see();
    if (name === 'preview' || name === 'theme') this.#restyle();
    else this.#restart();
  }

  /** Begins to watch what is seen, or ends it. */
  async #see() {
    const isOff = () => !this.isConnected || this.hasAttribute('preview') || this.#watch;
    this.#watch?.end();
    this.#watch = null;
    if (isOff()) return;
    const { Seen } = await import('./seen.js');
    if (isOff()) return;
    this.#watch = new Seen(this, (target) => this.#cells.get(target), (detail) => this.#emit('impression', detail));
    for (const drawn of this.#drawn.values()) for (const { node } of cellsOf(drawn)) this.#watch.observe(node);
  }

  get page() { return /** @type {any} */ (this.#page); }

  /** @param {Page | string | null} page */
  set page(page) {
    if (typeof page === 'string') {
      this.#hasOwnPage = false;
      this.setAttribute('page', page);
      return;
    }
    if (!page || !this.#hasOwnPage) this.#restart();
    this.#hasOwnPage = page !== null;
    if (page) {
      this.#show(page);
      this.#tell('fresh', null);
    }
  }

  get settings() { return this.#settings; }
  set settings(settings) {
    this.#settings = settings;
    this.#restart();
  }

  get overrides() { return this.#overrides; }
  set overrides(overrides) {
    this.#overrides = overrides;
    this.#restart();
  }

  hold() { this.#isHeld = true; }

  activate() {
    this.#isHeld = false;
    if (this.client?.page && this.client.page !== this.#page) this.#show(this.client.page);
  }

  get metrics() { return this.#metrics; }
  set metrics(metrics) {
    this.#metrics = metrics;
    this.#remeasure();
  }

  get state() { return this.#name; }

  /**
   * @param {string} kind
   * @param {(item: Item, room: Room) => Node} drawing
   */
  draw(kind, drawing) {
    this.#drawings.set(kind, drawing);
    this.#remeasure();
  }

  /** @param {string} section @param {Partial<Section> | null} parts */
  fill(section, parts) {
    this.#filled.set(section, parts);
    this.#change();
  }

  /** @param {string} id */
  reveal(id) {
    this.#resize();
    for (let turn = 0; turn < 5; turn += 1) {
      const places = this.#placesOf(id);
      if (!places || isFloating(places.section)) return;
      const top = places.top - places.stay.above;
      const end = places.top + places.height - this.#height + this.#bar.offsetHeight + this.#floor.offsetHeight;
      this.scrollTop = Math.max(Math.min(top, end), Math.min(this.scrollTop, Math.max(top, end)));
      // What comes near is measured, and may move it.
      this.#settle();
      this.#draw();
    }
  }

  /** @param {string} section @param {string} list */
  choose(section, list) {
    this.#opened.set(section, list);
    this.#change();
    this.#emit('list', { section, list });
  }

  refresh() { this.client?.refresh(); }

  async reset() { await this.client?.reset(); }

  // What is shown

  #restart() {
    if (this.#isStarting || !this.isConnected) return;
    this.#isStarting = true;
    queueMicrotask(() => {
      this.#isStarting = false;
      if (this.isConnected) this.#start();
    });
  }

  #leaving = new AbortController();

  async #start() {
    this.#leaving.abort();
    const leaving = this.#leaving = new AbortController();
    this.client = this.#lists = null;
    if (!this.hasAttribute('src') || this.#hasOwnPage) return;
    const [{ ShownLists, pollingOf }] = await Promise.all([
      import('./polling.js'), this.#drawings.size === 0 && bringPlain(),
    ]);
    const { client, origin } = await pollingOf(this, this.#settings, this.#overrides);
    if (leaving.signal.aborted) return;
    this.client = client;
    this.#lists = new ShownLists(client);
    // What the same page was for other parameters stays until it is there for these.
    let isOld = this.#page && this.#origin === origin;
    this.#origin = origin;
    for await (const state of client.states(leaving.signal)) {
      if (leaving.signal.aborted) return;
      const { page, error, name } = state;
      this.#lists?.asked.clear();
      if (page) isOld = null;
      if (page !== this.#page && !isOld && !(this.#isHeld && this.#page && page)) this.#show(page);
      const kind = error?.kind;
      this.#tell(kind === 'refused' || kind === 'unverified' ? 'refused'
        : error && (kind === 'unreachable' || !page) ? 'offline'
        : error || name !== 'upToDate' ? page ? 'stale' : 'loading' : 'fresh', { ...state, page: this.#page });
    }
  }

  /** @param {string} name @param {import('./index.js').State | null} detail */
  #tell(name, detail) {
    this.#name = name;
    set(this, 'state', name);
    this.#emit('state', { name, page: this.#page, error: null, update: null, ...detail, state: name });
  }

  /** @param {string} name @param {object} detail */
  #emit(name, detail) {
    return this.dispatchEvent(new CustomEvent(name, { detail, cancelable: name === 'action', bubbles: true }));
  }

  /** @param {Page | null} page */
  #show(page) {
    if (page?.page !== this.#page?.page) {
      this.#forget();
      this.scrollTop = this.#scrolled = 0;
    }
    const { bar, title, background } = this.#page ?? {};
    const { dir } = this;
    this.#page = page;
    if (this.#lists) this.#lists.shown = page;
    this.toggleAttribute('drawn', !!page);
    set(this, 'dir', page && (page.direction === 'rightToLeft' ? 'rtl' : 'ltr'));
    set(this, 'lang', page?.locale);
    if (background !== page?.background || dir !== this.dir) this.#restyle(false);
    if (bar !== page?.bar || title !== page?.title) this.#head();
    this.#change();
  }

  #forget() {
    this.#watch?.forget();
    this.#opened.clear();
    this.#filled.clear();
    for (const [id, drawn] of this.#drawn) this.#release(id, drawn);
  }

  get #isDark() {
    const theme = this.getAttribute('theme');
    return theme ? theme === 'dark' : media('prefers-color-scheme: dark').matches;
  }

  #restyle(draws = true) {
    this.toggleAttribute('dark', this.#isDark);
    const { color, layers, behind, ink } = this.#groundOf(this.#page?.background);
    this.style.setProperty('--hp-page', color);
    this.style.setProperty('--hp-layers', layers);
    this.style.setProperty('--hp-behind', behind);
    this.#root.style.color = ink;
    if (!draws) return;
    this.#look += 1;
    this.#head();
    this.#draw();
  }

  #groundOf(/** @type {any} */ background, width = this.#width) {
    return groundOf(background, {
      isDark: this.#isDark, isMirrored: this.dir === 'rtl',
      resolve: (picture) => this.#resolve(sourceOf(picture, width, this.#options().scale)),
      // Nobody can say how texts read on a picture.
      hasPictures: width > 0 && !media('prefers-contrast: more').matches,
    });
  }

  /** The address of a picture, with the server where it names none. */
  #resolve = (/** @type {string} */ url) => url.startsWith('/')
    ? String(this.client?.settings.server ?? '').replace(/\/+$/, '') + url : url;

  /** The bar above the sections. */
  #head() {
    const { bar, title } = this.#page ?? {};
    const end = (/** @type {Item[] | undefined} */ items) => made('div', 'hp-bar-end', ...(items ?? []).map((item) =>
      this.#hit(item, this.#drawing(item, { section: null, width: 120, height: 32, form: 'chip', part: 'bar' }))));
    const isThere = bar || title;
    this.#bar.style.display = isThere ? '' : 'none';
    this.#bar.replaceChildren(...isThere ? [end(bar?.leading), made('h1', 'hp-name', title), end(bar?.trailing)] : []);
    this.style.setProperty('--hp-top', px(isThere ? barHeight : 0));
  }

  // Sizes

  #resize() {
    const { clientWidth: width, clientHeight: height } = this;
    if (width === this.#width && height === this.#height) return;
    const isOther = width !== this.#width
      || /"s(creen|ticky)"/.test(JSON.stringify(this.#places.map(({ section }) => section.layout)));
    [this.#width, this.#height] = [width, height];
    this.#restyle(false);
    if (isOther) this.#arrange();
    this.#draw();
  }

  #remeasure() {
    this.#measures = new WeakMap();
    this.#means.clear();
    this.#space = '';
    this.#look += 1;
    this.#head();
    if (this.isConnected) {
      this.#arrange();
      this.#draw();
    }
  }

  /** @type {() => import('./layout.js').Options} */
  #options = () => this.#metrics
    ?? { screen: { width: this.#width, height: this.#height }, scale: devicePixelRatio || 1 };

  /** What is here of a section, the items that are open below others. */
  #whole(/** @type {Section} */ section) {
    const filled = this.#filled.get(section.id);
    const items = section.more && this.#lists?.items(section.id);
    const shown = showing(filled || items ? {
      ...section, ...items && { items }, ...filled, slots: { ...section.slots, ...filled?.slots },
    } : section, this.#opened.get(section.id));
    if (section.layout.style !== 'outline') return shown;
    /** @type {(given: Item[]) => Item[]} */
    const open = (given) => given.map((item) => {
      const isOpen = this.#opened.get(`${section.id} ${item.id}`);
      return item.children ? { ...item, expanded: isOpen ?? item.expanded, children: open(item.children) } : item;
    });
    return { ...shown, items: open(shown.items ?? []) };
  }

  /** @param {Section} section @param {number} container @returns {Places} */
  #placesIn(section, container) {
    /** @type {Wanted[]} */
    const wanted = [];
    const places = placesOf(section, container, insetOf(this.#page), (item, width, form) => {
      const measure = this.#measures.get(item)?.get(`${width}${form}`);
      if (measure !== undefined) return measure;
      const mean = this.#means.get(`${item.kind} ${width}`);
      const guess = mean ? mean.sum / mean.count : 44;
      wanted.push({ item, width, form, guess });
      return guess;
    }, this.#options());
    return Object.assign(places, { wanted, top: 0, stay: { sticky: null, above: 0 } });
  }

  get #container() {
    const { leading, trailing } = insetOf(this.#page);
    return this.#width - leading - trailing;
  }

  /** Measures cells all at once, so that the browser lays out once; gives how many are not as was guessed. */
  #measure(/** @type {Section} */ section, /** @type {Wanted[]} */ wanted) {
    const probes = wanted.map(({ item, width, form }) => {
      const isWidth = Number.isNaN(width);
      const probe = made('div', isWidth ? 'hp-chip-probe' : '', this.#drawing(item, {
        section, width: isWidth ? 0 : width, height: Infinity, form,
        part: item === section.header ? 'header' : item === section.footer ? 'footer' : 'item',
      }));
      probe.style.width = isWidth ? 'max-content' : px(width);
      return probe;
    });
    this.#probe.replaceChildren(...probes);
    const sizes = probes.map((probe) => probe.getBoundingClientRect());
    const zoom = this.getBoundingClientRect().width / this.offsetWidth || 1;
    this.#probe.replaceChildren();
    return wanted.filter(({ item, width, form, guess }, at) => {
      const size = (Number.isNaN(width) ? sizes[at].width : sizes[at].height) / zoom;
      const known = this.#measures.get(item) ?? new Map();
      this.#measures.set(item, known.set(`${width}${form}`, size));
      const mean = this.#means.get(`${item.kind} ${width}`) ?? { sum: 0, count: 0 };
      this.#means.set(`${item.kind} ${width}`, { sum: mean.sum + size, count: mean.count + 1 });
      return Math.abs(size - guess) > 1e-6;
    }).length;
  }

  /** Lays everything out for the width, what is far with estimates. */
  #arrange() {
    const before = new Map(this.#places.map((places) => [places.section.id, places]));
    const container = this.#container;
    if (!this.#page || container <= 0) {
      this.#places = [];
    } else {
      const space = JSON.stringify([container, insetOf(this.#page), this.#options()]);
      this.#places = this.#page.sections.map((section) => {
        const whole = this.#whole(section);
        const old = before.get(section.id);
        return space === this.#space && old?.section === whole ? { ...old } : this.#placesIn(whole, container);
      });
      this.#space = space;
      // Personal sections are asked for once each time that they appear.
      for (const { section } of this.#places) {
        if (section.source && !before.has(section.id) && !this.#filled.get(section.id)) {
          queueMicrotask(() => this.#emit('source', { section, url: section.source?.url }));
        }
      }
    }
    this.#stack();
    this.#settle();
  }

  #placesOf(/** @type {string} */ id, places = this.#places) { return places.find(({ section }) => section.id === id); }

  /** Puts the sections one below the other. */
  #stack() {
    let { top, bottom } = insetOf(this.#page);
    const stays = staysOf(this.#places, top, this.#options().screen);
    this.#places.forEach((places, at) => {
      places.stay = stays[at];
      places.top = top;
      if (!isFloating(places.section)) top += places.height;
    });
    this.#length = top + bottom;
    this.#canvas.style.height = px(this.#length);
  }

  /** What is drawn: the screen, and as much of it above and below, for the keyboard and for who scrolls fast. */
  get #range() {
    const top = this.scrollTop - this.#bar.offsetHeight;
    return { from: top - this.#height / 2, to: top + this.#height * 2, top };
  }

  #near() {
    const { from, to } = this.#range;
    // What stays does so until it is pushed away.
    return this.#places.filter(({ section, top, height, stay }) =>
      isFloating(section) || top < to && (stay.sticky?.until ?? top) + height > from);
  }

  /** Measures what is near, until all of it is known. */
  #settle() {
    for (let turn = 0; turn < 50; turn += 1) {
      const { from, to } = this.#range;
      const first = (/** @type {Places} */ places) => places.wanted.length === 0 ? -1
        : isFixed(places) ? 0 : this.#nearIn(places, from, to);
      const places = this.#near().find((places) => first(places) >= 0);
      if (!places) return;
      this.#measureIn(places, first(places));
    }
  }

  /** The first of what is to be measured in a section that is near. */
  #nearIn(/** @type {Places} */ { top, wanted, body, row, ends, section }, /** @type {number} */ from,
    /** @type {number} */ to) {
    const near = new Set();
    const add = (/** @type {Box} */ box, /** @type {number} */ start, /** @type {number} */ end) => {
      for (const at of box.spans.within(start, end)) near.add(box.cells[at].item);
    };
    add(ends, from - top, to - top);
    add(body, from - top - body.frame.y, to - top - body.frame.y);
    if (row) {
      const far = this.#drawn.get(section.id)?.row?.scrolled ?? 0;
      add(row, far - row.frame.width, far + 2 * row.frame.width);
    }
    // What shares a cell is measured at once.
    if (!row && body.cells.length === 0) return 0;
    return wanted.findIndex(({ item }) => near.has(item));
  }

  #measureIn(/** @type {Places} */ places, first = 0) {
    const at = this.#places.indexOf(places);
    // What was guessed has its place already.
    if (!this.#measure(places.section, places.wanted.splice(first, measuredAtOnce))) return;
    this.#keepingPlace(() => {
      this.#places[at] = this.#placesIn(places.section, this.#container);
      this.#stack();
    });
  }

  /** Changes heights, and keeps what is at the top of the screen there. */
  #keepingPlace(/** @type {() => void} */ change, /** @type {Set<string>} */ moved = new Set()) {
    const { top } = this.#range;
    const first = this.scrollTop > 0 ? this.#near().find((places) =>
      !isFixed(places) && places.top + places.height > top && !moved.has(places.section.id)) : undefined;
    const far = first ? top - first.top - first.body.frame.y : 0;
    const key = first?.body.cells[first.body.spans.within(far, far + this.#height)[0]]?.key;
    /** Where the first cell is that shows; of what is gone, no number. */
    const topOf = (/** @type {Places | undefined} */ places) => !places ? NaN : key === undefined ? places.top
      : places.top + places.body.frame.y + (places.body.cells[indexOf(places.body, key) ?? -1]?.y ?? NaN);
    const before = topOf(first);
    change();
    const way = topOf(first && this.#placesOf(first.section.id)) - before;
    if (way) this.scrollTop += way;
  }

  /** Measures the rest while nobody waits for anything. */
  #measureLater() {
    if (this.#isIdle || !this.#places.some(({ wanted }) => wanted.length > 0)) return;
    this.#isIdle = true;
    setTimeout(() => {
      this.#isIdle = false;
      if (!this.isConnected) return;
      const places = this.#places.find(({ wanted }) => wanted.length > 0);
      // Whoever scrolls goes first.
      if (places && performance.now() - this.#scrolledAt > 200) {
        this.#measureIn(places);
        this.#draw();
      } else this.#measureLater();
    }, 50);
  }

  // Drawing

  #plan() {
    if (this.#isDrawing) return;
    this.#isDrawing = true;
    requestAnimationFrame(() => {
      this.#isDrawing = false;
      if (!this.isConnected) return;
      this.#settle();
      this.#draw();
    });
  }

  /** A page or list that changed: what both have goes from where it was to where it is. */
  #change() {
    if (!this.isConnected) return;
    if (!this.#width) this.#resize();
    const old = { places: this.#places, scrolled: this.scrollTop };
    const moves = !isStill() && old.places.length > 0 && this.#drawn.size > 0;
    let focused = /** @type {HTMLElement | null} */ (this.contains(document.activeElement)
      ? document.activeElement : null);
    const section = focused?.closest('.hp-section');
    const order = new Map(old.places.map(({ section }, at) => [section.id, at]));
    const moved = new Set();
    let last = -1;
    for (const { id } of this.#page?.sections ?? []) {
      const at = order.get(id);
      if (at === undefined) continue;
      if (at < last) moved.add(id);
      else last = at;
    }
    this.#keepingPlace(() => this.#arrange(), moved);
    this.#isHolding = moves;
    this.#draw();
    this.#isHolding = false;
    if (moves) this.#fly(old);
    // Tabs were drawn anew.
    if (focused?.dataset.list) focused = section?.querySelector('[aria-selected=true]') ?? null;
    if (focused?.isConnected && focused !== document.activeElement) {
      focused.focus({ preventScroll: !focused.dataset.list });
    }
  }

  /** @param {{places: Places[], scrolled: number}} old */
  #fly({ places: all, scrolled }) {
    const sign = this.dir === 'rtl' ? -1 : 1;
    for (const [id, drawn] of this.#drawn) {
      const old = this.#placesOf(id, all);
      const { places } = drawn;
      if (!old) {
        this.#animate(drawn.node, drawn.flights, [{ opacity: 0 }, {}]);
        continue;
      }
      if (!isFloating(places.section)) {
        this.#move(drawn.node, drawn.flights, 0, old.top - scrolled - places.top + this.scrollTop);
      }
      for (const name of /** @type {const} */ (['ends', 'body', 'row'])) {
        const [holder, from, to] = [drawn[name], old[name], places[name]];
        if (!holder || !from || !to || from === to) continue;
        for (const [key, cell] of holder.cells) {
          const at = indexOf(from, key);
          if (at === undefined) {
            this.#animate(cell.node, cell.flights, [{ opacity: 0 }, {}]);
            continue;
          }
          const was = from.cells[at];
          const [beside, above] = name === 'row' ? [0, 0] : [from.frame.x - to.frame.x, from.frame.y - to.frame.y];
          this.#move(cell.node, cell.flights, sign * (was.x + beside - cell.place.x), was.y + above - cell.place.y);
        }
      }
    }
  }

  /** @type {(node: HTMLElement, flights: Set<Animation>, x: number, y: number) => void} */
  #move(node, flights, x, y) {
    if (Math.abs(x) < 0.5 && Math.abs(y) < 0.5) return;
    // One that is under way is added to.
    this.#animate(node, flights, [{ transform: `translate(${x}px, ${y}px)` }, { transform: 'translate(0)' }], 'add');
  }

  /**
   * @param {HTMLElement} node
   * @param {Set<Animation>} flights
   * @param {Keyframe[]} steps
   * @param {'add'} [composite]
   */
  #animate(node, flights, steps, composite) {
    const animation = node.animate(steps, { duration: flight, easing: 'ease', ...composite && { composite } });
    flights.add(animation);
    animation.finished.catch(() => {}).then(() => {
      flights.delete(animation);
      this.#plan();
    });
  }

  #draw() {
    if (!this.isConnected) return;
    const { from, to } = this.#range;
    const near = new Set(this.#near());
    for (const [id, drawn] of this.#drawn) {
      const places = this.#placesOf(id);
      if (places && near.has(places)) continue;
      // What flies, is held or has the focus stays.
      if (places && (this.#isHolding || this.#isBusy(drawn))) near.add(places);
      else this.#release(id, drawn);
    }
    /** @type {Map<HTMLElement, ChildNode | null>} */
    const ends = new Map([[this.#canvas, this.#canvas.firstChild], [this.#floor, this.#floor.firstChild]]);
    for (const places of this.#places) {
      if (!near.has(places)) continue;
      const drawn = this.#sectionOf(places);
      const parent = isFloating(places.section) ? this.#floor : this.#canvas;
      const next = ends.get(parent) ?? null;
      if (drawn.node === next) ends.set(parent, next.nextSibling);
      else {
        parent.insertBefore(drawn.node, next);
        this.#scrollRow(drawn.row);
      }
      if (isFixed(places)) this.#drawSection(drawn, -Infinity, Infinity);
      else this.#drawSection(drawn, from - places.top, to - places.top);
    }
    this.#drawEmpty();
    this.#measureLater();
    this.#askForMore(to);
  }

  #drawEmpty() {
    const item = this.#page?.sections.length === 0 ? this.#page.emptyState : null;
    const now = [item, this.#look, this.lang, this.#width];
    if (item) this.#canvas.style.height = 'auto';
    if (isSame(this.#empty, now)) return;
    this.#empty = now;
    this.querySelector('.hp-empty')?.remove();
    if (!item) return;
    const room = { section: null, width: this.#width - 60, height: Infinity, form: 'upright', part: 'item' };
    this.#canvas.append(made('div', 'hp-empty', this.#hit(item, this.#drawing(item, room))));
  }

  #isBusy(/** @type {Drawn} */ drawn) {
    return drawn.flights.size > 0 || drawn.node.contains(document.activeElement)
      || cellsOf(drawn).some((cell) => cell.flights.size > 0);
  }

  /** @param {string} id @param {Drawn} drawn */
  #release(id, drawn) {
    this.#drawn.delete(id);
    drawn.node.remove();
    for (const cell of cellsOf(drawn)) this.#put(cell);
  }

  /** Keeps a cell to be filled anew. */
  #put(/** @type {Cell} */ cell) {
    cell.node.remove();
    this.#watch?.unobserve(cell.node);
    if (cell.flights.size === 0 && this.#spare.length < spareMax) this.#spare.push(cell);
  }

  /** @param {Places} places @returns {Drawn} */
  #sectionOf(places) {
    const { section } = places;
    let drawn = this.#drawn.get(section.id);
    if (!drawn) {
      const holder = (/** @type {string} */ name) => ({ node: made('div', name), cells: new Map(), scrolled: 0 });
      const [ends, body] = [holder(''), holder('hp-list')];
      const node = made('section', 'hp-section', body.node);
      node.dataset.id = section.id;
      ends.node = node;
      const ground = made('div', 'hp-background');
      drawn = { node, ends, body, row: null, ticker: null, places, flights: new Set(), ground, ink: '', sides: [] };
      this.#drawn.set(section.id, drawn);
      this.#emit('section', { section, node });
    }
    drawn.places = places;
    return drawn;
  }

  /** @param {Drawn} drawn @param {number} from @param {number} to */
  #drawSection(drawn, from, to) {
    const { node, places } = drawn;
    const { section, top, height, body, ends, row, ticker, stay } = places;
    const { leading } = insetOf(this.#page);
    const { style, background, backgroundFrame } = section.layout;
    const isCarousel = style === 'carousel';
    const isPainted = !!(background?.color || background?.gradient || background?.image);
    const head = this.hasAttribute('preview') ? null : section.header;
    set(node, 'aria-label', head && (head.accessibility?.label ?? head.content?.text ?? head.content?.title));
    const area = { x: leading, y: isFloating(section) ? 0 : top, width: this.#container, height };
    frame(node, area);
    stick(node, area, stay.sticky, this.#length);
    node.style.setProperty('--hp-over', px(stay.above));
    frame(drawn.body.node, body.frame);
    const list = drawn.body.node;
    this.#paint(drawn);
    // What is behind the items alone has them within its corners.
    const isInset = background && (backgroundFrame ?? 'inset') === 'inset';
    roundOff(list, isInset && background.cornerRadius);
    list.classList.toggle('hp-round', !!isInset);
    list.classList.toggle('hp-tiles', !isPainted && style === 'grid');
    set(list, 'role', body.cells.length > 0 ? 'list' : null);
    this.#fill(drawn, drawn.ends, ends, from, to);
    this.#fill(drawn, drawn.body, body, from - body.frame.y, to - body.frame.y);
    if (row && (row.frame.y < to && row.frame.y + row.frame.height > from || drawn.row)) {
      const holder = drawn.row ??= this.#rowIn(drawn);
      const { node: scroller } = holder;
      frame(scroller, row.frame);
      roundOff(scroller, isCarousel && background?.cornerRadius);
      scroller.classList.toggle('hp-tiles', !isPainted && !isCarousel);
      scroller.classList.toggle('hp-snaps', row.stops.length > 0);
      this.#drawRow(drawn, holder);
    } else if (!row && drawn.row) {
      drawn.row.node.remove();
      for (const cell of drawn.row.cells.values()) this.#put(cell);
      drawn.row = null;
      for (const side of drawn.sides) side.remove();
    }
    this.#drawTicker(drawn, ticker);
    for (const each of [list, drawn.row?.node, drawn.ticker]) {
      each?.classList.toggle('hp-painted', isPainted);
      if (each && each.style.color !== drawn.ink) each.style.color = drawn.ink;
    }
  }

  /** Draws what is behind a section. */
  #paint(/** @type {Drawn} */ drawn) {
    const { node, ground, places: { background: area, section: { layout } } } = drawn;
    if (area) frame(ground, area);
    const { background, separator } = layout;
    const now = [background, separator, layout.backgroundFrame, area?.width, this.dir, this.#look];
    if (isSame(drawn.painted, now)) return;
    drawn.painted = now;
    const { color, layers, edges, behind, ink } = this.#groundOf(area ? background : null, area?.width);
    Object.assign(ground.style, { background: layers, backgroundColor: color, boxShadow: edges });
    roundOff(ground, background?.cornerRadius);
    if (area) node.prepend(ground);
    else ground.remove();
    drawn.ink = ink;
    // All of the section is on it.
    const isAll = layout.backgroundFrame === 'section';
    node.style.color = isAll ? ink : '';
    node.style.setProperty('--hp-behind', isAll ? behind : '');
    node.style.setProperty('--hp-separator', themed(separator?.color, this.#isDark) ?? '');
  }

  /** @param {Drawn} drawn @returns {Holder} */
  #rowIn(drawn) {
    const node = made('div', 'hp-row-box', made('i', 'hp-extent'));
    node.setAttribute('role', 'list');
    /** @type {Holder} */
    const holder = { node, cells: new Map(), scrolled: 0 };
    node.addEventListener('scroll', () => {
      const scrolled = Math.abs(node.scrollLeft);
      if (scrolled === holder.scrolled) return;
      holder.scrolled = scrolled;
      this.#scrolledAt = performance.now();
      this.#plan();
    });
    drawn.node.insertBefore(node, drawn.body.node.nextSibling);
    drawn.sides = [-1, 1].map((way) => {
      // For a mouse; the keyboard has its arrows.
      const side = made('button', 'hp-side', way < 0 ? '‹' : '›');
      side.tabIndex = -1;
      side.setAttribute('aria-hidden', 'true');
      side.addEventListener('click', (event) => {
        event.stopPropagation();
        this.#step(drawn, way);
      });
      drawn.node.append(side);
      return side;
    });
    return holder;
  }

  #drawRow(/** @type {Drawn} */ drawn, /** @type {Holder} */ holder) {
    const row = /** @type {NonNullable<Places['row']>} */ (drawn.places.row);
    const { node } = holder;
    frame(/** @type {HTMLElement} */ (node.firstChild), { x: 0, y: 0, width: row.extent, height: 1 });
    const { width } = row.frame;
    const [from, to] = [holder.scrolled - width, holder.scrolled + 2 * width];
    // Some screens of stops: as far as a finger throws it.
    const stops = row.stops.filter((stop) => stop >= from - 4 * width && stop <= to + 4 * width);
    mark(node, 'hp-stop', stops.map((x) => ({ x, y: 0, width: 1, height: 1 })));
    this.#fill(drawn, holder, row, from, to, true);
    set(node, 'tabindex', holder.current || row.extent <= width + 1 ? null : '0');
    drawn.sides.forEach((side, at) => {
      side.hidden = at === 0 ? holder.scrolled < 1 : holder.scrolled > row.extent - width - 1;
      side.style.top = px(row.frame.y + row.frame.height / 2 - 16);
      side.style.insetInlineStart = px(at === 0 ? Math.max(0, row.frame.x) + 4
        : Math.min(this.#container, row.frame.x + width) - 36);
    });
  }

  /** Goes on to the next place where a row rests, or by most of its width. */
  #step(/** @type {Drawn} */ { places: { row }, row: holder }, /** @type {number} */ way) {
    if (!row || !holder) return;
    const ahead = row.stops.filter((stop) => (stop - holder.scrolled) * way > 2);
    const stop = ahead.at(way > 0 ? 0 : -1) ?? holder.scrolled + way * row.frame.width * 0.8;
    this.#scrollRow(holder, stop, 'auto');
  }

  /** Scrolls a row, if there is one, or has it be where it was. */
  #scrollRow(/** @type {Holder | null} */ row, to = row?.scrolled ?? 0, /** @type {any} */ behavior = 'instant') {
    row?.node.scrollTo({ left: this.dir === 'rtl' ? -to : to, behavior });
  }

  #drawTicker(/** @type {Drawn} */ drawn, /** @type {Places['ticker']} */ ticker) {
    if (!ticker) {
      drawn.ticker?.remove();
      drawn.ticker = null;
      return;
    }
    const { section } = drawn.places;
    const items = [...slotsOf(section).map(({ item }) => item), ...section.items ?? []];
    const box = drawn.ticker ??= drawn.node.appendChild(made('div', 'hp-ticker'));
    const ran = [this.#look, this.dir, box, ...items];
    frame(box, ticker);
    if (isSame(drawn.ran, ran)) return;
    drawn.ran = ran;
    const room = { section, width: ticker.width, height: ticker.height, form: 'line', part: 'list' };
    import('./ticker.js').then(({ run }) => {
      if (drawn.ran !== ran) return;
      run(box, items, (item) => this.#hit(item, this.#drawing(item, room), section, 'span'));
    }, reportError);
  }

  /**
   * Has a box show the cells that meet a range, in their order, with the nodes that are there.
   * @param {Drawn} drawn
   * @param {Holder} holder
   * @param {Box} box
   * @param {number} from
   * @param {number} to
   */
  #fill(drawn, holder, box, from, to, isSideways = false) {
    const { section } = drawn.places;
    // With those that are still to come.
    const count = drawn.places.count + (section.lists ? 0 : this.#lists?.rest(section.id) ?? 0);
    // A section's own cells stand around what is between them.
    const isEnds = holder === drawn.ends;
    const { sticky, stay } = drawn.places;
    const wanted = new Set(box.spans.within(from, to));
    // What stays is there wherever its section is.
    const head = isEnds && sticky && !stay.sticky
      ? box.cells.findIndex(({ part }) => part === (section.lists ? 'tabs' : 'header')) : -1;
    if (head >= 0) wanted.add(head);
    for (const [key, cell] of holder.cells) {
      const at = indexOf(box, key) ?? -1;
      const stays = wanted.has(at) || this.#isHolding || cell.flights.size + drawn.flights.size > 0
        || cell.node.contains(document.activeElement);
      if (at >= 0 && stays) wanted.add(at);
      else {
        holder.cells.delete(key);
        this.#put(cell);
      }
    }
    const order = [...wanted].sort((left, right) => left - right);
    const parent = holder.node;
    let next = isEnds ? null : parent.firstElementChild;
    if (isSideways) next = next?.nextElementSibling ?? null;
    for (const at of order) {
      const place = box.cells[at];
      let cell = holder.cells.get(place.key);
      if (!cell) {
        cell = this.#spare.pop()
          ?? { node: made('div', 'hp-cell'), place, owner: drawn, holder, drawn: [], flights: new Set() };
        holder.cells.set(place.key, cell);
        this.#cells.set(cell.node, cell);
        this.#watch?.observe(cell.node);
      }
      const { node } = cell;
      Object.assign(cell, { place, owner: drawn, holder });
      frame(node, place);
      stick(node, place, at === head ? sticky : null, drawn.places.height);
      if (at === head) parent.style.setProperty('--hp-head', px(place.height));
      this.#drawCell(cell, count);
      if (isEnds) {
        if (!node.parentNode) parent.insertBefore(node, place.part === 'footer' ? null : drawn.body.node);
      } else if (node === next) next = next.nextElementSibling;
      else parent.insertBefore(node, next);
    }
    if (!isEnds) mark(parent, 'hp-separator', order.flatMap((at) => box.cells[at].separator ?? []));
    if (!isSideways) return;
    const stops = order.map((at) => box.cells[at]).filter(({ key }) => stopOf(holder.cells.get(key)));
    if (!stops.some(({ key }) => key === holder.current)) {
      holder.current = (stops.find(({ x }) => x >= holder.scrolled - 1) ?? stops[0])?.key;
    }
    stopAtOne(holder);
  }

  /** @param {Cell} cell @param {number} count */
  #drawCell(cell, count) {
    const { node, place, owner: { places: { section } } } = cell;
    const { item, part, width, height, form, position, depth } = place;
    // By what it is, not by the object: an item that did not change is drawn as it was.
    const now = [this.#look, this.lang, item, width, height, form, part, section.layout.style];
    if (!isSame(cell.drawn, now)) {
      cell.drawn = now;
      const room = { section, width, height, form, part };
      node.dataset.item = item.id;
      // They go on scrolling as they are drawn anew.
      node.classList.toggle('hp-scrolls', part === 'tabs');
      node.replaceChildren(this.#hit(item, this.#drawing(item, room), section));
      set(node, 'aria-hidden', item.accessibility?.hidden ? 'true' : null);
      node.style.setProperty('--hp-depth', String(depth));
    }
    // A header without words is no heading.
    const isHead = part === 'header' && node.textContent;
    set(node, 'aria-level', isHead ? 2 : null);
    set(node, 'role', isHead ? 'heading' : /item|slot/.test(part) ? 'listitem' : null);
    set(node, 'aria-setsize', position ? count : null);
    set(node, 'aria-posinset', position || null);
  }

  /**
   * What an item shows: what the app draws for its kind, or a plain drawing.
   * @param {Item} item
   * @param {{section: Section | null, width: number, height: number, form: string, part: string}} given
   */
  #drawing(item, given) {
    /** @type {Room} */
    const room = {
      ...given, isDark: this.#isDark, locale: this.#page?.locale ?? 'en', resolve: this.#resolve,
    };
    try {
      const drawing = this.#drawings.get(given.part === 'tabs' ? '/tabs' : item.kind);
      if (drawing) return drawing(item, room);
      const drawings = this.#plain();
      return drawings ? drawings.plain(item, room) : made('div', '');
    } catch (error) {
      // One item that cannot be drawn takes no page down.
      reportError(error);
      return made('div', 'hp-row');
    }
  }

  /** The plain drawings; none until they are here, when all is drawn anew. */
  #plain() {
    if (plainly) adopt(this.getRootNode(), plainly.rules);
    else if (!this.#isWaiting) {
      this.#isWaiting = true;
      bringPlain().then(() => this.#remeasure(), reportError);
    }
    return plainly;
  }

  #isWaiting = false;

  /**
   * What is tapped and read out of an item.
   * @param {Item} item
   * @param {Node} drawing
   * @param {Section | null} [section]
   */
  #hit(item, drawing, section = null, tag = 'div') {
    const { accessibility: { label, hint, traits = [] } = {}, children, expanded } = item;
    const isPreview = this.hasAttribute('preview');
    const action = isPreview ? null : item.action;
    const isImage = traits.includes('image');
    const isOpener = section?.layout.style === 'outline' && !!children?.length;
    const url = isOpened(action?.url) && !isOpener ? action?.url : undefined;
    const hit = made(url ? 'a' : tag, '', drawing);
    if (url) /** @type {HTMLAnchorElement} */ (hit).href = url;
    if (action || isOpener) {
      hit.classList.add('hp-hit');
      hit.tabIndex = 0;
      if (!url) hit.setAttribute('role', 'button');
    } else if (isImage) hit.setAttribute('role', 'img');
    const words = label ?? (hit.textContent ? undefined : item.content?.title ?? item.content?.text);
    if (words && (action || isOpener || isImage)) hit.setAttribute('aria-label', words);
    if (hint) hit.title = hint;
    if (isOpener) {
      hit.setAttribute('aria-expanded', String(expanded === true));
      const mark = made('span', 'hp-mark', '›');
      mark.setAttribute('aria-hidden', 'true');
      hit.append(mark);
    }
    this.#hits.set(hit, { item, section });
    if (item.actions && !isPreview) {
      import('./actions.js').then(({ offer }) =>
        offer(hit, item, (action) => this.#emit('action', { action, item, section })), reportError);
    }
    return hit;
  }

  /** @type {WeakMap<Element, {item: Item, section: Section | null}>} */
  #hits = new WeakMap();

  // What people do

  #tap(/** @type {MouseEvent} */ event) {
    const target = /** @type {HTMLElement} */ (event.target);
    const tab = /** @type {any} */ (target.closest('.hp-section [data-list]'));
    if (tab) this.choose(tab.closest('.hp-section').dataset.id, tab.dataset.list);
    const hit = target.closest?.('.hp-hit');
    const { item, section } = hit && this.#hits.get(hit) || {};
    if (!hit || !item || event.defaultPrevented) return;
    if (item.action && !this.#emit('action', { action: item.action, item, section })) event.preventDefault();
    if (!section || !hit.hasAttribute('aria-expanded')) return;
    this.#opened.set(`${section.id} ${item.id}`, !item.expanded);
    this.#change();
    stopOf(this.#drawn.get(section.id)?.body.cells.get(`item ${item.id}`))?.focus({ preventScroll: true });
  }

  /** The cell of a row that something is in. */
  #inRow(/** @type {Element} */ target) {
    const cell = this.#cells.get(target.closest('.hp-cell') ?? this);
    return cell && cell.holder === cell.owner.row ? cell : null;
  }

  #focused(/** @type {FocusEvent} */ { target }) {
    const at = this.#inRow(/** @type {Element} */ (target));
    if (!at) return;
    at.holder.current = at.place.key;
    stopAtOne(at.holder);
  }

  #press(/** @type {KeyboardEvent} */ event) {
    const { key, target } = event;
    const hit = /** @type {HTMLElement} */ (target);
    if (event.altKey || event.ctrlKey || event.metaKey || event.defaultPrevented) return;
    if ((key === 'Enter' || key === ' ') && hit.classList.contains('hp-hit') && hit.tagName !== 'A') {
      event.preventDefault();
      hit.click();
      return;
    }
    const at = this.#inRow(hit);
    const row = at?.owner.places.row;
    if (!row) return;
    const { cells } = row;
    const here = indexOf(row, at.place.key) ?? 0;
    const back = this.dir === 'rtl' ? 'ArrowRight' : 'ArrowLeft';
    const { layout } = at.owner.places.section;
    const rows = layout.style === 'shelf' ? Math.max(1, Number(layout.rowCount ?? 1)) : 1;
    const way = /^(Home|End)$/.test(key) ? Infinity : /^Arrow[LR]/.test(key) ? rows
      : key.startsWith('Arrow') && rows > 1 ? 1 : 0;
    if (!way) return;
    const sign = key === 'Home' || key === 'ArrowUp' || key === back ? -1 : 1;
    let next = way === Infinity ? sign < 0 ? 0 : cells.length - 1 : here + sign * way;
    // Up and down stay in the column.
    if (rows > 1 && way === 1 && Math.floor(next / rows) !== Math.floor(here / rows)) return;
    const inward = way === Infinity ? -sign : sign * way;
    while (cells[next] && !cells[next].item.action) next += inward;
    event.preventDefault();
    if (!cells[next] || next === here) return;
    this.#reach(at.owner, at.holder, cells[next]);
  }

  /** Scrolls a row so that a cell is seen, and gives it the focus. */
  #reach(/** @type {Drawn} */ drawn, /** @type {Holder} */ holder, /** @type {Place} */ { key, x, width }) {
    const row = /** @type {NonNullable<Places['row']>} */ (drawn.places.row);
    const far = holder.scrolled;
    if (x < far || x + width > far + row.frame.width) {
      // Where it rests that shows all of it, else the nearest.
      const whole = row.stops.filter((stop) => stop <= x + 1e-6 && stop + row.frame.width >= x + width - 1e-6);
      const behind = row.stops.filter((stop) => stop <= x + 1e-6);
      const to = row.stops.length === 0 ? x < far ? x : x + width - row.frame.width
        : whole.at(x < far ? -1 : 0) ?? behind.at(-1) ?? 0;
      holder.scrolled = Math.min(Math.max(0, to), Math.max(0, row.extent - row.frame.width));
      // It is there before it has the focus; the row follows at once.
      this.#drawRow(drawn, holder);
      this.#scrollRow(holder);
    }
    stopOf(holder.cells.get(key))?.focus({ preventScroll: true });
  }

  /** Asks for what follows in long lists that come near. */
  #askForMore(/** @type {number} */ to) {
    const lists = this.#lists;
    for (const { section, top, height, row } of lists ? this.#near() : []) {
      const far = (this.#drawn.get(section.id)?.row?.scrolled ?? 0) + 3 * (row?.frame.width ?? 0);
      const isNear = row ? far >= row.extent : top + height <= to;
      if (section.more && isNear) lists?.bring(section, () => { if (lists === this.#lists) this.#change(); });
    }
  }
}

/** All cells of a section that are in the document. */
const cellsOf = (/** @type {Drawn} */ { ends, body, row }) =>
  [ends, body, row].flatMap((holder) => [...holder?.cells.values() ?? []]);

/** Where the keyboard stops in a cell. */
const stopOf = (/** @type {Cell | undefined} */ cell) =>
  /** @type {HTMLElement | null | undefined} */ (cell?.node.querySelector(':scope > .hp-hit'));

/** The keyboard stops once at a row; the arrows go on in it. */
function stopAtOne(/** @type {Holder} */ { cells, current }) {
  for (const [key, cell] of cells) {
    const stop = stopOf(cell);
    if (stop) stop.tabIndex = key === current ? 0 : -1;
  }
}

/** Whether two lists have the same members. */
const isSame = (/** @type {any[] | undefined} */ left, /** @type {any[]} */ right) =>
  left?.length === right.length && right.every((value, at) => value === left[at]);

/** Sets an attribute where it differs. */
function set(/** @type {Element} */ element, /** @type {string} */ name, /** @type {any} */ value) {
  const text = value === undefined || value === null ? null : String(value);
  if (element.getAttribute(name) === text) return;
  if (text === null) element.removeAttribute(name);
  else element.setAttribute(name, text);
}

/** Puts an element where its frame is; `x` counts from the leading edge. */
function frame(/** @type {HTMLElement} */ { style }, /** @type {import('./places.js').Rectangle} */ rectangle) {
  const [x, y, width, height] = [rectangle.x, rectangle.y, rectangle.width, rectangle.height].map(px);
  if (style.insetInlineStart !== x) style.insetInlineStart = x;
  if (style.top !== y) style.top = y;
  if (style.width !== width) style.width = width;
  if (style.height !== height) style.height = height;
}

/** Has an element end with these and no other marks of a name. */
function mark(
  /** @type {HTMLElement} */ node, /** @type {string} */ name, /** @type {import('./places.js').Rectangle[]} */ wanted,
) {
  const shown = /** @type {any[]} */ ([...node.querySelectorAll(`:scope > .${name}`)]);
  wanted.forEach((each, at) => frame(shown[at] ?? node.appendChild(made('i', name)), each));
  for (const mark of shown.slice(wanted.length)) mark.remove();
}

/** Has a header, tabs or a section stay at the top until something pushes it away, in what is as high as the whole. */
function stick(
  /** @type {HTMLElement} */ { style, classList }, /** @type {import('./places.js').Rectangle} */ { x, y, height },
  /** @type {import('./layout.js').Sticky | null} */ sticky, /** @type {number} */ whole,
) {
  if (!sticky && !classList.contains('hp-stays')) return;
  classList.toggle('hp-stays', !!sticky);
  style.margin = sticky ? `${px(y)} 0 ${px(whole - sticky.until - height)}` : '';
  style.marginInlineStart = sticky ? px(x) : '';
  if (sticky) [style.top, style.insetInlineStart] = ['', ''];
}

if (globalThis.customElements && !customElements.get('hearth-page')) {
  customElements.define('hearth-page', HearthPage);
}
