// How a section is laid out, and what is behind it: what is left empty is as its kind says.

import {
  Field, LineField, Problems, SelectField, contrastOn, html, insetSchema, isEqual, joinSentences, leastContrast,
  memberControls, memberFields, objectOf, points, readNumber, t, useDropped, useState,
} from '../shared.js';
import { GroupField } from './group.js';
import {
  backgroundImageSchema, borderSchema, colorSchema, columnWidth, corners, cornersSchema, fraction, gradientSchema,
  lines, peekSchema, ratio, rowCount, separatorSchema, shadowSchema,
} from './layout-schemas.js';

/**
 * @template [Given=Members]
 * @typedef {{form: Form, value: Given|undefined, pointer: string, onChange: (value: Given|undefined) => void}} Part
 */

/** Sets a member of an object, which goes with its last one. */
const setter = (/** @type {Content} */ value, /** @type {(value: Members|undefined) => void} */ onChange) =>
  (/** @type {string} */ name) => (/** @type {Content} */ part) => {
    const { [name]: _, ...rest } = objectOf(value);
    const next = part === undefined ? rest : { ...rest, [name]: part };
    onChange(Object.keys(next).length > 0 ? next : undefined);
  };

const styles = () => ({
  list: t('List'), grid: t('Grid'), waterfall: t('Waterfall'), outline: t('Outline, which opens and closes'),
  flow: t('Flow, as wide as the text'), shelf: t('Shelf, which scrolls sideways'),
  carousel: t('Carousel, one leaf at a time'), ticker: t('Ticker, which runs'),
  pinned: t('Pinned at the bottom'),
});
const alignments = () => ({
  leading: t('At the leading side'), center: t('In the middle'), trailing: t('At the trailing side'),
  justified: t('From edge to edge'),
});
const pagings = () => ({
  none: t('Anywhere'), item: t('At each column or leaf'), group: t('At as many as are seen whole'),
  centered: t('With each in the middle'),
});
const backgroundFrames = () => ({
  inset: t('Within the space around it'), items: t('From edge to edge, behind the items'),
  section: t('From edge to edge, behind header and footer too'),
});
/** The members that only some styles look at. */
const uses = {
  rows: ['grid', 'shelf', 'waterfall', 'carousel'], rowCount: ['shelf', 'carousel'],
  columns: ['grid', 'shelf', 'waterfall'], alignment: ['flow'], peek: ['shelf', 'carousel'],
  paging: ['shelf', 'carousel'], group: ['grid', 'shelf'], separator: ['list', 'grid', 'outline', 'shelf', 'pinned'],
  stickyHeader: ['list', 'grid', 'waterfall', 'outline', 'flow'],
  sticky: ['list', 'grid', 'waterfall', 'outline', 'flow', 'shelf', 'carousel', 'ticker'],
};

/**
 * One of some words, or what the kind says.
 * @param {Part<string> & {label: string, words: Record<string, string>, instead: string}} props
 */
function Word({ form, value, label, words, instead, pointer, onChange }) {
  return html`<${SelectField} form=${form} pointer=${pointer} label=${label}
    choices=${[['', instead], ...Object.entries(words)]} value=${value ?? ''}
    onChange=${(word) => onChange(word || undefined)} />`;
}

const numbersIn = (/** @type {string} */ text) =>
  text.split(/[\s,，、]+/).filter(Boolean).map((word) => readNumber(word, { isWhole: true }).value ?? word);

/** The columns of each row in turn. */
function Rows(/** @type {Part<Value[]>} */ { form, value, pointer, onChange }) {
  const rows = value ?? [];
  const [typed, setTyped] = useState('');
  const isOwn = JSON.stringify(numbersIn(typed)) === JSON.stringify(rows);
  const change = (/** @type {string} */ text) => {
    setTyped(text);
    const numbers = numbersIn(text);
    onChange(numbers.length > 0 ? numbers : undefined);
  };
  return html`<${LineField}
    form=${form}
    pointer=${pointer}
    label=${t('Columns of each row')}
    hint=${t('Such as 2, 3: a row of 2, then rows of 3')}
    value=${isOwn ? typed : rows.join(', ')}
    onText=${change} />`;
}

