// What items and pages say beside their content, as schemas, so that the same fields show it.

/** @type {Schema} a number of points, which may differ by locale */
export const points = { type: 'number', minimum: 0, maximum: 100000, 'x-localized': true, 'x-points': true };

/** Space around something. */
export const insetSchema = {
  type: 'object', additionalProperties: false,
  properties: { top: points, leading: points, bottom: points, trailing: points },
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

/** What an item offers beside its tap; what each does has a field of its own. */
export const actionsSchema = {
  type: 'array', maxItems: 8,
  items: {
    type: 'object', required: ['title'], default: { action: { url: '' } },
    properties: { title: textSchema, edge: { enum: ['leading', 'trailing'] }, role: { enum: ['destructive'] } },
  },
};
