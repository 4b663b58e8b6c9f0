import Layout

/// A page's definition with the fingerprint of each section.
typealias Fingerprinted = (definition: PageDefinition, fingerprints: [String])

/// Parts of a page that are laid over what is live: at once when some sections are published, later when they are
/// scheduled.
struct Overlay {
  /// A section as it is to be, or that it is to go.
  struct Part {
    var id: String
    /// Where it stands in the page's own order, for a page that does not have it.
    var position: Int
    /// `nil` when it is to go.
    var section: SectionDefinition?
    var fingerprint: String = ""
  }

  /// The page's settings; `nil` where these are some sections alone, and what is live stays.
  var settings: PageSettings?
  /// The rules that the sections' indices are taken from; they take the place of those that are live where `settings`
  /// are there.
  var sortRules: [SortRule]
  /// The audiences that are used.
  var audiences: [String: Predicate]
  var parts: [Part]
  /// The items that sources have published meanwhile, by section; a section without items is theirs whole.
  var kept: [String: Set<String>] = [:]

  /// Some sections of a page: those that it does not have go.
  init(sections ids: [String], of source: Fingerprinted) {
    sortRules = source.definition.sortRules
    parts = []
    for id in ids where !parts.contains(where: { $0.id == id }) {
      let position = source.definition.sections.firstIndex { $0.id == id }
      parts.append(
        Part(
          id: id, position: position ?? 0, section: position.map { source.definition.sections[$0] },
          fingerprint: position.map { source.fingerprints[$0] } ?? ""))
    }
    parts.sort { $0.position < $1.position }
    // Those that the others use stay as they are live, as the others do.
    audiences = source.definition.audiences(usedBy: parts.compactMap(\.section))
  }

  /// A whole page: what is live and not in it goes.
  init(_ source: Fingerprinted, over live: Fingerprinted?) {
    let ids = source.definition.sections.map(\.id) + (live?.definition.sections.map(\.id) ?? [])
    self.init(sections: ids, of: source)
    settings = source.definition.settings
    audiences = source.definition.usedAudiences
  }

  init(
    settings: PageSettings?, sortRules: [SortRule], audiences: [String: Predicate], parts: [Part],
    kept: [String: Set<String>]
  ) {
    self.settings = settings
    self.sortRules = sortRules
    self.audiences = audiences
    self.parts = parts
    self.kept = kept
  }

  /// What is live with this over it: whatever it does not name stays.
  func laid(over live: Fingerprinted) -> Fingerprinted {
    var result = live
    if let settings {
      result.definition.settings = settings
      result.definition.sortRules = sortRules
      result.definition.sections = []
      result.fingerprints = []
    }
    for part in parts {
      Self.put(part, content: part.section.flatMap { content(of: $0, live: live) }, in: &result)
      result.definition.takeIndex(of: part.id, from: sortRules)
    }
    if settings != nil { addOthers(of: live, to: &result) }
    result.definition.audiences.merge(audiences) { _, own in own }
    return result
  }

  /// Puts a section into a page in the place of the one that it has, or takes it away.
  ///
  /// - Parameter content: What takes the place of its own.
  private static func put(_ part: Part, content: SectionContent?, in page: inout Fingerprinted) {
    let present = page.definition.sections.firstIndex { $0.id == part.id }
    if let present {
      page.definition.sections.remove(at: present)
      page.fingerprints.remove(at: present)
    }
    guard var section = part.section else { return }
    if let content { section.content = content }
    let place = present ?? min(part.position, page.definition.sections.count)
    page.definition.sections.insert(section, at: place)
    page.fingerprints.insert(content == nil ? part.fingerprint : Fingerprint.of(section.canonicalBytes), at: place)
  }

  /// The sections that went live after a whole page was scheduled stay, with the indices that they have.
  private func addOthers(of live: Fingerprinted, to result: inout Fingerprinted) {
    let named = Set(parts.map(\.id))
    for (position, section) in live.definition.sections.enumerated() where !named.contains(section.id) {
      let part = Part(id: section.id, position: position, section: section, fingerprint: live.fingerprints[position])
      Self.put(part, content: nil, in: &result)
      result.definition.takeIndex(of: section.id, from: live.definition.sortRules)
    }
  }

  /// A section's content with what sources have published meanwhile; `nil` when that is nothing.
  private func content(of section: SectionDefinition, live: Fingerprinted) -> SectionContent? {
    guard let items = kept[section.id],
      let live = live.definition.sections.first(where: { $0.id == section.id })?.content.opened
    else { return nil }
    if items.isEmpty { return live }
    let there = (live.items + live.slots.values.sorted { $0.id < $1.id }).filter { items.contains($0.id) }
    let gone = items.subtracting(there.map(\.id)).sorted()
    let content = there.reduce(section.content) { $0.applying(.put($1), like: live) }
    return gone.reduce(content) { $0.applying(.remove($1)) }
  }
}

extension PageDefinition {
  /// Takes a section's index of every rule from other rules of the same names.
  fileprivate mutating func takeIndex(of section: String, from rules: [SortRule]) {
    for position in sortRules.indices {
      let source = rules.first { $0.name == sortRules[position].name }
      sortRules[position].indices[section] = source?.indices[section]
    }
  }
}
