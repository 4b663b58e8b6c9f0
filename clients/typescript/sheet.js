// What the element looks like. Its rules weigh nothing, so that an app's own win, but for those that an app's rules for
// all links and headings would overrule.

export const rules = `
:where(hearth-page) {
  --hp-paper: #fff; --hp-ground: #f2f2f5; --hp-ink: #1c1b1a; --hp-dim: #5e5b57; --hp-rule: #ececef;
  --hp-accent: #a63c17;
  display: block; position: relative; height: 100dvh; overflow: hidden auto; overflow-anchor: none; color-scheme: light;
  background: var(--hp-layers, ) var(--hp-page, var(--hp-ground)); color: var(--hp-ink);
  font: 14px/1.35 system-ui, sans-serif;
  scroll-padding-top: var(--hp-top); -webkit-text-size-adjust: none; text-size-adjust: none;
}
:where(hearth-page[dark]) {
  --hp-paper: #242426; --hp-ground: #121213; --hp-ink: #f4f3f1; --hp-dim: #b9b5af; --hp-rule: #37373a;
  --hp-accent: #f0a888; color-scheme: dark;
}
:where(hearth-page[drawn]) > :not(.hp) { display: none; }
:where(.hp, .hp *) { box-sizing: border-box; }
:where(.hp) { display: flex; flex-direction: column; min-height: 100%; }
:where(.hp-bar) {
  position: sticky; top: 0; z-index: 3; display: flex; align-items: center; gap: 8px; min-height: 44px;
  padding: 0 13px; background: var(--hp-behind, var(--hp-ground));
}
.hp-name {
  flex: 1; min-width: 0; margin: 0; font-size: 16px; line-height: inherit; text-align: center; overflow: hidden;
  text-overflow: ellipsis;
  white-space: nowrap;
}
:where(.hp-bar-end) { display: flex; align-items: center; gap: 8px; min-width: 32px; max-width: 40%; overflow: hidden; }
:where(.hp-canvas) { position: relative; display: grid; flex: 1 0 auto; overflow: clip; }
:where(.hp-floor) { position: sticky; bottom: 0; z-index: 2; background: var(--hp-paper); }
:where(.hp-section) { position: absolute; contain: layout style; }
:where(.hp-floor > .hp-section) { position: relative; }
:where(.hp-list, .hp-row-box, .hp-cell, .hp-stop, .hp-extent, .hp-background, .hp-ticker) { position: absolute; }
:where(.hp-stays) {
  position: sticky; z-index: 1; top: calc(var(--hp-top) + var(--hp-over, 0px)); grid-area: 1 / 1; align-self: start;
  background: var(--hp-behind, var(--hp-ground));
}
:where(.hp-list.hp-round) { overflow: hidden; }
:where(.hp-cell) { contain: strict; }
:where(.hp-cell > *) { display: block; width: 100%; height: 100%; }
:where(.hp-hit) { scroll-margin-top: calc(var(--hp-head, 0px) + var(--hp-over, 0px)); }
.hp-hit { cursor: pointer; color: inherit; text-decoration: none; -webkit-tap-highlight-color: transparent; }
:where(hearth-page, .hp-hit, .hp-row-box, .hp-mark):focus-visible {
  outline: 2px solid var(--hp-accent); outline-offset: -2px;
}
:where(.hp-hit:active) { opacity: .7; }
:where(.hp-row-box, .hp-scrolls) { overflow: auto hidden; scrollbar-width: none; overscroll-behavior-x: contain; }
:where(.hp-row-box, .hp-scrolls)::-webkit-scrollbar { display: none; }
:where(.hp-snaps) { scroll-snap-type: x mandatory; }
:where(.hp-stop) { scroll-snap-align: start; }
:where(.hp-separator) { position: absolute; background: var(--hp-separator); }
:where(.hp-side) {
  position: absolute; z-index: 1; width: 32px; height: 32px; border: 0; border-radius: 16px; padding: 0; opacity: 0;
  background: var(--hp-paper); color: var(--hp-ink); box-shadow: 0 1px 4px rgb(0 0 0 / .35); font-size: 18px;
  line-height: 32px; cursor: pointer; pointer-events: none;
}
@media (hover: hover) and (pointer: fine) {
  :where(.hp-section:hover > .hp-side:not([hidden])) { opacity: 1; pointer-events: auto; }
}
:where(.hp-probe) {
  position: absolute; inset: 0 auto auto 0; width: 0; height: 0; overflow: hidden; visibility: hidden; contain: strict;
}
:where(.hp-probe > *) { position: absolute; top: 0; left: 0; }
.hp-probe > * > * { height: auto; }
.hp-chip-probe > * { width: max-content; }
:where(.hp-tiles > .hp-cell) { background: var(--hp-paper); border-radius: 8px; }
:where(.hp-mark) {
  position: absolute; inset-block: 0; inset-inline-end: 8px; width: 28px; height: auto; display: grid;
  place-items: center; font-size: 18px; color: var(--hp-dim); pointer-events: none;
}
:where([aria-expanded=true] > .hp-mark) { transform: rotate(90deg); }
:where([dir=rtl] [aria-expanded=false] > .hp-mark, [dir=rtl] .hp-side) { transform: scaleX(-1); }
:where(.hp-empty) { display: grid; place-items: center; padding: 80px 30px; text-align: center; }
@media (prefers-contrast: more) {
  :where(hearth-page) { --hp-dim: var(--hp-ink); --hp-rule: currentColor; }
  :where(.hp-background, .hp-tiles > .hp-cell) { outline: 1px solid; outline-offset: -1px; }
}
@media (prefers-reduced-motion: no-preference) { :where(.hp-row-box) { scroll-behavior: smooth; } }
`;

/** @type {Map<string, CSSStyleSheet>} */
const sheets = new Map();

/** Has a document or shadow root know some rules, once. */
export function adopt(/** @type {any} */ root, /** @type {string} */ text) {
  const sheet = sheets.get(text) ?? new CSSStyleSheet();
  if (!sheets.has(text)) sheet.replaceSync(text);
  sheets.set(text, sheet);
  const all = root.adoptedStyleSheets;
  if (all.includes(sheet)) return;
  // Before the app's own.
  const own = [...sheets.values()].filter((other) => other === sheet || all.includes(other));
  root.adoptedStyleSheets = [...own, ...all.filter((/** @type {any} */ other) => !own.includes(other))];
}
