import JSON

extension Page: CanonicallyEncoded {
  /// Appends the canonical bytes: what a poll answers.
  public func append(to bytes: inout [UInt8]) { append(to: &bytes, version: version) }

  /// Appends the canonical bytes with another version, or with none, as the version itself is computed from them.
  public func append(to bytes: inout [UInt8], version: String?) {
    var object = ObjectEncoder(&bytes)
    object.string("page", id, &bytes)
    object.string("version", version, &bytes)
    object.string("locale", locale, &bytes)
    object.string("sortRule", sortRule, &bytes)
    object.list("sections", sections, &bytes)
    object.value("emptyState", emptyState, &bytes)
    object.close(&bytes)
  }

  /// The canonical bytes.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The canonical bytes before the first section and after the last, for sections that are encoded already: between
  /// two of them stands a comma.
  public func frame(version: String?) -> (head: [UInt8], tail: [UInt8]) {
    var bare = self
    bare.sections = []
    var bytes: [UInt8] = []
    bare.append(to: &bytes, version: version)
    var empty: [UInt8] = []
    bare.emptyState?.append(to: &empty)
    let tailCount = bare.emptyState == nil ? 2 : 2 + ",\"emptyState\":".utf8.count + empty.count
    return (Array(bytes.dropLast(tailCount)), Array(bytes.suffix(tailCount)))
  }
}

extension Section: CanonicallyEncoded {
  /// Appends the canonical bytes.
  public func append(to bytes: inout [UInt8]) { append(to: &bytes, position: nil) }

  /// Appends the canonical bytes with the section's place in its page, from 0, as its own address answers it (S1.3).
  public func append(to bytes: inout [UInt8], position: Int?) {
    var object = ObjectEncoder(&bytes)
    object.string("id", id, &bytes)
    object.string("kind", kind, &bytes)
    object.int("index", index, &bytes)
    if let position { object.int("position", position, &bytes) }
    object.value("header", header, &bytes)
    object.value("layout", layout, &bytes)
    if !items.isEmpty { object.list("items", items, &bytes) }
    appendSlots(&object, &bytes)
    object.value("footer", footer, &bytes)
    object.close(&bytes)
  }

  private func appendSlots(_ object: inout ObjectEncoder, _ bytes: inout [UInt8]) {
    guard !slots.isEmpty else { return }
    object.name("slots", &bytes)
    bytes.append(UInt8(ascii: "{"))
    let sorted = slots.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (position, slot) in sorted.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      JSON.append(slot.key, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      slot.value.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension Item: CanonicallyEncoded {
  /// Appends the canonical bytes.
  public func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    object.string("id", id, &bytes)
    object.string("kind", kind, &bytes)
    object.object("content", content, &bytes)
    object.number("aspect", aspect, &bytes)
    object.value("action", action, &bytes)
    object.bool("expanded", expanded, &bytes)
    if !children.isEmpty { object.list("children", children, &bytes) }
    object.close(&bytes)
  }
}

extension Action: CanonicallyEncoded {
  /// Appends the canonical bytes.
  public func append(to bytes: inout [UInt8]) {
    var object = ObjectEncoder(&bytes)
    switch target {
    case .url(let url): object.string("url", url, &bytes)
    case .handler(let name): object.string("handler", name, &bytes)
    }
    object.string("event", event, &bytes)
    object.object("attributes", attributes, &bytes)
    object.close(&bytes)
  }
}
