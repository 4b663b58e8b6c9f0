import JSON
import Layout
import Storage

extension Snapshot {
  /// The snapshot with the journal's records applied.
  ///
  /// - Parameter records: The oldest first. A record that refers to a missing section changes nothing.
  func applying(_ records: [JournalRecord]) -> Snapshot {
    var pages = Dictionary(pages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var kinds = (kinds: kinds, linkKey: linkKey)
    var known: [String: Page.Sections] = [:]
    for record in records {
      let changed = Self.pages(of: record.contents) ?? []
      var isNew = false
      for page in changed {
        var sections = known[page.id] ?? pages[page.id]?.sections ?? [:]
        sections.merge(page.sections) { first, _ in first }
        known[page.id] = sections
        guard pages[page.id].map({ $0.number < page.number }) ?? true, let whole = page.completed(with: sections) else {
          continue
        }
        pages[page.id] = whole
        isNew = true
      }
      if isNew, let changed = Self.kinds(of: record.contents) { kinds = changed }
    }
    return Snapshot(pages: pages.values.sorted { $0.id < $1.id }, kinds: kinds.kinds, linkKey: kinds.linkKey)
  }
}

extension Snapshot.Page {
  /// Sections as they are written, by their fingerprints, each with the bytes of its content.
  typealias Sections = [String: (entry: JSON, piece: ArraySlice<UInt8>)]

  /// The sections that it has itself.
  fileprivate var sections: Sections {
    var left = pieces
    var sections: Sections = [:]
    for entry in json["sections"]?.array ?? [] {
      guard let fingerprint = entry["fingerprint"]?.string, entry["section"] != nil else { continue }
      let size = entry["content"]?["bytes"]?.int ?? 0
      guard (0...left.count).contains(size) else { break }
      sections[fingerprint] = (entry, left.prefix(size))
      left = left.dropFirst(size)
    }
    return sections
  }

  /// The same with all of its sections, without variants; `nil` where one is not known.
  fileprivate func completed(with known: Sections) -> Snapshot.Page? {
    var entries: [JSON] = []
    var bytes: [UInt8] = []
    for entry in json["sections"]?.array ?? [] {
      guard let section = entry["fingerprint"]?.string.flatMap({ known[$0] }) else { return nil }
      entries.append(section.entry)
      bytes += section.piece
    }
    var object = json.object ?? JSONObject()
    object["sections"] = .array(entries)
    object["variants"] = .array([])
    return Snapshot.Page(id: id, number: number, identity: identity, json: .object(object), pieces: bytes[...])
  }
}
