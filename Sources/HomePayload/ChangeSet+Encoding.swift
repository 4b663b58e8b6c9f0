import JSON

extension ChangeSet: CanonicallyEncoded {
  /// Appends the canonical bytes: what a 226 answers.
  public func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    object.string("page", page, &bytes)
    object.string("from", from, &bytes)
    object.string("to", to, &bytes)
    object.members(set, unset, &bytes)
    if !sections.isEmpty { object.value("sections", sections, &bytes) }
    object.close(&bytes)
  }

  /// The canonical bytes.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }
}

extension ListChanges: CanonicallyEncoded {
  /// Appends the canonical bytes; empty lists are left out.
  public func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    if !deletes.isEmpty { object.list("deletes", deletes, &bytes) }
    if !inserts.isEmpty { object.list("inserts", inserts, &bytes) }
    if !moves.isEmpty { object.list("moves", moves, &bytes) }
    if !updates.isEmpty { object.list("updates", updates, &bytes) }
    object.close(&bytes)
  }
}

extension ListChanges.Insert: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    object.int("at", at, &bytes)
    object.name(Element.insertName, &bytes)
    element.append(to: &bytes)
    object.close(&bytes)
  }
}

extension ListChanges.Move: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: "{\"from\":\(from),\"to\":\(to)}".utf8) }
}

extension ListChanges.Update: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    object.int("at", at, &bytes)
    object.members(set, unset, &bytes)
    object.value(Element.nestedName, nested, &bytes)
    object.close(&bytes)
  }
}

extension Int: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: String(self).utf8) }
}

extension String: CanonicallyEncoded {
  func append(to bytes: inout [UInt8]) { JSON.append(self, to: &bytes) }
}

extension ObjectEncoder {
  fileprivate mutating func members(_ set: JSONObject, _ unset: [String], _ bytes: inout [UInt8]) {
    if !set.isEmpty { object("set", set, &bytes) }
    if !unset.isEmpty { list("unset", unset, &bytes) }
  }
}
