import JSON

extension ChangeSummary {
  mutating func describeSettings(from old: PageSettings, to new: PageSettings) {
    if ExactString(old.title) != ExactString(new.title) {
      add("renamed the page from \"\(old.title)\" to \"\(new.title)\"")
    }
    describe("the default locale", from: old.defaultLocale, to: new.defaultLocale, text: \.tag)
    for locale in old.locales where !new.locales.contains(locale) { add("removed the locale \(locale)") }
    for locale in new.locales where !old.locales.contains(locale) { add("added the locale \(locale)") }
    if Set(old.locales) == Set(new.locales), old.locales != new.locales {
      add("put the locales in the order \(new.locales.map(\.tag).enumeration)")
    }
    describe("the poll interval", from: old.pollInterval, to: new.pollInterval) { "\($0) s" }
    switch (old.emptyState, new.emptyState) {
    case (nil, _?): add("added the empty state")
    case (_?, nil): add("removed the empty state")
    case (let old?, let new?): describeItem("the empty state", from: old, to: new, section: nil)
    default: break
    }
  }

  /// The named audiences that the page uses, before or after: a draft knows those of other pages too.
  mutating func describeAudiences(from old: PageDefinition, to new: PageDefinition) {
    let used = old.audienceNames.union(new.audienceNames)
    let (old, new) = (old.audiences.filter { used.contains($0.key) }, new.audiences.filter { used.contains($0.key) })
    for name in old.keys.sorted() where new[name] == nil { add("removed the audience \(name)") }
    for (name, predicate) in new.sorted(by: { $0.key < $1.key }) {
      guard let before = old[name] else {
        add("added the audience \(name): clients with \(predicate.phrase)")
        continue
      }
      if before != predicate { add("changed the audience \(name) to clients with \(predicate.phrase)") }
    }
  }

  mutating func describeRules(from old: PageDefinition, to new: PageDefinition) {
    let before = Dictionary(old.sortRules.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = Set(new.sortRules.map(\.name))
    for rule in old.sortRules where !names.contains(rule.name) { add("removed the rule \(rule.name)") }
    for rule in new.sortRules where rule.name != SortRule.defaultName {
      guard let earlier = before[rule.name] else {
        let audience = rule.audience.map { " for clients with \($0.phrase)" } ?? ""
        add("added the rule \(rule.name)\(audience)")
        continue
      }
      describeRule(from: earlier, to: rule)
    }
  }

  private mutating func describeRule(from old: SortRule, to new: SortRule) {
    let subject = "the rule \(new.name)"
    describe("the priority of \(subject)", from: old.priority, to: new.priority) { String($0) }
    describeAudience(of: subject, from: old.audience, to: new.audience)
    describeSchedule(of: subject, from: old.schedule, to: new.schedule)
    for section in Set(old.indices.keys).union(new.indices.keys).sorted() {
      switch (old.indices[section], new.indices[section]) {
      case (let before?, let after?) where before != after:
        add("moved \(section) from \(before) to \(after) in \(subject)")
      case (nil, let after?): add("put \(section) at \(after) in \(subject)")
      case (_?, nil): add("took \(section) off \(subject)")
      default: break
      }
    }
  }
}
