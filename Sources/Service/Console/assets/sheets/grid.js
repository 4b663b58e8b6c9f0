// Rows and columns of cells, with the keys of a spreadsheet. Of the rows those are drawn that are seen, and the one
// that is written in. What a cell says and what becomes of what is written is its owner's.

import { announce, html, t, toast, useEffect, useLayoutEffect, useRef, useState } from '../shared.js';
import { guarded, readCells, unguarded, writeCells } from './csv.js';

/** How high a row is, as sheets.css has it, in pixels. */
const rowHeight = 34;
/** How many rows are drawn above and below those that are seen. */
const around = 8;
/** The width of the column of row numbers, in pixels. */
const numberWidth = 52;

/** @typedef {{row: number, column: number}} Spot */
/** @typedef {{row: number, column: number, text: string}} Edit what was written into a cell */
/**
 * @typedef {object} Cell
 * @property {string} text
 * @property {string} [fixed] why nothing can be written into it
 * @property {string} [problem] what is wrong with it
 * @property {string[]} [choices] what may be written, where that is few
 * @property {string} [mark] a class of its own
 */
/**
 * @typedef {object} GridProps
 * @property {string} label
 * @property {{key: string, label: string, width: number}[]} columns
 * @property {number} count of rows
 * @property {(row: number) => string} keyOf
 * @property {(row: number, column: number) => Cell} cellOf
 * @property {(edits: Edit[]) => void} onEdit rows behind the last one are pasted
 * @property {number} [room] how many rows can come behind the last one
 * @property {(step: 'undo'|'redo') => void} onStep
 * @property {{column: number, isDescending: boolean}|null} [sort]
 * @property {(column: number) => void} [onSort]
 * @property {(rows: number[]) => void} [onSelect] is told which rows are selected
 * @property {boolean} [takesFocus] whether the first cell has the focus as soon as it is there
 */

const limited = (/** @type {number} */ number, /** @type {number} */ most) => Math.max(0, Math.min(number, most));

/**
 * The rows that are seen of those that scroll.
 * @param {{current: HTMLElement|null}} scroller
 * @param {number} count
 */
function useWindow(scroller, count) {
  const [[from, until], setSpan] = useState([0, 40]);
  useEffect(() => {
    const element = /** @type {HTMLElement} */ (scroller.current);
    const look = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / rowHeight) - around);
      const end = Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + around;
      setSpan((before) => before[0] === first && before[1] === end ? before : [first, end]);
    };
    look();
    element.addEventListener('scroll', look, { passive: true });
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      sizes.disconnect();
    };
  }, []);
  return { from: Math.min(from, count), until: Math.min(until, count) };
}

