// A phone that draws a page as the app gets it.

import { t } from '../lib/i18n.js';
import { makeSortable } from '../lib/sorting.js';
import { Guard, Pure, html, useEffect, useRef } from '../lib/ui.js';
import { Cell, PageLocale } from './cell.js';
import { inset } from './measure.js';
import { styles } from './styles.js';

/** The height of a screen of a width. */
/** @type {Record<number, number>} */
const heightOfScreen = { 375: 812, 390: 844, 430: 932 };
/** @type {() => Record<string, string>} */
const marksText = () => ({ moved: t('elsewhere'), new: t('only here'), changed: t('differs') });

class Section extends Pure {
  render(/** @type {{section: any, screen: number, isSelected: boolean, mark: string, onSelect: (id: string) => void}} */ { section, screen, isSelected, mark, onSelect }) {
    const layout = section.layout ?? {};
    const edge = inset(layout);
    const space = { screen, inner: screen - edge.leading - edge.trailing };
    const Style = styles[layout.style] ?? styles.list;
    const radius = layout.background?.cornerRadius;
    const bar = (/** @type {any} */ item, /** @type {string} */ form) => item && html`<${Cell} item=${item} width=${space.inner} size=${{ minHeight: 36 }}
      form=${form} />`;
    return html`<section class="phone-section ${isSelected ? 'selected' : ''} ${mark ? `marked ${mark}` : ''}"
        data-id=${section.id} onClick=${() => onSelect(section.id)}
        style=${{ padding: `${edge.top}px ${edge.trailing}px ${edge.bottom}px ${edge.leading}px` }}>
      ${mark && html`<span class="mark">${marksText()[mark]}</span>`}
      ${bar(section.header, 'bar-head')}
      <div class="surface" style=${{ background: layout.background?.color, borderRadius: radius && `${radius}px` }}>
        <${Guard} instead=${html`<p class="nothing">${t('This cannot be drawn.')}</p>`}>
          <${Style} layout=${layout} items=${section.items ?? []} slots=${section.slots} space=${space} /><//>
      </div>
      ${bar(section.footer, 'bar-foot')}
    </section>`;
  }
}

/** The payload's sections in the order that is not saved yet, where that order is the one that applies. */
function arranged(/** @type {Payload} */ payload, /** @type {string[]|null} */ order, /** @type {string} */ rule) {
  if (!order || payload.sortRule !== rule) return payload.sections;
  const positions = new Map(order.map((id, position) => [id, position]));
  return [...payload.sections].sort((left, right) => (positions.get(left.id) ?? 0) - (positions.get(right.id) ?? 0));
}

export function Phone(/** @type {{payload: Payload, screen: number, zoom: number, room: number, order: string[]|null, rule: any, selected: string|undefined, marks: Map<string, string>, label: string, canDrag: boolean, onSelect: (id: string) => void, onMove: (...given: any[]) => any}} */ { payload, screen, zoom, room, order, rule, selected, marks, label, canDrag, onSelect, onMove }) {
  const list = useRef();
  const move = useRef();
  move.current = onMove;
  useEffect(() => canDrag
    ? makeSortable(list.current, '.phone-section', (id, neighbours) => move.current(id, neighbours), undefined)
    : undefined, [canDrag]);
  useEffect(() => {
    list.current.querySelector('.phone-section.selected')?.scrollIntoView({ block: 'nearest' });
  }, [selected]);
  const sections = payload ? arranged(payload, order, rule) : [];
  const isPinned = (/** @type {any} */ section) => section.layout?.style === 'pinned';
  const draw = (/** @type {any} */ section) => html`<${Section} key=${section.id} section=${section} screen=${screen}
    mark=${marks?.get(section.id)} isSelected=${section.id === selected} onSelect=${onSelect} />`;
  return html`<${PageLocale.Provider} value=${payload?.locale ?? 'en'}><div class="phone" style=${{ zoom, width: `${screen + 20}px` }} role="group" aria-label=${label}>
    <div class="screen" lang=${payload?.locale} style=${{ width: `${screen}px`, height: `${Math.min(heightOfScreen[screen], Math.max(420, room / zoom - 20))}px` }}>
      <div class="status-bar" aria-hidden="true"><span>9:41</span><i /></div>
      <div class="scroll" ref=${list} tabindex="0" role="region" aria-label=${t('{label}: the page, {points} points wide', { label, points: screen })}>
        ${sections.filter((section) => !isPinned(section)).map(draw)}
        ${payload && sections.length === 0 && html`<${Empty} payload=${payload} screen=${screen} />`}
      </div>
      <div class="pinned">${sections.filter(isPinned).map(draw)}</div>
    </div>
  </div><//>`;
}

function Empty(/** @type {{payload: Payload, screen: number}} */ { payload, screen }) {
  if (payload.problem) return html`<p class="nothing" role="alert">${payload.problem.message}</p>`;
  if (payload.isAbsent) return html`<p class="nothing">${t('Nothing is published yet.')}</p>`;
  if (!payload.emptyState) return html`<p class="nothing">${t('Nothing to show.')}</p>`;
  return html`<div class="empty-state"><${Cell} item=${payload.emptyState} width=${screen - 60} form="upright"
    size=${{ minHeight: 200 }} /></div>`;
}
