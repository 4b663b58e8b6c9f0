// What a layout says, as schemas, so that the same fields show it.

import { points } from '../shared.js';

/** How much of what is before and after is seen. */
export const peekSchema = {
  type: 'object', additionalProperties: false, properties: { leading: points, trailing: points },
};

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

/** How round each corner is. */
export const cornersSchema = {
  type: 'object', additionalProperties: false,
  properties: { topLeading: points, topTrailing: points, bottomLeading: points, bottomTrailing: points },
};

const color = { type: 'string', pattern: '^#' };

/** A colour, or one for light and one for dark. */
export const colorSchema = {
  oneOf: [
    color,
    {
      type: 'object', required: ['light', 'dark'], additionalProperties: false,
      properties: { light: color, dark: color },
    },
  ],
};

/** @type {Schema} colours that run into each other */
export const gradientSchema = {
  type: 'object', required: ['stops'], additionalProperties: false,
  properties: {
    angle: { type: 'integer', minimum: 0, maximum: 360, 'x-localized': true },
    stops: {
      type: 'array', minItems: 2, maxItems: 8,
      items: {
        type: 'object', required: ['color'], additionalProperties: false,
        properties: { color: colorSchema, at: { type: 'number', minimum: 0, maximum: 1 } },
      },
    },
  },
};

const address = { type: 'string', format: 'uri' };
const pixels = { type: 'integer', minimum: 1, maximum: 100000 };
const picture = {
  type: 'object', required: ['url'], additionalProperties: false,
  properties: {
    url: address, fit: { enum: ['cover', 'contain', 'stretch'] }, width: pixels,
    sources: {
      type: 'array', maxItems: 8,
      items: {
        type: 'object', required: ['url', 'width'], additionalProperties: false,
        properties: { url: address, width: pixels },
      },
    },
  },
};

/** @type {Schema} a picture, or one for light and one for dark */
export const backgroundImageSchema = {
  oneOf: [
    picture,
    {
      type: 'object', required: ['light', 'dark'], additionalProperties: false,
      properties: { light: picture, dark: picture },
    },
  ],
};

/** @type {Schema} */
export const borderSchema = {
  type: 'object', required: ['color', 'width'], additionalProperties: false,
  properties: { color: colorSchema, width: points },
};

/** @type {(isKnown: boolean) => Schema} the line between rows, whose colour the kind may know */
export const separatorSchema = (isKnown) => ({
  type: 'object', required: isKnown ? [] : ['color'], additionalProperties: false,
  properties: { color: colorSchema, width: points, leading: points, trailing: points },
});

const shift = { type: 'number', minimum: -1000, maximum: 1000, 'x-localized': true };

/** @type {Schema} */
export const shadowSchema = {
  type: 'object', required: ['color', 'radius'], additionalProperties: false,
  properties: { color: colorSchema, radius: points, x: shift, y: shift },
};

const place = { type: 'integer', minimum: 0, maximum: 11 };
const span = { type: 'integer', minimum: 1, maximum: 12 };

/** @type {Schema} the cells of a group, by its columns and rows from 0 */
export const groupCellsSchema = {
  type: 'array', minItems: 1,
  items: {
    type: 'object', required: ['column', 'row'], additionalProperties: false,
    properties: { column: place, row: place, columnSpan: span, rowSpan: span },
  },
};
