import HomePayload
import JSON

/// Collects a section's own problems, independent of time and other sections. Places are within it.
struct SectionLinter {
  let settings: PageSettings
  let kinds: Kinds
  /// The positions of the items to check; `nil`: all.
  var suspects: Set<Int>?
  private(set) var problems: [LintProblem] = []

  /// - Parameters:
  ///   - section: The section, its content open: it is looked into again and again.
  ///   - circumstances: What the problems depend on beside the section and the kinds.
  static func problems(
    of section: SectionDefinition, in settings: PageSettings, kinds: Kinds, circumstances: String
  ) -> [LintProblem] {
    let content = section.content.open
    let own = Fingerprint.of(SectionDefinition(id: section.id, settings: section.settings).canonicalBytes)
    let look = "lint \(kinds.hash) \(own) \(circumstances)"
    var linter = SectionLinter(settings: settings, kinds: kinds, suspects: content.suspects(of: look))
    defer { content.note(linter.problems.map(\.pointer), of: look) }
    let items = section.topItems(at: JSONPointer()) { linter.isSuspect($0) }
    linter.checkIdentifiers(of: section)
    linter.checkContent(of: section)
    if !section.settings.isHidden {
      linter.checkSlots(of: section)
      linter.checkWaterfall(section)
      linter.checkStyle(section)
      linter.checkGroup(section)
    }
    linter.checkMaps(in: kinds.tokens.resolved(.object(section.settings.layout)), JSONPointer(["layout"]))
    let members = kinds.layoutMembers(of: section)
    let layers = [members["background"], settings.background.map { .object($0) }]
      .map { $0.map(kinds.tokens.resolved) }
    let behindAll = Self.backgrounds(layers.dropFirst().compactMap { $0 })
    let backgrounds = Self.backgrounds(layers.compactMap { $0 })
    // Only a background behind the whole section is behind header and footer, too.
    let isWhole = members["backgroundFrame"]?.string == SectionLayout.BackgroundFrame.section.rawValue
    linter.checkTitles(of: section.settings.lists)
    for (item, pointer) in items {
      linter.checkLists(of: item, pointer, among: pointer.tokens.first == "items" ? section.settings.lists : [])
      linter.checkLocales(of: item, pointer)
      let isEnd = pointer.tokens == ["header"] || pointer.tokens == ["footer"]
      linter.checkReading(of: item, pointer, over: isEnd && !isWhole ? behindAll : backgrounds)
    }
    return linter.problems
  }

  /// Whether to check the item at a position of the list: it is unknown, or had a problem before.
  func isSuspect(_ place: Int) -> Bool { suspects?.contains(place) ?? true }

  mutating func add(_ code: LintProblem.Code, _ pointer: JSONPointer, _ sentence: Sentence) {
    problems.append(LintProblem(code, at: pointer, sentence))
  }

  /// Takes over what the kinds say of a place.
  mutating func add(_ code: LintProblem.Code, _ problem: DocumentProblem) {
    problems.append(LintProblem(code, at: problem.pointer, problem.sentence))
  }
}

extension Kinds {
  /// A section's layout, its own members laid over its kind's.
  func layoutMembers(of section: SectionDefinition) -> JSONObject {
    LayoutResolver.overlay(section.settings.layout, on: sections[section.settings.kind]?.layout ?? JSONObject())
  }
}

extension SectionDefinition {
  /// Header, items, slots and footer with their places.
  ///
  /// - Parameter isIncluded: Whether the item at a place of the list is among them.
  func topItems(
    at pointer: JSONPointer, where isIncluded: (Int) -> Bool = { _ in true }
  ) -> [(item: ItemDefinition, pointer: JSONPointer)] {
    let items = pointer.appending("items")
    let slots = pointer.appending("slots")
    let content = content.values
    return [settings.header.map { ($0, pointer.appending("header")) }].compactMap { $0 }
      + content.items.indices.filter(isIncluded).map { (content.items[$0], items.appending($0)) }
      + content.slots.sorted { $0.key < $1.key }.map { ($0.value, slots.appending($0.key)) }
      + [settings.footer.map { ($0, pointer.appending("footer")) }].compactMap { $0 }
  }

  /// Calls with each item of header, list, slots and footer, children among them, and with what makes its place: most are
  /// not asked where they are.
  func forEachItem(_ body: (_ item: ItemDefinition, _ place: () -> JSONPointer) -> Void) {
    let content = content.values
    settings.header?.forEachItem(at: { JSONPointer(["header"]) }, body)
    for (index, item) in content.items.enumerated() {
      item.forEachItem(at: { JSONPointer(["items", String(index)]) }, body)
    }
    for (name, item) in content.slots.sorted(by: { $0.key < $1.key }) {
      item.forEachItem(at: { JSONPointer(["slots", name]) }, body)
    }
    settings.footer?.forEachItem(at: { JSONPointer(["footer"]) }, body)
  }
}

extension ItemDefinition {
  /// Calls with the item and its children at every depth.
  func forEachItem(
    at place: @escaping () -> JSONPointer, _ body: (_ item: ItemDefinition, _ place: () -> JSONPointer) -> Void
  ) {
    body(self, place)
    for (index, child) in children.enumerated() {
      child.forEachItem(at: { place().appending("children").appending(index) }, body)
    }
  }
}
