import JSON

// What a section says of items that do not stand in the page.

extension Section {
  /// How a section's items come, when not with the page.
  public enum Load: String, Hashable, Sendable, CaseIterable {
    /// By ``Section/more``, once the section is about to be seen.
    case lazy
    /// From ``Section/source``, which the app asks for its user; the items of the page are what to show instead.
    case client
  }

  /// Where the app gets what is its user's of a section.
  public struct Source: Hashable, Sendable {
    /// What the app asks; how it asks, and what it is answered, is between the two.
    public var url: String
    /// What it gets there beside the items of a section with ``Load/client``: `header`, `slots`, `footer`; those of the page
    /// are what to show instead. A newer server may name others.
    public var fills: [String]

    /// A source.
    public init(url: String, fills: [String] = []) {
      self.url = url
      self.fills = fills
    }
  }

  /// One of several lists that share a section: a tab above the items chooses it.
  public struct NamedList: Hashable, Sendable {
    /// The list's id, unique in the section: items name it.
    public var id: String
    /// What the tab says.
    public var title: String

    /// A list.
    public init(id: String, title: String) {
      self.id = id
      self.title = title
    }
  }

  /// The items of the list that are not here yet.
  public struct More: Hashable, Sendable {
    /// The path and query that answer the next ones, as ``ItemsPart``, at the server of the page.
    public var href: String
    /// How many items are not here.
    public var count: Int
    /// The hash of the section's whole list for this client: the items of other lists do not belong here.
    public var of: String

    /// What more there is.
    public init(href: String, count: Int, of list: String) {
      self.href = href
      self.count = count
      of = list
    }
  }
}

/// Some items of a section's list, which follow those before them.
public struct ItemsPart: Hashable, Sendable {
  /// The items.
  public var items: [Item]
  /// The hash of the whole list that they are of.
  public var of: String
  /// What follows; `nil` at the end of the list.
  public var more: Section.More?

  /// A part.
  public init(items: [Item], of list: String, more: Section.More? = nil) {
    self.items = items
    of = list
    self.more = more
  }

  /// A part of its bytes on the wire.
  ///
  /// - Throws: ``PayloadError`` for what is not strict JSON, or no part of a list.
  public init(bytes: [UInt8]) throws(PayloadError) { self = try ItemsPart.required(JSON.reading(bytes)) }

  /// The canonical bytes: what the link of ``Section/more`` answers.
  public var canonicalBytes: [UInt8] { wireBytes }
}

extension ItemsPart: Described {
  static var blank: ItemsPart { ItemsPart(items: [], of: "") }

  static func describe(_ member: inout some MemberWalk<ItemsPart>) {
    member("items", \.items, .filled)
    member("of", \.of)
    member("more", \.more)
  }
}

extension Section.NamedList: Described {
  static var blank: Self { Self(id: "", title: "") }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("id", \.id)
    member("title", \.title)
  }

  /// Whether two lists are written the same.
  public static func == (left: Self, right: Self) -> Bool { left.isSame(as: right) }
}

extension Section {
  /// The list that shows: the chosen one, or the first where nobody chose or the choice is gone; `nil` without lists.
  public func list(choosing choice: String?) -> NamedList? { lists.first { $0.id == choice } ?? lists.first }

  /// The section with the items of one list alone: of the chosen one, or of the first.
  public func showing(_ choice: String?) -> Section {
    guard let list = list(choosing: choice) else { return self }
    var section = self
    section.items.removeAll { !$0.lists.isEmpty && !$0.lists.contains(list.id) }
    return section
  }
}

extension Section {
  /// The tabs that choose one of the lists, as items of the kind `/tabs` for what draws items: each has the list's `title` and
  /// the id of its `section`, and the trait `selected` where its list shows.
  public func tabs(choosing choice: String?) -> [Item] {
    let shown = list(choosing: choice)?.id
    return lists.map { list in
      Item(
        id: list.id, kind: "/tabs", content: ["title": .string(list.title), "section": .string(id)],
        accessibility: Accessibility(label: list.title, traits: list.id == shown ? ["button", "selected"] : ["button"]))
    }
  }
}

extension Section {
  /// The section with what the app brings for its user in the place of what the page shows instead. Slots that it does not
  /// bring stay.
  public func filled(
    header: Item? = nil, items: [Item]? = nil, slots: [String: Item] = [:], footer: Item? = nil
  ) -> Section {
    var section = self
    section.header = header ?? section.header
    section.items = items ?? section.items
    section.slots.merge(slots) { $1 }
    section.footer = footer ?? section.footer
    return section
  }
}

extension Section.More: Described {
  static var blank: Self { Self(href: "", count: 0, of: "") }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("href", \.href)
    member("count", \.count)
    member("of", \.of)
  }

  func check() throws(PayloadError) {
    if count < 0 { throw PayloadError("/count", "must be a number of items") }
  }
}

extension Section.Source: Described {
  static var blank: Self { Self(url: "") }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("url", \.url)
    member("fills", \.fills)
  }
}

/// Of a way that a newer server knows, this app knows nothing: it shows what stands in the page.
extension Section.Load: WireValue {}

extension Item {
  /// The canonical bytes, as they stand in the page.
  public var canonicalBytes: [UInt8] { wireBytes }

  /// Appends the canonical bytes.
  package func appendCanonicalBytes(to bytes: inout [UInt8]) { append(to: &bytes) }
}

extension Section {
  /// A section of its bytes on the wire.
  ///
  /// - Throws: ``PayloadError`` for what is not strict JSON, or no section.
  public init(bytes: [UInt8]) throws(PayloadError) { self = try Section.required(JSON.reading(bytes)) }
}
