/// What a client says of itself.
public struct ClientAttributes: Hashable, Sendable {
  /// The attributes by name, `locale` left out.
  public var values: AttributeValues
  /// The locales wanted, in order of preference.
  public var languages: [LanguageRange]

  /// A client's attributes.
  public init(values: AttributeValues = [:], languages: [LanguageRange] = []) {
    self.values = values
    self.languages = languages
  }

  /// Everything it says as text: equal clients have equal texts, in every process.
  public var key: String {
    let languages = languages.map { "\($0.locale?.tag ?? "*");\($0.weight)" }.joined(separator: ",")
    let values = values.sorted.map { "\($0.name)=\($0.value.written)" }
    return ([languages] + values).joined(separator: "&")
  }

  /// The bytes that it takes in memory, about.
  public var byteCount: Int {
    64 + languages.count * 64 + values.byteCount
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
  /// A client that does not send an attribute matches no predicate on it, negated or not: `not` of a comparison says the
  /// same as the opposite comparison. What is unknown stays unknown under `not`, and counts as no match in the end.
  ///
  /// - Parameter audiences: The named audiences; one that is not there holds for nobody.
  public func holds(for client: ClientAttributes, audiences: [String: Predicate]) -> Bool {
    verdict(for: client, named: AudienceGraph(audiences).verdicts(for: client)) ?? false
  }

  /// The answer of Kleene's logic: `nil` if it depends on an attribute that the client does not send.
  ///
  /// - Parameter named: Whether each named audience matches the client. One that refers to itself is missing, since it
  ///   matches nobody.
  func verdict(for client: ClientAttributes, named: [String: Bool]) -> Bool? {
    func inner(_ predicate: Predicate) -> Bool? { predicate.verdict(for: client, named: named) }
    switch self {
    case .attribute(let name, let comparison): return client.value(of: name).map { comparison.holds(for: $0) }
    case .all(let parts):
      let verdicts = parts.map(inner)
      return verdicts.contains(false) ? false : verdicts.contains(nil) ? nil : true
    case .any(let parts):
      let verdicts = parts.map(inner)
      return verdicts.contains(true) ? true : verdicts.contains(nil) ? nil : false
    case .not(let part): return inner(part).map { !$0 }
    case .audience(let name): return named[name]
    }
  }

  /// The names of the audiences it refers to itself.
  public var audienceNames: Set<String> {
    var names = Set<String>()
    collectAudienceNames(&names)
    return names
  }

  private func collectAudienceNames(_ names: inout Set<String>) {
    switch self {
    case .attribute: break
    case .all(let parts), .any(let parts): for part in parts { part.collectAudienceNames(&names) }
    case .not(let part): part.collectAudienceNames(&names)
    case .audience(let name): names.insert(name)
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
      case .text(let text): text.utf8.starts(with: prefix.utf8)
      case .locale(let locale): locale.matches(range: prefix)
      default: false
      }
    }
  }
}
