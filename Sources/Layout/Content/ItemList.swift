public import HomePayload
import JSON

/// A section's whole list for the clients of one ``ListKey``, encoded.
public struct ItemList: Sendable {
  /// How many items a part has that a link leads to.
  public static let partItems = 100

  /// The list's hash.
  public let hash: String
  /// How many items there are.
  public var count: Int { ends.count }
  /// About how many bytes it takes in memory.
  public var byteCount: Int { bytes.count + ends.count * 8 + 512 }

  private let key: ListKey
  private let linkKey: LinkKey
  private let page: String
  /// How many items stand in the page.
  private let first: Int
  /// The items with commas between them.
  private let bytes: [UInt8]
  /// Where each item ends.
  private let ends: [Int]

  fileprivate init(_ list: WholeList, key: ListKey, linkedBy linkKey: LinkKey, page: String) {
    let (bytes, ends) = Self.encoded(list.items)
    hash = Self.hash(of: bytes)
    self.key = key
    self.linkKey = linkKey
    self.page = page
    first = list.first
    // A copy of its own size: what is filled grows by doubling.
    self.bytes = bytes.map(\.self)
    self.ends = ends
  }

  /// The items with commas between them, and where each ends.
  private static func encoded(_ items: [Item]) -> (bytes: [UInt8], ends: [Int]) {
    var bytes: [UInt8] = []
    var ends: [Int] = []
    ends.reserveCapacity(items.count)
    for item in items {
      if !bytes.isEmpty { bytes.append(UInt8(ascii: ",")) }
      item.appendCanonicalBytes(to: &bytes)
      ends.append(bytes.count)
    }
    return (bytes, ends)
  }

  fileprivate static func hash(of items: [Item]) -> String { hash(of: encoded(items).bytes) }

  private static func hash(of bytes: [UInt8]) -> String { String(Fingerprint.of(pieces: [bytes]).prefix(16)) }

  /// The document that a cursor of this list asks for; `nil` when there is no such place in it, or no page says so.
  public func part(at cursor: ListCursor) -> [UInt8]? {
    let offset = cursor.offset
    guard cursor.list == key, cursor.hash == hash, offset >= first, offset < count,
      (offset - first).isMultiple(of: Self.partItems)
    else { return nil }
    let end = min(offset + Self.partItems, count)
    var part = Array("{\"items\":[".utf8)
    part += bytes[(offset == 0 ? 0 : ends[offset - 1] + 1)..<ends[end - 1]]
    part += Array("],".utf8)
    // The end of a part without items is the end of this one.
    part += ItemsPart(items: [], of: hash, more: more(after: end)).canonicalBytes.dropFirst("{\"items\":[],".utf8.count)
    return part
  }

  /// What follows so many items of the list, `nil` when nothing does.
  private func more(after offset: Int) -> Section.More? {
    guard offset < count else { return nil }
    let cursor = ListCursor(list: key, hash: hash, offset: offset)
    return Section.More(href: cursor.href(page: page, by: linkKey), count: count - offset, of: hash)
  }
}

extension ItemList {
  /// What came of the wish for a list.
  public enum Found: Sendable {
    /// The list.
    case list(ItemList)
    /// It is no more: the kinds are others, or one of them is withheld since.
    case gone
    /// No page has such a list.
    case none
  }

  /// Assembles the list of a section anew.
  ///
  /// - Parameters:
  ///   - section: The section that the key names.
  ///   - page: The page's id.
  ///   - withheld: The kinds that are withheld now.
  public static func find(
    _ key: ListKey, in section: SectionDefinition, of page: String, kinds: Kinds, withheld: [Withholding]
  ) -> Found {
    let settings = PageSettings(
      title: "", defaultLocale: key.defaultLocale,
      locales: key.outcome.locale == key.defaultLocale
        ? [key.defaultLocale] : [key.defaultLocale, key.outcome.locale])
    var definition = PageDefinition(id: page, settings: settings, sections: [section], sortRules: [])
    definition.withheld = withheld
    let plan = PagePlan(definition, kinds: kinds, fingerprints: [key.fingerprint])
    guard let sectionPlan = plan.sections.first, let list = sectionPlan.list else { return .none }
    let held = list.withheld.filter { key.withheld.contains($0.key) }
    guard list.setup == key.setup, held.keys.sorted() == key.withheld else { return .gone }
    guard key.outcome.isOf(conditions: list.conditions.count), key.since.map(list.flips.contains) ?? true else {
      return .none
    }
    var outcome = Outcome(locale: key.outcome.locale, count: plan.conditions.count)
    for (place, condition) in list.conditions.enumerated() { outcome[condition] = key.outcome[place] }
    for condition in held.values { outcome[condition] = true }
    // The same as at the client's own instant, since nothing begins or ends in between.
    let instant = key.since ?? list.flips.first?.adding(seconds: -1) ?? Instant(secondsSinceEpoch: 0)
    var assembly = SectionAssembly(plan: plan, outcome: outcome, instant: instant)
    guard let whole = assembly.list(of: sectionPlan) else { return .none }
    return .list(ItemList(whole, key: key, linkedBy: kinds.linkKey, page: page))
  }
}

