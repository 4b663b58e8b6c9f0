// A phone that draws a page as the app gets it.

import { t } from '../lib/i18n.js';
import { makeSortable } from '../lib/sorting.js';
import { Guard, Pure, html, useEffect, useRef } from '../lib/ui.js';
import { Cell, Dark, PageLocale, inkOn, themed } from './cell.js';
import { cornersOf, edges, heightOfScreen, inset, layoutOn } from './measure.js';
import { Rest } from './rest.js';
import { Body, Sized } from './styles.js';

/** @type {() => Record<string, string>} */
const marksText = () => ({ moved: t('elsewhere'), new: t('only here'), changed: t('differs') });

/**
 * @typedef {(id: string, item?: string) => void} Select
 * @typedef {(section: any, fetched: number) => Promise<Item[]>} More brings what follows in a list
 */

class Section extends Pure {
  /**
   * @param {object} props
   * @param {any} props.section
   * @param {number} props.container the width that the page's inset leaves
   * @param {number} props.screen
   * @param {boolean} props.isSelected
   * @param {string} props.mark
   * @param {boolean} props.isDark
   * @param {Select} props.onSelect
   * @param {More} [props.onMore]
   */
  render({ section, container, screen, isSelected, mark, isDark, onSelect, onMore }) {
    const edge = inset(section.layout);
    const space = { inner: container - edge.leading - edge.trailing, container };
    const layout = layoutOn(section.layout ?? {}, screen, space.inner);
    const { block, inline } = edges(edge);
    const color = themed(layout.background?.color, isDark);
    const bar = (/** @type {any} */ item, /** @type {any} */ size, /** @type {string} */ form) => item && html`<${Sized}
      item=${item} space=${space} size=${size ?? { height: { content: { minimum: 36 } } }} form=${form} />`;
    const body = (/** @type {Item[]} */ items) => html`<${Body}
      layout=${layout} items=${items} slots=${section.slots} space=${space} />`;
    return html`<section class="phone-section ${isSelected ? 'selected' : ''} ${mark ? `marked ${mark}` : ''}"
        data-id=${section.id}
        onClick=${(event) => onSelect(section.id, event.target.closest('[data-item]')?.dataset.item)}
        style=${{ paddingBlock: block, paddingInline: inline }}>
      ${mark && html`<span class="mark">${marksText()[mark]}</span>`}
      ${bar(section.header, layout.headerSize, 'bar-head')}
      <div class="surface ${color ? 'painted' : ''} ${layout.style === 'shelf' ? 'open' : ''}"
          style=${{ background: color, color: inkOn(color), ...cornersOf(layout.background?.cornerRadius) }}>
        <${Guard} instead=${html`<p class="nothing">${t('This cannot be drawn.')}</p>`}>
          <${Rest} section=${section} onMore=${onMore} draw=${body} /><//>
      </div>
      ${bar(section.footer, layout.footerSize, 'bar-foot')}
    </section>`;
  }
}

/** The payload's sections in the order that is not saved yet, where that order is the one that applies. */
function arranged(/** @type {Payload} */ payload, /** @type {string[]|null} */ order, /** @type {string} */ rule) {
  if (!order || payload.sortRule !== rule) return payload.sections;
  const positions = new Map(order.map((id, position) => [id, position]));
  return [...payload.sections].sort((left, right) => (positions.get(left.id) ?? 0) - (positions.get(right.id) ?? 0));
}

/**
 * @param {object} props
 * @param {Payload} props.payload
 * @param {number} props.screen in points
 * @param {number} props.zoom
 * @param {number} props.room the height that there is for it, in pixels
 * @param {string[]|null} props.order
 * @param {any} props.rule
 * @param {string|undefined} props.selected
 * @param {number} [props.choice] another one each time that a section is chosen
 * @param {Map<string, string>} props.marks
 * @param {string} props.label
 * @param {boolean} props.canDrag
 * @param {boolean} [props.isDark]
 * @param {Select} props.onSelect
 * @param {(...given: any[]) => any} props.onMove
 * @param {More} [props.onMore]
 */
