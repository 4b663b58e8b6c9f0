extension PageDefinition {
  /// The names of the audiences that the page refers to, also through other audiences.
  public var audienceNames: Set<String> {
    var names = Set<String>()
    var pending = Array(directAudienceNames)
    while let name = pending.popLast() {
      guard names.insert(name).inserted, let predicate = audiences[name] else { continue }
      pending += predicate.audienceNames
    }
    return names
  }

  /// The audiences that the page refers to, as a revision keeps them.
  public var usedAudiences: [String: Predicate] {
    let names = audienceNames
    return audiences.filter { names.contains($0.key) }
  }

  private var directAudienceNames: Set<String> {
    var names = Set<String>()
    for rule in sortRules { names.formUnion(rule.audience?.audienceNames ?? []) }
    for section in sections {
      names.formUnion(section.settings.audience?.audienceNames ?? [])
      for item in section.conditionalItems { names.formUnion(item.allAudienceNames) }
    }
    return names
  }
}

extension ItemDefinition {
  fileprivate var allAudienceNames: Set<String> {
    children.reduce(into: audience?.audienceNames ?? []) { $0.formUnion($1.allAudienceNames) }
  }
}
