export { ClientError, HearthClient } from './client.js';
export { Decimal, read } from './json.js';
export { applying, changesBetween, readPage, textOf } from './page.js';
export { bucketOf } from './sha256.js';
