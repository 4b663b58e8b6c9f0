import JSON

extension Described {
  func isSame(as other: Self) -> Bool {
    var comparison = MemberComparison(left: self, right: other, besides: [])
    Self.describe(&comparison)
    return comparison.isSame
  }

  /// Whether every member is the same that change sets tell of by `set` and `unset`.
  func hasSameMembers(as other: Self) -> Bool {
    var comparison = MemberComparison(left: self, right: other, besides: .apart)
    Self.describe(&comparison)
    return comparison.isSame
  }

  /// The members that another state has and this one has not, or otherwise, and those that it has no more.
  func changes(to new: Self) -> (set: JSONObject, unset: [String]) {
    var changes = MemberChanges(old: self, new: new)
    Self.describe(&changes)
    return (changes.set, changes.unset.sorted())
  }
}

/// Compares two objects until a member differs.
private struct MemberComparison<Root>: MemberWalk {
  let left: Root
  let right: Root
  let besides: MemberTraits
  private(set) var isSame = true

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
  let old: Root
  let new: Root
  private(set) var set = JSONObject()
  private(set) var unset: [String] = []

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
