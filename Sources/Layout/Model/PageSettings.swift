public import JSON

/// What holds for a page as a whole.
public struct PageSettings: Hashable, Sendable {
  /// What operators call the page.
  public var title: String
  /// The locale that a client gets when none of its own is there.
  public var defaultLocale: Locale
  /// The locales that the page is made in, the default one among them.
  public var locales: [Locale]
  /// The seconds a client may wait between two polls, 1 to 86,400.
  public var pollInterval: Int
  /// Shown if no section is (S4.5).
  public var emptyState: ItemDefinition?
  /// What users see the screen called: a text, or a map from locale to text.
  public var displayTitle: JSON?
  /// What stands in the bar above the sections.
  public var bar: BarDefinition?
  /// Space around all sections, as entered: values may differ by locale.
  public var inset: JSONObject?
  /// What is drawn behind the sections, as entered.
  public var background: JSONObject?

  /// A page's settings.
  public init(
    title: String, defaultLocale: Locale, locales: [Locale], pollInterval: Int = 30, emptyState: ItemDefinition? = nil
  ) {
    self.title = title
    self.defaultLocale = defaultLocale
    self.locales = locales
    self.pollInterval = pollInterval
    self.emptyState = emptyState
  }
}

/// The bar of a screen: items at its two ends, which are there for everyone and always.
public struct BarDefinition: Hashable, Sendable {
  /// At the leading end, the outermost first.
  public var leading: [ItemDefinition]
  /// At the trailing end, the outermost last.
  public var trailing: [ItemDefinition]

  /// The items of both ends with their places.
  func items(at pointer: JSONPointer) -> [(item: ItemDefinition, pointer: JSONPointer)] {
    [("leading", leading), ("trailing", trailing)].flatMap { name, items in
      items.enumerated().map { ($1, pointer.appending(name).appending($0)) }
    }
  }
}

extension BarDefinition {
  /// The most items at each end.
  static let itemsMax = 8

  init?(_ json: JSON, at pointer: JSONPointer, in context: DefinitionContext, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    func read(_ json: JSON, _ place: JSONPointer) -> ItemDefinition? {
      let item = ItemDefinition(json, at: place, in: context, collector)
      for name in ["audience", "schedule", "children"] where json[name] != nil {
        collector.add(
          place.appending(name), .barItemMember,
          "cannot be said of an item of a bar, which is there for everyone and always")
      }
      return item
    }
    leading = reader.list("leading", atMost: Self.itemsMax, read)
    trailing = reader.list("trailing", atMost: Self.itemsMax, read)
    reader.refuseOthers()
  }

  /// The canonical form.
  var json: JSON {
    .object(
      JSONObject(present: [
        ("leading", leading.isEmpty ? nil : .array(leading.map(\.json))),
        ("trailing", trailing.isEmpty ? nil : .array(trailing.map(\.json))),
      ]))
  }
}
