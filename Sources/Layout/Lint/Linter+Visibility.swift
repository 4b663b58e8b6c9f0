import JSON

extension Linter {
  /// Where and for whom the things around an item are there.
  private struct Surroundings {
    var section: String
    var window: Window
    var audiences: [Predicate]
    var requirements: [Requirements]
  }

  /// Sections and items that are never there, or for nobody.
  mutating func checkVisibility() {
    for (position, section) in page.sections.enumerated() where !section.settings.isHidden {
      let place = Self.place(ofSection: position)
      let everywhere = Surroundings(
        section: section.id, window: Window(from: instant), audiences: [], requirements: [])
      let isShown = checkSchedule(section.settings.schedule, place, everywhere)
      let isSeen = checkAudience(section.settings.audience, place, everywhere)
      guard isShown, isSeen else { continue }
      var inside = everywhere
      inside.window = inside.window.intersection(section.settings.schedule)
      if let audience = section.settings.audience { inside.audiences.append(audience) }
      checkDrawable(drawers(of: section.settings.kind, in: kinds.sections), place, inside)
      guard !inside.audiences.isEmpty || findings[position].hasConditionalItems else { continue }
      for (item, pointer) in section.topItems(at: place) { checkItem(item, pointer, inside) }
    }
  }

  private mutating func checkItem(_ item: ItemDefinition, _ pointer: JSONPointer, _ surroundings: Surroundings) {
    let isShown = checkSchedule(item.schedule, pointer, surroundings)
    let isSeen = checkAudience(item.audience, pointer, surroundings)
    guard isShown, isSeen else { return }
    var inside = surroundings
    inside.window = inside.window.intersection(item.schedule)
    if let audience = item.audience { inside.audiences.append(audience) }
    checkDrawable(drawers(of: item.kind, in: kinds.items), pointer, inside)
    for (index, child) in item.children.enumerated() {
      checkItem(child, pointer.appending("children").appending(index), inside)
    }
  }

  /// Whether there is a moment at which it shows; a problem when not.
  private mutating func checkSchedule(
    _ schedule: Schedule?, _ pointer: JSONPointer, _ surroundings: Surroundings
  ) -> Bool {
    guard let schedule else { return true }
    let place = pointer.appending("schedule")
    if !checkOwnSchedule(schedule, place, surroundings.section) { return false }
    guard surroundings.window.intersection(schedule).isEmpty else { return true }
    add(
      .scheduleNeverBegins, place, surroundings.section,
      Sentence(
        .scheduleOutside,
        "does not overlap the time at which what contains it is shown (\(surroundings.window.description))",
        JSONObject(present: [
          ("from", surroundings.window.from.map { .string($0.description) }),
          ("until", surroundings.window.until.map { .string($0.description) }),
        ])))
    return false
  }

  /// Whether a schedule has a moment to come.
  mutating func checkOwnSchedule(_ schedule: Schedule, _ place: JSONPointer, _ section: String?) -> Bool {
    if let from = schedule.from, let until = schedule.until, from >= until {
      let code: LintProblem.Code = from > until ? .scheduleInsideOut : .scheduleNeverBegins
      let text = "begins at \(from) and ends at \(until); put the earlier one first"
      let values: JSONObject = ["from": .string(from.description), "until": .string(until.description)]
      add(code, place, section, Sentence(.scheduleInsideOut, text, values))
      return false
    }
    if let until = schedule.until, until <= instant {
      let text = "ended at \(until); remove it, or give it a later end"
      add(.scheduleOver, place, section, Sentence(.scheduleOver, text, ["until": .string(until.description)]))
      return false
    }
    return true
  }

  /// Whether some client can be of it; a problem when not.
  private mutating func checkAudience(
    _ audience: Predicate?, _ pointer: JSONPointer, _ surroundings: Surroundings
  ) -> Bool {
    guard let audience else { return true }
    let place = pointer.appending("audience")
    if !checkOwnAudience(audience, place, surroundings.section) { return false }
    if surroundings.audiences.isEmpty || satisfiability.holds(surroundings.audiences + [audience]) { return true }
    add(
      .nobodyCanSee, place, surroundings.section,
      Sentence(.nobodyInside, "no client can be in this audience and in the one around it; widen one of them"))
    return false
  }

  /// Whether some client can be of an audience.
  mutating func checkOwnAudience(_ audience: Predicate, _ place: JSONPointer, _ section: String?) -> Bool {
    if let name = satisfiability.brokenName(in: audience) {
      let known = page.audiences.keys.sorted()
      let isUnknown = page.audiences[name] == nil
      let detail = isUnknown ? "there is no audience \"\(name)\"" : "\"\(name)\" refers to itself"
      let sentence = Sentence(
        isUnknown ? .unknownAudience : .circularAudience,
        "\(detail); there are \(known.isEmpty ? "none" : known.joined(separator: ", "))",
        ["name": .string(name), "known": .names(known)])
      add(.unknownAudience, place, section, sentence)
      return false
    }
    if satisfiability.holds([audience]) { return true }
    let text = "no client can be in this audience, because its conditions exclude each other"
    add(.nobodyCanSee, place, section, Sentence(.nobody, text))
    return false
  }

  private mutating func checkDrawable(
    _ drawers: [Requirements], _ pointer: JSONPointer, _ surroundings: Surroundings
  ) {
    guard !drawers.isEmpty, !drawers.contains([:]), !surroundings.audiences.isEmpty,
      !satisfiability.holds(surroundings.audiences, drawnByOneOf: drawers)
    else { return }
    add(
      .nobodyCanDraw, pointer.appending("kind"), surroundings.section,
      Sentence(
        .nobodyCanDraw,
        "the clients of its audience are too old for this kind, and it has no fallback that they can draw"))
  }

  /// What kinds of one name ask for, with those that may stand in for it.
  private func drawers(of name: String, in kinds: [String: some DeclaredKind]) -> [Requirements] {
    Kinds.chain(from: kinds[name], in: kinds).map(\.requirements)
  }
}

extension SectionDefinition {
  /// Whether some item is not there for everyone at all times.
  var hasConditionalItems: Bool {
    conditionalItems.contains(where: \.isConditional)
  }
}

extension ItemDefinition {
  fileprivate var isConditional: Bool {
    schedule != nil || audience != nil || children.contains(where: \.isConditional)
  }
}
