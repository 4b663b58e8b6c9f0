/// What changed between two states of a page, in sentences for people: `moved otc from 5 to 0`, `hid walletCard`.
///
/// First what holds for the page as a whole, then named audiences and sort rules, then the sections in their new order,
/// those that went before all others. Numbers of sections are indices, numbers of items are places counted from 1.
public struct ChangeSummary: Hashable, Sendable {
  /// The sentences, each a verb in the past tense and what it was done to; none when nothing changed.
  public private(set) var sentences: [String] = []

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
      add("made the page \(new.id) with \(count == 1 ? "1 section" : "\(count) sections")")
      return
    }
    describeSettings(from: old.settings, to: new.settings)
    describeAudiences(from: old, to: new)
    describeSections(from: old, to: new)
    describeRules(from: old, to: new)
  }

  mutating func add(_ sentence: String) { sentences.append(sentence) }

  /// A change of one thing, when it is one.
  mutating func describe<Value: Equatable>(
    _ what: String, from old: Value, to new: Value, text: (Value) -> String
  ) {
    if old != new { add("changed \(what) from \(text(old)) to \(text(new))") }
  }

  /// Who sees something, when that changed.
  mutating func describeAudience(of subject: String, from old: Predicate?, to new: Predicate?) {
    guard old != new else { return }
    switch (old, new) {
    case (nil, let new?): add("limited \(subject) to clients with \(new.phrase)")
    case (_?, let new?): add("changed the audience of \(subject) to clients with \(new.phrase)")
    default: add("opened \(subject) to everyone")
    }
  }

  /// When something shows, when that changed.
  mutating func describeSchedule(of subject: String, from old: Schedule?, to new: Schedule?) {
    guard old != new else { return }
    guard let new else {
      add("took the schedule off \(subject)")
      return
    }
    add("\(old == nil ? "scheduled" : "rescheduled") \(subject) \(new.phrase)")
  }
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
