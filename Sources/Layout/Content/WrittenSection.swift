import JSON

/// A section written once for all that keeps it: the draft's items one by one, the whole of it for its fingerprint, and
/// the packed form.
public struct WrittenSection: Sendable {
  /// An item of the draft.
  public struct Item: Sendable {
    /// The slot; empty for the items of the list.
    public let slot: String
    /// The place in the list, from 0.
    public let position: Int
    /// The item's id.
    public let id: String
    /// The canonical form.
    public var text: String { String(decoding: bytes, as: UTF8.self) }
    fileprivate let bytes: ArraySlice<UInt8>
  }

  /// The section, its content packed where that is worth it.
  public let section: SectionDefinition
  /// The items, then the slots.
  public let items: [Item]
  /// The fingerprint.
  public let fingerprint: String
}

extension SectionDefinition {
  /// The section as it is kept.
  public var written: WrittenSection {
    let open = content.open
    let values = open.values
    var items: [UInt8] = []
    var places: [Range<Int>] = []
    places.reserveCapacity(values.items.count)
    for item in values.items {
      items.append(items.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
      let start = items.count
      items += item.canonicalBytes
      places.append(start..<items.count)
    }
    if !items.isEmpty { items.append(UInt8(ascii: "]")) }
    var slots: [UInt8] = []
    values.appendSlots(to: &slots)
    var rows = zip(values.items, places).enumerated().map { position, item in
      WrittenSection.Item(slot: "", position: position, id: item.0.id, bytes: items[item.1])
    }
    rows += values.slots.sorted { $0.key < $1.key }.map { slot, item in
      WrittenSection.Item(slot: slot, position: 0, id: item.id, bytes: item.canonicalBytes[...])
    }
    var section = self
    if let packed = PackedContent(open, items: items, slots: slots) { section.content = SectionContent(packed) }
    return WrittenSection(
      section: section, items: rows, fingerprint: Fingerprint.of(bytes(items: items, slots: slots)))
  }
}
