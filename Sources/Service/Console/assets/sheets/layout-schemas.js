// What a layout says, as schemas, so that the same fields show it.

import { points } from '../shared.js';

/** @type {(properties: Record<string, AnySchema>, required?: string[]) => Schema} an object of these members alone */
const object = (properties, required = []) => ({ type: 'object', required, additionalProperties: false, properties });

/** @type {(schema: Schema) => Schema} one for all, or one for light and one for dark */
const themed = (schema) => ({ oneOf: [schema, object({ light: schema, dark: schema }, ['light', 'dark'])] });

/** How much of what is before and after is seen. */
export const peekSchema = object({ leading: points, trailing: points });

/** @type {Schema} the width of a column at least */
export const columnWidth = { type: 'number', minimum: 1, maximum: 100000, 'x-localized': true };

/** @type {Schema} */
export const rowCount = { type: 'integer', minimum: 1, maximum: 24 };

/** @type {Schema} a part of a whole */
export const fraction = { type: 'number', minimum: 0, maximum: 1, 'x-localized': true };

/** @type {Schema} how many lines of text */
export const lines = { type: 'integer', minimum: 1, maximum: 20, 'x-localized': true };

/** @type {Schema} width divided by height */
export const ratio = { type: 'number', minimum: 0, 'x-localized': true };

/** The corners, each of which may have a roundness of its own. */
export const corners = ['topLeading', 'topTrailing', 'bottomLeading', 'bottomTrailing'];

/** How round each corner is. */
export const cornersSchema = object(Object.fromEntries(corners.map((corner) => [corner, points])));

/** A colour, or one for light and one for dark. */
export const colorSchema = themed({ type: 'string', pattern: '^#' });

/** Colours that run into each other. */
export const gradientSchema = object({
  angle: { type: 'integer', minimum: 0, maximum: 360, 'x-localized': true },
  stops: {
    type: 'array', minItems: 2, maxItems: 8,
    items: object({ color: colorSchema, at: { type: 'number', minimum: 0, maximum: 1 } }, ['color']),
  },
}, ['stops']);

const address = { type: 'string', format: 'uri' };
const pixels = { type: 'integer', minimum: 1, maximum: 100000 };

/** A picture, or one for light and one for dark. */
export const backgroundImageSchema = themed(object({
  url: address, fit: { enum: ['cover', 'contain', 'stretch'] }, width: pixels,
  sources: { type: 'array', maxItems: 8, items: object({ url: address, width: pixels }, ['url', 'width']) },
}, ['url']));

export const borderSchema = object({ color: colorSchema, width: points }, ['color', 'width']);

/** The line between rows, whose colour the kind may know. */
export const separatorSchema = (/** @type {boolean} */ isKnown) =>
  object({ color: colorSchema, width: points, leading: points, trailing: points }, isKnown ? [] : ['color']);

const shift = { type: 'number', minimum: -1000, maximum: 1000, 'x-localized': true };

export const shadowSchema = object({ color: colorSchema, radius: points, x: shift, y: shift }, ['color', 'radius']);

const place = { type: 'integer', minimum: 0, maximum: 11 };
const span = { type: 'integer', minimum: 1, maximum: 12 };

/** @type {Schema} the cells of a group, by its columns and rows from 0 */
export const groupCellsSchema = {
  type: 'array', minItems: 1,
  items: object({ column: place, row: place, columnSpan: span, rowSpan: span }, ['column', 'row']),
};
