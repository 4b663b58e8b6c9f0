public import JSON

/// What operators say of a picture that Hearth keeps: nothing of it reaches clients by itself.
public struct AssetDetails: Hashable, Sendable {
  /// The most bytes of a name.
  public static let nameBytesMax = 200
  /// The most bytes of the text for those who do not see the picture, in each locale: as many as an item's label may have.
  public static let altBytesMax = 1_000
  /// The most tags of a picture.
  public static let tagsMax = 20
  /// The most bytes of a tag.
  public static let tagBytesMax = 50

  /// The point that a crop keeps in view, in percent of the width and of the height.
  public struct Focus: Hashable, Sendable {
    /// From the left edge, 0 to 100.
    public var x: Int
    /// From the upper edge, 0 to 100.
    public var y: Int
  }

  /// What operators call it.
  public var name: String?
  /// The text for people who do not see it, or a map from locale to text, as entered.
  public var alt: JSON?
  /// What it is found by, each once.
  public var tags: [String] = []
  /// The point that a crop keeps in view; the middle when `nil`.
  public var focus: Focus?

  /// Empty details.
  public init() {}

  /// Reads what a request's body or the database says.
  ///
  /// - Throws: ``InvalidDocument`` with every problem.
  public init(json: JSON) throws(InvalidDocument) {
    let collector = ProblemCollector()
    self = try collector.finish(AssetDetails(json, at: JSONPointer(), collector))
  }

  init?(_ json: JSON, at pointer: JSONPointer, _ collector: ProblemCollector) {
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    self.init()
    name = reader.string("name")
    if let name { collector.check(name, bytesMax: Self.nameBytesMax, at: reader.place(of: "name")) }
    alt = reader.localizedText("alt", bytesMax: Self.altBytesMax)
    if let text = alt?.string { collector.checkPlain(text, bytesMax: Self.altBytesMax, at: reader.place(of: "alt")) }
    for member in alt?.object ?? JSONObject() {
      let place = reader.place(of: "alt").appending(member.name)
      if let text = member.value.string { collector.checkPlain(text, bytesMax: Self.altBytesMax, at: place) }
    }
    tags = reader.strings("tags") ?? []
    if tags.count > Self.tagsMax {
      collector.add(
        reader.place(of: "tags"), .maxItems, "must have at most \(Self.tagsMax) tags, has \(tags.count)",
        ["most": .count(Self.tagsMax), "count": .count(tags.count)])
    }
    var seen: Set<String> = []
    for (position, tag) in tags.enumerated() {
      let place = reader.place(of: "tags").appending(position)
      collector.check(tag, bytesMax: Self.tagBytesMax, at: place)
      if !seen.insert(tag).inserted { collector.add(place, .uniqueItems, "\"\(tag)\" appears twice") }
    }
    focus = reader.nested("focus") { reader in
      _ = (reader.required("x"), reader.required("y"))
      guard let x = reader.int("x", in: 0...100), let y = reader.int("y", in: 0...100) else { return nil }
      return Focus(x: x, y: y)
    }
    reader.refuseOthers()
  }

  /// The canonical form: what is not said is left out.
  public var json: JSON {
    .object(
      JSONObject(present: [
        ("name", name.map { .string($0) }), ("alt", alt),
        ("tags", tags.isEmpty ? nil : .array(tags.map { .string($0) })),
        ("focus", focus.map { ["x": .number(JSONNumber($0.x)), "y": .number(JSONNumber($0.y))] }),
      ]))
  }

  /// Its name and its texts, each by itself.
  public var texts: [String] {
    [name, alt?.string].compactMap(\.self) + (alt?.object ?? JSONObject()).compactMap(\.value.string)
  }
}

extension ProblemCollector {
  /// A text of one line, with something in it.
  fileprivate func check(_ text: String, bytesMax: Int, at place: JSONPointer) {
    guard (1...bytesMax).contains(text.utf8.count) else { return add(place, .textBytes(1...bytesMax).demanded) }
    checkPlain(text, bytesMax: bytesMax, at: place)
  }

  /// Refuses control characters, which a line of text has none of.
  fileprivate func checkPlain(_ text: String, bytesMax: Int, at place: JSONPointer) {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else { return }
    let expected = "1 to \(bytesMax) bytes of text without control characters"
    add(place, .textBytes(1...bytesMax, expected).demanded)
  }
}
