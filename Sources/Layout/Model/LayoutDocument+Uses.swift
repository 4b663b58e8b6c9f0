extension LayoutDocument {
  /// The places that refer to a named audience themselves: `home/sections/otc`, `home/sortRules/spring`,
  /// `audiences/vip`.
  public func uses(of audience: String) -> [String] {
    var uses: [String] = []
    for (name, predicate) in audiences where predicate.audienceNames.contains(audience) {
      uses.append("audiences/\(name)")
    }
    for page in pages {
      for section in page.sections {
        let place = "\(page.id)/sections/\(section.id)"
        if section.settings.audience?.audienceNames.contains(audience) ?? false { uses.append(place) }
        for item in section.conditionalItems { uses += item.uses(of: audience, at: place) }
      }
      for rule in page.sortRules where rule.audience?.audienceNames.contains(audience) ?? false {
        uses.append("\(page.id)/sortRules/\(rule.name)")
      }
    }
    return uses.sorted()
  }
}

extension ItemDefinition {
  fileprivate func uses(of name: String, at place: String) -> [String] {
    let own = audience?.audienceNames.contains(name) ?? false ? ["\(place)/items/\(id)"] : []
    return own + children.flatMap { $0.uses(of: name, at: place) }
  }
}
