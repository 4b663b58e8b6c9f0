// What the modules that come later share with the rest of the console. They import nothing of it but this: a module
// that is in the bundle may have a state, and is there once. The build has it come from there (Sources/BundleConsole).

export { Field } from './forms/field.js';
export { accessibilitySchema } from './forms/layout-members.js';
export { Problem, Unreachable, all, get, parse, post, put, remove, serverNow, tryOut } from './lib/api.js';
export { ageWords, effectOf, linesOf, placesOf, tickedOf } from './lib/changes.js';
export { guard, useTyped } from './lib/guard.js';
export {
  formatInstant, isSkipped, language, languageName, localTime, ownZone, sideBySide, skippedWords, t, term,
} from './lib/i18n.js';
export { newID } from './lib/ids.js';
export { idsIn, itemTitle, newItem } from './lib/item.js';
export { isEqual, merge } from './lib/merge.js';
export { readNumber, writtenNumber } from './lib/numbers.js';
export { Part } from './lib/part.js';
export { repeatedMember } from './lib/members.js';
export { Once } from './lib/once.js';
export { keysOf, partWords, partsOf, partsWords, waitingByKey } from './lib/parts.js';
export { withPath } from './lib/past.js';
export { formats, keep, kept, sizeWords } from './lib/pictures.js';
export { withinSection } from './lib/pointers.js';
export { isPage, putBackLive } from './lib/put-back.js';
export { controlOf, isByLocale, labelOf, oneOfThemes, resolve } from './lib/schema.js';
export { changeWords, problemWords, sentenceWords } from './lib/sentences.js';
export {
  Back, Badge, Confirm, Dialog, Failure, Loading, Memo, ZoneOptions, announce, ask, attempt, explain, html, tellEarlier,
  toast, useAction, useAttempt, useEffect, useLayoutEffect, useLoad, useOnce, useRef, useState,
} from './lib/ui.js';
export { browserStorage } from './lib/storage.js';
export { nameIn, predicateWords, repeatedIn, sectionName } from './lib/words.js';
export { Picture } from './phone/cell.js';
export { useMemo } from './vendor/preact.js';
export { flipWords } from './views/audience.js';
export { Side } from './views/conflict.js';
export { Change, Followed } from './views/follow.js';
export { liveWords, nodesWait, problemOf } from './views/nodes.js';
export { placeWords, scheduleWords } from './views/value.js';