const widths = () => ({
  container: t('As the container'), column: t('As a column'), points: t('Fixed, in points'),
  fraction: t('A part of the container'), screen: t('A part of the screen'), content: t('As the text needs'),
});
const heights = () => ({
  points: t('Fixed, in points'), aspect: t('By the width'), screen: t('A part of the screen'),
  content: t('As high as the content'),
});
/** @type {Record<string, Value>} What each way of measuring begins with. */
const begins = {
  container: 'container', column: 'column', points: { points: 44 }, fraction: { fraction: 0.5 },
  screen: { fraction: 0.5, of: 'screen' }, aspect: { aspect: 2 }, content: { content: { minimum: 44 } },
};
/** The way a value is measured. */
const wayOf = (/** @type {Value} */ value) => typeof value === 'string' ? value
  : objectOf(value).of === 'screen' ? 'screen'
    : ['points', 'fraction', 'aspect', 'content'].find((name) => objectOf(value)[name] !== undefined) ?? '';

/**
 * The least or the greatest of a width or a height: points, or a part of something.
 * @param {Part<Value> & {name: string, label: string, ways: Record<string, string>}} props
 */
function Bound({ form, value, name, label, ways, pointer, onChange }) {
  const measured = objectOf(value);
  const way = value === undefined ? '' : measured.of === 'screen' ? 'screen'
    : measured.fraction === undefined ? 'points' : 'fraction';
  const choices = ['points', 'fraction', 'screen'].filter((each) => ways[each]).map((each) => [each, ways[each]]);
  const isPoints = way === 'points';
  const set = (/** @type {Content} */ part) =>
    onChange(isPoints ? part ?? null : { ...measured, fraction: part ?? null });
  return html`<div class=${way && 'pair'}>
    <${SelectField} form=${form} pointer=${pointer} label=${label} choices=${[['', t('Without')], ...choices]}
      value=${way} onChange=${(chosen) => onChange(chosen === 'points' ? 44 : begins[chosen])} />
    ${way && html`<${Field}
      key=${way}
      form=${form}
      schema=${isPoints ? points : fraction}
      value=${isPoints ? value : measured.fraction}
      name=${name}
      label=${isPoints ? t('Points') : t('Part of it')}
      pointer=${isPoints ? `${pointer}/points` : `${pointer}/fraction`}
      isRequired
      onChange=${set} />`}</div>`;
}

const boundsIn = (/** @type {Members} */ { minimum, maximum }) =>
  ({ ...minimum !== undefined && { minimum }, ...maximum !== undefined && { maximum } });

/**
 * A width or a height: the way it is measured, its numbers, and its bounds.
 * @param {Part<Value> & {label: string, isRequired?: boolean, ways: Record<string, string>}} props
 */
function Measure({ form, value, label, ways, pointer, isRequired, onChange }) {
  const measured = objectOf(value);
  const way = value === undefined ? '' : wayOf(value);
  const member = way === 'screen' ? 'fraction' : way;
  const isBounded = way !== '' && typeof begins[way] === 'object';
  const bounded = isBounded ? boundsIn(measured) : {};
  const set = (/** @type {Content} */ part) =>
    onChange({ ...measured, [member]: part ?? (way === 'content' ? {} : null) });
  const choose = (/** @type {string} */ chosen) => {
    const next = begins[chosen];
    onChange(typeof next === 'object' ? { ...objectOf(next), ...bounded } : next);
  };
  const control = memberControls({ form, value, pointer, set: setter(value, onChange) });
  const content = {
    type: 'object', properties: ways.container ? { minimum: points, maximum: points } : { minimum: points, lines },
  };
  const numbers = {
    points: [points, t('Points')], fraction: [fraction, t('Part of it')], screen: [fraction, t('Part of it')],
    aspect: [ratio, t('Width ÷ height')],
    content: [content, ways.container ? t('Bounds, in points') : t('In points, and lines of text')],
  }[way];
  return html`<div class=${numbers && way !== 'content' ? 'pair' : ''}>
    <${SelectField} form=${form} pointer=${pointer} label=${label} isRequired=${isRequired}
      choices=${[['', isRequired ? t('Choose…') : t('As its kind says')], ...Object.entries(ways)]} value=${way}
      onChange=${choose} />
    ${numbers && html`<${Field}
      key=${way}
      form=${form}
      schema=${numbers[0]}
      value=${measured[member]}
      name=${member}
      label=${numbers[1]}
      pointer="${pointer}/${member}"
      isRequired=${way !== 'content'}
      onChange=${set} />`}</div>
    ${isBounded && html`<div class="pair">
      ${[['minimum', t('At least')], ['maximum', t('At most')]].map(([name, text]) => control(Bound, name, {
        name, label: `${label}: ${text}`, ways: ways.container ? ways : { ...ways, fraction: undefined },
      }))}</div>`}`;
}

/**
 * How wide and how high something is.
 * @param {Part & {label: string, isWhole?: boolean}} props
 */
