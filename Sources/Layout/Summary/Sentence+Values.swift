extension Sentence.Code {
  /// The names of a sentence's values, which docs/openapi.yaml repeats; those with a question mark may be absent.
  public var valueNames: [String] {
    let place = ["section?", "item?", "parent?", "slot?", "part?", "rule?"]
    switch self {
    case .pageMade: return ["page", "count"]
    case .pageRenamed, .defaultLocaleChanged, .pollIntervalChanged: return ["from", "to"]
    case .localeAdded, .localeRemoved: return ["locale"]
    case .localesOrdered: return ["locales"]
    case .screenChanged: return ["members"]
    case .audienceAdded, .audienceRedefined: return ["name", "audience"]
    case .audienceRemoved, .circularAudience: return ["name", "known?"]
    case .kindWithheld: return ["family", "kind", "audience"]
    case .kindLifted: return ["family", "kind"]
    case .ruleAdded: return ["rule", "audience?"]
    case .ruleRemoved: return ["rule"]
    case .priorityChanged: return ["rule", "from", "to"]
    case .ruleIndexAdded: return ["section", "rule", "to"]
    case .ruleIndexChanged: return ["section", "rule", "from", "to"]
    case .ruleIndexRemoved: return ["section", "rule"]
    case .sectionAdded: return ["section", "kind"]
    case .sectionRemoved, .sectionHidden, .sectionRestored, .sectionTitleRemoved, .itemsUnsorted, .listsChanged:
      return ["section"]
    case .sectionMoved: return ["section", "from", "to"]
    case .sectionPut: return ["section", "after?"]
    case .sectionRenamed: return ["section", "to"]
    case .layoutChanged, .loadingChanged: return ["section", "members"]
    case .itemsSorted: return ["section", "by", "descending"]
    case .partAdded: return ["section", "part"]
    case .partRemoved, .slotFilled, .slotEmptied, .itemHidden, .itemRestored, .keptOnTop, .keptOnTopNoMore,
      .startsExpanded, .startsCollapsed,
      .audienceOpened, .scheduleRemoved:
      return place
    case .itemsAdded, .itemsRemoved: return place + ["items", "more"]
    case .itemMoved: return place.filter { $0 != "item?" } + ["item", "from", "to"]
    case .itemsMoved, .itemsChanged: return place + ["count"]
    case .idChanged, .kindChanged: return place + ["from", "to"]
    case .membersChanged: return place + ["members"]
    case .audienceLimited, .audienceChanged: return place + ["audience"]
    case .audienceShifted: return ["section?", "rule?", "names"]
    case .scheduled, .rescheduled: return place + ["schedule"]
    case .sectionDisappears: return ["section", "returns?"]

    case .twiceOnPage, .twiceInSection: return ["id"]
    case .idsInSeveralSections: return ["id", "section", "count"]
    case .tooManySections, .tooManySortRules, .tooManyItems, .maxProperties, .maxItems, .maxLength:
      return ["most", "count"]
    case .tooFewItems, .minProperties, .minItems, .minLength: return ["least", "count"]
    case .childrenTooDeep, .conditionsTooDeep, .valueTooDeep, .rows: return ["most"]
    case .unknownAudience, .unknownPage, .unknownAttribute, .unknownToken, .unknownList:
      return ["name", "known"]
    case .unknownSectionOfPage: return ["page", "name", "known"]
    case .scheduleInsideOut: return ["from", "until"]
    case .scheduleOver: return ["until"]
    case .scheduleOutside: return ["from?", "until?"]
    case .requiredSlotEmpty: return ["slot"]
    case .unknownSection, .noSuchSection: return ["name"]
    case .equalPriority: return ["rival", "priority"]
    case .severalPinned: return ["rival"]
    case .unusedLayout: return ["style", "known"]
    case .wideGroup: return ["needed", "room"]
    case .tracks: return ["most"]
    case .noSource: return ["seconds"]
    case .unknownPicture, .removedPicture: return ["url"]
    case .missingLocale: return ["locales", "default"]
    case .missingLabel: return ["what"]
    case .manyActions: return ["edge", "count", "most"]
    case .lowContrast: return ["ratio", "theme"]
    case .losesSections: return ["lost", "count"]
    case .overBudget: return ["bytes", "most"]
    case .unknownSectionKind, .unknownItemKind, .kindNotTaken: return ["kind", "known"]
    case .itemsNotTaken, .actionRequired, .actionForbidden: return ["kind"]
    case .partNotTaken: return ["kind", "part"]
    case .unknownSlot: return ["kind", "slot", "known"]

    case .type, .enum, .const: return ["allowed"]
    case .additionalProperties, .oneOfMembers: return ["known"]
    case .minimum: return ["least", "value"]
    case .maximum: return ["most", "value"]
    case .exclusiveMinimum, .exclusiveMaximum: return ["bound", "value"]
    case .multipleOf: return ["divisor", "value"]
    case .pattern: return ["pattern"]
    case .format: return ["format"]
    case .localized: return ["name?"]

    case .wholeNumber, .textBytes, .points, .aboveMaximum: return ["least", "most"]
    case .noBeginning, .noBeginnings, .noOrder: return ["attribute"]
    case .leftOut: return ["names"]
    case .invalidJSON: return ["line", "column", "text"]
    case .invalidKinds: return ["text"]

    case .emptyStateAdded, .emptyStateRemoved, .nobody, .nobodyInside, .nobodyCanDraw, .imageWithoutSize,
      .nothingIsValid, .required, .uniqueItems, .anyOf, .oneOf, .not, .slug, .itemID, .locale, .version, .zone, .color,
      .width, .height, .fraction, .gradientStop, .groupCell, .groupHeight, .scopes, .destination, .jsonPointer,
      .aboveZero, .reservedName,
      .clientAttributes,
      .noBounds, .boundsInsideOut, .futureTime, .barItemMember, .cornersOfPage, .actionEmpty, .withoutHandler,
      .withoutEvent, .firstItemsWithLoad, .sourceNotTaken, .membersOfDefaultRule, .revisionNumber, .revisionState,
      .sectionsWithRevision, .noPicture, .nul:
      return []
    }
  }

  /// Whether values of these names are those that the sentence has.
  func takes(_ names: [String]) -> Bool {
    let known = valueNames.map { $0.replacing("?", with: "") }
    return names.allSatisfy(known.contains) && valueNames.allSatisfy { $0.hasSuffix("?") || names.contains($0) }
  }
}
