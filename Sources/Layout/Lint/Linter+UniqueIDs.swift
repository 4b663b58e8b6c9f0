import JSON

extension Linter {
  /// Ids of items that are in several sections: clients that know a page's items by their ids alone, such as a diffable
  /// data source, take them for one.
  mutating func checkUniqueIDs() {
    let ids = findings.map(\.ids)
    var known = HashTable(capacity: ids.reduce(0) { $0 + $1.count })
    var first: (position: Int, hash: UInt64)?
    var count = 0
    var sections = Set<String>()
    // A section that is there twice is an error of its own.
    for (position, hashes) in ids.enumerated() where sections.insert(page.sections[position].id).inserted {
      for hash in hashes where known.contains(hash) {
        count += 1
        if first == nil { first = (position, hash) }
      }
      for hash in hashes { known.insert(hash) }
    }
    guard let (position, hash) = first, let (id, place) = item(hash, ofSection: position) else { return }
    let section = page.sections[position].id
    add(
      .idNotUnique, Self.place(ofSection: position).appending(place).appending("id"), section,
      Sentence(
        .idsInSeveralSections,
        "\"\(id)\" of \(section) is the id of an item of another section too"
          + (count > 1 ? ", as are \(count - 1) others on the page; " : "; ")
          + "clients that tell the items of a page apart by their ids alone need other ones",
        ["id": .string(id), "section": .string(section), "count": .count(count)]))
  }
}

extension SectionDefinition {
  /// The hashes of the ids of the items at every depth.
  var itemIDs: [UInt64] {
    var hashes: [UInt64] = []
    forEachItem { item, _ in hashes.append(item.id.stableHash) }
    return hashes
  }
}

/// A set of hashes, which need not be mixed again.
private struct HashTable {
  /// 0: empty.
  private var slots: [UInt64]
  private let mask: Int

  init(capacity: Int) {
    let size = 1 << (Int.bitWidth - (capacity * 2).leadingZeroBitCount)
    slots = Array(repeating: 0, count: max(size, 2))
    mask = slots.count - 1
  }

  func contains(_ hash: UInt64) -> Bool { slots[place(of: hash)] != 0 }

  mutating func insert(_ hash: UInt64) { slots[place(of: hash)] = max(hash, 1) }

  private func place(of hash: UInt64) -> Int {
    var place = Int(truncatingIfNeeded: hash) & mask
    while slots[place] != 0, slots[place] != max(hash, 1) { place = (place + 1) & mask }
    return place
  }
}

extension String {
  /// FNV-1a. Whoever finds two ids with one hash is told of one id too many.
  var stableHash: UInt64 { utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 } }
}