export function Phone({
  payload, screen, zoom, room, order, rule, selected, choice = 0, marks, label, canDrag, isDark = false, onSelect,
  onMove, onMore,
}) {
  const list = useRef();
  const move = useRef();
  move.current = onMove;
  useEffect(() => canDrag
    ? makeSortable(list.current, '.phone-section', (id, neighbours) => move.current(id, neighbours), undefined)
    : undefined, [canDrag]);
  // Once for each choice, when it is there: it may come with a later page.
  const shown = useRef('');
  useEffect(() => {
    const wanted = `${selected} ${choice}`;
    const section = shown.current === wanted ? null : list.current.querySelector('.phone-section.selected');
    if (!section) return;
    shown.current = wanted;
    section.scrollIntoView({ block: 'nearest' });
  });
  const sections = payload ? arranged(payload, order, rule) : [];
  const isPinned = (/** @type {any} */ section) => section.layout?.style === 'pinned';
  const edge = inset(payload);
  const { block, inline } = edges(edge);
  const draw = (/** @type {any} */ section) => html`<${Section} key=${section.id} section=${section} isDark=${isDark}
    container=${screen - edge.leading - edge.trailing} screen=${screen} mark=${marks?.get(section.id)}
    isSelected=${section.id === selected} onSelect=${onSelect} onMore=${onMore} />`;
  const background = themed(payload?.background?.color, isDark);
  const height = Math.min(heightOfScreen(screen), Math.max(420, room / zoom - 20));
  return html`<${PageLocale.Provider} value=${payload?.locale ?? 'en'}><${Dark.Provider} value=${isDark}><div
      class="phone ${isDark ? 'dark' : ''}" style=${{ zoom, width: `${screen + 20}px` }}
      role="group" aria-label=${label}>
    <div class="screen" lang=${payload?.locale} dir=${payload?.direction === 'rightToLeft' ? 'rtl' : 'ltr'}
        style=${{ background, color: inkOn(background), width: `${screen}px`, height: `${height}px` }}>
      <div class="status-bar" aria-hidden="true"><span>9:41</span><i /></div>
      ${(payload?.bar || payload?.title) && html`<${Bar} bar=${payload.bar} title=${payload.title} />`}
      <div class="scroll" ref=${list} tabindex="0" role="region"
          style=${{ paddingBlock: payload?.inset && block, paddingInline: payload?.inset && inline }}
          aria-label=${t('{label}: the page, {points} points wide', { label, points: screen })}>
        ${sections.filter((section) => !isPinned(section)).map(draw)}
        ${payload && sections.length === 0 && html`<${Empty} payload=${payload} screen=${screen} />`}
      </div>
      <div class="pinned">${sections.filter(isPinned).map(draw)}</div>
    </div>
  </div><//><//>`;
}

/** What stands above the sections: items at two ends, and the title between them. */
function Bar(/** @type {{bar: Payload['bar'], title?: string}} */ { bar, title }) {
  const end = (/** @type {Item[]} */ items = []) => html`<div class="bar-end">
    ${items.map((item) => html`<${Cell} key=${item.id} item=${item} width=${120} bounds=${{ least: 32, most: 120 }}
      size=${{ height: 32 }} form="bar-item" />`)}</div>`;
  return html`<div class="page-bar">
    ${end(bar?.leading)}<strong class="page-title">${title}</strong>${end(bar?.trailing)}</div>`;
}

function Empty(/** @type {{payload: Payload, screen: number}} */ { payload, screen }) {
  if (payload.problem) return html`<p class="nothing" role="alert">${payload.problem.message}</p>`;
  if (payload.isAbsent) return html`<p class="nothing">${t('Nothing is published yet.')}</p>`;
  if (!payload.emptyState) return html`<p class="nothing">${t('Nothing to show.')}</p>`;
  return html`<div class="empty-state"><${Cell} item=${payload.emptyState} width=${screen - 60} form="upright"
    size=${{ minHeight: 200 }} /></div>`;
}
