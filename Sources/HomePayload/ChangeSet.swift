public import JSON

/// What turns one state of a page into another: smaller than the page, and ready for a collection view's batch update.
public struct ChangeSet: Hashable, Sendable {
  /// The page's id.
  public var page: String
  /// The version that it applies to.
  public var from: String
  /// The version that it leads to.
  public var to: String
  /// The page's members that changed, without its version and sections.
  public var set: JSONObject
  /// The page's members that went.
  public var unset: [String]
  /// What changed in the list of sections.
  public var sections: ListChanges<Section>

  /// A change set.
  public init(
    page: String, from: String, to: String, set: JSONObject = JSONObject(), unset: [String] = [],
    sections: ListChanges<Section> = ListChanges()
  ) {
    self.page = page
    self.from = from
    self.to = to
    self.set = set
    self.unset = unset
    self.sections = sections
  }

  /// What changed between two states of one page: deletes, inserts, updates and the fewest possible moves.
  public static func changes(from old: Page, to new: Page) -> ChangeSet {
    let members = MemberChanges(from: old.ownMembers, to: new.ownMembers)
    return ChangeSet(
      page: new.id, from: old.version, to: new.version, set: members.set, unset: members.unset,
      sections: ListChanges(from: old.sections, to: new.sections))
  }
}

/// What changed in a list, in the terms of a collection view's batch update.
///
/// `deletes`, `updates` and the `from` of `moves` are positions in the old list; `inserts` and the `to` of `moves` are
/// positions in the new one. An element may move and be updated at once.
public struct ListChanges<Element: ListElement>: Hashable, Sendable {
  /// A new element and its position in the new list.
  public struct Insert: Hashable, Sendable {
    /// The position in the new list.
    public var at: Int
    /// The element.
    public var element: Element

    /// An insert.
    public init(at: Int, element: Element) {
      self.at = at
      self.element = element
    }
  }

  /// An element that changes places with its neighbours.
  public struct Move: Hashable, Sendable {
    /// The position in the old list.
    public var from: Int
    /// The position in the new list.
    public var to: Int

    /// A move.
    public init(from: Int, to: Int) {
      self.from = from
      self.to = to
    }
  }

  /// An element that changed.
  public struct Update: Hashable, Sendable {
    /// The position in the old list.
    public var at: Int
    /// The members that changed.
    public var set: JSONObject
    /// The members that went.
    public var unset: [String]
    /// What changed in the element's own list: a section's items, an item's children.
    public var nested: ListChanges<Item>?

    /// An update.
    public init(at: Int, set: JSONObject = JSONObject(), unset: [String] = [], nested: ListChanges<Item>? = nil) {
      self.at = at
      self.set = set
      self.unset = unset
      self.nested = nested
    }
  }

  /// Positions in the old list, ascending.
  public var deletes: [Int]
  /// In ascending order of their positions.
  public var inserts: [Insert]
  /// In ascending order of where they go.
  public var moves: [Move]
  /// In ascending order of their positions.
  public var updates: [Update]

  /// Changes.
  public init(deletes: [Int] = [], inserts: [Insert] = [], moves: [Move] = [], updates: [Update] = []) {
    self.deletes = deletes
    self.inserts = inserts
    self.moves = moves
    self.updates = updates
  }

  /// Whether nothing changed.
  public var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty && updates.isEmpty }
}

/// An element of a list that changes element by element: a section, an item.
public protocol ListElement: Hashable, Sendable {
  /// Its id, the same in every state of the list.
  var id: String { get }
  /// The element's own list: a section's items, an item's children.
  var nested: [Item] { get }
  /// Every member but the id and the own list, as on the wire.
  var ownMembers: JSONObject { get }
  /// Whether every member but the id and the own list is the same.
  func hasSameMembers(as other: Self) -> Bool
  /// The name of an element in an insert: `section`, `item`.
  static var insertName: StaticString { get }
  /// The name of the own list: `items`, `children`.
  static var nestedName: StaticString { get }
  /// Appends the canonical bytes.
  func append(to bytes: inout [UInt8])
  /// An element of its members on the wire.
  init(json: JSON) throws(PayloadError)
  /// The element with another list of its own.
  func with(_ nested: [Item]) -> Self
}

extension Section: ListElement {
  /// The items.
  public var nested: [Item] { items }
  /// Every member but `id` and `items`.
  public var ownMembers: JSONObject {
    var bare = self
    bare.items = []
    return bare.members(without: ["id"])
  }
  /// Whether every member but `id` and `items` is the same.
  public func hasSameMembers(as other: Section) -> Bool {
    JSON.isSame(kind, other.kind) && index == other.index && header == other.header && layout == other.layout
      && slots == other.slots && footer == other.footer
  }
  /// `section`.
  public static var insertName: StaticString { "section" }
  /// `items`.
  public static var nestedName: StaticString { "items" }
}

extension Item: ListElement {
  /// The children.
  public var nested: [Item] { children }
  /// Every member but `id` and `children`.
  public var ownMembers: JSONObject {
    var bare = self
    bare.children = []
    return bare.members(without: ["id"])
  }
  /// Whether every member but `id` and `children` is the same.
  public func hasSameMembers(as other: Item) -> Bool {
    JSON.isSame(kind, other.kind) && content == other.content && aspect == other.aspect && action == other.action
      && expanded == other.expanded
  }
  /// `item`.
  public static var insertName: StaticString { "item" }
  /// `children`.
  public static var nestedName: StaticString { "children" }
}

extension Page {
  /// Every member but `page`, `version` and `sections`.
  var ownMembers: JSONObject {
    var bare = self
    bare.sections = []
    return bare.members(without: ["page", "version", "sections"])
  }
}

extension CanonicallyEncoded {
  /// The members as on the wire.
  fileprivate func members(without names: [String]) -> JSONObject {
    var bytes: [UInt8] = []
    append(to: &bytes)
    // What was just written is strict JSON, at most as deep as it was when it was read.
    var object = (try? JSON.parse(bytes, depthMax: .max))?.object ?? JSONObject()
    for name in names { object[name] = nil }
    return object
  }
}

/// The members that differ between two objects.
struct MemberChanges {
  private(set) var set = JSONObject()
  private(set) var unset: [String] = []

  init(from old: JSONObject, to new: JSONObject) {
    for member in new where old[member.name] != member.value { set[member.name] = member.value }
    unset = old.names.filter { new[$0] == nil }
  }
}
