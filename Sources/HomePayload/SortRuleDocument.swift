import JSON

/// The sort rule that applies to a client, and the sections in the order that it gives them (S1.2, S1.3).
public struct SortRuleDocument: Hashable, Sendable {
  /// A section and the index that the rule gives it.
  public struct Place: Hashable, Sendable {
    /// The section's id.
    public var section: String
    /// The operator's number; several sections may have the same.
    public var index: Int

    /// A place.
    public init(section: String, index: Int) {
      self.section = section
      self.index = index
    }
  }

  /// The page's id.
  public var page: String
  /// The rule's name.
  public var rule: String
  /// The sections that the client may see now or that have no content here, in the order to show them.
  public var places: [Place]

  /// A document.
  public init(page: String, rule: String, places: [Place]) {
    self.page = page
    self.rule = rule
    self.places = places
  }

  /// The canonical bytes: `order` says what equal `indices` leave open.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    func append(_ text: StaticString, _ value: some WireValue) {
      bytes.append(contentsOf: text.description.utf8)
      value.append(to: &bytes)
    }
    append("{\"page\":", page)
    append(",\"rule\":", rule)
    bytes.append(contentsOf: ",\"indices\":{".utf8)
    for (position, place) in places.enumerated() {
      append(position > 0 ? "," : "", place.section)
      append(":", place.index)
    }
    append("},\"order\":", places.map(\.section))
    bytes.append(UInt8(ascii: "}"))
    return bytes
  }
}
