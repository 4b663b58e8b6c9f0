// What plain drawings look like. Like the element's, the rules weigh nothing.

export const rules = `
:where(hearth-page) { --hp-price: #b3161b; --hp-tag: #8f3a12; --hp-tint: 88%; --hp-text: 20%; }
:where(hearth-page[dark]) { --hp-price: #ff8f8a; --hp-tag: #f0a888; --hp-tint: 24%; --hp-text: 86%; }
:where(.hp-ticker:not(.hp-painted)) { background: #fff7e8; color: #6b3b00; }
:where(hearth-page[dark] .hp-ticker:not(.hp-painted)) { background: #35290f; color: #f3d9a4; }
:where(.hp-ticker) { font-size: 13px; }
:where(.hp-banner, .hp-row, .hp-upright, .hp-card, .hp-chip, .hp-head, .hp-foot) {
  position: relative; display: flex; overflow: hidden; width: 100%; height: 100%; text-align: start;
}
:where(.hp-title, .hp-second) {
  overflow: hidden; overflow-wrap: anywhere; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2;
}
:where(.hp-title) { -webkit-line-clamp: var(--hp-lines, 2); min-height: calc(var(--hp-lines, 0) * 1lh); }
:where(.hp-second) { color: color-mix(in srgb, currentColor 80%, transparent); font-size: 12px; }
:where(.hp-words) { min-width: 0; display: flex; flex-direction: column; gap: 2px; }
:where(.hp-row) { align-items: center; gap: 10px; padding: 8px 12px; background: var(--hp-paper); }
:where(.hp-row .hp-words) { flex: 1; }
:where(.hp-thumbnail) { position: relative; flex: none; width: 44px; height: 44px; border-radius: 10px; }
:where(.hp-row .hp-title) { font-weight: 600; }
:where(.hp-row.hp-short .hp-second) { -webkit-line-clamp: 1; }
:where(.hp-row.hp-short) { padding-block: 4px; }
:where(.hp-upright) {
  flex-direction: column; align-items: center; justify-content: center; gap: 4px; padding: 4px 0; text-align: center;
  font-size: 12px; line-height: 1.25;
}
:where(.hp-upright .hp-words) { align-items: center; max-width: 100%; }
:where(.hp-upright .hp-thumbnail) { width: 40px; height: 40px; }
:where(.hp-upright.hp-short .hp-thumbnail) { width: 32px; height: 32px; }
:where(.hp-upright .hp-second) { font-size: 11px; -webkit-line-clamp: 1; }
:where(.hp-upright.hp-short .hp-second) { display: none; }
:where(.hp-list .hp-row) { border-radius: 8px; }
:where(.hp-painted .hp-row, .hp-floor .hp-row) { border-radius: 0; }
:where(.hp-painted .hp-row) { background: none; }
:where(.hp-cell .hp-row) { padding-inline-start: calc(12px + 16px * var(--hp-depth)); }
:where(.hp-chip) {
  align-items: center; gap: 6px; padding: 4px 12px; border: 1px solid var(--hp-rule); border-radius: 16px;
  background: var(--hp-paper); white-space: nowrap; min-height: 28px;
}
:where(.hp-chip .hp-title) { display: block; text-overflow: ellipsis; font-size: 13px; }
:where(.hp-chip .hp-thumbnail, .hp-head .hp-thumbnail) { width: 20px; height: 20px; border-radius: 5px; }
:where(.hp-head) { align-items: center; gap: 8px; padding: 8px 4px; min-height: 36px; }
:where(.hp-head .hp-title) { font-size: 16px; font-weight: 700; }
:where(.hp-head .hp-value) { margin-inline-start: auto; }
:where(.hp-foot) {
  align-items: center; justify-content: center; padding: 6px; min-height: 36px; color: var(--hp-dim); font-size: 13px;
}
:where(.hp-tabs) { display: flex; height: 100%; }
:where(.hp-tab) {
  flex: none; border: 0; padding: 0 12px; background: none; color: inherit; font: inherit; white-space: nowrap;
}
:where(.hp-tab[aria-selected=true]) { font-weight: 700; box-shadow: inset 0 -2px; }
:where(.hp-card) { flex-direction: column; background: var(--hp-paper); border-radius: 8px; }
:where(.hp-cover) { position: relative; display: block; width: 100%; min-height: 0; flex: 1 1 0; }
.hp-probe .hp-cover { flex: none; }
:where(.hp-card .hp-words) { padding: 6px 8px 8px; }
:where(.hp-card .hp-title) { font-size: 13px; }
:where(.hp-price) { color: var(--hp-price); font-weight: 700; }
:where(.hp-tags) { display: flex; flex-wrap: wrap; gap: 4px; }
:where(.hp-tags > *) {
  font-size: 11px; color: var(--hp-tag); border: 1px solid; border-radius: 3px; padding: 0 3px;
}
:where(.hp-pill) {
  flex: none; background: #a63c17; color: #fff; border-radius: 14px; padding: 4px 12px; font-size: 12px;
  font-weight: 600; white-space: nowrap;
}
:where(.hp-value) { flex: none; opacity: .8; font-size: 13px; }
:where(.hp-corner) {
  position: absolute; z-index: 1; inset-block-start: -7px; inset-inline-end: -10px; max-width: 56px; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; padding: 0 5px; border-radius: 7px; background: #c01f24; color: #fff;
  font-size: 10px; line-height: 14px;
}
:where(.hp-cover > .hp-corner) { inset-block-start: 6px; inset-inline-end: 6px; }
:where(.hp-picture) {
  position: absolute; inset: 0; overflow: hidden; border-radius: inherit;
  background: hsl(var(--hp-hue) 45% var(--hp-tint));
}
:where(.hp-picture img) { position: absolute; inset: 0; width: 100%; height: 100%; object-fit: cover; opacity: 0; }
:where(.hp-loaded img) { opacity: 1; }
:where([dir=rtl] .hp-mirrors) { transform: scaleX(-1); }
:where(.hp-stand-in) {
  position: absolute; inset: 0; display: grid; place-items: center; padding: 4px 12px; overflow: hidden;
  text-align: center; font-weight: 600; color: hsl(var(--hp-hue) 60% var(--hp-text));
}
:where(.hp-thumbnail .hp-stand-in) { padding: 0; font-size: 16px; }
:where(.hp-loaded .hp-stand-in) { opacity: 0; }
:where(.hp-empty .hp-title) { -webkit-line-clamp: 6; font-size: 14px; }
:where(.hp-empty .hp-thumbnail) { width: 120px; height: 90px; }
@media (prefers-contrast: more) {
  :where(.hp-second, .hp-value) { color: inherit; opacity: 1; }
  :where(.hp-card, .hp-row) { outline: 1px solid; outline-offset: -1px; }
}
@media (forced-colors: active) { :where(.hp-pill, .hp-corner, .hp-chip) { border: 1px solid; } }
`;
