import JSON

extension PageDefinition {
  /// What an operator should know before the page goes live: errors first, then warnings, each in the page's order.
  ///
  /// - Parameters:
  ///   - kinds: The kinds that the page is drawn with.
  ///   - instant: When it would go live: schedules are judged from then on.
  ///   - context: The declared client attributes, which tell what an audience can be, and the limits.
  ///   - compressedBytes: The size of the page's largest ready variant, gzip'd, where it is known.
  ///   - lacking: The pictures that are not there.
  ///   - withoutSource: The sections that no source's token is for, where that is known.
  ///   - cache: What is known of sections by their fingerprints, those of this page in its own order.
  public func lint(
    kinds: Kinds, at instant: Instant, in context: DefinitionContext = DefinitionContext(), compressedBytes: Int? = nil,
    lacking: LackingPictures = LackingPictures(), withoutSource: Set<String> = [],
    cache: (LintCache, fingerprints: [String])? = nil
  ) -> [LintProblem] {
    var linter = Linter(page: self, kinds: kinds, instant: instant, context: context, cache: cache)
    linter.checkSections()
    linter.checkUniqueIDs()
    linter.checkLimits()
    linter.checkOwnItems()
    linter.checkVisibility()
    linter.checkPinned()
    linter.checkSortRules()
    linter.checkPictures(lacking)
    linter.checkSources(withoutSource)
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
  /// What is known of each section by itself.
  let findings: [LintCache.Findings]
  private let cache: (LintCache, fingerprints: [String])?
  var problems: [LintProblem] = []

  init(
    page: PageDefinition, kinds: Kinds, instant: Instant, context: DefinitionContext,
    cache: (LintCache, fingerprints: [String])?
  ) {
    self.page = page
    self.kinds = kinds
    self.instant = instant
    self.cache = cache
    limits = context.limits
    satisfiability = Satisfiability(audiences: page.audiences, attributes: context.attributes)
    // What a section's problems depend on beside itself.
    let locales =
      (page.settings.locales + [page.settings.defaultLocale]).map(\.tag).joined(separator: " ")
      + (page.settings.background.map { " \(Fingerprint.of(.object($0)))" } ?? "")
    findings = page.sections.enumerated().map { position, section in
      func found() -> LintCache.Findings {
        let opened = section.opened
        return LintCache.Findings(
          problems: SectionLinter.problems(of: opened, in: page.settings, kinds: kinds, circumstances: locales),
          isWithinLimits: section.isWithin(context.limits), hasConditionalItems: section.hasConditionalItems,
          ids: opened.itemIDs)
      }
      guard let (cache, fingerprints) = cache, fingerprints.count == page.sections.count else { return found() }
      return cache.findings(
        of: "\(page.id)/\(section.id)", "\(fingerprints[position]) \(kinds.hash) \(locales)", otherwise: found)
    }
  }

  mutating func add(_ code: LintProblem.Code, _ pointer: JSONPointer, _ section: String?, _ sentence: Sentence) {
    problems.append(LintProblem(code, at: pointer, section: section, sentence))
  }

  static func place(ofSection position: Int) -> JSONPointer { JSONPointer(["sections", String(position)]) }

  /// The item of a section that has an id with a hash, and its place in the section.
  func item(_ hash: UInt64, ofSection position: Int) -> (id: String, place: JSONPointer)? {
    func found() -> (id: String, place: JSONPointer)? {
      var found: (id: String, place: JSONPointer)?
      page.sections[position].forEachItem { item, place in
        if found == nil, item.id.stableHash == hash { found = (item.id, place()) }
      }
      return found
    }
    guard let (cache, fingerprints) = cache, fingerprints.count == page.sections.count else { return found() }
    return cache.item("\(fingerprints[position]) \(hash)", otherwise: found)
  }

  /// What each section is wrong with by itself.
  mutating func checkSections() {
    var ids = Set<String>()
    for (position, section) in page.sections.enumerated() {
      let place = Self.place(ofSection: position)
      if !ids.insert(section.id).inserted {
        let text = "\"\(section.id)\" appears twice on the page"
        let sentence = Sentence(.twiceOnPage, text, ["id": .string(section.id)])
        add(.duplicateID, place.appending("id"), section.id, sentence)
      }
      for var problem in findings[position].problems {
        problem.pointer = place.appending(problem.pointer)
        problem.section = section.id
        problems.append(problem)
      }
    }
  }

  /// Checks a page's screen settings, and its items outside of sections.
  mutating func checkOwnItems() {
    var linter = SectionLinter(settings: page.settings, kinds: kinds)
    let state = page.settings.emptyState.map { [($0, JSONPointer(["emptyState"]))] } ?? []
    let bar = page.settings.bar?.items(at: JSONPointer(["bar"])) ?? []
    linter.checkIdentifiers(state)
    linter.checkIdentifiers(bar)
    linter.take(kinds.problems(in: page.settings), in: page.settings.json)
    let own = page.settings.background.map { kinds.tokens.resolved(.object($0)) }
    let backgrounds = SectionLinter.backgrounds([own].compactMap { $0 })
    for (item, place) in state + bar {
      linter.checkLists(of: item, place, among: [])
      linter.checkLocales(of: item, place)
      linter.checkReading(of: item, place, over: backgrounds)
    }
    if case .object(let map)? = page.settings.displayTitle {
      linter.checkMap(map.names, JSONPointer(["displayTitle"]))
    }
    for (name, value) in [("inset", page.settings.inset), ("background", page.settings.background)] {
      linter.checkMaps(in: kinds.tokens.resolved(.object(value ?? JSONObject())), JSONPointer([name]))
    }
    problems += linter.problems
  }

  mutating func checkBudget(_ bytes: Int) {
    guard bytes > limits.pageBytesMax else { return }
    add(
      .overBudget, JSONPointer(), nil,
      Sentence(
        .overBudget,
        "the page has \(bytes) bytes when compressed, and its budget is \(limits.pageBytesMax); "
          + "remove sections or items", ["bytes": .count(bytes), "most": .count(limits.pageBytesMax)]))
  }
}
