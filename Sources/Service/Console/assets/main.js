// Where the console begins: who is here, which view, and the bar above it.

import { Problem, get, session } from './lib/api.js';
import { arrive, offer } from './lib/commands.js';
import { fetchLanguage, formatInstant, language, languages, setLanguage, t, term } from './lib/i18n.js';
import { kept } from './lib/kept.js';
import { Later, modules } from './lib/later.js';
import { Rights } from './lib/roles.js';
import { lookForTwin } from './lib/twin.js';
import { pointerWords } from './lib/pointers.js';
import * as sentences from './lib/sentences.js';
import { browserStorage, tabStorage } from './lib/storage.js';
import {
  Component, Failure, Loading, Question, Toasts, ask, attempt, closeToasts, explain, html, options, showModally,
  speakBy, toast, useAction, useLayoutEffect, useRef, useState,
} from './lib/ui.js';
import { guard } from './lib/unsaved.js';
import { render } from './vendor/preact.js';
import { NodesMark } from './views/nodes.js';
import { PageView } from './views/page.js';
import { PagesView } from './views/pages.js';
import { Palette } from './views/palette.js';
import { WithheldBar, WithheldView } from './views/withheld.js';

/** What an address names; what no address is made of stands for itself, and names nothing. */
function decoded(/** @type {string} */ text) {
  try { return decodeURIComponent(text); } catch { return text; }
}
const routeOf = () => location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decoded);
/** The same picture as the tab's, which the page has within it. */
const icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel=icon]')).href;
speakBy({ ...sentences, pointerWords });
Object.assign(modules, { sheets: () => import('./sheets.js'), gallery: () => import('./gallery.js') });

function applyTheme(/** @type {string} */ theme) {
  browserStorage.set('hearth.theme', theme);
  document.documentElement.dataset.theme = theme;
}
applyTheme(browserStorage.get('hearth.theme') ?? 'auto');

/** A file that is dropped beside the place for it does not take the page's. */
function keepPage(/** @type {DragEvent} */ event) {
  const { dataTransfer, target } = event;
  if (!dataTransfer?.types.includes('Files') || (target instanceof Element && target.matches('[type=file]'))) return;
  event.preventDefault();
  dataTransfer.dropEffect = 'none';
}

/**
 * @typedef {object} AppState
 * @property {string[]} route
 * @property {Me|null} me
 * @property {Setup|null} setup
 * @property {unknown} failure
 * @property {boolean} [isExpired] whether the token is taken no more
 * @property {number} [asked] how often another token was asked for
 * @property {boolean} [isPalette] whether the palette is open
 */

class App extends Component {
  /** @type {AppState} */
  state = { route: routeOf(), me: null, setup: null, failure: null };

