/// What every generated Swift file holds, whatever the kinds are.
enum SwiftSupport {
  /// The page, within the namespace.
  static let page = #"""
    /// A page whose sections and items have types.
    public struct Page: Hashable, Sendable, Identifiable {
      /// What crosses the wire beside the members below.
      public var rest: HomePayload.Page
      /// The sections, in the order to draw them.
      public var sections: [Section]
      /// What to show instead when there are no sections.
      public var emptyState: Item?
      /// What was left out because it does not have the shape of its kind: each with its place and what is wrong.
      public let dropped: [PayloadError]

      /// The page's id: `home`.
      public var id: String { rest.id }

      /// The types of a page; an item without the shape of its kind is left out, and named in `dropped`.
      public init(_ page: HomePayload.Page) {
        var dropped: [PayloadError] = []
        sections = page.sections.enumerated().map { Section($1, at: "/sections/\($0)", &dropped) }
        emptyState = Item(one: page.emptyState, at: "/emptyState", &dropped)
        rest = page
        rest.sections = []
        rest.emptyState = nil
        self.dropped = dropped
      }

      /// The page as it crosses the wire.
      public var page: HomePayload.Page {
        var page = rest
        page.sections = sections.map(\.section)
        page.emptyState = emptyState?.item
        return page
      }
    }

    /// What an item shows.
    public protocol Content: Hashable, Sendable {
      /// Reads it.
      ///
      /// - Throws: ``PayloadError`` when it does not have this shape.
      init(json: JSON) throws
      /// As it crosses the wire.
      var json: JSON { get }
    }

    /// A member whose type holds members of the same type.
    @propertyWrapper public struct Indirect<Wrapped: Hashable & Sendable>: Hashable, Sendable {
      private indirect enum Storage: Hashable, Sendable { case value(Wrapped) }
      private var storage: Storage

      /// The value.
      public var wrappedValue: Wrapped {
        get { switch storage { case .value(let value): value } }
        set { storage = .value(newValue) }
      }

      /// A value.
      public init(wrappedValue: Wrapped) { storage = .value(wrappedValue) }
    }
    """#

  /// Items, within the namespace.
  static let items = #"""

    /// An item of one kind; the members of its content are its own: `item.title`.
    @dynamicMemberLookup public struct ItemOf<Shown: Content>: Hashable, Sendable, Identifiable {
      /// What crosses the wire beside the members below.
      public var rest: HomePayload.Item
      /// What the cell shows.
      public var content: Shown
      /// The items below this one in an outline.
      public var children: [Item]

      /// The item's id, unique in its section.
      public var id: String { rest.id }
      /// What a tap does.
      public var action: Action? { rest.action }
      /// What it offers beside that, by a swipe or in a menu.
      public var actions: [ItemAction] { rest.actions }
      /// The ids of the section's lists that it is in; empty for all of them.
      public var lists: [String] { rest.lists }
      /// Width divided by height, when the size can be computed before the cell exists.
      public var aspect: JSONNumber? { rest.aspect }
      /// Whether the children show at first.
      public var expanded: Bool? { rest.expanded }

      /// A member of the content.
      public subscript<Member>(dynamicMember path: KeyPath<Shown, Member>) -> Member { content[keyPath: path] }

      /// An item; its content and children are those given.
      public init(_ item: HomePayload.Item, content: Shown, children: [Item] = []) {
        rest = item
        rest.content = JSONObject()
        rest.children = []
        self.content = content
        self.children = children
      }

      /// The item as it crosses the wire.
      public var item: HomePayload.Item {
        var item = rest
        item.content = content.json.object ?? JSONObject()
        item.children = children.map(\.item)
        return item
      }

      fileprivate init?(_ item: HomePayload.Item, at place: String, _ dropped: inout [PayloadError]) {
        do {
          let content = try Shown(json: .object(item.content))
          self.init(
            item, content: content, children: Item.all(item.children, at: place + "/children", &dropped))
        } catch {
          dropped.append(below(place + "/content", error))
          return nil
        }
      }
    }
    """#

  /// What reads values, below the namespace.
  static func reading(_ name: String) -> String {
    #"""

    extension NAME.Item {
      fileprivate init?(one item: HomePayload.Item?, at place: String, _ dropped: inout [PayloadError]) {
        guard let item else { return nil }
        self.init(item, at: place, &dropped)
      }

      /// Reads a slot and takes it from what it is in.
      fileprivate init?(
        taking slot: String, from section: inout HomePayload.Section, at place: String, _ dropped: inout [PayloadError]
      ) {
        self.init(one: section.slots.removeValue(forKey: slot), at: place + "/slots/" + slot, &dropped)
      }

