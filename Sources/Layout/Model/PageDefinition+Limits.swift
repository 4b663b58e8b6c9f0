import JSON

extension PageDefinition {
  /// Where the page is larger than definitions may be: what is put together of parts that were each within the limits,
  /// or was stored when the limits were others.
  public func problems(within limits: LayoutLimits) -> [DocumentProblem] {
    problems(within: limits) { sections[$0].isWithin(limits) }
  }

  /// - Parameter passes: Whether the section at a position is within the limits by itself.
  func problems(within limits: LayoutLimits, passing passes: (Int) -> Bool) -> [DocumentProblem] {
    var collector = LimitCollector(limits: limits)
    collector.check(sections.count, limits.sectionsMax, .tooManySections, "sections", at: JSONPointer(["sections"]))
    for (position, section) in sections.enumerated() where !passes(position) {
      collector.check(section, at: JSONPointer(["sections", String(position)]))
    }
    let rules = JSONPointer(["sortRules"])
    collector.check(sortRules.count, limits.sortRulesMax, .tooManySortRules, "sort rules", at: rules)
    for rule in sortRules { collector.check(rule.audience, at: JSONPointer(["sortRules", rule.name, "audience"])) }
    return collector.problems
  }
}

extension SectionContent {
  /// Where a section's content is larger than it may be.
  public func problems(within limits: LayoutLimits) -> [DocumentProblem] {
    var collector = LimitCollector(limits: limits)
    let count = outline?.items ?? items.count
    collector.check(count, limits.itemsMax, .tooManyItems, "items", at: JSONPointer(["items"]))
    return collector.problems
  }
}

/// Collects what is beyond the limits.
private struct LimitCollector {
  let limits: LayoutLimits
  private(set) var problems: [DocumentProblem] = []

  mutating func check(_ count: Int, _ most: Int, _ code: Sentence.Code, _ what: String, at pointer: JSONPointer) {
    guard count > most else { return }
    let text = "must have at most \(most) \(what), has \(count)"
    let sentence = Sentence(code, text, ["most": .count(most), "count": .count(count)])
    problems.append(DocumentProblem(pointer: pointer, sentence))
  }

  mutating func check(_ section: SectionDefinition, at pointer: JSONPointer) {
    check(section.content.items.count, limits.itemsMax, .tooManyItems, "items", at: pointer.appending("items"))
    check(section.settings.audience, at: pointer.appending("audience"))
    for (item, place) in section.topItems(at: pointer) { check(item, at: place, depth: 0) }
  }

  private mutating func check(_ item: ItemDefinition, at pointer: JSONPointer, depth: Int) {
    check(item.audience, at: pointer.appending("audience"))
    guard !item.children.isEmpty else { return }
    guard depth < limits.childrenDepthMax else {
      let text = "must have at most \(limits.childrenDepthMax) levels of children"
      let sentence = Sentence(.childrenTooDeep, text, ["most": .count(limits.childrenDepthMax)])
      return problems.append(DocumentProblem(pointer: pointer.appending("children"), sentence))
    }
    for (index, child) in item.children.enumerated() {
      check(child, at: pointer.appending("children").appending(index), depth: depth + 1)
    }
  }

  mutating func check(_ audience: Predicate?, at pointer: JSONPointer) {
    guard let audience, audience.depth > limits.predicateDepthMax else { return }
    let text = "is nested deeper than \(limits.predicateDepthMax) conditions"
    let sentence = Sentence(.conditionsTooDeep, text, ["most": .count(limits.predicateDepthMax)])
    problems.append(DocumentProblem(pointer: pointer, sentence))
  }
}

extension SectionDefinition {
  /// Reported without a place, since most are.
  func isWithin(_ limits: LayoutLimits) -> Bool {
    if let outline = content.outline, outline.items > limits.itemsMax || outline.levels > limits.childrenDepthMax {
      return false
    }
    let content = content.outline == nil ? content.values : SectionContent.Values()
    return content.items.count <= limits.itemsMax && settings.audience?.depth ?? 0 <= limits.predicateDepthMax
      && content.items.allSatisfy { $0.isWithin(limits, depth: 0) }
      && content.slots.values.allSatisfy { $0.isWithin(limits, depth: 0) }
      && [settings.header, settings.footer].allSatisfy { $0?.isWithin(limits, depth: 0) ?? true }
  }
}

extension ItemDefinition {
  fileprivate func isWithin(_ limits: LayoutLimits, depth: Int) -> Bool {
    (children.isEmpty || depth < limits.childrenDepthMax) && audience?.depth ?? 0 <= limits.predicateDepthMax
      && children.allSatisfy { $0.isWithin(limits, depth: depth + 1) }
  }
}

extension Predicate {
  /// How many conditions are nested in each other; the name of an audience is none.
  fileprivate var depth: Int {
    switch self {
    case .audience: 0
    case .attribute: 1
    case .not(let inner): 1 + inner.depth
    case .all(let parts), .any(let parts): 1 + (parts.map(\.depth).max() ?? 0)
    }
  }
}
