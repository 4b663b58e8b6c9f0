// A phone that draws a page as the app gets it: the web element, and around it what operators need.

import { groundOf } from '../client/background.js';
import { sourceOf } from '../client/layout.js';
import '../client/element.js';
import { t } from '../lib/i18n.js';
import { html, useEffect, useLayoutEffect, useRef, useState } from '../lib/ui.js';
import { useMemo } from '../vendor/preact.js';
import { makeDraggable } from './dragging.js';
import { Lists } from './lists.js';

/** @type {() => Record<string, string>} */
const marksText = () => ({ moved: t('elsewhere'), new: t('only here'), changed: t('differs') });

/** The height of a screen of a width, in points. */
export const heightOfScreen = (/** @type {number} */ width) =>
  /** @type {Record<number, number>} */ ({ 360: 780, 375: 812, 390: 844, 430: 932 })[width] ?? 812;

/** @typedef {(id: string, item?: string) => void} Select */

/** Has an element show a text, or not. */
function note(/** @type {HTMLElement} */ node, /** @type {string} */ name, /** @type {string} */ text) {
  const known = node.querySelector(`:scope > .${name}`);
  if (!text) known?.remove();
  else if (known?.textContent !== text) {
    const shown = known ?? node.appendChild(document.createElement('p'));
    Object.assign(shown, { className: name, textContent: text });
    return shown;
  }
  return null;
}

/**
 * What the console says of a section in the element: whether it is selected, how it differs, what is still to come.
 * @param {HTMLElement} node
 * @param {{selected: string|undefined, dragged: string|null, marks: Map<string, string>|undefined, sections: Section[],
 *   lists: Lists}} known
 * @param {IntersectionObserver|null} ends
 */
function decorate(node, { selected, dragged, marks, sections, lists }, ends) {
  const { id = '' } = node.dataset;
  const mark = marks?.get(id);
  const section = sections.find((each) => each.id === id);
  const name = ['hp-section', id === selected && 'selected', id === dragged && 'dragged', mark && `marked ${mark}`]
    .filter(Boolean).join(' ');
  if (node.className !== name) node.className = name;
  note(node, 'mark', mark ? marksText()[mark] : '');
  const left = section ? lists.left(section) : 0;
  const end = note(node, 'rest', [
    section?.source && t('The app puts what is its user’s here.'),
    section?.load !== 'client' && left > 0 && t('{count} more', { count: left }),
  ].filter(Boolean).join(' '));
  // It may be in sight still.
  if (!end) return;
  ends?.unobserve(end);
  ends?.observe(end);
}

/** The payload's sections in an order, those that it does not name where they are. */
function arranged(/** @type {Section[]} */ sections, /** @type {string[]|null} */ order) {
  if (!order) return sections;
  const positions = new Map(order.map((id, position) => [id, position]));
  return [...sections].sort((left, right) => (positions.get(left.id) ?? 0) - (positions.get(right.id) ?? 0));
}

/**
 * @param {object} props
 * @param {Payload} props.payload
 * @param {number} props.screen in points
 * @param {number} props.zoom
 * @param {number} props.room the height that there is for it, in pixels
 * @param {string|undefined} props.selected
 * @param {number} [props.choice] another one each time that a section is chosen
 * @param {Map<string, string>} props.marks
 * @param {string} props.label
 * @param {boolean} props.canDrag
 * @param {boolean} [props.isDark]
 * @param {Select} props.onSelect
 * @param {(id: string, neighbours: {before: string|null, after: string|null}) => unknown} props.onMove
 * @param {import('./lists.js').More} [props.onMore]
 */
