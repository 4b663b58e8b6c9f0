/// A comparison that an attribute's value must satisfy, or must not.
struct Demand {
  var comparison: Comparison
  var isNegated = false

  func holds(for value: AttributeValue) -> Bool { comparison.holds(for: value) != isNegated }

  /// The values that the comparison names.
  var constants: [AttributeValue] {
    switch comparison {
    case .isIn(let values), .isNotIn(let values): values
    case .atLeast(let value), .below(let value): [value]
    case .between(let least, let greatest): [least, greatest]
    case .matches(let prefix): [.text(prefix)] + (Locale(prefix).map { [.locale($0)] } ?? [])
    }
  }
}

extension AttributeDeclaration.Kind {
  /// Values of which at least one satisfies all demands, if any value does.
  ///
  /// Demands split an attribute's values into stretches on which each is either kept or not. The bounds of the
  /// stretches are the values that the demands name, so that those, a value right beside each, and one far from all
  /// stand for every other.
  func witnesses(of demands: [Demand]) -> [AttributeValue] {
    let constants = demands.flatMap(\.constants)
    switch self {
    case .flag: return [.flag(true), .flag(false)]
    case .text(let values?): return values.map { .text($0) }
    case .text:
      let texts = constants.compactMap { value -> String? in if case .text(let text) = value { text } else { nil } }
      return (texts + (texts + [""]).map { $0 + Self.rest }).map { .text($0) }
    case .integer(let range):
      let integers = constants.compactMap { value -> Int? in
        if case .integer(let integer) = value { integer } else { nil }
      }
      let near = integers.flatMap { [$0.saturatedPredecessor, $0, $0.saturatedSuccessor] }
      return ([range.lowerBound, range.upperBound] + near.filter(range.contains)).map { .integer($0) }
    case .version:
      let named = constants.compactMap { value -> AppVersion? in
        if case .version(let version) = value { version } else { nil }
      }
      let versions = named + [AppVersion(numbers: [])]
      return (versions + versions.map(\.rightAbove)).map { .version($0) }
    case .locale:
      let tags = constants.compactMap { value -> String? in
        if case .locale(let locale) = value { locale.tag } else { nil }
      }
      return (tags + (tags + ["qaa"]).map { $0 + "-x-hearth" }).compactMap { Locale($0) }.map { .locale($0) }
    }
  }

  /// An ending that no real value has.
  private static let rest = "\u{10FFFF}"
}

extension Int {
  fileprivate var saturatedPredecessor: Int { self == .min ? self : self - 1 }
  fileprivate var saturatedSuccessor: Int { self == .max ? self : self + 1 }
}

extension AppVersion {
  /// A version above this one and below every other above it that has at most eight numbers, as all that are read.
  fileprivate var rightAbove: AppVersion {
    AppVersion(numbers: numbers + Array(repeating: 0, count: max(0, 8 - numbers.count)) + [1])
  }
}
