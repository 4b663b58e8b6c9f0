import HomePayload
import JSON

// What the store keeps and fingerprints is written at once, without a tree of values that is thrown away: an import
// writes each item, a publish each section that has changed. The text is that of `json`, to the byte.

/// What names its members once, for its text and for its JSON.
protocol Written {
  /// Writes the members in ascending order of their names.
  func write(to writer: inout some MemberWriter)
}

/// Where an object's members go.
protocol MemberWriter {
  /// A member, if there is one.
  mutating func member(_ name: String, _ value: JSON?)
  /// A member that is an object itself, if there is one.
  mutating func member(_ name: String, _ object: (some Written)?)
  /// A member that is a list, if anything is in it.
  mutating func member(_ name: String, _ list: [some Written])
}

extension Written {
  /// The members as JSON.
  var tree: JSON {
    var writer = TreeWriter()
    write(to: &writer)
    return .object(JSONObject(writer.members))
  }

  /// Appends the canonical text.
  func append(to bytes: inout [UInt8]) {
    TextWriter.write(&bytes) { $0.object { write(to: &$0) } }
  }
}

private struct TreeWriter: MemberWriter {
  var members: [(String, JSON)] = []

  mutating func member(_ name: String, _ value: JSON?) {
    if let value { members.append((name, value)) }
  }

  mutating func member(_ name: String, _ object: (some Written)?) { member(name, object?.tree) }

  mutating func member(_ name: String, _ list: [some Written]) {
    member(name, list.isEmpty ? nil : .array(list.map(\.tree)))
  }
}

/// Writes canonical text.
struct TextWriter: MemberWriter {
  private var bytes: [UInt8] = []
  private var isEmpty = true

  /// Writes at the end of some text.
  static func write(_ bytes: inout [UInt8], _ body: (inout TextWriter) -> Void) {
    var writer = TextWriter()
    swap(&writer.bytes, &bytes)
    body(&writer)
    swap(&writer.bytes, &bytes)
  }

  /// The text of an object of values, and of members that write themselves.
  static func object(
    _ values: [(String, JSON)], _ others: [(String, (inout [UInt8]) -> Void)], to bytes: inout [UInt8]
  ) {
    let members = values.map { name, value in (name, { value.append(to: &$0) }) } + others
    write(&bytes) { writer in
      writer.object { writer in
        for (name, append) in members.sorted(by: { $0.0 < $1.0 }) {
          writer.begin(name)
          append(&writer.bytes)
        }
      }
    }
  }

  /// Writes an array.
  static func array<Element>(
    _ elements: [Element], _ bytes: inout [UInt8], _ append: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    for (position, element) in elements.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      append(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  mutating func object(_ write: (inout TextWriter) -> Void) {
    isEmpty = true
    write(&self)
    if isEmpty { bytes.append(UInt8(ascii: "{")) }
    bytes.append(UInt8(ascii: "}"))
    isEmpty = false
  }

  private mutating func begin(_ name: String) {
    bytes.append(isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    isEmpty = false
    JSON.append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  mutating func member(_ name: String, _ value: JSON?) {
    guard let value else { return }
    begin(name)
    value.append(to: &bytes)
  }

  mutating func member(_ name: String, _ object: (some Written)?) {
    guard let object else { return }
    begin(name)
    self.object { object.write(to: &$0) }
  }

  mutating func member(_ name: String, _ list: [some Written]) {
    guard !list.isEmpty else { return }
    begin(name)
    Self.array(list, &bytes) { $0.append(to: &$1) }
  }
}

extension ItemDefinition: Written {
  func write(to writer: inout some MemberWriter) {
    writer.member("accessibility", accessibility.map { .object($0) })
    writer.member("action", action)
    writer.member("actions", actions)
    writer.member("aspect", aspect.map { .number($0) })
    writer.member("audience", audience?.json)
    writer.member("children", children)
    writer.member("content", content.isEmpty ? nil : .object(content))
    writer.member("expanded", expanded.map { .bool($0) })
    writer.member("hidden", isHidden ? .bool(true) : nil)
    writer.member("id", .string(id))
    writer.member("inset", inset.map { .object($0) })
    writer.member("keepOnTop", keepOnTop ? .bool(true) : nil)
    writer.member("kind", .string(kind))
    writer.member("lists", lists.isEmpty ? nil : .names(lists))
    writer.member("schedule", schedule?.json)
  }
}

extension Action: Written {
  func write(to writer: inout some MemberWriter) {
    writer.member("arguments", arguments.map { .object($0) })
    writer.member("attributes", attributes.map { .object($0) })
    writer.member("event", event.map { .string($0) })
    writer.member("handler", handler.map { .string($0) })
    writer.member("url", url.map { .string($0) })
  }
}

extension ItemActionDefinition: Written {
  func write(to writer: inout some MemberWriter) {
    writer.member("action", action)
    writer.member("edge", edge.map { .string($0.rawValue) })
    writer.member("role", role.map { .string($0.rawValue) })
    writer.member("title", title)
  }
}

extension SectionContent.Values {
  /// Appends the array of the items, if there are any.
  func appendItems(to bytes: inout [UInt8]) {
    guard !items.isEmpty else { return }
    TextWriter.array(items, &bytes) { $0.append(to: &$1) }
  }

  /// Appends the object of the slots, if there are any.
  func appendSlots(to bytes: inout [UInt8]) {
    guard !slots.isEmpty else { return }
    TextWriter.object([], slots.map { name, item in (name, item.append(to:)) }, to: &bytes)
  }
}

extension SectionContent {
  /// The texts of the items' array and of the slots' object; empty if there are none.
  fileprivate var texts: (items: [UInt8], slots: [UInt8]) {
    if let texts = packedForm?.texts { return texts }
    let values = values
    var texts: (items: [UInt8], slots: [UInt8]) = ([], [])
    values.appendItems(to: &texts.items)
    values.appendSlots(to: &texts.slots)
    return texts
  }
}

extension SectionDefinition {
  /// The bytes of the canonical form.
  public var canonicalBytes: [UInt8] {
    let (items, slots) = content.texts
    return bytes(items: items, slots: slots)
  }

  /// The bytes of the canonical form, with the texts of its content.
  func bytes(items: [UInt8], slots: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(items.count + slots.count + 512)
    let content = [("items", items), ("slots", slots)].filter { !$0.1.isEmpty }
    TextWriter.object(ownMembers, content.map { name, text in (name, { $0 += text }) }, to: &bytes)
    return bytes
  }
}

extension PageDefinition {
  /// The bytes of the canonical form, named audiences left out.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    let sections = { TextWriter.array(self.sections, &$0) { $1 += $0.canonicalBytes } }
    TextWriter.object(ownMembers, [("sections", sections)], to: &bytes)
    return bytes
  }
}

extension LayoutDocument {
  /// The bytes of the canonical form without pictures.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    let pages = pages.map { page in (page.id, { $0 += page.canonicalBytes }) }
    TextWriter.object(ownMembers, [("pages", { TextWriter.object([], pages, to: &$0) })], to: &bytes)
    return bytes
  }
}
