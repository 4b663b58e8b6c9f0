// What the modules that come later share with the rest of the console. They import nothing of it but this: a module
// that is in the bundle may have a state, and is there once. The build has it come from there (Sources/BundleConsole).

export { framesOf } from './client/layout.js';
export { useDropped } from './forms/dropped.js';
export { Field, RawJSON, memberControls, memberFields } from './forms/field.js';
export { ItemForm, ItemList } from './forms/item.js';
export { Labelled, LineField, Problems, SelectField } from './forms/labelled.js';
export { NumberField, NumberInput } from './forms/number.js';
export { PredicateField } from './forms/predicate.js';
export { ScheduleField } from './forms/schedule.js';
export { accessibilitySchema, actionsSchema, insetSchema, points, textSchema } from './forms/layout-members.js';
export {
  Problem, Unreachable, allPages, get, makeSecret, parse, post, put, remove, serverNow, tryOut,
} from './lib/api.js';
export { detailWords } from './lib/audit-words.js';
export { ageWords, effectOf, linesOf, placesOf, tickedOf } from './lib/changes.js';
export { folded } from './lib/commands.js';
export { contrastOn, leastContrast } from './lib/contrast.js';
export {
  formatInstant, instantIn, joinSentences, language, languageName, localTime, ownZone, sideBySide, skippedWords,
  t, term, twiceWords, zoneName, zoneNames,
} from './lib/i18n.js';
export { newID, randomTail } from './lib/ids.js';
export { idsIn, itemTitle, newItem } from './lib/item.js';
export { Later } from './lib/later.js';
export { tooLong } from './lib/lengths.js';
export { isEqual, merge } from './lib/merge.js';
export { isSame } from './lib/order.js';
export { nearest, readNumber, writtenNumber } from './lib/numbers.js';
export { Part, withoutPlace } from './lib/part.js';
export { memberOf, objectOf, repeatedMember } from './lib/members.js';
export { Once } from './lib/once.js';
export { keysOf, partWords, partsOf, partsWords, waitingByKey } from './lib/parts.js';
export { handOver, pageSettingsOf, sectionIn, withItem, withPath } from './lib/past.js';
export { formats, keep, kept, sizeWords } from './lib/pictures.js';
export { withinSection } from './lib/pointers.js';
export { isPage, putBackLive } from './lib/put-back.js';
export { arrangedMembers, controlOf, isByLocale, labelOf, oneOfThemes, resolve } from './lib/schema.js';
export { changeWords, problemWords, sentenceWords } from './lib/sentences.js';
export {
  Back, Badge, Check, Confirm, Dialog, DialogForm, Failure, Loading, Memo, Reading, Tool, ZoneOptions, announce, ask,
  attempt, copyField, explain, explainMaking, html, options, tellEarlier, toast, useAction, useAttempt, useEffect,
  useLayoutEffect, useLoad, useOnce, useParts, useRef, useState,
} from './lib/ui.js';
export { browserStorage } from './lib/storage.js';
export { typedIn, useTyped } from './lib/typed.js';
export { nameIn, predicateWords, repeatedIn, sectionName, titlesOf } from './lib/words.js';
export { Picture } from './phone/thumbnail.js';
export { useMemo } from './vendor/preact.js';
export { attributesOf, clientWords, flipWords } from './views/audience.js';
export { Comparison } from './views/compare.js';
export { Side } from './views/conflict.js';
export { Change, Followed } from './views/follow.js';
export { Listed } from './views/listed.js';
export { placeOf as manyPlaceOf } from './views/many.js';
export { GoneResource } from './views/gone.js';
export { NameOfNew, ResourceDialog, leftIn, useResource } from './views/resource.js';
export { liveWords, nodesWait, problemOf } from './views/nodes.js';
export { Scheduled, scheduledOf, timesOf } from './views/scheduled.js';
export { placeWords, scheduleWords } from './views/value.js';
