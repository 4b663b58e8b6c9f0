import HomePayload
import JSON

// What the store keeps and fingerprints is written at once, without a tree of values that is thrown away: an import
// writes each item, a publish each section that has changed. The text is that of `json`, to the byte.

/// Writes an object's members, whose names must come in ascending order.
struct ObjectWriter {
  private var isEmpty = true

  /// Begins a member.
  mutating func member(_ name: String, _ bytes: inout [UInt8]) {
    bytes.append(isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
    isEmpty = false
    JSON.append(name, to: &bytes)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a member, if there is one.
  mutating func member(_ name: String, _ value: JSON?, _ bytes: inout [UInt8]) {
    guard let value else { return }
    member(name, &bytes)
    value.append(to: &bytes)
  }

  /// Ends the object.
  func end(_ bytes: inout [UInt8]) {
    if isEmpty { bytes.append(UInt8(ascii: "{")) }
    bytes.append(UInt8(ascii: "}"))
  }

  /// Writes an array.
  static func array<Element>(
    _ elements: [Element], _ bytes: inout [UInt8], _ write: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    for (position, element) in elements.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      write(element, &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}

extension ItemDefinition {
  /// The bytes of the canonical form.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  func append(to bytes: inout [UInt8]) {
    var object = ObjectWriter()
    object.member("accessibility", accessibility.map { .object($0) }, &bytes)
    if let action {
      object.member("action", &bytes)
      action.appendDefinition(to: &bytes)
    }
    object.member("aspect", aspect.map { .number($0) }, &bytes)
    object.member("audience", audience?.json, &bytes)
    if !children.isEmpty {
      object.member("children", &bytes)
      ObjectWriter.array(children, &bytes) { $0.append(to: &$1) }
    }
    if !content.isEmpty { object.member("content", .object(content), &bytes) }
    object.member("expanded", expanded.map { .bool($0) }, &bytes)
    if isHidden { object.member("hidden", .bool(true), &bytes) }
    object.member("id", .string(id), &bytes)
    object.member("inset", inset.map { .object($0) }, &bytes)
    if keepOnTop { object.member("keepOnTop", .bool(true), &bytes) }
    object.member("kind", .string(kind), &bytes)
    object.member("schedule", schedule?.json, &bytes)
    object.end(&bytes)
  }
}

extension Action {
  fileprivate func appendDefinition(to bytes: inout [UInt8]) {
    var object = ObjectWriter()
    object.member("arguments", arguments.map { .object($0) }, &bytes)
    object.member("attributes", attributes.map { .object($0) }, &bytes)
    object.member("event", event.map { .string($0) }, &bytes)
    object.member("handler", handler.map { .string($0) }, &bytes)
    object.member("url", url.map { .string($0) }, &bytes)
    object.end(&bytes)
  }
}

extension SectionContent.Values {
  /// Appends the array of the items, if there are any.
  func appendItems(to bytes: inout [UInt8]) {
    guard !items.isEmpty else { return }
    ObjectWriter.array(items, &bytes) { $0.append(to: &$1) }
  }

  /// Appends the object of the slots, if there are any.
  func appendSlots(to bytes: inout [UInt8]) {
    guard !slots.isEmpty else { return }
    var object = ObjectWriter()
    for (name, item) in slots.sorted(by: { $0.key < $1.key }) {
      object.member(name, &bytes)
      item.append(to: &bytes)
    }
    object.end(&bytes)
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
    var object = ObjectWriter()
    let loading = settings.loading
    object.member("audience", settings.audience?.json, &bytes)
    object.member("firstItems", loading.firstItems.map { .count($0) }, &bytes)
    object.member("footer", settings.footer?.json, &bytes)
    object.member("freshFor", loading.freshFor.map { .count($0) }, &bytes)
    object.member("header", settings.header?.json, &bytes)
    if settings.isHidden { object.member("hidden", .bool(true), &bytes) }
    object.member("id", .string(id), &bytes)
    object.member("itemOrder", settings.itemOrder?.json, &bytes)
    if !items.isEmpty {
      object.member("items", &bytes)
      bytes += items
    }
    object.member("kind", .string(settings.kind), &bytes)
    if !settings.layout.isEmpty { object.member("layout", .object(settings.layout), &bytes) }
    object.member("load", loading.load.map { .string($0.rawValue) }, &bytes)
    object.member("pollInterval", loading.pollInterval.map { .count($0) }, &bytes)
    object.member("schedule", settings.schedule?.json, &bytes)
    if !slots.isEmpty {
      object.member("slots", &bytes)
      bytes += slots
    }
    object.member("source", loading.source.map { ["url": .string($0.url)] }, &bytes)
    object.member("title", settings.title.map { .string($0) }, &bytes)
    object.end(&bytes)
    return bytes
  }
}

extension PageDefinition {
  /// The bytes of the canonical form, named audiences left out.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    var object = ObjectWriter()
    object.member("background", settings.background.map { .object($0) }, &bytes)
    object.member("bar", settings.bar?.json, &bytes)
    object.member("defaultLocale", .string(settings.defaultLocale.tag), &bytes)
    object.member("displayTitle", settings.displayTitle, &bytes)
    object.member("emptyState", settings.emptyState?.json, &bytes)
    object.member("inset", settings.inset.map { .object($0) }, &bytes)
    object.member("locales", .array(settings.locales.map { .string($0.tag) }), &bytes)
    object.member("pollInterval", .number(JSONNumber(settings.pollInterval)), &bytes)
    object.member("sections", &bytes)
    ObjectWriter.array(sections, &bytes) { $1 += $0.canonicalBytes }
    object.member("sortRules", .object(JSONObject(sortRules.map { ($0.name, $0.json) })), &bytes)
    object.member("title", .string(settings.title), &bytes)
    object.end(&bytes)
    return bytes
  }
}

extension LayoutDocument {
  /// The bytes of the canonical form.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    var object = ObjectWriter()
    if !audiences.isEmpty {
      object.member("audiences", .object(JSONObject(audiences.mapValues(\.json))), &bytes)
    }
    object.member("hearth", .number(JSONNumber(Self.formatVersion)), &bytes)
    object.member("pages", &bytes)
    var pages = ObjectWriter()
    for page in self.pages {
      pages.member(page.id, &bytes)
      bytes += page.canonicalBytes
    }
    pages.end(&bytes)
    object.end(&bytes)
    return bytes
  }
}
