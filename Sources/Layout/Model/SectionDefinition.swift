public import JSON

/// A section as operators and sources define it: settings and content.
public struct SectionDefinition: Hashable, Sendable {
  /// The section's id, a slug, unique in its page.
  public var id: String
  /// Kind, layout, visibility, schedule and audience: what operators decide.
  public var settings: SectionSettings
  /// Slots and items: what sources fill.
  public var content: SectionContent

  /// A section.
  public init(id: String, settings: SectionSettings, content: SectionContent = SectionContent()) {
    self.id = id
    self.settings = settings
    self.content = content
  }
}

/// What operators decide of a section.
public struct SectionSettings: Hashable, Sendable {
  /// The name of the section kind.
  public var kind: String
  /// What operators call the section.
  public var title: String?
  /// Members laid over the kind's own layout, as entered: values may differ by locale (S1.6).
  public var layout: JSONObject
  /// What stands above the items.
  public var header: ItemDefinition?
  /// What stands below the items.
  public var footer: ItemDefinition?
  /// Whether an operator took the section off the page, content kept (S2.3, S2.4).
  public var isHidden: Bool
  /// Who sees it; everyone when absent.
  public var audience: Predicate?
  /// When it shows; always when absent.
  public var schedule: Schedule?
  /// How the items are sorted; as they were put when absent (S4.4).
  public var itemOrder: ItemOrder?
  /// Lists that share the section, by tabs above the items; none, or two at least.
  public var lists: [ListDefinition] = []
  /// How the items come to clients.
  public var loading = SectionLoading()

  /// A section's settings.
  public init(
    kind: String, title: String? = nil, layout: JSONObject = JSONObject(), header: ItemDefinition? = nil,
    footer: ItemDefinition? = nil, isHidden: Bool = false, audience: Predicate? = nil, schedule: Schedule? = nil,
    itemOrder: ItemOrder? = nil
  ) {
    self.kind = kind
    self.title = title
    self.layout = layout
    self.header = header
    self.footer = footer
    self.isHidden = isHidden
    self.audience = audience
    self.schedule = schedule
    self.itemOrder = itemOrder
  }
}

/// How a section's items are sorted when the page is assembled.
public struct ItemOrder: Hashable, Sendable {
  /// A JSON Pointer to the member of an item's content to sort by: `/date`.
  public var pointer: JSONPointer
  /// Whether the greatest comes first.
  public var isDescending: Bool

  /// An order.
  public init(pointer: JSONPointer, isDescending: Bool) {
    self.pointer = pointer
    self.isDescending = isDescending
  }
}
