/// What a client says of itself.
public struct ClientAttributes: Hashable, Sendable {
  /// The attributes by name, `locale` left out.
  public var values: [String: AttributeValue]
  /// The locales wanted, in order of preference.
  public var languages: [LanguageRange]

  /// A client's attributes.
  public init(values: [String: AttributeValue] = [:], languages: [LanguageRange] = []) {
    self.values = values
    self.languages = languages
  }

  /// The value of an attribute; the locale is the one the client wants most.
  func value(of name: String) -> AttributeValue? {
    guard name == "locale" else { return values[name] }
    return languages.first { $0.isAcceptable && $0.locale != nil }?.locale.map { .locale($0) }
  }

  /// Whether the client can draw a kind: one that does not say its platform or version can draw everything.
  func satisfies(_ requirements: Requirements) -> Bool {
    guard case .text(let platform)? = values["platform"], let least = requirements[platform],
      case .version(let version)? = values["appVersion"]
    else { return true }
    return version >= least
  }
}

extension Predicate {
  /// Whether it holds for a client.
  ///
  /// - Parameter audiences: The named audiences; one that is not there holds for nobody.
  public func holds(for client: ClientAttributes, audiences: [String: Predicate]) -> Bool {
    holds(for: client, audiences: audiences, depth: 0)
  }

  /// Named audiences may not refer to themselves; should one, it holds for nobody.
  private func holds(for client: ClientAttributes, audiences: [String: Predicate], depth: Int) -> Bool {
    guard depth < 64 else { return false }
    return switch self {
    case .attribute(let name, let comparison): client.value(of: name).map { comparison.holds(for: $0) } ?? false
    case .all(let inner): inner.allSatisfy { $0.holds(for: client, audiences: audiences, depth: depth + 1) }
    case .any(let inner): inner.contains { $0.holds(for: client, audiences: audiences, depth: depth + 1) }
    case .not(let inner): !inner.holds(for: client, audiences: audiences, depth: depth + 1)
    case .audience(let name):
      audiences[name]?.holds(for: client, audiences: audiences, depth: depth + 1) ?? false
    }
  }

  /// The names of the audiences it refers to itself.
  public var audienceNames: Set<String> {
    switch self {
    case .attribute: []
    case .all(let inner), .any(let inner): inner.reduce(into: []) { $0.formUnion($1.audienceNames) }
    case .not(let inner): inner.audienceNames
    case .audience(let name): [name]
    }
  }
}

extension Comparison {
  /// Whether an attribute's value satisfies it.
  func holds(for value: AttributeValue) -> Bool {
    switch self {
    case .isIn(let values): values.contains(value)
    case .isNotIn(let values): !values.contains(value)
    case .atLeast(let least): !(value < least)
    case .below(let bound): value < bound
    case .between(let least, let greatest): !(value < least) && !(greatest < value)
    case .matches(let prefix):
      switch value {
      case .text(let text): text.hasPrefix(prefix)
      case .locale(let locale): locale.matches(range: prefix)
      default: false
      }
    }
  }
}
