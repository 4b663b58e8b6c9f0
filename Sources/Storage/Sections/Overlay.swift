import Layout

/// A page's definition with the fingerprint of each section.
typealias Fingerprinted = (definition: PageDefinition, fingerprints: [String])

/// What a publish takes, laid over what is live: at once by a publish or a rollback, later by a schedule.
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

  /// Whether it is a whole page: what is live takes its settings, order and rules, and what it had before goes.
  var isWhole = false
  /// The page's settings; `nil` where these are some parts without them, and what is live stays.
  var settings: PageSettings?
  /// The rules that the sections' indices are taken from; all of them take the place of those that are live where this is
  /// a whole page.
  var sortRules: [SortRule]
  /// The audiences that are used.
  var audiences: [String: Predicate]
  var parts: [Part]
  /// Of some parts of a page, the rules and the order that it carries. A named rule that its own state lacks is removed.
  var rest = PageParts()
  /// The sections of the page that these parts are taken of, in its own order: others keep their places and indices.
  var known: [String] = []
  /// The items that sources have published since it was scheduled by nodes of versions that noted that, by section; a
  /// section without items is theirs whole.
  var pushed: [String: Set<String>] = [:]
  /// The revision that it is taken of, when it is taken of one.
  var source: Int?
}

extension Overlay {
  /// Some parts of a page: sections and rules that it does not have go.
  init(_ names: PageParts, of source: Fingerprinted) {
    let definition = source.definition
    sortRules = definition.sortRules
    parts = []
    for id in names.sections where !parts.contains(where: { $0.id == id }) {
      let position = definition.sections.firstIndex { $0.id == id }
      parts.append(
        Part(
          id: id, position: position ?? 0, section: position.map { definition.sections[$0] },
          fingerprint: position.map { source.fingerprints[$0] } ?? ""))
    }
    parts.sort { $0.position < $1.position }
    if names.hasSettings { settings = definition.settings }
    rest = names
    known = definition.sections.map(\.id)
    // Those that the others use stay as they are live, as the others do.
    audiences = definition.audiences(
      usedBy: parts.compactMap(\.section), rules: sortRules.filter { names.rules.contains($0.name) },
      named: names.audiences)
  }

  /// A whole page. Live parts that it lacks are removed.
  init(_ source: Fingerprinted, over live: Fingerprinted?) {
    let definition = source.definition
    let own = zip(definition.sections, source.fingerprints).enumerated().map { position, each in
      Part(id: each.0.id, position: position, section: each.0, fingerprint: each.1)
    }
    let ids = Set(own.map(\.id))
    let gone = (live?.definition.sections ?? []).filter { !ids.contains($0.id) }.map { Part(id: $0.id, position: 0) }
    self.init(
      isWhole: true, settings: definition.settings, sortRules: definition.sortRules,
      audiences: definition.usedAudiences, parts: own + gone)
  }

  /// The live page with this laid over it. Parts that this does not name stay.
  func laid(over live: Fingerprinted) -> Fingerprinted {
    var result = live
    if let settings { result.definition.settings = settings }
    if isWhole { layWhole(over: live, &result) } else { layParts(over: live, &result) }
    result.definition.audiences.merge(audiences) { _, own in own }
    return result
  }

  /// Only sections that went live after a whole page was scheduled stay, with the indices that they have.
  private func layWhole(over live: Fingerprinted, _ result: inout Fingerprinted) {
    let own = parts.compactMap { section(of: $0, over: live) }
    result.definition.sortRules = sortRules
    result.definition.sections = own.map(\.section)
    result.fingerprints = own.map(\.fingerprint)
    let named = Set(parts.map(\.id))
    for (position, section) in live.definition.sections.enumerated() where !named.contains(section.id) {
      Self.put(section.id, (section, live.fingerprints[position]), at: position, in: &result)
      result.definition.takeIndex(of: section.id, from: live.definition.sortRules)
    }
  }

  private func layParts(over live: Fingerprinted, _ result: inout Fingerprinted) {
    for part in parts {
      Self.put(part.id, section(of: part, over: live), at: part.position, in: &result)
      result.definition.takeIndex(of: part.id, from: sortRules)
    }
    takeRest(in: &result)
  }

  /// Puts the rules and the order into a page.
  private func takeRest(in page: inout Fingerprinted) {
    for name in rest.rules + (rest.hasOrder ? [SortRule.defaultName] : []) {
      page.definition.take(rule: name, from: sortRules, known: Set(known))
    }
    guard rest.hasOrder else { return }
    let ranks = Dictionary(zip(known, 0...), uniquingKeysWith: { first, _ in first })
    let all = Array(zip(page.definition.sections, page.fingerprints))
    var ordered = all.filter { ranks[$0.0.id] != nil }.sorted { ranks[$0.0.id] ?? 0 < ranks[$1.0.id] ?? 0 }
    for (place, each) in all.enumerated() where ranks[each.0.id] == nil {
      ordered.insert(each, at: min(place, ordered.count))
    }
    page.definition.sections = ordered.map(\.0)
    page.fingerprints = ordered.map(\.1)
  }

  /// Puts a section into a page in the place of the one that it has, or takes it away.
  ///
  /// - Parameter position: Where it stands in a page that does not have it.
  private static func put(
    _ id: String, _ made: (section: SectionDefinition, fingerprint: String)?, at position: Int,
    in page: inout Fingerprinted
  ) {
    let present = page.definition.sections.firstIndex { $0.id == id }
    if let present {
      page.definition.sections.remove(at: present)
      page.fingerprints.remove(at: present)
    }
    guard let made else { return }
    let place = present ?? min(position, page.definition.sections.count)
    page.definition.sections.insert(made.section, at: place)
    page.fingerprints.insert(made.fingerprint, at: place)
  }

  /// A section with what sources have published of it since; `nil` when it is to go.
  private func section(
    of part: Part, over live: Fingerprinted
  ) -> (section: SectionDefinition, fingerprint: String)? {
    guard var section = part.section else { return nil }
    guard let content = content(of: section, live: live) else { return (section, part.fingerprint) }
    section.content = content
    return (section, Fingerprint.of(section.canonicalBytes))
  }

  /// A section's content with what sources have published since; `nil` if they published nothing.
  private func content(of section: SectionDefinition, live: Fingerprinted) -> SectionContent? {
    guard let items = pushed[section.id],
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
  /// Takes a rule from others, or drops it where it is not among them. The indices of sections that the others do not know
  /// stay, and those of sections that the page does not have are left out: such a section brings them when it comes.
  mutating func take(rule name: String, from rules: [SortRule], known: Set<String>) {
    let former = sortRules.first { $0.name == name }
    sortRules.removeAll { $0.name == name }
    guard var rule = rules.first(where: { $0.name == name }) else { return }
    let there = Set(sections.map(\.id))
    let kept = (former?.indices ?? [:]).filter { !known.contains($0.key) }
    rule.indices = rule.indices.filter { there.contains($0.key) }.merging(kept) { own, _ in own }
    sortRules.insert(rule, at: sortRules.firstIndex { $0.name > name } ?? sortRules.count)
  }

  /// Takes a section's index of every rule from other rules of the same names.
  mutating func takeIndex(of section: String, from rules: [SortRule]) {
    for position in sortRules.indices {
      let source = rules.first { $0.name == sortRules[position].name }
      sortRules[position].indices[section] = source?.indices[section]
    }
  }
}