      fileprivate static func all(
        _ items: [HomePayload.Item], at place: String, _ dropped: inout [PayloadError]
      ) -> [NAME.Item] {
        var all: [NAME.Item] = []
        for (position, item) in items.enumerated() {
          if let item = NAME.Item(item, at: "\(place)/\(position)", &dropped) { all.append(item) }
        }
        return all
      }
    }

    /// What a member may be.
    private protocol NAMEValue: Hashable, Sendable {
      init(json: JSON) throws
      var json: JSON { get }
    }

    /// An error as seen from further up.
    private func below(_ place: String, _ error: any Error) -> PayloadError {
      guard let error = error as? PayloadError else { return PayloadError(place, "\(error)") }
      return PayloadError(place + error.pointer, error.detail)
    }

    private func known<Value>(_ value: Value?, _ expected: String) throws -> Value {
      guard let value else { throw PayloadError("", "must be \(expected)") }
      return value
    }

    /// Reads the members of an object; those that nobody asks for are unknown.
    private struct NAMEReader {
      private(set) var unknown: JSONObject

      init(_ json: JSON) throws { unknown = try known(json.object, "an object") }

      mutating func required<Value: NAMEValue>(_ name: String) throws -> Value {
        guard let json = unknown[name] else { throw PayloadError(Self.place(name), "is required") }
        return try read(name, json)
      }

      mutating func optional<Value: NAMEValue>(keepingNull: Bool = false, _ name: String) throws -> Value? {
        guard let json = unknown[name], !keepingNull || json != .null else { return nil }
        return try read(name, json) as Value
      }

      private mutating func read<Value: NAMEValue>(_ name: String, _ json: JSON) throws -> Value {
        do {
          let value = try Value(json: json)
          unknown[name] = nil
          return value
        } catch { throw below(Self.place(name), error) }
      }

      static func place(_ name: String) -> String { JSONPointer([name]).description }
    }

    extension JSON: NAMEValue {
      fileprivate init(json: JSON) { self = json }
      fileprivate var json: JSON { self }
    }

    extension JSONObject: NAMEValue {
      fileprivate init(json: JSON) throws { self = try known(json.object, "an object") }
      fileprivate var json: JSON { .object(self) }
    }

    extension JSONNumber: NAMEValue {
      fileprivate init(json: JSON) throws { self = try known(json.number, "a number") }
      fileprivate var json: JSON { .number(self) }
    }

    extension String: NAMEValue {
      fileprivate init(json: JSON) throws { self = try known(json.string, "a string") }
      fileprivate var json: JSON { .string(self) }
    }

    extension Bool: NAMEValue {
      fileprivate init(json: JSON) throws { self = try known(json.bool, "true or false") }
      fileprivate var json: JSON { .bool(self) }
    }

    extension Int: NAMEValue {
      fileprivate init(json: JSON) throws { self = try known(json.int, "a whole number that fits") }
      fileprivate var json: JSON { .number(JSONNumber(self)) }
    }

    extension Int64: NAMEValue {
      fileprivate init(json: JSON) throws {
        self = try known(json.number.flatMap { $0.isInteger ? Int64($0.text) : nil }, "a whole number that fits")
      }
      fileprivate var json: JSON { JSONNumber(text: "\(self)").map { .number($0) } ?? .null }
    }

    extension Optional: NAMEValue where Wrapped: NAMEValue {
      fileprivate init(json: JSON) throws { self = json == .null ? nil : try Wrapped(json: json) }
      fileprivate var json: JSON { self?.json ?? .null }
    }

    extension Array: NAMEValue where Element: NAMEValue {
      fileprivate init(json: JSON) throws {
        self = []
        for (position, json) in try known(json.array, "an array").enumerated() {
          do { append(try Element(json: json)) } catch { throw below("/\(position)", error) }
        }
      }
      fileprivate var json: JSON { .array(map(\.json)) }
    }

    extension Dictionary: NAMEValue where Key == String, Value: NAMEValue {
      fileprivate init(json: JSON) throws {
        self = [:]
        for member in try known(json.object, "an object") {
          do {
            // To Swift two spellings of one accented letter are the same; to JSON they are two names.
            guard self[member.name] == nil else { throw PayloadError("", "is there in another spelling as well") }
            self[member.name] = try Value(json: member.value)
          } catch { throw below(NAMEReader.place(member.name), error) }
        }
      }
      fileprivate var json: JSON { .object(JSONObject(mapValues(\.json))) }
    }
    """#.replacing("NAME", with: name)
  }
}
