extension Predicate {
  /// The condition in words: `platform ios or android, and appVersion 5.2 or above`.
  var phrase: String {
    switch self {
    case .attribute(let name, let comparison): "\(name) \(comparison.phrase)"
    case .all(let parts): parts.map(\.operand).joined(separator: ", and ")
    case .any(let parts): parts.map(\.operand).joined(separator: ", or ")
    case .not(let part): "not \(part.operand)"
    case .audience(let name): "the audience \(name)"
    }
  }

  /// The condition as a part of another.
  private var operand: String {
    switch self {
    case .all(let parts) where parts.count > 1, .any(let parts) where parts.count > 1: "(\(phrase))"
    default: phrase
    }
  }
}

extension Comparison {
  fileprivate var phrase: String {
    switch self {
    case .isIn(let values): values.isEmpty ? "of no value" : values.map(\.written).joined(separator: " or ")
    case .isNotIn(let values): values.isEmpty ? "of any value" : "other than \(values.map(\.written).enumeration)"
    case .atLeast(let value): "\(value.written) or above"
    case .below(let value): "below \(value.written)"
    case .between(let least, let greatest): "\(least.written) to \(greatest.written)"
    case .matches(let prefix): "beginning with \(prefix)"
    }
  }
}