/** @param {GridProps} props */
export function Grid(props) {
  const { label, columns, count, keyOf, cellOf, onEdit, room = 0, onStep, sort, onSort, onSelect, takesFocus } = props;
  const scroller = useRef(/** @type {HTMLElement|null} */ (null));
  const field = useRef(/** @type {HTMLInputElement|null} */ (null));
  const { from, until } = useWindow(scroller, count);
  const [at, setAt] = useState({ row: 0, column: 0 });
  const [end, setEnd] = useState({ row: 0, column: 0 });
  const [written, setWritten] = useState(/** @type {{text: string, isTyped: boolean}|null} */ (null));
  const hasFocus = useRef(false);
  const latest = useRef(written);
  latest.current = written;
  const active = { row: limited(at.row, count - 1), column: limited(at.column, columns.length - 1) };
  const far = { row: limited(end.row, count - 1), column: limited(end.column, columns.length - 1) };
  const [top, bottom] = [Math.min(active.row, far.row), Math.max(active.row, far.row)];
  const [left, right] = [Math.min(active.column, far.column), Math.max(active.column, far.column)];
  const isSelected = (/** @type {number} */ row, /** @type {number} */ column) =>
    row >= top && row <= bottom && column >= left && column <= right;

  useEffect(() => { onSelect?.(count === 0 ? [] : Array.from({ length: bottom - top + 1 }, (_, step) => top + step)); },
    [top, bottom, count]);

  /** Brings a cell into sight. */
  const reveal = (/** @type {Spot} */ { row, column }) => {
    const element = scroller.current;
    if (!element) return;
    const head = element.querySelector('.sheet-head')?.clientHeight ?? rowHeight;
    const begin = row * rowHeight;
    if (begin < element.scrollTop) element.scrollTop = begin;
    else if (begin + rowHeight + head > element.scrollTop + element.clientHeight) {
      element.scrollTop = begin + rowHeight + head - element.clientHeight;
    }
    const edge = numberWidth + columns.slice(0, column).reduce((sum, { width }) => sum + width, 0);
    if (edge - numberWidth < element.scrollLeft) element.scrollLeft = edge - numberWidth;
    else if (edge + columns[column].width > element.scrollLeft + element.clientWidth) {
      element.scrollLeft = Math.min(edge - numberWidth, edge + columns[column].width - element.clientWidth);
    }
  };
  useLayoutEffect(() => {
    if (!hasFocus.current || count === 0) return;
    field.current?.focus({ preventScroll: true });
    const length = latest.current?.text.length ?? 0;
    if (length > 0 && field.current?.matches('textarea')) field.current.setSelectionRange(length, length);
  }, [active.row, active.column, written?.isTyped === false, count === 0]);

  // The first cell looks chosen, so that keys and a paste are to be its own. A finger's keyboard would cover it.
  useEffect(() => {
    if (takesFocus && !matchMedia('(pointer: coarse)').matches) field.current?.focus({ preventScroll: true });
  }, []);

  /** Goes to a cell; with a range the one that it began at stays. */
  const go = (/** @type {Spot} */ spot, isRange = false) => {
    const next = { row: limited(spot.row, count - 1), column: limited(spot.column, columns.length - 1) };
    if (!isRange) setAt(next);
    setEnd(next);
    reveal(next);
  };
  const leave = () => {
    const text = latest.current?.text;
    latest.current = null;
    setWritten(null);
    if (text !== undefined && text !== cellOf(active.row, active.column).text) onEdit([{ ...active, text }]);
  };
  const ending = useRef(leave);
  ending.current = leave;
  // What is being written when the table is left is written.
  useEffect(() => () => ending.current(), []);
  const write = (isTyped = false) => {
    const { text, fixed } = cellOf(active.row, active.column);
    if (fixed) return void toast(fixed);
    return setWritten({ text, isTyped });
  };
  const clear = () => {
    const edits = spots().filter(({ row, column }) => {
      const cell = cellOf(row, column);
      return !cell.fixed && cell.text !== '';
    }).map((spot) => ({ ...spot, text: '' }));
    if (edits.length > 0) onEdit(edits);
  };
  const spots = () => Array.from({ length: bottom - top + 1 }, (_, row) =>
    Array.from({ length: right - left + 1 }, (__, column) => ({ row: top + row, column: left + column }))).flat();

  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (count === 0) return;
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const step = /** @type {Record<string, [number, number]>} */ ({
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    })[key];
    const done = () => event.preventDefault();
    if (written) {
      if (key === 'Escape') {
        done();
        setWritten(null);
      } else if (key === 'Enter' && (event.altKey || isCommand) && field.current
        && !cellOf(active.row, active.column).choices) {
        done();
        field.current.setRangeText('\n', field.current.selectionStart ?? 0, field.current.selectionEnd ?? 0, 'end');
        setWritten({ ...written, text: field.current.value });
      } else if (key === 'Enter' || (step && written.isTyped && !written.text.includes('\n'))) {
        done();
        leave();
        const [rows, places] = step ?? [shiftKey ? -1 : 1, 0];
        go({ row: active.row + rows, column: active.column + places });
      } else if (key === 'Tab') {
        leave();
        tab(event);
      } else if (isCommand && key === 's') leave();
      return;
    }
    if (isCommand && (key === 'z' || key === 'Z' || key === 'y')) {
      done();
      onStep(key === 'y' || shiftKey ? 'redo' : 'undo');
    } else if (isCommand && key === 'a') {
      done();
      setAt({ row: 0, column: 0 });
      setEnd({ row: count - 1, column: columns.length - 1 });
    } else if (step) {
      done();
      const begin = shiftKey ? far : active;
      const [rows, places] = isCommand ? [step[0] * count, step[1] * columns.length] : step;
      go({ row: begin.row + rows, column: begin.column + places }, shiftKey);
    } else if (key === 'Home' || key === 'End') {
      done();
      const isEnd = key === 'End';
      const begin = shiftKey ? far : active;
      go({ row: isCommand ? (isEnd ? count - 1 : 0) : begin.row, column: isEnd ? columns.length - 1 : 0 }, shiftKey);
    } else if (key === 'PageUp' || key === 'PageDown') {
      done();
      const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 2);
      const begin = shiftKey ? far : active;
      go({ row: begin.row + (key === 'PageDown' ? page : -page), column: begin.column }, shiftKey);
    } else if (key === 'F2' || (key === 'Enter' && !isCommand)) {
      done();
      write();
    } else if (key === 'Delete' || key === 'Backspace') {
      done();
      clear();
    } else if (key === 'Tab') tab(event);
    else if (key === 'Escape' && (top !== bottom || left !== right)) {
      done();
      setEnd(active);
    }
  };
  /** To the next cell; at the end of a row out of the table, as Tab does everywhere. */
  const tab = (/** @type {KeyboardEvent} */ event) => {
    const column = active.column + (event.shiftKey ? -1 : 1);
    if (column < 0 || column >= columns.length) return;
    event.preventDefault();
    go({ row: active.row, column });
  };

  const onCopy = (/** @type {Clip} */ event) => {
    if (written || count === 0) return;
    event.preventDefault();
    const rows = Array.from({ length: bottom - top + 1 }, (_, row) =>
      Array.from({ length: right - left + 1 }, (__, column) => guarded(cellOf(top + row, left + column).text)));
    event.clipboardData.setData('text/plain', writeCells(rows));
    announce(t('Copied: {count} cells', { count: (bottom - top + 1) * (right - left + 1) }));
    if (event.type === 'cut') clear();
  };
  const onPaste = (/** @type {Clip} */ event) => {
    if (written || count + room === 0) return;
    event.preventDefault();
    const cells = readCells(event.clipboardData.getData('text/plain')).map((row) => row.map(unguarded));
    const width = Math.max(...cells.map((row) => row.length));
    // One cell goes into all that are selected.
    if (cells.length === 1 && width === 1) {
      onEdit(spots().map((spot) => ({ ...spot, text: cells[0][0] })));
      return;
    }
    if (left + width > columns.length) {
      return void toast(t('Nothing was pasted: it has {count} columns, and from here there are {most}.', {
        count: width, most: columns.length - left,
      }), 'failure');
    }
    if (top + cells.length > count + room) {
      return void toast(t('Nothing was pasted: it has {count} rows, and from here there is room for {most}.', {
        count: cells.length, most: count + room - top,
      }), 'failure');
    }
    onEdit(cells.flatMap((row, down) => row.map((text, across) => ({ row: top + down, column: left + across, text }))));
    setAt({ row: top, column: left });
    setEnd({ row: top + cells.length - 1, column: left + width - 1 });
  };

  const spotOf = (/** @type {On<MouseEvent, HTMLElement>} */ event) => {
    const cell = event.target.closest('[role=gridcell]');
    return cell && { row: Number(cell.parentElement?.dataset.row), column: Number(cell.dataset.column) };
  };
  const [isDragging, pointer] = [useRef(false), useRef('mouse')];
  const onPress = (/** @type {On<MouseEvent, HTMLElement>} */ event) => {
    const spot = spotOf(event);
    if (!spot || event.button !== 0) return;
    const isHere = spot.row === active.row && spot.column === active.column;
    if (isHere && written) return;
    event.preventDefault();
    leave();
    hasFocus.current = true;
    isDragging.current = true;
    go(spot, event.shiftKey);
    if (isHere) field.current?.focus({ preventScroll: true });
    // A finger has no second click: what is chosen already is written in.
    if (isHere && pointer.current === 'touch') write();
  };
  const onDrag = (/** @type {On<MouseEvent, HTMLElement>} */ event) => {
    const spot = isDragging.current && event.buttons === 1 ? spotOf(event) : null;
    if (spot && (spot.row !== far.row || spot.column !== far.column)) setEnd(spot);
  };
  const onFocusOut = (/** @type {On<FocusEvent>} */ event) => {
    if (scroller.current?.contains(event.relatedTarget) || !event.relatedTarget) return;
    hasFocus.current = false;
    leave();
  };

  const rows = Array.from({ length: Math.max(0, until - from) }, (_, step) => from + step);
  if (count > 0 && active.row < from) rows.unshift(active.row);
  if (count > 0 && active.row >= until) rows.push(active.row);
  // A browser takes the focus from a row that is put elsewhere among the others.
  useLayoutEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) field.current?.focus({ preventScroll: true });
  });
  const widths = columns.map(({ width }) => `${width}px`).join(' ');
  const whole = numberWidth + columns.reduce((sum, { width }) => sum + width, 0);
  const drawField = (/** @type {Cell} */ cell) => {
    const name = t('{field}, row {row}', { field: columns[active.column].label, row: active.row + 1 });
    const attributes = {
      ref: field, 'aria-label': `${name}: ${cell.text}`, 'aria-invalid': cell.problem ? 'true' : undefined,
      'aria-describedby': cell.problem || cell.fixed ? 'sheet-note' : undefined,
      class: written ? 'sheet-field writing' : 'sheet-field',
      onFocus: () => { hasFocus.current = true; },
    };
    if (written && !written.isTyped && cell.choices) {
      return html`<select ...${attributes} key="choice" value=${written.text}
        onChange=${(/** @type {FieldEvent} */ event) => setWritten({ ...written, text: event.target.value })}>
        ${[...new Set([written.text, ...cell.choices])].map((choice) =>
          html`<option value=${choice} selected=${choice === written.text}>${choice || '–'}</option>`)}</select>`;
    }
    return html`<textarea ...${attributes} key="text" dir="auto" rows="1" spellcheck=${false}
      readonly=${Boolean(cell.fixed)} value=${written?.text ?? ''}
      onInput=${(/** @type {FieldEvent} */ event) =>
        setWritten({ text: event.target.value, isTyped: written?.isTyped ?? true })} />`;
  };
  return html`<div class="sheet-frame"><div class="sheet" ref=${scroller} role="grid" aria-label=${label}
      aria-multiselectable="true"
      aria-rowcount=${count + 1} aria-colcount=${columns.length + 1}
      onKeyDown=${onKey} onCopy=${onCopy} onCut=${onCopy} onPaste=${onPaste} onFocusOut=${onFocusOut}
      onPointerDown=${(/** @type {PointerEvent} */ event) => { pointer.current = event.pointerType; }}
      onMouseDown=${onPress} onMouseMove=${onDrag} onMouseUp=${() => { isDragging.current = false; }}
      onDblClick=${(/** @type {On<MouseEvent, HTMLElement>} */ event) => { if (spotOf(event) && !written) write(); }}>
    <div class="sheet-row sheet-head" role="row" aria-rowindex="1"
      style=${{ width: `${whole}px`, gridTemplateColumns: `${numberWidth}px ${widths}` }}>
      <span role="columnheader" aria-colindex="1"><span class="sr-only">${t('Row')}</span></span>
      ${columns.map(({ key, label: name }, column) => html`<span
        key=${key} role="columnheader" aria-colindex=${column + 2} title=${name}
        aria-sort=${sort?.column === column ? (sort.isDescending ? 'descending' : 'ascending') : undefined}>
        ${onSort ? html`<button type="button" class="link" onClick=${() => onSort(column)}>${name}
          ${sort?.column === column ? (sort.isDescending ? ' ▾' : ' ▴') : ''}</button>` : name}</span>`)}</div>
    <div role="rowgroup" class="sheet-body" style=${{ width: `${whole}px`, height: `${count * rowHeight}px` }}>
      ${rows.map((row) => html`<div
        key=${keyOf(row)} class="sheet-row" role="row" data-row=${row} aria-rowindex=${row + 2}
        style=${{ top: `${row * rowHeight}px`, gridTemplateColumns: `${numberWidth}px ${widths}` }}>
        <span role="rowheader" aria-colindex="1" class="sheet-number">${row + 1}</span>
        ${columns.map(({ key }, column) => {
          const cell = cellOf(row, column);
          const isActive = row === active.row && column === active.column;
          return html`<div
            key=${key} role="gridcell" data-column=${column} aria-colindex=${column + 2}
            aria-selected=${String(isSelected(row, column))}
            aria-readonly=${cell.fixed ? 'true' : undefined}
            aria-invalid=${cell.problem ? 'true' : undefined}
            title=${cell.problem}
            class="${isActive ? 'active ' : ''}${cell.fixed ? 'fixed ' : ''}${cell.mark ?? ''}">
            <span dir="auto">${cell.text}</span>${isActive && drawField(cell)}</div>`;
        })}</div>`)}</div></div>
    ${count > 0 && html`<${Note} cell=${cellOf(active.row, active.column)} name=${columns[active.column].label}
      row=${active.row + 1} />`}</div>`;
}

/** What is to be said of the cell that is chosen. */
const Note = (/** @type {{cell: Cell, name: string, row: number}} */ { cell, name, row }) =>
  html`<p id="sheet-note" class="sheet-note ${cell.problem ? 'error' : ''}" role="status">${cell.problem
    ? `${t('{field}, row {row}', { field: name, row })}: ${cell.problem}` : cell.fixed}</p>`;
