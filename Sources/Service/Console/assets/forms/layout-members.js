// What items and pages say beside their content, as schemas, so that the same fields show it.

/** @type {Schema} a number of points, which may differ by locale */
export const points = { type: 'number', minimum: 0, maximum: 100000, 'x-localized': true };

/** Space around something. */
export const insetSchema = {
  type: 'object', additionalProperties: false,
  properties: { top: points, leading: points, bottom: points, trailing: points },
};

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

/** What assistive technologies are told of an item. */
export const accessibilitySchema = {
  type: 'object', additionalProperties: false,
  properties: {
    label: { type: 'string', minLength: 1, maxLength: 1000, 'x-localized': true },
    hint: { type: 'string', minLength: 1, maxLength: 1000, 'x-localized': true },
    traits: {
      type: 'array', uniqueItems: true,
      items: {
        enum: [
          'adjustable', 'button', 'header', 'image', 'link', 'notEnabled', 'search', 'selected', 'summary',
          'updatesFrequently',
        ],
      },
    },
    hidden: { type: 'boolean', default: false },
  },
};

/** A text of its own for each locale. */
export const textSchema = { type: 'string', minLength: 1, maxLength: 200, 'x-localized': true };
