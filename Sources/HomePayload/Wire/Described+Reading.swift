import JSON

extension Described {
  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    var reader = MemberReader(root: blank, object: try json.require(json.object, "an object"), unset: nil)
    describe(&reader)
    if let failure = reader.failure { throw failure }
    try reader.root.check()
    return reader.isKnown && reader.root.isKnown ? reader.root : nil
  }

  /// Reads what no server sends in an unknown form.
  static func required(_ json: JSON) throws(PayloadError) -> Self {
    guard let value = try read(json) else { throw PayloadError("", "has no form that is known here") }
    return value
  }

  /// The object with some members changed, and others gone.
  func changed(_ set: JSONObject, _ unset: [String]) throws(PayloadError) -> Self {
    var reader = MemberReader(root: self, object: set, unset: unset)
    Self.describe(&reader)
    if let failure = reader.failure { throw failure }
    try reader.root.check()
    return reader.root
  }
}

/// Reads the members of an object. Those that are not described are left alone: servers may be newer.
private struct MemberReader<Root>: MemberWalk {
  private(set) var root: Root
  /// Whether every member that must be there has a form that this version knows.
  private(set) var isKnown = true
  private(set) var failure: PayloadError?
  let object: JSONObject
  /// Which members are gone, when the object has those alone that changed.
  let unset: [String]?

  mutating func callAsFunction<Value: WireValue>(
    _ name: StaticString, _ path: WritableKeyPath<Root, Value>, _ traits: MemberTraits
  ) {
    let name = name.description
    guard failure == nil, unset == nil || !traits.contains(.apart) else { return }
    guard let json = object[name] else {
      guard unset?.contains(name) ?? true else { return }
      if let absent = Value.absent {
        root[keyPath: path] = absent
      } else {
        failure = PayloadError("", "is required").below(name)
      }
      return
    }
    do {
      if let value = try Value.read(json) ?? Value.absent { root[keyPath: path] = value } else { isKnown = false }
    } catch { failure = error.below(name) }
  }
}

extension JSON {
  /// Parses a payload.
  static func reading(_ bytes: [UInt8], depthMax: Int = JSON.depthMax) throws(PayloadError) -> JSON {
    do { return try parse(bytes, depthMax: depthMax) } catch { throw PayloadError("", "\(error)") }
  }
}
