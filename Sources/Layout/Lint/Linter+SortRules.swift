import JSON

extension Linter {
  /// Rules that list absent sections, apply to nobody or at no time, or leave it to chance which of them wins.
  mutating func checkSortRules() {
    let known = Set(page.sections.map(\.id))
    var live: [SortRule] = []
    for rule in page.sortRules {
      let place = JSONPointer(["sortRules", rule.name])
      for name in rule.indices.keys.sorted() where !known.contains(name) {
        add(
          .unknownSection, place.appending("indices").appending(name), name,
          Sentence(
            .unknownSection, "the page has no section \"\(name)\"; remove it from the rule, or put the section back",
            ["name": .string(name)]))
      }
      let isTimely = rule.schedule.map { checkOwnSchedule($0, place.appending("schedule"), nil) } ?? true
      let isSatisfiable = rule.audience.map { checkOwnAudience($0, place.appending("audience"), nil) } ?? true
      if isTimely, isSatisfiable, rule.name != SortRule.defaultName { live.append(rule) }
    }
    checkPriorities(of: live.sorted { $0.name < $1.name })
  }

  private mutating func checkPriorities(of rules: [SortRule]) {
    for (position, second) in rules.enumerated() {
      let rival = rules[..<position].first { first in
        first.priority == second.priority && meet(first.schedule, second.schedule)
          && satisfiability.holds([first.audience, second.audience].compactMap { $0 })
      }
      guard let rival else { continue }
      add(
        .equalPriority, JSONPointer(["sortRules", second.name, "priority"]), nil,
        Sentence(
          .equalPriority,
          "\(rival.name) has priority \(second.priority) as well, and a client can be in both audiences. "
            + "\(rival.name) wins because of its name; give one of them a higher priority",
          ["rival": .string(rival.name), "priority": .count(second.priority)]))
    }
  }

  /// Whether two schedules share a moment to come.
  func meet(_ first: Schedule?, _ second: Schedule?) -> Bool {
    !Window(from: instant).intersection(first).intersection(second).isEmpty
  }
}