  componentDidMount() {
    addEventListener('hashchange', () => this.#go());
    addEventListener('beforeunload', (event) => { if (guard.isDirty) event.preventDefault(); });
    session.onExpiry(() => this.setState({ isExpired: true, asked: (this.state.asked ?? 0) + 1 }));
    kept.onFailure(() => toast(tabStorage.isThere
      ? t('What is not saved is too large to be kept over a reload of this tab.')
      : t('This browser keeps nothing for the tab: what is not saved does not outlive a reload.'), 'failure'));
    addEventListener('keydown', (event) => this.#onKey(event));
    for (const name of /** @type {const} */ (['dragover', 'drop'])) addEventListener(name, keepPage);
    offer(() => this.commands());
    this.#number();
    if (session.exists) this.begin();
  }

  /** A view that is new has the keys that scroll, unless a field or a dialog has the focus. */
  componentDidUpdate(/** @type {unknown} */ _, /** @type {AppState} */ before) {
    const { route, me } = this.state;
    const isFree = document.activeElement === document.body || document.activeElement?.closest('.bar nav');
    const view = /** @type {HTMLElement|null} */ (document.querySelector('main.view, main.page'));
    if ((before.route === route && before.me === me) || !isFree || !view) return;
    view.tabIndex = -1;
    view.focus({ preventScroll: true });
  }

  #onKey(/** @type {KeyboardEvent} */ event) {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'k') return;
    if (!this.state.me || document.querySelector('dialog:modal')) return;
    event.preventDefault();
    this.setState({ isPalette: true });
  }

  /** What can be done from everywhere. */
  commands() {
    const [area, name] = this.state.route;
    const to = (/** @type {string} */ target) => () => { location.hash = `#/${target}`; };
    const { maySeePictures, isAdmin } = this.state.setup?.rights ?? {};
    return [
      area === 'pages' && name
        && { text: t('History'), detail: name, run: to(`pages/${encodeURIComponent(name)}/history`) },
      { text: t('Pages'), run: to('') }, { text: t('Calendar'), run: to('calendar') },
      { text: t('Audiences'), run: to('audiences') }, { text: t('Audit'), run: to('audit') },
      maySeePictures && { text: t('Pictures'), run: to('pictures') },
      { text: t('Translations'), run: to('translations') }, { text: t('Withheld kinds'), run: to('withheld') },
      isAdmin && { text: t('Tokens'), run: to('tokens') }, isAdmin && { text: t('Webhooks'), run: to('webhooks') },
      { text: t('Sign out'), run: () => this.signOut() },
    ].flatMap((each) => each || []);
  }

  #hash = location.hash;
  #place = 0;
  #isReturning = false;
  /** Whether it is being asked about; the way that is taken then is the last one. */
  #isAsking = false;

  /** Numbers the places of the tab's history, so that a way back that is not taken can be undone. */
  #number() {
    this.#place = history.state?.place ?? this.#place;
    history.replaceState({ ...history.state, place: this.#place }, '');
  }

  async #go() {
    if (this.#isReturning) {
      this.#isReturning = false;
      return;
    }
    if (location.hash === this.#hash || this.#isAsking) return;
    this.#isAsking = true;
    const mayLeave = await guard.mayLeave();
    this.#isAsking = false;
    if (!mayLeave) {
      this.#isReturning = true;
      // A link made a new place; Back and Forward went to one that has its number.
      history.go(this.#place - (history.state?.place ?? this.#place + 1));
      return;
    }
    this.#hash = location.hash;
    if (history.state === null) this.#place += 1;
    this.#number();
    this.setState({ route: routeOf() });
    arrive('main.view h1');
  }

  /** Signs in with a token that the server takes. */
  async signIn(/** @type {string} */ token) {
    const { value: me } = await get(['whoami'], {}, { token });
    const before = this.state.me?.name;
    if (before !== undefined && before !== me.name) {
      const question = t('{name} has unsaved changes here. Go on as {other} without them?', {
        name: before, other: me.name,
      });
      if (!await guard.mayEnd(question)) return;
      // Nothing of it is on the screen of another person.
      this.setState({ me: null, setup: null });
      session.forget();
      closeToasts();
    }
    session.begin(token);
    this.setState({ isExpired: false });
    await this.begin(me);
  }

  /** Reads what every view needs, and who is here where that is not known yet. */
  async begin(/** @type {Me|undefined} */ known = undefined) {
    try {
      const [me, kinds, attributes] = await Promise.all([
        known ?? get(['whoami']).then(({ value }) => value), get(['kinds']), get(['attributes']),
      ]);
      await kept.belongTo(me, () => ask(
        t('Edits that {name} left with another token are kept in this tab. Are they yours? “Cancel” drops them.', me),
        t('They are mine')));
      // It stays: nobody looks at both tabs at once.
      let closeLast = () => {};
      lookForTwin(() => {
        // Several tabs may answer, and each that is loaded asks: said once, it leaves room for other messages.
        closeLast();
        closeLast = toast(
          t('What you have not saved is in another tab as well. Save it in one of them, and discard it in the other.'),
          'failure');
      });
      const setup = { kinds: kinds.value, attributes: attributes.value.attributes, rights: new Rights(me) };
      this.setState({ me, setup, failure: null });
    } catch (failure) {
      if (!(failure instanceof Problem && failure.status === 401)) this.setState({ failure });
    }
  }

  async signOut() {
    if (!await guard.mayEnd()) return;
    kept.forgetAll();
    this.setState({ me: null, setup: null, failure: null, isExpired: false });
    closeToasts();
    session.end();
  }

  render(/** @type {unknown} */ _, /** @type {AppState} */ state) {
    return html`${this.#main(state)}<${Question} />`;
  }

  #main(/** @type {AppState} */ { route, me, setup, failure, isExpired, asked, isPalette }) {
    if (failure) return html`<main class="center"><${Failure} error=${failure} onRetry=${() => this.begin()} /></main>`;
    const onToken = (/** @type {string} */ token) => this.signIn(token);
    if (!me && !session.exists) {
      const reason = isExpired ? t('Your token is no longer valid.') : null;
      return html`<main class="sign-in">
        <${SignIn} reason=${reason} redraw=${() => this.setState({})} onToken=${onToken} /></main>`;
    }
    if (!me || !setup) return html`<main class="center"><${Loading} /></main>`;
    return html`<${Bar} me=${me} setup=${setup} route=${route}
        onSignOut=${() => this.signOut()} redraw=${() => this.setState({})} />
      <${WithheldBar} setup=${setup} />
      ${this.view(route, setup)}
      ${isPalette && html`<${Palette} onClose=${() => this.setState({ isPalette: false })} />`}
      ${isExpired && html`<${SignInAgain} asked=${asked} onToken=${onToken} />`}
      <${Toasts} />`;
  }

  view(/** @type {string[]} */ [area = 'pages', name, part, ...places], /** @type {Setup} */ setup) {
    const [at, isLive] = part === 'at' ? [places[0], places[1] === 'live'] : [null, false];
    const given = { page: name, setup, at, isLive, find: part === 'find' ? places : null };
    const key = `${area} ${name} ${part === 'history'}`;
    const show = (/** @type {object} */ View) => html`<${View} key=${key} ...${given} />`;
    const showLater = (/** @type {string} */ view, /** @type {string} */ of = 'sheets') =>
      html`<${Later} key=${key} of=${of} view=${view} ...${given} />`;
    if (area === 'audit') return showLater('AuditView');
    if (area === 'calendar') {
      return html`<${Later} key="calendar" view="CalendarView" setup=${setup} span=${name} day=${part} />`;
    }
    if (area === 'withheld') return show(WithheldView);
    if (area === 'audiences') return showLater('AudiencesView');
    if (area === 'translations') {
      return html`<main class="view whole"><${Later} view="TranslationsView" setup=${setup} /></main>`;
    }
    if (area === 'pictures' && setup.rights.maySeePictures) return showLater('PicturesView', 'gallery');
    if (area === 'tokens' && setup.rights.isAdmin) return showLater('TokensView');
    if (area === 'webhooks' && setup.rights.isAdmin) return showLater('WebhooksView');
    if (area === 'pages' && name && part === 'history') return showLater('HistoryView');
    if (area === 'pages' && name) return show(PageView);
    return show(PagesView);
  }
}

/** @param {{label: string, value: string, choices: object, onChange: (value: string) => void}} props */
function Choice({ label, value, choices, onChange }) {
  return html`<label class="compact"><span class="sr-only">${label}</span>
    <select value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${options(Object.entries(choices), value)}
    </select></label>`;
}

function Preferences(/** @type {{redraw: () => void}} */ { redraw }) {
  const texts = { auto: t('Auto'), light: t('Light'), dark: t('Dark') };
  return html`<${Choice} label=${t('Language')} value=${language} choices=${languages}
      onChange=${(name) => attempt(async () => {
        await fetchLanguage(name);
        setLanguage(name);
        redraw();
      })} />
    <${Choice} label=${t('Colours')} value=${document.documentElement.dataset.theme} choices=${texts}
      onChange=${(theme) => { applyTheme(theme); redraw(); }} />`;
}

/** @param {{me: Me, setup: Setup, route: string[], onSignOut: () => void, redraw: () => void}} props */
function Bar({ me, setup, route, onSignOut, redraw }) {
  const link = (/** @type {string} */ target, /** @type {string} */ text, /** @type {boolean} */ isCurrent) =>
    html`<a href="#/${target}" aria-current=${isCurrent ? 'page' : undefined}>${text}</a>`;
  const [area = 'pages', name, part] = route;
  const [isOpen, setOpen] = useState(false);
  const opener = useRef();
  useLayoutEffect(() => setOpen(false), [route]);
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (!isOpen || event.key !== 'Escape') return;
    setOpen(false);
    opener.current.focus();
  };
  const until = me.expiresAt && t('The token is valid until {time}', { time: formatInstant(me.expiresAt) });
  return html`<header class="bar" onKeyDown=${onKey}>
    <a class="brand" href="#/"><img src=${icon} alt="" width="24" height="24" /> Hearth</a>
    <button
      ref=${opener}
      class="areas-button"
      aria-expanded=${String(isOpen)}
      onClick=${() => setOpen(!isOpen)}>${t('Areas')} ▾</button>
    <${NodesMark} />
    <div class="areas ${isOpen ? 'open' : ''}">
      <nav aria-label=${t('Areas')}>
        ${link('', t('Pages'), area === 'pages' && !name)}
        ${link('calendar', t('Calendar'), area === 'calendar')}
        ${link('audiences', t('Audiences'), area === 'audiences')}
        ${setup.rights.maySeePictures && link('pictures', t('Pictures'), area === 'pictures')}
        ${link('translations', t('Translations'), area === 'translations')}
        ${link('audit', t('Audit'), area === 'audit')}
        ${link('withheld', t('Withheld kinds'), area === 'withheld')}
        ${setup.rights.isAdmin && link('tokens', t('Tokens'), area === 'tokens')}
        ${setup.rights.isAdmin && link('webhooks', t('Webhooks'), area === 'webhooks')}
        ${area === 'pages' && name && html`<span class="of-page">
          ${link(`pages/${encodeURIComponent(name)}`, name, part !== 'history')}
          ${link(`pages/${encodeURIComponent(name)}/history`, t('History'), part === 'history')}</span>`}
      </nav>
      <div class="who">
        <${Preferences} redraw=${redraw} />
        <span class="me" title=${until}><strong>${me.name}</strong> <span class="role">${term(me.role)}</span></span>
        <button onClick=${onSignOut}>${t('Sign out')}</button>
      </div>
    </div>
  </header>`;
}

/** @param {{reason: string|null, redraw?: () => void, isAgain?: boolean, onToken: (token: string) => unknown}} props */
function SignIn({ reason, redraw, isAgain, onToken }) {
  const [token, setToken] = useState('');
  const { isBusy, failure, run } = useAction((error) => error instanceof Problem && error.status === 401
    ? t('The server does not take this token.') : explain(error));
  const field = useRef();
  // The browser minds `autofocus` once a load, and nobody is here again after signing out.
  useLayoutEffect(() => { if (!isAgain) field.current.focus(); }, []);
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    run(() => {
      if (!/^hearth_\S+$/.test(token.trim())) throw new Error(t('A token begins with hearth_ and has no spaces.'));
      return onToken(token.trim());
    });
  };
  const text = failure ?? reason;
  return html`<form onSubmit=${submit}>
      ${!isAgain && html`<h1><img src=${icon} alt="" width="36" height="36" /> Hearth</h1>`}
      <label>${t('Token')}
        <input type="password" name="token" autocomplete="off" spellcheck=${false} required
          ref=${field}
          placeholder="hearth_…" value=${token} aria-describedby="sign-in-help"
          aria-invalid=${text ? 'true' : undefined}
          onInput=${(event) => setToken(event.target.value)} />
      </label>
      ${text && html`<p class="error" role="alert">${text}</p>`}
      <p class="hint" id="sign-in-help">${t('It is kept for this tab only, and forgotten when you close it.')}</p>
      <button class="primary" disabled=${isBusy}>${t('Sign in')}</button>
      ${redraw && html`<div class="preferences"><${Preferences} redraw=${redraw} /></div>`}
    </form>`;
}

/**
 * The token is taken no more: a new one goes on where the old one ended, over what is typed meanwhile, or over a dialog
 * that is open.
 */
function SignInAgain(/** @type {{asked: number, onToken: (token: string) => Promise<void>}} */ { asked, onToken }) {
  const element = useRef();
  useLayoutEffect(() => {
    const dialog = /** @type {HTMLDialogElement} */ (element.current);
    // Whoever types goes on typing: the focus is not taken away, unless a dialog covers the page.
    const activeElement = /** @type {HTMLElement|null} */ (document.activeElement);
    if (document.querySelector('dialog:modal') !== null) {
      const end = showModally(dialog, () => {});
      if (dialog.contains(activeElement)) activeElement?.focus();
      return end;
    }
    dialog.show();
    if (activeElement?.matches('input, textarea, select')) activeElement.focus();
    return () => dialog.close();
  }, [asked]);
  return html`<dialog ref=${element} class="again" aria-label=${t('Sign in again')}>
    <${SignIn} reason=${t('Your token is no longer valid. Sign in again to go on; nothing is lost.')} isAgain
      onToken=${onToken} />
  </dialog>`;
}

render(html`<${App} />`, /** @type {Element} */ (document.getElementById('app')));
