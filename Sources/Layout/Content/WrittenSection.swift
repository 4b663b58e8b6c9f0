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
    public let text: String
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
    var rows: [WrittenSection.Item] = []
    rows.reserveCapacity(values.items.count + values.slots.count)
    var items: [UInt8] = []
    for (position, item) in values.items.enumerated() {
      items.append(position == 0 ? UInt8(ascii: "[") : UInt8(ascii: ","))
      let start = items.count
      item.append(to: &items)
      let text = String(decoding: items[start...], as: UTF8.self)
      rows.append(WrittenSection.Item(slot: "", position: position, id: item.id, text: text))
    }
    if !values.items.isEmpty { items.append(UInt8(ascii: "]")) }
    var slots: [UInt8] = []
    values.appendSlots(to: &slots)
    for (slot, item) in values.slots.sorted(by: { $0.key < $1.key }) {
      let text = String(decoding: item.canonicalBytes, as: UTF8.self)
      rows.append(WrittenSection.Item(slot: slot, position: 0, id: item.id, text: text))
    }
    var section = self
    if let packed = PackedContent(open, items: items, slots: slots) { section.content = SectionContent(packed) }
    return WrittenSection(
      section: section, items: rows, fingerprint: Fingerprint.of(bytes(items: items, slots: slots)))
  }
}
