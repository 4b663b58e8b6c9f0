import HomePayload
import JSONSchema
public import JSON

/// The endpoint that a section's content is asked of, and what its answer comes to.
public struct Asking: Hashable, Sendable {
  /// The address that is asked: http or https, at most 2,048 bytes.
  public var url: String
  /// The seconds between two requests, ``everyRange``.
  public var every: Int
  /// The seconds that a request may take, ``timeoutRange``.
  public var timeout: Int
  /// The name of the credential that is sent along; none when absent.
  public var credential: String?
  /// Where the list of items comes from; the section has no list when absent.
  public var items: AskedPart?
  /// Where the slots' items come from, by the names of the slots.
  public var slots: [String: AskedPart]

  /// The range of the seconds between two requests.
  public static let everyRange = 10...86_400
  /// The range of the seconds that a request may take.
  public static let timeoutRange = 1...60
  /// The seconds that a request may take when nothing is said.
  static let defaultTimeout = 10
  /// The most slots that are filled.
  static let slotsMax = 32
  /// The most bytes that the made content may have as JSON.
  public static let contentBytesMax = 8 * 1024 * 1024
}

/// Where in an answer items are, and how each is made of what stands there.
public struct AskedPart: Hashable, Sendable {
  /// One member of an item, and where in the answer's element its value is.
  public struct Member: Hashable, Sendable {
    /// The member's place in the item: `/content/title`.
    public var target: JSONPointer
    /// The value's place in the element: `/name`.
    public var source: JSONPointer
  }

  /// What leads to the array of elements, or of a slot to the one element.
  public var from: JSONPointer
  /// What every item has, such as its kind.
  public var item: JSONObject
  /// What an item has of its element; none when the element itself is the item.
  public var members: [Member]

  /// The most members.
  static let membersMax = 64
  /// The most bytes of a pointer.
  static let pointerBytesMax = 1_024
  /// The most bytes of what every item has.
  static let itemBytesMax = 4_096
}

extension Asking {
  init?(_ reader: inout ObjectReader, in context: DefinitionContext) {
    let url = reader.requiredString("url")
    if let url, !Self.isWeb(url) {
      reader.collector.add(
        reader.place(of: "url"), .format, "must be an address such as https://example.com/prices", ["format": "uri"])
    }
    let every = reader.required("every") == nil ? nil : reader.int("every", in: Self.everyRange)
    timeout = reader.int("timeout", in: Self.timeoutRange) ?? Self.defaultTimeout
    credential = reader.slug("credential")
    items = reader.nested("items") { AskedPart(&$0, in: context) }
    let slotsPlace = reader.place(of: "slots")
    let named = reader.object("slots") ?? JSONObject()
    if named.count > Self.slotsMax {
      reader.collector.add(
        slotsPlace, .maxProperties, "must have at most \(Self.slotsMax) members, has \(named.count)",
        ["most": .count(Self.slotsMax), "count": .count(named.count)])
    }
    slots = [:]
    for slot in named.members.prefix(Self.slotsMax) {
      let place = slotsPlace.appending(slot.name)
      guard Slug.check(slot.name, at: place, reader.collector) else { continue }
      slots[slot.name] = ObjectReader.object(slot.value, at: place, reader.collector) { AskedPart(&$0, in: context) }
    }
    if items == nil, named.isEmpty, reader.value("items") == nil {
      reader.collector.add(
        reader.place(of: "items"), .required, "is required, unless 'slots' says where the slots' items are")
    }
    guard let url, let every else { return nil }
    (self.url, self.every) = (url, every)
  }

  private static func isWeb(_ url: String) -> Bool {
    (url.hasPrefix("https://") || url.hasPrefix("http://")) && URISyntax.isAbsolute(Array(url.utf8))
      && url.utf8.count <= Action.urlBytesMax
  }

  /// The canonical form.
  public var json: JSON {
    .object(
      JSONObject(present: [
        ("url", .string(url)), ("every", .count(every)),
        ("timeout", timeout == Self.defaultTimeout ? nil : .count(timeout)),
        ("credential", credential.map { .string($0) }), ("items", items?.json),
        ("slots", slots.isEmpty ? nil : .object(JSONObject(slots.mapValues(\.json)))),
      ]))
  }
}

extension ObjectReader {
  /// A pointer; its absence is a problem.
  fileprivate mutating func jsonPointer(_ name: String) -> JSONPointer? {
    requiredString(name).flatMap { AskedPart.pointer($0, at: place(of: name), collector) }
  }
}

extension AskedPart {
  init?(_ reader: inout ObjectReader, in context: DefinitionContext) {
    let from = reader.jsonPointer("from")
    item = reader.shallowObject("item", in: context) ?? JSONObject()
    let bytes = JSON.object(item).canonicalBytes.count
    if bytes > Self.itemBytesMax {
      reader.collector.add(reader.place(of: "item"), .textBytes(2...Self.itemBytesMax).demanded)
    }
    let named = reader.object("members") ?? JSONObject()
    let place = reader.place(of: "members")
    if named.count > Self.membersMax {
      reader.collector.add(
        place, .maxProperties, "must have at most \(Self.membersMax) members, has \(named.count)",
        ["most": .count(Self.membersMax), "count": .count(named.count)])
    }
    let collector = reader.collector
    members = named.members.prefix(Self.membersMax).compactMap { member -> Member? in
      let at = place.appending(member.name)
      let words = "an item's member, such as /content/title"
      guard let target = Self.pointer(member.name, at: at, collector, of: words) else { return nil }
      guard !target.tokens.isEmpty, let text = member.value.string else {
        collector.add(at, .jsonPointer, "must lead from \(words), to a value of the answer's, such as /name")
        return nil
      }
      return Self.pointer(text, at: at, collector).map { Member(target: target, source: $0) }
    }.sorted { $0.target.description < $1.target.description }
    guard let from else { return nil }
    self.from = from
  }

  fileprivate static func pointer(
    _ text: String, at place: JSONPointer, _ collector: ProblemCollector,
    of what: String = "the answer, such as /offers"
  ) -> JSONPointer? {
    if text.utf8.count <= pointerBytesMax, let pointer = JSONPointer(text: text) { return pointer }
    collector.add(
      place, .jsonPointer, "must be a JSON Pointer into \(what), of at most \(pointerBytesMax) bytes")
    return nil
  }

  fileprivate var json: JSON {
    let named = members.map { ($0.target.description, JSON.string($0.source.description)) }
    return .object(
      JSONObject(present: [
        ("from", .string(from.description)), ("item", item.isEmpty ? nil : .object(item)),
        ("members", named.isEmpty ? nil : .object(JSONObject(named))),
      ]))
  }
}
