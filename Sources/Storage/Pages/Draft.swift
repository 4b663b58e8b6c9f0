public import Layout

/// A page's draft with the tags of its parts.
public struct Draft: Hashable, Sendable {
  /// What operators and sources have decided.
  public var definition: PageDefinition
  /// The fingerprint of each section, in the page's own order.
  public var fingerprints: [String]
  /// The entity tag of the whole draft.
  public var tag: String
  /// The entity tag of the settings.
  public var settingsTag: String
  /// The entity tag of the order.
  public var orderTag: String
  /// The entity tags of each section, by its id.
  public var sectionTags: [String: SectionTags]
  /// The live revision.
  public var live: Int?
  /// The ids of the sections whose content or settings differ from the live revision's, or that it does not have, and
  /// behind them those of the sections that it has and the draft does not.
  public var changedSections: [String] { changedParts.sections }
  /// Whether anything differs from the live revision.
  public var isChanged: Bool
  /// The parts that differ from the live revision's; of a page that was never published none but its sections.
  public var changedParts: PageParts
  /// Who changed these parts last; asked for by ``Store/draft(_:)`` alone.
  public var lastChanges = LastChanges()
}

/// Who changed the parts of a draft last, and when: of a part that has no row to say it, there is nothing.
public struct LastChanges: Hashable, Sendable {
  /// The last change of one part.
  public struct Change: Hashable, Sendable {
    /// Who made it. A section's settings and its content may be of two.
    public var by: [String]
    /// When the last of them was made.
    public var at: Instant
  }

  /// Those of sections, by their ids.
  public var sections: [String: Change] = [:]
  /// The change of the page's settings.
  public var settings: Change?
  /// That of the page's own order.
  public var order: Change?
  /// Those of sort rules beside the default one, by their names.
  public var rules: [String: Change] = [:]
  /// Those of audiences, by their names.
  public var audiences: [String: Change] = [:]
}

/// The entity tags of a section's two resources.
public struct SectionTags: Hashable, Sendable {
  /// That of the settings, which speaks for what is done to the section as a whole: hiding, restoring, removing.
  public var settings: String
  /// That of the items and slots.
  public var content: String
}

/// A value and its entity tag.
public struct Tagged<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// The entity tag, quotes included.
  public var tag: String

  /// A value with its tag.
  public init(_ value: Value, tag: String) {
    self.value = value
    self.tag = tag
  }
}

/// One page of a list.
public struct PageSummary: Hashable, Sendable {
  /// The page's id.
  public var id: String
  /// What operators call it.
  public var title: String
  /// The live revision.
  public var live: Int?
  /// Whether the draft differs from it.
  public var isChanged: Bool
}
