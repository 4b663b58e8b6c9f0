// Where the console begins: who is here, which view, and the bar above it.

import { Problem, get, session } from './lib/api.js';
import { formatInstant, language, languages, setLanguage, t, term } from './lib/i18n.js';
import { Rights } from './lib/roles.js';
import { Component, Failure, Loading, Toasts, explain, html } from './lib/ui.js';
import { render } from './vendor/preact.js';
import { AudiencesView } from './views/audiences.js';
import { AuditView } from './views/audit.js';
import { HistoryView } from './views/history.js';
import { PageView } from './views/page.js';
import { PagesView } from './views/pages.js';
import { TokensView } from './views/tokens.js';

const routeOf = () => location.hash.replace(/^#\/?/, '').split('/').filter(Boolean).map(decodeURIComponent);
const themes = ['auto', 'light', 'dark'];

function applyTheme(theme) {
  localStorage.setItem('hearth.theme', theme);
  document.documentElement.dataset.theme = theme;
}
applyTheme(localStorage.getItem('hearth.theme') ?? 'auto');

class App extends Component {
  state = { route: routeOf(), me: null, setup: null, failure: null };

  componentDidMount() {
    addEventListener('hashchange', () => this.#go());
    session.onEnd(() => this.signOut(t('Your token is no longer valid.')));
    if (session.exists) this.begin();
  }

  #lastHash = location.hash;

  #go() {
    if (this.dirtyCheck?.() && !confirm(t('There are unsaved changes. Leave without them?'))) {
      history.replaceState(null, '', this.#lastHash);
      return;
    }
    this.#lastHash = location.hash;
    this.setState({ route: routeOf() });
  }

  async begin() {
    try {
      const [me, kinds, attributes] = await Promise.all([get(['whoami']), get(['kinds']), get(['attributes'])]);
      const setup = { kinds: kinds.value, attributes: attributes.value.attributes, rights: new Rights(me.value) };
      this.setState({ me: me.value, setup, failure: null });
    } catch (failure) {
      if (failure instanceof Problem && failure.status === 401) this.signOut(failure.message);
      else this.setState({ failure });
    }
  }

  signOut(reason = null) {
    session.end();
    this.setState({ me: null, setup: null, failure: null, reason });
  }

  render(_, { route, me, setup, failure, reason }) {
    if (failure) return html`<main class="center"><${Failure} error=${failure} onRetry=${() => this.begin()} /></main>`;
    if (!session.exists) {
      return html`<${SignIn} reason=${reason} redraw=${() => this.setState({})} onToken=${(token) => {
        session.begin(token);
        return this.begin();
      }} />`;
    }
    if (!me) return html`<main class="center"><${Loading} /></main>`;
    return html`<${Bar} me=${me} setup=${setup} route=${route} onSignOut=${() => {
        if (!this.dirtyCheck?.() || confirm(t('There are unsaved changes. Leave without them?'))) this.signOut();
      }} redraw=${() => this.setState({})} />
      ${this.view(route, setup)}
      <${Toasts} />`;
  }

  view([area = 'pages', name, part], setup) {
    const guard = (check) => { this.dirtyCheck = check; };
    if (area === 'audit') return html`<${AuditView} key=${name} page=${name} />`;
    if (area === 'audiences') return html`<${AudiencesView} setup=${setup} />`;
    if (area === 'tokens' && setup.rights.isAdmin) return html`<${TokensView} />`;
    if (area === 'pages' && name && part === 'history') return html`<${HistoryView} key=${name} page=${name} setup=${setup} />`;
    if (area === 'pages' && name) return html`<${PageView} key=${name} page=${name} setup=${setup} guard=${guard} />`;
    return html`<${PagesView} setup=${setup} />`;
  }
}

function Choice({ label, value, options, onChange }) {
  return html`<label class="compact"><span class="sr-only">${label}</span>
    <select value=${value} onChange=${(event) => onChange(event.target.value)}>
      ${Object.entries(options).map(([name, text]) => html`<option value=${name} selected=${name === value}>${text}</option>`)}
    </select></label>`;
}

function Preferences({ redraw }) {
  return html`<${Choice} label=${t('Language')} value=${language} options=${languages}
      onChange=${(name) => { setLanguage(name); redraw(); }} />
    <${Choice} label=${t('Colours')} value=${document.documentElement.dataset.theme}
      options=${Object.fromEntries(themes.map((theme) => [theme, { auto: t('Auto'), light: t('Light'), dark: t('Dark') }[theme]]))}
      onChange=${(theme) => { applyTheme(theme); redraw(); }} />`;
}

function Bar({ me, setup, route, onSignOut, redraw }) {
  const link = (target, text, isCurrent) => html`<a href="#/${target}" aria-current=${isCurrent ? 'page' : undefined}>${text}</a>`;
  const [area = 'pages', name, part] = route;
  return html`<header class="bar">
    <a class="brand" href="#/"><img src="icon.svg" alt="" width="24" height="24" /> Hearth</a>
    <nav aria-label=${t('Areas')}>
      ${link('', t('Pages'), area === 'pages' && !name)}
      ${area === 'pages' && name && link(`pages/${encodeURIComponent(name)}`, name, !part)}
      ${area === 'pages' && name && link(`pages/${encodeURIComponent(name)}/history`, t('History'), part === 'history')}
      ${link('audiences', t('Audiences'), area === 'audiences')}
      ${link('audit', t('Audit'), area === 'audit')}
      ${setup.rights.isAdmin && link('tokens', t('Tokens'), area === 'tokens')}
    </nav>
    <div class="who">
      <${Preferences} redraw=${redraw} />
      <span class="me" title=${me.expiresAt ? t('The token is valid until {time}', { time: formatInstant(me.expiresAt) }) : undefined}>
        <strong>${me.name}</strong> ${term(me.role)}</span>
      <button onClick=${onSignOut}>${t('Sign out')}</button>
    </div>
  </header>`;
}

class SignIn extends Component {
  state = { token: '', isBusy: false, failure: null };

  async submit(event) {
    event.preventDefault();
    const token = this.state.token.trim();
    if (!/^hearth_\S+$/.test(token)) {
      this.setState({ failure: t('A token begins with hearth_ and has no spaces.') });
      return;
    }
    this.setState({ isBusy: true, failure: null });
    try { await this.props.onToken(token); } catch (error) { this.setState({ failure: explain(error) }); }
    this.setState({ isBusy: false });
  }

  render({ reason, redraw }, { token, isBusy, failure }) {
    const text = failure ?? reason;
    return html`<main class="sign-in">
      <form onSubmit=${(event) => this.submit(event)}>
        <h1><img src="icon.svg" alt="" width="36" height="36" /> Hearth</h1>
        <label>${t('Token')}
          <input type="password" name="token" autocomplete="off" spellcheck=${false} required autofocus
            placeholder="hearth_…" value=${token} aria-describedby="sign-in-help"
            aria-invalid=${text ? 'true' : undefined} onInput=${(event) => this.setState({ token: event.target.value })} />
        </label>
        ${text && html`<p class="error" role="alert">${text}</p>`}
        <p class="hint" id="sign-in-help">${t('It is kept for this tab only, and forgotten when you close it.')}</p>
        <button class="primary" disabled=${isBusy}>${t('Sign in')}</button>
        <div class="preferences"><${Preferences} redraw=${redraw} /></div>
      </form>
    </main>`;
  }
}

render(html`<${App} />`, document.getElementById('app'));
