public import JSON

extension ChangeSet: Described {
  static var blank: ChangeSet { ChangeSet(page: "", from: "", to: "") }

  static func describe(_ member: inout some MemberWalk<ChangeSet>) {
    member("page", \.page)
    member("from", \.from)
    member("to", \.to)
    member("set", \.set)
    member("unset", \.unset)
    member("sections", \.sections)
  }

  /// A change set of its JSON on the wire.
  ///
  /// - Throws: ``PayloadError`` for what no server of this contract sends.
  public init(json: JSON) throws(PayloadError) { self = try ChangeSet.required(json) }

  /// The deepest nesting that is read. A list's changes nest deeper than the list, by one level for each level of
  /// children and two for what is inserted, so that a page as deep as JSON may be still has a change set.
  private static let depthMax = 2 * JSON.depthMax

  /// A change set of its bytes on the wire.
  ///
  /// - Throws: ``PayloadError`` for what is not strict JSON, or no change set.
  public init(bytes: [UInt8]) throws(PayloadError) {
    try self.init(json: JSON.reading(bytes, depthMax: Self.depthMax))
  }

  /// The canonical bytes: what a 226 answers.
  public var canonicalBytes: [UInt8] { wireBytes }
}

extension ListChanges: WireValue, Described where Element: DescribedElement {
  static var blank: ListChanges { ListChanges() }
  static var absent: ListChanges? { ListChanges() }
  var isAbsent: Bool { isEmpty }

  static func describe(_ member: inout some MemberWalk<ListChanges>) {
    member("deletes", \.deletes)
    member("inserts", \.inserts)
    member("moves", \.moves)
    member("updates", \.updates)
  }

  func check() throws(PayloadError) {
    let positions = deletes + inserts.map(\.at) + moves.flatMap { [$0.from, $0.to] } + updates.map(\.at)
    guard positions.allSatisfy({ $0 >= 0 }) else { throw PayloadError("", "must name positions") }
  }
}

extension ListChanges.Insert: WireValue, Described where Element: DescribedElement {
  static var blank: Self { Self(at: 0, element: .blank) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("at", \.at)
    member(Element.elementName, \.element)
  }
}

extension ListChanges.Move: WireValue, Described where Element: DescribedElement {
  static var blank: Self { Self(from: 0, to: 0) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("from", \.from)
    member("to", \.to)
  }
}

extension ListChanges.Update: WireValue, Described where Element: DescribedElement {
  static var blank: Self { Self(at: 0) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("at", \.at)
    member("set", \.set)
    member("unset", \.unset)
    member(Element.nestedName, \.nested)
  }
}
