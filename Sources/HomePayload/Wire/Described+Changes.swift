import JSON

extension Described {
  func isSame(as other: Self) -> Bool {
    var comparison = MemberComparison(self, other, besides: [])
    Self.describe(&comparison)
    return comparison.isSame
  }

  /// Whether every member is the same that change sets tell of by `set` and `unset`.
  func hasSameMembers(as other: Self) -> Bool {
    var comparison = MemberComparison(self, other, besides: .apart)
    Self.describe(&comparison)
    return comparison.isSame
  }

  /// The members that another state has and this one has not, or otherwise, and those that it has no more.
  func changes(to new: Self) -> (set: JSONObject, unset: [String]) {
    var changes = MemberChanges(self, new)
    Self.describe(&changes)
    return (changes.set, changes.unset.sorted())
  }
}

/// Compares two objects until a member differs.
private struct MemberComparison<Root>: MemberWalk {
  private(set) var isSame = true
  private let left: Root
  private let right: Root
  private let besides: MemberTraits

  init(_ left: Root, _ right: Root, besides: MemberTraits) {
    self.left = left
    self.right = right
    self.besides = besides
  }

  @inline(__always)
  mutating func callAsFunction<Value: WireValue>(
    _: StaticString, _ path: WritableKeyPath<Root, Value>, _ traits: MemberTraits
  ) {
    guard isSame, traits.isDisjoint(with: besides) else { return }
    isSame = left[keyPath: path].isSame(as: right[keyPath: path])
  }
}

/// Finds the members that differ.
private struct MemberChanges<Root>: MemberWalk {
  private(set) var set = JSONObject()
  private(set) var unset: [String] = []
  private let old: Root
  private let new: Root

  init(_ old: Root, _ new: Root) {
    self.old = old
    self.new = new
  }

  mutating func callAsFunction<Value: WireValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ traits: MemberTraits
  ) {
    let value = new[keyPath: path]
    guard !traits.contains(.apart), !old[keyPath: path].isSame(as: value) else { return }
    if value.isAbsent, !traits.contains(.filled) {
      unset.append(name.description)
    } else {
      set[name.description] = value.json
    }
  }
}

extension WireValue {
  /// The value as on the wire.
  fileprivate var json: JSON {
    var bytes: [UInt8] = []
    append(to: &bytes)
    // What was just written is strict JSON, at most as deep as it was when it was read.
    return (try? JSON.parse(bytes, depthMax: .max)) ?? .null
  }
}
