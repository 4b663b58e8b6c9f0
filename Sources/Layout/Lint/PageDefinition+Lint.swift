import JSON

extension PageDefinition {
  /// What an operator should know before the page goes live: errors first, then warnings, each in the page's order.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that the page is drawn with.
  ///   - instant: When it would go live: schedules are judged from then on.
  ///   - context: The declared client attributes, which tell what an audience can be, and the limits.
  ///   - compressedBytes: The size of the page's largest ready variant, gzip'd, where it is known.
  public func lint(
    kinds: Kinds, at instant: Instant, in context: DefinitionContext = DefinitionContext(), compressedBytes: Int? = nil
  ) -> [LintProblem] {
    var linter = Linter(page: self, kinds: kinds, instant: instant, context: context)
    linter.checkIdentifiers()
    linter.checkContent()
    linter.checkSlots()
    linter.checkVisibility()
    linter.checkPinned()
    linter.checkWaterfalls()
    linter.checkLocales()
    linter.checkSortRules()
    if let compressedBytes { linter.checkBudget(compressedBytes) }
    return linter.problems.filter { $0.severity == .error } + linter.problems.filter { $0.severity == .warning }
  }
}

/// Walks a page and collects what it finds; each rule is an extension of its own.
struct Linter {
  let page: PageDefinition
  let kinds: Kinds
  let instant: Instant
  let limits: LayoutLimits
  let satisfiability: Satisfiability
  private(set) var problems: [LintProblem] = []

  init(page: PageDefinition, kinds: Kinds, instant: Instant, context: DefinitionContext) {
    self.page = page
    self.kinds = kinds
    self.instant = instant
    limits = context.limits
    satisfiability = Satisfiability(audiences: page.audiences, attributes: context.attributes)
  }

  mutating func add(_ code: LintProblem.Code, _ pointer: JSONPointer, _ section: String?, _ detail: String) {
    problems.append(LintProblem(code, at: pointer, section: section, detail))
  }

  static func place(ofSection position: Int) -> JSONPointer { JSONPointer(["sections", String(position)]) }

  /// A section's layout, its own members laid over its kind's.
  func layout(of section: SectionDefinition) -> JSONObject {
    LayoutResolver.overlay(section.settings.layout, on: kinds.sections[section.settings.kind]?.layout ?? JSONObject())
  }

  mutating func checkBudget(_ bytes: Int) {
    guard bytes > limits.pageBytesMax else { return }
    add(
      .overBudget, JSONPointer(), nil,
      "the page has \(bytes) bytes when compressed, and its budget is \(limits.pageBytesMax): take sections or items off"
    )
  }
}

extension SectionDefinition {
  /// Header, items, slots and footer with their places.
  func topItems(at pointer: JSONPointer) -> [(item: ItemDefinition, pointer: JSONPointer)] {
    let items = pointer.appending("items")
    let slots = pointer.appending("slots")
    return [settings.header.map { ($0, pointer.appending("header")) }].compactMap { $0 }
      + content.items.enumerated().map { ($1, items.appending($0)) }
      + content.slots.sorted { $0.key < $1.key }.map { ($0.value, slots.appending($0.key)) }
      + [settings.footer.map { ($0, pointer.appending("footer")) }].compactMap { $0 }
  }
}
