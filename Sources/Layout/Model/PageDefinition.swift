/// What a draft and a revision of a page both hold: everything that operators and sources decide.
public struct PageDefinition: Hashable, Sendable {
  /// The page's id, a slug.
  public var id: String
  /// Title, locales, poll interval and the empty state.
  public var settings: PageSettings
  /// The sections in the page's own order, which decides between equal indices.
  public var sections: [SectionDefinition]
  /// The sort rules; `default` is always there.
  public var sortRules: [SortRule]
  /// The named audiences that sections, items and sort rules of the page refer to, as they were when it was read.
  public var audiences: [String: Predicate]
  /// The kinds withheld from some clients; a draft has the ones withheld now. Operators do not write them on a page.
  public var withheld: [Withholding] = []
  /// When the content of the sections with `freshFor` was confirmed last, by their ids: of a revision, none of a draft. No
  /// operator writes it on a page.
  public var confirmed: [String: Instant] = [:]

  /// A page's definition.
  public init(
    id: String, settings: PageSettings, sections: [SectionDefinition] = [],
    sortRules: [SortRule] = [SortRule(name: SortRule.defaultName)], audiences: [String: Predicate] = [:]
  ) {
    self.id = id
    self.settings = settings
    self.sections = sections
    self.sortRules = sortRules
    self.audiences = audiences
  }
}
