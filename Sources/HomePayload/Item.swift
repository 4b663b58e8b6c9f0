public import JSON

/// One cell: display-ready content of an item kind, an optional action, optional children (S4.3, S5.1).
public struct Item: Hashable, Sendable {
  /// The item's id, unique in its section, at any depth.
  public var id: String
  /// The name of the item kind, whose schema the content obeys.
  public var kind: String
  /// The ids of the section's lists that it is in; all of them when empty.
  public var lists: [String]
  /// What the cell shows.
  public var content: JSONObject
  /// Width divided by height, when the size can be computed before the cell exists (S3.5).
  public var aspect: JSONNumber?
  /// Space around the cell, in points, within the room that the layout gives it.
  public var inset: SectionLayout.Inset?
  /// What a tap does.
  public var action: Action?
  /// What it offers beside that, by a swipe or in a menu.
  public var actions: [ItemAction]
  /// What assistive technologies are told of it.
  public var accessibility: Accessibility?
  /// Whether the children show at first; absent where there are none (S5.2).
  public var expanded: Bool?
  /// The items below this one in an outline (S5.1).
  public var children: [Item]

  /// An item.
  public init(
    id: String, kind: String, lists: [String] = [], content: JSONObject = JSONObject(), aspect: JSONNumber? = nil,
    inset: SectionLayout.Inset? = nil, action: Action? = nil, actions: [ItemAction] = [],
    accessibility: Accessibility? = nil, expanded: Bool? = nil, children: [Item] = []
  ) {
    self.id = id
    self.kind = kind
    self.lists = lists
    self.content = content
    self.aspect = aspect
    self.inset = inset
    self.action = action
    self.actions = actions
    self.accessibility = accessibility
    self.expanded = expanded
    self.children = children
  }
}

extension Item: DescribedElement {
  static var blank: Item { Item(id: "", kind: "") }

  static func describe(_ member: inout some MemberWalk<Item>) {
    member("id", \.id, .apart)
    member("kind", \.kind)
    member("lists", \.lists)
    member("content", \.content, .filled)
    member("aspect", \.aspect)
    member("inset", \.inset)
    member("action", \.action)
    member("actions", \.actions)
    member("accessibility", \.accessibility)
    member("expanded", \.expanded)
    member("children", \.children, .apart)
  }

  var nested: [Item] {
    get { children }
    set { children = newValue }
  }
  static var elementName: StaticString { "item" }
  static var nestedName: StaticString { "children" }

  /// Whether two items are written the same.
  public static func == (left: Item, right: Item) -> Bool { left.isSame(as: right) }
}
