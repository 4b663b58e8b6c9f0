import JSON

extension ChangeSummary {
  mutating func describeSettings(from old: PageSettings, to new: PageSettings) {
    if ExactString(old.title) != ExactString(new.title) {
      add(
        .pageRenamed, "renamed the page from \"\(old.title)\" to \"\(new.title)\"",
        ["from": .string(old.title), "to": .string(new.title)])
    }
    let page = Subject(text: "the page", place: [:])
    describe(
      .defaultLocaleChanged, "the default locale", of: page, from: old.defaultLocale, to: new.defaultLocale,
      text: \.tag, json: { .string($0.tag) })
    for locale in old.locales where !new.locales.contains(locale) {
      add(.localeRemoved, "removed the locale \(locale)", ["locale": .string(locale.tag)])
    }
    for locale in new.locales where !old.locales.contains(locale) {
      add(.localeAdded, "added the locale \(locale)", ["locale": .string(locale.tag)])
    }
    if Set(old.locales) == Set(new.locales), old.locales != new.locales {
      let tags = new.locales.map(\.tag)
      add(.localesOrdered, "put the locales in the order \(tags.enumeration)", ["locales": .names(tags)])
    }
    describe(
      .pollIntervalChanged, "the poll interval", of: page, from: old.pollInterval, to: new.pollInterval,
      text: { "\($0) s" }, json: { .count($0) })
    switch (old.emptyState, new.emptyState) {
    case (nil, _?): add(.emptyStateAdded, "added the empty state")
    case (_?, nil): add(.emptyStateRemoved, "removed the empty state")
    case (let old?, let new?): describeItem(.emptyState, from: old, to: new, section: nil)
    default: break
    }
    let screen = [
      ("title", old.displayTitle != new.displayTitle), ("inset", old.inset != new.inset),
      ("background", old.background != new.background), ("bar", old.bar != new.bar),
    ]
    let changed = screen.filter(\.1).map(\.0)
    if !changed.isEmpty {
      add(.screenChanged, "changed the \(changed.enumeration) of the screen", ["members": .names(changed)])
    }
  }

  /// Describes the named audiences that the page uses, before or after. A draft knows other pages' audiences, too.
  mutating func describeAudiences(from old: PageDefinition, to new: PageDefinition) {
    let used = old.audienceNames.union(new.audienceNames)
    let (old, new) = (old.audiences.filter { used.contains($0.key) }, new.audiences.filter { used.contains($0.key) })
    for name in old.keys.sorted() where new[name] == nil {
      add(.audienceRemoved, "removed the audience \(name)", ["name": .string(name)])
    }
    for (name, predicate) in new.sorted(by: { $0.key < $1.key }) {
      let values: JSONObject = ["name": .string(name), "audience": predicate.json]
      guard let before = old[name] else {
        add(.audienceAdded, "added the audience \(name): clients with \(predicate.phrase)", values)
        continue
      }
      guard before != predicate else { continue }
      add(.audienceRedefined, "changed the audience \(name) to clients with \(predicate.phrase)", values)
    }
  }

  /// Describes untouched parts that reach other people, since an audience that they refer to has changed.
  mutating func describeEffects(from old: PageDefinition, to new: PageDefinition) {
    for effect in new.audienceEffects(since: old) {
      let subject: Subject =
        switch effect.part {
        case .section(let id): .section(id)
        case .rule(let name): .rule(name)
        }
      add(
        .audienceShifted, "changed who \(subject.text) is for, by the audience \(effect.audiences.enumeration)",
        of: subject, ["names": .names(effect.audiences)])
    }
  }

  /// The kinds of the page that are withheld from other clients than before.
  mutating func describeWithheld(from old: PageDefinition, to new: PageDefinition) {
    let (before, after) = (old.kinds, new.kinds)
    let used: [KindFamily: Set<String>] = [
      .items: before.items.union(after.items), .sections: before.sections.union(after.sections),
    ]
    let (old, new) = (old.withheld, new.withheld)
    func isUsed(_ withholding: Withholding) -> Bool { used[withholding.family]?.contains(withholding.kind) ?? false }
    for withholding in old where isUsed(withholding) && !new.contains(where: { $0.name == withholding.name }) {
      add(
        .kindLifted, "lifted the withholding of \(withholding.name)",
        ["family": .string(withholding.family.rawValue), "kind": .string(withholding.kind)])
    }
    for withholding in new where isUsed(withholding) && !old.contains(withholding) {
      add(
        .kindWithheld, "withheld \(withholding.name) from clients with \(withholding.audience.phrase)",
        [
          "family": .string(withholding.family.rawValue), "kind": .string(withholding.kind),
          "audience": withholding.audience.json,
        ])
    }
  }

  mutating func describeRules(from old: PageDefinition, to new: PageDefinition) {
    let before = Dictionary(old.sortRules.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let names = Set(new.sortRules.map(\.name))
    for rule in old.sortRules where !names.contains(rule.name) {
      add(.ruleRemoved, "removed the rule \(rule.name)", of: .rule(rule.name))
    }
    for rule in new.sortRules where rule.name != SortRule.defaultName {
      guard let earlier = before[rule.name] else {
        let audience = rule.audience.map { " for clients with \($0.phrase)" } ?? ""
        add(
          .ruleAdded, "added the rule \(rule.name)\(audience)", of: .rule(rule.name),
          JSONObject(present: [("audience", rule.audience?.json)]))
        continue
      }
      describeRule(from: earlier, to: rule)
    }
  }

  private mutating func describeRule(from old: SortRule, to new: SortRule) {
    let rule = Subject.rule(new.name)
    describe(
      .priorityChanged, "the priority of \(rule.text)", of: rule, from: old.priority, to: new.priority,
      json: { .count($0) })
    describeAudience(of: rule, from: old.audience, to: new.audience)
    describeSchedule(of: rule, from: old.schedule, to: new.schedule)
    for section in Set(old.indices.keys).union(new.indices.keys).sorted() {
      let id = ("section", JSON.string(section))
      switch (old.indices[section], new.indices[section]) {
      case (let before?, let after?) where before != after:
        add(
          .ruleIndexChanged, "moved \(section) from \(before) to \(after) in \(rule.text)", of: rule,
          JSONObject([id, ("from", .count(before)), ("to", .count(after))]))
      case (nil, let after?):
        let values = JSONObject([id, ("to", .count(after))])
        add(.ruleIndexAdded, "put \(section) at \(after) in \(rule.text)", of: rule, values)
      case (_?, nil): add(.ruleIndexRemoved, "took \(section) off \(rule.text)", of: rule, JSONObject([id]))
      default: break
      }
    }
  }
}
