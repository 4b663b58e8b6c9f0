/// An object's members, sorted by name in UTF-8 order, each name once.
public struct JSONObject: Hashable, Sendable {
  /// One name and its value.
  public struct Member: Hashable, Sendable {
    /// The member's name.
    public let name: String
    /// The member's value.
    public var value: JSON

    /// Makes a member of a name and its value.
    public init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }

    /// Whether name and value are the same, names by their code points.
    public static func == (left: Member, right: Member) -> Bool {
      JSON.isSame(left.name, right.name) && left.value == right.value
    }

    /// Hashes the name by its code points, and the value.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(ExactString(name))
      hasher.combine(value)
    }
  }

  /// The members in ascending order of their names.
  public private(set) var members: [Member]

  /// An object without members.
  public init() { members = [] }

  /// An object of pairs; the last of equal names wins.
  public init(_ pairs: some Sequence<(String, JSON)>) {
    self.init(sorting: pairs.map { Member($0.0, $0.1) })
  }

  /// An object of a dictionary's pairs, whose names are told apart as Swift does: only for names that are ASCII.
  public init(_ dictionary: [String: JSON]) {
    self.init(sorting: dictionary.map { Member($0.key, $0.value) })
  }

  private init(sorting unsorted: [Member]) {
    members = []
    members.reserveCapacity(unsorted.count)
    for member in Self.order(of: unsorted).map({ unsorted[$0] }) {
      if let last = members.last, JSON.isSame(last.name, member.name) { members.removeLast() }
      members.append(member)
    }
  }

  /// The members already sorted by the parser, each name once.
  init(sorted members: [Member]) { self.members = members }

  /// The places of members in ascending order of their names; of equal names, in that of their places.
  static func order(of members: [Member]) -> [Int] {
    members.indices.sorted { (ExactString(members[$0].name), $0) < (ExactString(members[$1].name), $1) }
  }

  /// Whether a name comes before another: by UTF-8 code units, so that the order depends on no Unicode version.
  static func precedes(_ left: String, _ right: String) -> Bool { left.utf8.lexicographicallyPrecedes(right.utf8) }

  /// The number of members.
  public var count: Int { members.count }
  /// Whether there are no members.
  public var isEmpty: Bool { members.isEmpty }
  /// The names in ascending order.
  public var names: [String] { members.map(\.name) }

  /// The value of a member; setting `nil` removes the member.
  public subscript(name: String) -> JSON? {
    get {
      // Among few, most names differ in length already.
      if members.count <= Self.fewMax { return members.first { JSON.isSame($0.name, name) }?.value }
      let at = position(of: name)
      return at < members.count && JSON.isSame(members[at].name, name) ? members[at].value : nil
    }
    set {
      let at = position(of: name)
      let isThere = at < members.count && JSON.isSame(members[at].name, name)
      switch (newValue, isThere) {
      case (let value?, true): members[at].value = value
      case (let value?, false): members.insert(Member(name, value), at: at)
      case (nil, true): members.remove(at: at)
      case (nil, false): break
      }
    }
  }

  /// Up to so many members are looked through one by one.
  private static let fewMax = 16

  private func position(of name: String) -> Int { members.endOfPrefix { Self.precedes($0.name, name) } }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object; the last of equal names wins.
  public init(dictionaryLiteral elements: (String, JSON)...) { self.init(elements) }
}

extension JSONObject: Sequence {
  /// Walks the members in ascending order of their names.
  public func makeIterator() -> IndexingIterator<[Member]> { members.makeIterator() }
}