extension PagePlan {
  /// The plan of a section's list, if the page has only a part of it.
  struct ListPlan: Sendable {
    /// How many items stand in the page, of each list where there are several.
    let first: Int
    /// The section's conditions, in the order in which they come in it.
    let conditions: [Int]
    /// The conditions under which kinds that it may show are withheld, by ``Withholding/mark``.
    let withheld: [UInt64: Int]
    /// The instants at which a schedule in the section begins or ends, ascending.
    let flips: [Instant]
    let fingerprint: String
    let setup: String
  }

  /// The definition of a section as it was written, if it is so in this plan.
  public func section(_ id: String, fingerprint: String) -> SectionDefinition? {
    sections.first { $0.definition.id == id && $0.list?.fingerprint == fingerprint }?.definition
  }

  /// A section's whole list for an outcome at an instant, with its hash; empty when the section is not there.
  public func items(of section: String, for outcome: Outcome, at instant: Instant) -> (items: [Item], hash: String) {
    var assembly = SectionAssembly(plan: self, outcome: outcome, instant: instant)
    let items = sections.first { $0.definition.id == section }.flatMap { assembly.list(of: $0)?.items } ?? []
    return (items, ItemList.hash(of: items))
  }

  /// The seconds after which a section may be asked for by itself.
  public func pollInterval(of section: String) -> Int {
    let own = definition.sections.first { $0.id == section }?.settings.loading.pollInterval
    return own ?? definition.settings.pollInterval
  }
}

extension SectionAssembly {
  /// The first of a section's items, and what tells of the others.
  func firstItems(
    _ list: WholeList, of section: PagePlan.SectionPlan
  ) -> (items: [Item], more: Section.More?) {
    guard let key = listKey(of: section), list.items.count > list.first else { return (list.items, nil) }
    let hash = ItemList.hash(of: list.items)
    let cursor = ListCursor(list: key, hash: hash, offset: list.first)
    let more = Section.More(
      href: cursor.href(page: plan.definition.id, by: plan.kinds.linkKey), count: list.items.count - list.first,
      of: hash)
    return (Array(list.items.prefix(list.first)), more)
  }

  /// What a section's list depends on; `nil` if the page has all of it.
  func listKey(of section: PagePlan.SectionPlan) -> ListKey? {
    guard let list = section.list else { return nil }
    var own = Outcome(locale: outcome.locale, count: list.conditions.count)
    for (place, condition) in list.conditions.enumerated() { own[place] = outcome[condition] }
    return ListKey(
      section: section.definition.id, fingerprint: list.fingerprint, setup: list.setup, outcome: own,
      withheld: list.withheld.filter { outcome[$0.value] }.keys.sorted(),
      defaultLocale: plan.definition.settings.defaultLocale, since: list.flips.last { $0 <= instant })
  }
}

/// What a section depends on beside its definition and the kinds, collected while it is walked.
struct SectionDependencies {
  private(set) var conditions: [Int] = []
  private var known = Set<Int>()
  var flips = Set<Instant>()
  /// The conditions under which kinds that it may show are withheld, by ``Withholding/mark``.
  var withheld: [UInt64: Int] = [:]

  /// So many conditions fit into a cursor; a section that asks for more of a client stands in the page as a whole.
  private static let conditionsMax = 64 * 255

  mutating func note(_ condition: Int) {
    if known.insert(condition).inserted { conditions.append(condition) }
  }

  func list(
    of section: SectionDefinition, _ fingerprint: String?, first: Int, kinds: Kinds
  ) -> PagePlan.ListPlan? {
    guard conditions.count <= Self.conditionsMax else { return nil }
    // As links have it that were given before.
    let setup = Fingerprint.of(.array([.string(kinds.hash)]))
    let fingerprint = fingerprint.flatMap { $0.isEmpty ? nil : $0 } ?? Fingerprint.of(section.canonicalBytes)
    return PagePlan.ListPlan(
      first: first, conditions: conditions, withheld: withheld, flips: flips.sorted(),
      fingerprint: fingerprint, setup: String(setup.prefix(16)))
  }
}
