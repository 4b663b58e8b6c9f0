import JSON

/// What changed between two states of a page, in sentences for people: `moved otc from 5 to 0`, `hid walletCard`.
///
/// First what holds for the page as a whole, then named audiences and sort rules, then the sections in their new order,
/// those that went before all others. Numbers of sections are indices, numbers of items are places counted from 1.
public struct ChangeSummary: Hashable, Sendable {
  /// Each change, in English a verb in the past tense and what it was done to; none when nothing changed.
  public private(set) var changes: [Sentence] = []

  /// The changes in English.
  public var sentences: [String] { changes.map(\.text) }

  /// The most items of one section that are named one by one; of the others only their number is given.
  static let itemsNamedMax = 5

  /// A summary.
  ///
  /// - Parameters:
  ///   - old: The state before; `nil` for a page that was not there.
  ///   - new: The state after.
  public init(from old: PageDefinition?, to new: PageDefinition) {
    guard let old else {
      let count = new.sections.count
      add(
        .pageMade, "made the page \(new.id) with \(count == 1 ? "1 section" : "\(count) sections")",
        ["page": .string(new.id), "count": .count(count)])
      return
    }
    describeSettings(from: old.settings, to: new.settings)
    describeAudiences(from: old, to: new)
    describeEffects(from: old, to: new)
    if old.withheld != new.withheld { describeWithheld(from: old, to: new) }
    describeSections(from: old, to: new)
    describeRules(from: old, to: new)
  }

  mutating func add(_ code: Sentence.Code, _ text: String, _ values: JSONObject = [:]) {
    changes.append(Sentence(code, text, values))
  }

  /// A change of something.
  mutating func add(_ code: Sentence.Code, _ text: String, of subject: Subject, _ values: JSONObject = [:]) {
    add(code, text, JSONObject((subject.place.members + values.members).map { ($0.name, $0.value) }))
  }

  /// A change of one thing, when it is one.
  mutating func describe<Value: Equatable>(
    _ code: Sentence.Code, _ what: String, of subject: Subject, from old: Value, to new: Value,
    text: (Value) -> String = { "\($0)" }, json: (Value) -> JSON
  ) {
    guard old != new else { return }
    add(
      code, "changed \(what) from \(text(old)) to \(text(new))", of: subject, ["from": json(old), "to": json(new)])
  }

  /// Who sees something, when that changed.
  mutating func describeAudience(of subject: Subject, from old: Predicate?, to new: Predicate?) {
    guard old != new else { return }
    guard let new else { return add(.audienceOpened, "opened \(subject.text) to everyone", of: subject) }
    let condition: JSONObject = ["audience": new.json]
    if old == nil {
      add(.audienceLimited, "limited \(subject.text) to clients with \(new.phrase)", of: subject, condition)
    } else {
      let text = "changed the audience of \(subject.text) to clients with \(new.phrase)"
      add(.audienceChanged, text, of: subject, condition)
    }
  }

  /// When something shows, when that changed.
  mutating func describeSchedule(of subject: Subject, from old: Schedule?, to new: Schedule?) {
    guard old != new else { return }
    guard let new else { return add(.scheduleRemoved, "took the schedule off \(subject.text)", of: subject) }
    add(
      old == nil ? .scheduled : .rescheduled,
      "\(old == nil ? "scheduled" : "rescheduled") \(subject.text) \(new.phrase)", of: subject, ["schedule": new.json])
  }
}

/// What a change was made to.
struct Subject {
  /// By what operators call it: `otc`, `item scan in middleNav`, `the header of faq`.
  let text: String
  /// The members of a sentence's values that say where it is: `page`, `rule`, or `section` with `item`, `slot` or `part`.
  let place: JSONObject

  static func section(_ id: String) -> Subject { Subject(text: id, place: ["section": .string(id)]) }

  static func item(_ id: String, in section: String) -> Subject {
    Subject(text: "item \(id) in \(section)", place: ["section": .string(section), "item": .string(id)])
  }

  static func slot(_ name: String, of section: String) -> Subject {
    Subject(text: "the slot \(name) of \(section)", place: ["section": .string(section), "slot": .string(name)])
  }

  /// The header or the footer.
  static func part(_ name: String, of section: String) -> Subject {
    Subject(text: "the \(name) of \(section)", place: ["section": .string(section), "part": .string(name)])
  }

  static func rule(_ name: String) -> Subject { Subject(text: "the rule \(name)", place: ["rule": .string(name)]) }

  static let emptyState = Subject(text: "the empty state", place: ["part": "emptyState"])
}

extension Schedule {
  /// `from 2026-11-20T16:00:00Z until 2026-11-21T16:00:00Z (Asia/Shanghai)`
  var phrase: String {
    let ends = [from.map { "from \($0)" }, until.map { "until \($0)" }].compactMap { $0 }
    let when = ends.isEmpty ? "at all times" : ends.joined(separator: " ")
    return zone.map { "\(when) (\($0))" } ?? when
  }
}

extension Collection<String> {
  /// `a`, `a and b`, `a, b and c`
  var enumeration: String {
    guard let last = dropFirst(Swift.max(0, count - 1)).first, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}
