import JSON

/// Collects what a section is wrong with by itself, whatever the time and the other sections; places are within it.
struct SectionLinter {
  let settings: PageSettings
  let kinds: Kinds
  private(set) var problems: [LintProblem] = []

  init(settings: PageSettings, kinds: Kinds) {
    self.settings = settings
    self.kinds = kinds
  }

  static func problems(
    of section: SectionDefinition, in settings: PageSettings, kinds: Kinds
  ) -> [LintProblem] {
    var linter = SectionLinter(settings: settings, kinds: kinds)
    let section = section.opened
    let items = section.topItems(at: JSONPointer())
    linter.checkIdentifiers(items)
    linter.checkContent(of: section)
    if !section.settings.isHidden {
      linter.checkSlots(of: section)
      linter.checkWaterfall(section)
    }
    linter.checkMaps(in: .object(section.settings.layout), JSONPointer(["layout"]))
    let backgrounds = [kinds.layoutMembers(of: section)["background"], settings.background.map { .object($0) }]
      .compactMap { $0?["color"] }
    for (item, pointer) in items {
      linter.checkLocales(of: item, pointer)
      linter.checkReading(of: item, pointer, over: backgrounds)
    }
    return linter.problems
  }

  mutating func add(_ code: LintProblem.Code, _ pointer: JSONPointer, _ sentence: Sentence) {
    problems.append(LintProblem(code, at: pointer, sentence.text, sentence))
  }

  /// Takes over what the kinds say of a place.
  mutating func add(_ code: LintProblem.Code, _ problem: DocumentProblem) {
    problems.append(LintProblem(code, at: problem.pointer, problem.detail, problem.sentence))
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
  func topItems(at pointer: JSONPointer) -> [(item: ItemDefinition, pointer: JSONPointer)] {
    let items = pointer.appending("items")
    let slots = pointer.appending("slots")
    let content = content.values
    return [settings.header.map { ($0, pointer.appending("header")) }].compactMap { $0 }
      + content.items.enumerated().map { ($1, items.appending($0)) }
      + content.slots.sorted { $0.key < $1.key }.map { ($0.value, slots.appending($0.key)) }
      + [settings.footer.map { ($0, pointer.appending("footer")) }].compactMap { $0 }
  }
}
