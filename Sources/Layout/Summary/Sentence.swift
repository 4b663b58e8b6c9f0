public import JSON

/// A sentence for people about a page, with a code and values from which programs make it in another language.
public struct Sentence: Hashable, Sendable {
  /// The kinds of sentences. Their names never change; docs/openapi.yaml lists them all.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    // What changed on a page as a whole.
    case pageMade = "page-made"
    case pageRenamed = "page-renamed"
    case defaultLocaleChanged = "default-locale-changed"
    case localeAdded = "locale-added"
    case localeRemoved = "locale-removed"
    case localesOrdered = "locales-ordered"
    case pollIntervalChanged = "poll-interval-changed"
    case emptyStateAdded = "empty-state-added"
    case emptyStateRemoved = "empty-state-removed"
    case screenChanged = "screen-changed"
    case audienceAdded = "audience-added"
    case audienceRedefined = "audience-redefined"
    case audienceRemoved = "audience-removed"
    case audienceShifted = "audience-shifted"
    case kindWithheld = "kind-withheld"
    case kindLifted = "kind-lifted"
    case ruleAdded = "rule-added"
    case ruleRemoved = "rule-removed"
    case priorityChanged = "priority-changed"
    case ruleIndexAdded = "rule-index-added"
    case ruleIndexChanged = "rule-index-changed"
    case ruleIndexRemoved = "rule-index-removed"
    // What changed about a section.
    case sectionAdded = "section-added"
    case sectionRemoved = "section-removed"
    case sectionMoved = "section-moved"
    case sectionPut = "section-put"
    case sectionHidden = "section-hidden"
    case sectionRestored = "section-restored"
    case sectionRenamed = "section-renamed"
    case sectionTitleRemoved = "section-title-removed"
    case layoutChanged = "layout-changed"
    case loadingChanged = "loading-changed"
    case itemsSorted = "items-sorted"
    case itemsUnsorted = "items-unsorted"
    case listsChanged = "lists-changed"
    case partAdded = "part-added"
    case partRemoved = "part-removed"
    case slotFilled = "slot-filled"
    case slotEmptied = "slot-emptied"
    // What changed about items, and about whatever has an audience or a schedule.
    case itemsAdded = "items-added"
    case itemsRemoved = "items-removed"
    case itemMoved = "item-moved"
    case itemsMoved = "items-moved"
    case itemsChanged = "items-changed"
    case idChanged = "id-changed"
    case kindChanged = "kind-changed"
    case membersChanged = "members-changed"
    case itemHidden = "item-hidden"
    case itemRestored = "item-restored"
    case keptOnTop = "kept-on-top"
    case keptOnTopNoMore = "kept-on-top-no-more"
    case startsExpanded = "starts-expanded"
    case startsCollapsed = "starts-collapsed"
    case audienceLimited = "audience-limited"
    case audienceChanged = "audience-changed"
    case audienceOpened = "audience-opened"
    case scheduled
    case rescheduled
    case scheduleRemoved = "schedule-removed"
    case sectionDisappears = "section-disappears"
    // What lint finds.
    case twiceOnPage = "twice-on-page"
    case twiceInSection = "twice-in-section"
    case idsInSeveralSections = "ids-in-several-sections"
    case tooManySections = "too-many-sections"
    case tooManySortRules = "too-many-sort-rules"
    case tooManyItems = "too-many-items"
    case tooFewItems = "too-few-items"
    case childrenTooDeep = "children-too-deep"
    case conditionsTooDeep = "conditions-too-deep"
    case unknownAudience = "unknown-audience"
    case circularAudience = "circular-audience"
    case scheduleInsideOut = "schedule-inside-out"
    case scheduleOver = "schedule-over"
    case scheduleOutside = "schedule-outside"
    case nobody
    case nobodyInside = "nobody-inside"
    case nobodyCanDraw = "nobody-can-draw"
    case requiredSlotEmpty = "required-slot-empty"
    case unknownSection = "unknown-section"
    case equalPriority = "equal-priority"
    case severalPinned = "several-pinned"
    case noSource = "no-source"
    case imageWithoutSize = "image-without-size"
    case unusedLayout = "unused-layout"
    case wideGroup = "wide-group"
    case unknownList = "unknown-list"
    case unknownPicture = "unknown-picture"
    case removedPicture = "removed-picture"
    case missingLocale = "missing-locale"
    case missingLabel = "missing-label"
    case manyActions = "many-actions"
    case lowContrast = "low-contrast"
    case losesSections = "loses-sections"
    case overBudget = "over-budget"
    // What a token's scopes name in vain.
    case unknownPage = "unknown-page"
    case unknownSectionOfPage = "unknown-section-of-page"
    // What kinds refuse.
    case unknownSectionKind = "unknown-section-kind"
    case unknownItemKind = "unknown-item-kind"
    case kindNotTaken = "kind-not-taken"
    case itemsNotTaken = "items-not-taken"
    case partNotTaken = "part-not-taken"
    case unknownSlot = "unknown-slot"
    case actionRequired = "action-required"
    case actionForbidden = "action-forbidden"
    // The keywords of JSON Schema that a content fails.
    case nothingIsValid = "false"
    case type, `enum`, const, required, additionalProperties, minProperties, maxProperties
    case minItems, maxItems, uniqueItems, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
    case minLength, maxLength, pattern, format, anyOf, oneOf, not
    case localized = "x-localized"
    // What else a document or a request's body has wrong.
    case wholeNumber = "whole-number"
    case textBytes = "text-bytes"
    case slug
    case itemID = "item-id"
    case locale, version, zone, color, rows, width, height, points, fraction, scopes, destination
    case unknownToken = "unknown-token"
    case gradientStop = "gradient-stop"
    case groupCell = "group-cell"
    case groupHeight = "group-height"
    case tracks
    case jsonPointer = "json-pointer"
    case aboveZero = "above-zero"
    case aboveMaximum = "above-maximum"
    case valueTooDeep = "value-too-deep"
    case reservedName = "reserved-name"
    case oneOfMembers = "one-of-members"
    case unknownAttribute = "unknown-attribute"
    case clientAttributes = "client-attributes"
    case noBeginning = "no-beginning"
    case noBeginnings = "no-beginnings"
    case noOrder = "no-order"
    case noBounds = "no-bounds"
    case boundsInsideOut = "bounds-inside-out"
    case futureTime = "future-time"
    case barItemMember = "bar-item-member"
    case cornersOfPage = "corners-of-page"
    case actionEmpty = "action-empty"
    case withoutHandler = "without-handler"
    case withoutEvent = "without-event"
    case firstItemsWithLoad = "first-items-with-load"
    case sourceNotTaken = "source-not-taken"
    case membersOfDefaultRule = "members-of-default-rule"
    case noSuchSection = "no-such-section"
    case leftOut = "left-out"
    case revisionNumber = "revision-number"
    case revisionState = "revision-state"
    case sectionsWithRevision = "sections-with-revision"
    case noPicture = "no-picture"
    case nul
    case invalidJSON = "invalid-json"
    case invalidKinds = "invalid-kinds"
  }

  /// Its code.
  public var code: Code
  /// Its values: ids, numbers, times, conditions.
  public var values: JSONObject
  /// The same in English.
  public var text: String

  /// A sentence.
  public init(_ code: Code, _ text: String, _ values: JSONObject = [:]) {
    assert(code.takes(values.names), "\(code.rawValue) with \(values.names)")
    self.code = code
    self.text = text
    self.values = values
  }

  /// The code and the values, without the English text.
  public var json: JSON { ["code": .string(code.rawValue), "values": .object(values)] }
}

extension JSON {
  /// A whole number.
  public static func count(_ value: Int) -> JSON { .number(JSONNumber(value)) }

  /// Names, an array.
  public static func names(_ names: some Sequence<String>) -> JSON { .array(names.map { .string($0) }) }
}
