public import HomePayload
public import JSON

/// An action that an item offers beside its tap, as it was put.
public struct ItemActionDefinition: Hashable, Sendable {
  /// What it is called, as entered: a text, or a map from locale to text.
  public var title: JSON
  /// What it does.
  public var action: Action
  /// The side of the cell that it stands at; the trailing one when absent.
  public var edge: ItemAction.Edge?
  /// What it is like.
  public var role: ItemAction.Role?

  /// The most that an item may offer.
  static let countMax = 8
  /// How many of one side a row has room for.
  static let shownMax = 3
  /// The most bytes a title may have in a language.
  static let titleBytesMax = 200

  /// An action that an item offers.
  public init(title: JSON, action: Action, edge: ItemAction.Edge? = nil, role: ItemAction.Role? = nil) {
    self.title = title
    self.action = action
    self.edge = edge
    self.role = role
  }
}

extension ItemActionDefinition {
  /// An action as documents write it.
  init?(_ json: JSON, at pointer: JSONPointer, in context: DefinitionContext, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let title = reader.required("title") == nil ? nil : reader.localizedText("title", bytesMax: Self.titleBytesMax)
    let action = reader.required("action").flatMap {
      Action($0, at: reader.place(of: "action"), in: context, collector)
    }
    let edge: ItemAction.Edge? = reader.word("edge")
    let role: ItemAction.Role? = reader.word("role")
    reader.refuseOthers()
    guard let title, let action else { return nil }
    self.init(title: title, action: action, edge: edge, role: role)
  }
}

extension ObjectReader {
  /// What an item offers beside its tap. Who hears the titles alone tells them apart by these.
  mutating func itemActions(in context: DefinitionContext) -> [ItemActionDefinition] {
    let collector = collector
    var known: [JSON] = []
    return list("actions", atMost: ItemActionDefinition.countMax) { json, place in
      guard let action = ItemActionDefinition(json, at: place, in: context, collector) else { return nil }
      if known.contains(where: { ItemActionDefinition.isSame($0, action.title) }) {
        collector.add(place.appending("title"), .uniqueItems, "is the title of another one")
      }
      known.append(action.title)
      return action
    }
  }
}

extension ItemActionDefinition {
  /// Whether two titles are one in some language; a plain text is one in all.
  fileprivate static func isSame(_ left: JSON, _ right: JSON) -> Bool {
    let (left, right) = (left.object ?? ["*": left], right.object ?? ["*": right])
    return left.contains { $0.value == right[$0.name] || $0.value == right["*"] }
      || right.contains { $0.value == left["*"] }
  }
}

extension ItemAction {
  /// The action for a locale; `nil` where its title has no text.
  init?(_ definition: ItemActionDefinition, for locale: Locale, default fallback: Locale) {
    guard let title = LocaleLookup.text(definition.title, for: locale, default: fallback) else { return nil }
    self.init(title: title, action: definition.action, edge: definition.edge, role: definition.role)
  }
}
