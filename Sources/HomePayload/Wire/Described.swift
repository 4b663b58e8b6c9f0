/// An object on the wire, described by its members: each once, in the order of the canonical form.
///
/// Writing, reading, comparing, finding what changed and changing are walks over that one description. The optimiser
/// follows the key paths, which stand where they are used, so that a walk costs what code by hand would.
protocol Described: WireValue, Hashable {
  /// What reading fills.
  static var blank: Self { get }
  /// Shows every member to a walk.
  static func describe(_ member: inout some MemberWalk<Self>)
  /// Refuses values that have the right types and make no sense, such as a position below 0.
  func check() throws(PayloadError)
  /// Whether what was read has a form that this version knows; a newer server may send others.
  var isKnown: Bool { get }
}

extension Described {
  func check() throws(PayloadError) {}
  var isKnown: Bool { true }
}

/// Visits the members of an object.
protocol MemberWalk<Root> {
  associatedtype Root
  /// Visits one member. It must be there unless its type can say that there is nothing, as an optional does: then it is
  /// left out.
  mutating func callAsFunction<Value: WireValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ traits: MemberTraits)
}

extension MemberWalk {
  @inline(__always)
  mutating func callAsFunction<Value: WireValue>(_ name: StaticString, _ path: WritableKeyPath<Root, Value>) {
    self(name, path, [])
  }
}

/// What is particular about a member.
struct MemberTraits: OptionSet {
  let rawValue: Int
  /// It is written even when there is nothing to say.
  static let filled = MemberTraits(rawValue: 1)
  /// Change sets tell of it otherwise than by `set` and `unset`: an identity, or the object's own list.
  static let apart = MemberTraits(rawValue: 2)
}