export function Phone({
  payload, screen, zoom, room, selected, choice = 0, marks, label, canDrag, isDark = false, onSelect,
  onMove, onMore,
}) {
  const page = useRef();
  const [drag, setDrag] = useState(/** @type {{order: string[]|null, id: string|null}} */ ({ order: null, id: null }));
  const [turn, setTurn] = useState(0);
  const lists = useMemo(() => new Lists(() => setTurn((before) => before + 1)), []);
  const [isBroken, setBroken] = useState(false);
  const shown = useMemo(() => payload && {
    ...payload, sections: arranged(payload.sections, drag.order).map((section) => lists.whole(section)),
  }, [payload, drag.order, turn]);
  const [latest, draw] = [useRef(), useRef()];
  latest.current = {
    selected, dragged: drag.id, marks, lists, sections: payload?.sections ?? [], shown, onMove, onMore,
  };
  const metrics = useMemo(() => ({ screen: { width: screen, height: heightOfScreen(screen) }, scale: 3 }), [screen]);

  useLayoutEffect(() => {
    const element = page.current;
    const ends = new IntersectionObserver((entries) => {
      const { sections, lists, onMore } = latest.current;
      for (const { isIntersecting, target } of entries) {
        const section = sections.find((/** @type {Section} */ { id }) => id === target.parentElement?.dataset.id);
        if (isIntersecting && section) lists.bring(section, onMore);
      }
    }, { root: element });
    const show = (/** @type {HTMLElement} */ node) => decorate(node, latest.current, ends);
    const hear = (/** @type {CustomEvent<{node: HTMLElement}>} */ { detail }) => show(detail.node);
    element.addEventListener('section', hear);
    draw.current = () => element.querySelectorAll('.hp-section').forEach(show);
    return () => ends.disconnect();
  }, []);
  useLayoutEffect(() => {
    try {
      page.current.page = shown;
      if (isBroken) setBroken(false);
    } catch { setBroken(true); }
  }, [shown]);
  useLayoutEffect(() => draw.current());
  // What was dropped stays where it is until the page has it there.
  useLayoutEffect(() => { if (drag.order && !drag.id) setDrag({ order: null, id: null }); }, [payload]);
  useEffect(() => canDrag ? makeDraggable(page.current, {
    order: () => latest.current.shown.sections.filter((/** @type {Section} */ { layout }) => layout?.style !== 'pinned')
      .map((/** @type {Section} */ { id }) => id),
    show: (order, id) => setDrag({ order, id }), move: (id, neighbours) => latest.current.onMove(id, neighbours),
  }) : undefined, [canDrag]);
  // Once for each choice, when it is there: it may come with a later page.
  const [revealed, left] = [useRef(''), useRef('')];
  useEffect(() => {
    const chosen = `${selected} ${choice}`;
    // And again when a list above it gets longer, until somebody scrolls.
    if (left.current === chosen) return;
    const wanted = `${chosen} ${turn}`;
    if (revealed.current === wanted || !shown?.sections.some(({ id }) => id === selected)) return;
    revealed.current = wanted;
    page.current.reveal(selected);
  });

  const isMirrored = payload?.direction === 'rightToLeft';
  const { color, layers, ink } = groundOf(payload?.background, {
    isDark, isMirrored, hasPictures: true, resolve: (picture) => sourceOf(picture, screen, 3),
  });
  // Some pixels more are less than a point where the phone is drawn smaller.
  const height = Math.min(heightOfScreen(screen), Math.max(420, Math.ceil(room / zoom) - 20));
  const select = (/** @type {On<MouseEvent, HTMLElement>} */ { target }) => {
    const section = target.closest('.hp-section')?.dataset.id;
    if (section) onSelect(section, target.closest('[data-item]')?.dataset.item);
  };
  const leave = () => { left.current = `${selected} ${choice}`; };
  return html`<div class="phone ${isDark ? 'dark' : ''}" style=${{ zoom, width: `${screen + 20}px` }}
      role="group" aria-label=${label}>
    <div class="screen" lang=${payload?.locale} dir=${isMirrored ? 'rtl' : 'ltr'}
        style=${{
    background: layers, backgroundColor: color, color: ink, width: `${screen}px`, height: `${height}px`,
  }}>
      <div class="status-bar" aria-hidden="true"><span>9:41</span><i /></div>
      <hearth-page ref=${page} preview metrics=${metrics} theme=${isDark ? 'dark' : 'light'} role="region"
        onWheel=${leave} onPointerDown=${leave} onKeyDown=${leave} onleave=${leave} onClick=${select}
        aria-label=${t('{label}: the page, {points} points wide', { label, points: screen })} />
      ${isBroken ? html`<p class="nothing">${t('This cannot be drawn.')}</p>`
        : payload && payload.sections.length === 0 && html`<${Nothing} payload=${payload} />`}
    </div>
  </div>`;
}

/** Why a page without sections shows nothing, where the app has nothing to show for it. */
function Nothing(/** @type {{payload: Payload}} */ { payload }) {
  if (payload.problem) return html`<p class="nothing" role="alert">${payload.problem.message}</p>`;
  if (payload.isAbsent) return html`<p class="nothing">${t('Nothing is published yet.')}</p>`;
  return payload.emptyState ? null : html`<p class="nothing">${t('Nothing to show.')}</p>`;
}
