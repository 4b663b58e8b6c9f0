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
    let (set, unset) = old.changes(to: new)
    return ChangeSet(
      page: new.id, from: old.version, to: new.version, set: set, unset: unset,
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
}

/// An element with its own list.
protocol DescribedElement: ListElement, Described {
  /// The element's own list: a section's items, an item's children.
  var nested: [Item] { get set }
  /// The name of an element in an insert: `section`, `item`.
  static var elementName: StaticString { get }
  /// The name of the own list: `items`, `children`.
  static var nestedName: StaticString { get }
}