function SizeField({ form, value, label, pointer, isWhole = false, onChange }) {
  const control = memberControls({ form, value, pointer, set: setter(value, onChange) });
  const isRequired = isWhole && value !== undefined;
  const sides = /** @type {const} */ ([['width', t('Width'), widths()], ['height', t('Height'), heights()]]);
  return html`<fieldset><legend>${label}</legend><${Problems} form=${form} pointer=${pointer} />
    ${sides.map(([name, text, ways]) => control(Measure, name, { label: text, ways, isRequired }))}
    ${isRequired && form.mayEdit && html`<button type="button" onClick=${() => onChange(undefined)}>
      ${t('As its kind says')}</button>`}</fieldset>`;
}

/** Whether the corners of a background differ. */
const isEach = (/** @type {Content} */ value) =>
  corners.some((corner) => objectOf(value)[corner] !== undefined);

function Corners(/** @type {Part<Value>} */ { form, value, pointer, onChange }) {
  const [notice, replace] = useDropped(value, onChange);
  const toggle = () => {
    if (isEach(value)) {
      const [first, ...others] = Object.values(objectOf(value));
      return others.every((each) => isEqual(each, first)) ? onChange(first) : replace(first);
    }
    return onChange(Object.fromEntries(corners.map((corner) => [corner, value ?? 0])));
  };
  const button = form.mayEdit && html`<button type="button" class="link small" onClick=${toggle}>
    ${isEach(value) ? t('All corners alike') : t('Each corner for itself')}</button>`;
  return html`<${Field}
      key=${isEach(value)}
      form=${form}
      schema=${isEach(value) ? cornersSchema : points}
      value=${value}
      name="cornerRadius"
      label=${t('Roundness of the corners, in points')}
      pointer=${pointer}
      onChange=${onChange} />
    <div>${button}${notice}</div>`;
}

/** A background's colour, and how well text can be read on it. */
function BackgroundColor(/** @type {Part<Value> & {inks?: Value[]}} */ { form, value, pointer, inks = [], onChange }) {
  const [light, dark] = [contrastOn(value, inks, 'light'), contrastOn(value, inks, 'dark')];
  const isLow = [light, dark].some((contrast) => contrast !== null && contrast < leastContrast);
  return html`<${Field}
      form=${form}
      schema=${colorSchema}
      value=${value}
      name="color"
      label=${t('Background colour')}
      pointer=${pointer}
      onChange=${onChange} />
    ${light !== null && dark !== null && html`<p class="hint contrast ${isLow ? 'low' : ''}">
      ${joinSentences([
    t('Contrast of the text on it: {light} in light, {dark} in dark.', { light, dark }),
    isLow && t('That is too little: WCAG AA asks for {least}.', { least: leastContrast }),
  ])}</p>`}`;
}

/** What is over a background's colour: a gradient and a picture. */
function BackgroundPaints(/** @type {Part} */ { form, value, pointer, onChange }) {
  const member = memberFields({ form, value, pointer, set: setter(value, onChange) });
  return html`${member('gradient', gradientSchema, t('Gradient'))}
    ${member('image', backgroundImageSchema, t('Picture'))}`;
}

/** What is behind a whole page. */
export function PageBackground(/** @type {Part} */ { form, value, pointer, onChange }) {
  const control = memberControls({ form, value, pointer, set: setter(value, onChange) });
  return html`${control(BackgroundColor, 'color')}
    <${BackgroundPaints} form=${form} value=${value} pointer=${pointer} onChange=${onChange} />`;
}

/** The colours of texts that stand on the section's background. */
/** @type {(settings: SectionSettings, content: SectionContent|undefined) => Value[]} */
function inksOf(settings, content) {
  const items = [settings.header, settings.footer, ...Object.values(content?.slots ?? {}), ...(content?.items ?? [])];
  return items.map((item) => objectOf(item?.content)).flatMap(({ textColor, backgroundColor, color }) =>
    textColor && !backgroundColor && !color ? [textColor] : []);
}

/**
 * Everything that a section's layout lays over that of its kind.
 * @param {{form: Form, settings: SectionSettings, content?: SectionContent,
 *   onChange: (value: Layout|undefined) => void}} props
 */
