/// Everything about a client that a page depends on: two clients with equal outcomes get the same document.
public struct Outcome: Hashable, Sendable {
  /// The page's locale that the client gets.
  public var locale: Locale
  /// Whether each of the plan's conditions holds, 64 a word.
  var conditions: [UInt64]

  init(locale: Locale, count: Int) {
    self.locale = locale
    conditions = Array(repeating: 0, count: (count + 63) / 64)
  }

  subscript(condition: Int) -> Bool {
    get { conditions[condition / 64] & (1 << UInt64(condition % 64)) != 0 }
    set {
      if newValue {
        conditions[condition / 64] |= 1 << UInt64(condition % 64)
      } else {
        conditions[condition / 64] &= ~(1 << UInt64(condition % 64))
      }
    }
  }

  /// The outcome that ``key`` wrote, `nil` for another text.
  public init?(key: String) {
    let parts = key.split(separator: ":", omittingEmptySubsequences: false)
    guard let locale = parts.first.flatMap({ Locale(String($0)) }) else { return nil }
    let words = parts.dropFirst().compactMap { UInt64($0, radix: 16) }
    guard words.count == parts.count - 1 else { return nil }
    self.locale = locale
    conditions = words
  }

  /// The outcome as text that is stable for one revision: `zh-Hans:00000000000000a5`.
  public var key: String {
    let words = conditions.map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
    return ([locale.tag] + words).joined(separator: ":")
  }
}

extension Outcome {
  /// Whether the outcome has room for as many conditions as the plan has.
  public func fits(_ plan: PagePlan) -> Bool {
    conditions.count == Outcome(locale: locale, count: plan.conditions.count).conditions.count
  }
}

/// Numbers the distinct conditions of a page: predicates of audiences, what kinds require of a client, and from whom they are
/// withheld.
struct ConditionTable: Sendable {
  private(set) var predicates: [(predicate: Predicate, condition: Int)] = []
  private(set) var requirements: [(requirements: Requirements, condition: Int)] = []
  private(set) var withholdings: [(withholding: Withholding, condition: Int)] = []
  private var predicateNumbers: [Predicate: Int] = [:]
  private var requirementNumbers: [Requirements: Int] = [:]
  private var withheldNumbers: [KindFamily: [String: Int]] = [:]
  private(set) var count = 0

  /// The number of a predicate, `nil` for everyone.
  mutating func number(of predicate: Predicate?) -> Int? {
    guard let predicate else { return nil }
    if let known = predicateNumbers[predicate] { return known }
    predicateNumbers[predicate] = count
    predicates.append((predicate, count))
    count += 1
    return count - 1
  }

  /// The number that a kind's requirements have, `nil` when they have none.
  func known(_ required: Requirements) -> Int? { requirementNumbers[required] }

  /// The number of a kind's requirements; `nil` if it has none.
  mutating func number(of required: Requirements) -> Int? {
    guard !required.isEmpty else { return nil }
    if let known = requirementNumbers[required] { return known }
    requirementNumbers[required] = count
    requirements.append((required, count))
    count += 1
    return count - 1
  }

  /// The number of the condition under which a kind is withheld, `nil` when it is from nobody.
  func withheld(_ family: KindFamily, _ kind: String) -> Int? { withheldNumbers[family]?[kind] }

  /// The number of the condition under which a kind is withheld, `nil` when it is from nobody.
  mutating func number(of withholding: Withholding?) -> Int? {
    guard let withholding else { return nil }
    if let known = withheld(withholding.family, withholding.kind) { return known }
    withheldNumbers[withholding.family, default: [:]][withholding.kind] = count
    withholdings.append((withholding, count))
    count += 1
    return count - 1
  }
}
