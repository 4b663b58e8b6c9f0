public import JSON

extension PageDefinition {
  /// The names of the audiences that the page refers to, also through other audiences.
  public var audienceNames: Set<String> { names(usedBy: sections, rules: sortRules) }

  /// The audiences that the page refers to, as a revision keeps them.
  public var usedAudiences: [String: Predicate] { audiences(usedBy: sections, rules: sortRules) }

  /// The audiences that the given sections and sort rules refer to, and the given names.
  public func audiences(
    usedBy sections: [SectionDefinition], rules: [SortRule] = [], named others: [String] = []
  ) -> [String: Predicate] {
    let used = names(usedBy: sections, rules: rules, named: others)
    return audiences.filter { used.contains($0.key) }
  }

  private func names(
    usedBy sections: [SectionDefinition], rules: [SortRule], named others: [String] = []
  ) -> Set<String> {
    var direct = Set(others)
    for section in sections { direct.formUnion(section.directAudienceNames) }
    for rule in rules { direct.formUnion(rule.audience?.audienceNames ?? []) }
    return audiences.names(from: direct)
  }

  /// The sections and sort rules, both here and in an earlier state of the page, of which clients may see something else since
  /// an audience that they refer to means something else.
  public func audienceEffects(since earlier: PageDefinition) -> [AudienceEffect] {
    let changed = audienceNames.filter { audiences[$0] != earlier.audiences[$0] }
    guard !changed.isEmpty else { return [] }
    func effect(_ part: AudienceEffect.Part, _ direct: Set<String>) -> AudienceEffect? {
      let names = audiences.names(from: direct).intersection(changed).sorted()
      return names.isEmpty ? nil : AudienceEffect(part: part, audiences: names)
    }
    let rules = Set(earlier.sortRules.map(\.name))
    let present = Set(earlier.sections.map(\.id))
    return sections.filter { present.contains($0.id) }.compactMap { effect(.section($0.id), $0.directAudienceNames) }
      + sortRules.filter { rules.contains($0.name) }.compactMap {
        effect(.rule($0.name), $0.audience?.audienceNames ?? [])
      }
  }
}

extension [String: Predicate] {
  /// Names of audiences, and of the ones that they refer to.
  func names(from direct: Set<String>) -> Set<String> {
    var names = Set<String>()
    var pending = Array(direct)
    while let name = pending.popLast() {
      guard names.insert(name).inserted, let predicate = self[name] else { continue }
      pending += predicate.audienceNames
    }
    return names
  }
}

/// What clients may see otherwise since an audience means something else.
public struct AudienceEffect: Hashable, Sendable {
  /// A section or a sort rule.
  public enum Part: Hashable, Sendable {
    /// A section, by its id.
    case section(String)
    /// A sort rule, by its name.
    case rule(String)
  }

  /// What changes.
  public var part: Part
  /// The audiences that it changes by, ascending.
  public var audiences: [String]

  /// As the admin API tells of it.
  public var json: JSON {
    switch part {
    case .section(let id): ["section": .string(id), "audiences": .names(audiences)]
    case .rule(let name): ["rule": .string(name), "audiences": .names(audiences)]
    }
  }
}

extension SectionDefinition {
  fileprivate var directAudienceNames: Set<String> {
    conditionalItems.reduce(into: settings.audience?.audienceNames ?? []) { $0.formUnion($1.allAudienceNames) }
  }
}

extension ItemDefinition {
  fileprivate var allAudienceNames: Set<String> {
    children.reduce(into: audience?.audienceNames ?? []) { $0.formUnion($1.allAudienceNames) }
  }
}