export function LayoutField({ form, settings, content, onChange }) {
  const { layout } = settings;
  const kind = form.kinds.sectionKinds?.[settings.kind] ?? {};
  const set = setter(layout, onChange);
  const background = setter(layout?.background, set('background'));
  const slot = memberControls({
    form, value: layout?.slotSizes, pointer: '/layout/slotSizes', set: setter(layout?.slotSizes, set('slotSizes')),
  });
  const style = layout?.style ?? kind.layout?.style ?? '';
  /** @type {Record<string, string>} */
  const known = styles();
  const has = (/** @type {keyof typeof uses} */ member) => uses[member].includes(style) || layout?.[member];
  const setColumns = set('columns');
  const ends = /** @type {const} */ ([
    ['header', 'headerSize', t('Size of the header')], ['footer', 'footerSize', t('Size of the footer')],
  ]).filter(([item, member]) => kind[item] || layout?.[member]);
  const whole = { form, value: /** @type {Content} */ (layout), pointer: '/layout', set };
  const [control, field] = [memberControls(whole), memberFields(whole)];
  const ground = { form, value: layout?.background, pointer: '/layout/background', set: background };
  const paint = memberFields(ground);
  const word = (/** @type {string} */ name, /** @type {string} */ label, /** @type {object} */ words,
    instead = t('As its kind says')) => control(Word, name, { label, words, instead });
  /** @type {(member: 'sticky'|'stickyHeader', label: string, yes: string, no: string) => object} */
  const whether = (member, label, yes, no) => control(Word, member, {
    value: layout?.[member]?.toString(), label, words: { true: yes, false: no }, instead: t('As its kind says'),
    onChange: (/** @type {string|undefined} */ word) => set(member)(word && word === 'true'),
  });
  return html`<p class="hint">${t('What is left empty is as the kind says.')}</p>
    ${word('style', t('Style'), known,
      t('As its kind says: {style}', { style: known[kind.layout?.style ?? ''] ?? '–' }))}
    ${has('rows') && control(Rows, 'rows')}
    ${has('columns') && html`<${Field}
      form=${form}
      schema=${columnWidth}
      value=${layout?.columns?.minimum}
      name="columns"
      label=${t('As many columns as fit, each of so many points at least')}
      pointer="/layout/columns/minimum"
      onChange=${(minimum) => setColumns(minimum === undefined ? undefined : { minimum })} />`}
    ${has('rowCount') && field('rowCount', rowCount, t('How many rows'))}
    ${has('paging') && word('paging', t('Where it comes to rest'), pagings())}
    ${has('peek') && field('peek', peekSchema, t('How much of its neighbours is seen, in points'))}
    ${has('alignment') && word('alignment', t('Where the cells of a line stand'), alignments())}
    ${has('group') && control(GroupField, 'group')}
    ${control(SizeField, 'itemSize', {
      label: layout?.group ?? kind.layout?.group ? t('Size of the group') : t('Size of the items'),
    })}
    <div class="pair">${field('itemSpacing', points, t('Between items of a row, in points'))}
      ${field('lineSpacing', points, t('Between rows, in points'))}</div>
    ${has('separator') && field('separator', separatorSchema(!!kind.layout?.separator), t('Line between rows'))}
    ${field('inset', insetSchema, t('Space around it, in points'))}
    <fieldset><legend>${t('Background')}</legend><${Problems} form=${form} pointer="/layout/background" />
      ${memberControls(ground)(BackgroundColor, 'color', { inks: inksOf(settings, content) })}
      ${memberControls(ground)(Corners, 'cornerRadius')}
      ${control(BackgroundPaints, 'background')}
      ${paint('border', borderSchema, t('Border'))}
      ${paint('shadow', shadowSchema, t('Shadow'))}
      ${word('backgroundFrame', t('Where it is drawn'), backgroundFrames())}</fieldset>
    ${kind.header && has('stickyHeader') && whether('stickyHeader', t('While the section scrolls below its header'),
      t('The header stays at the top'), t('The header scrolls along'))}
    ${has('sticky') && whether('sticky', t('While what is below it scrolls'),
      t('The section stays at the top'), t('The section scrolls along'))}
    ${ends.map(([, member, label]) => control(SizeField, member, { label, isWhole: true }))}
    ${Object.keys(kind.slots ?? {}).length > 1 && html`<${Field}
      form=${form}
      schema=${{ type: 'array', items: { enum: Object.keys(kind.slots ?? {}) } }}
      value=${layout?.slotOrder}
      name="slotOrder"
      label=${t('Order of the slots; by name when empty')}
      pointer="/layout/slotOrder"
      onChange=${(order) => set('slotOrder')(order?.length > 0 ? order : undefined)} />`}
    ${Object.keys({ ...kind.slots, ...layout?.slotSizes }).map((name) =>
      slot(SizeField, name, { label: t('Size of the slot {name}', { name }), isWhole: true }))}`;
}
