import JSON
package import Layout

/// A live section that is asked for, and what came of it.
package struct AskedSection: Sendable {
  /// The page.
  package let page: String
  /// The section's id.
  package let section: String
  /// What is asked.
  package let asking: Asking
  /// What came of it.
  package var state = State()

  /// What came of asking for a section.
  package struct State: Hashable, Sendable {
    /// Since when this is asked.
    package var since: Instant?
    /// When an answer came last whose content is live since, or was already.
    package var answeredAt: Instant?
    /// When it was asked for last.
    package var triedAt: Instant?
    /// Why the last request came to nothing; `nil` where it did not.
    package var failure: String?
    /// How many requests in a row came to nothing.
    package var failures = 0
  }
}

extension AskedSection {
  /// For how many seconds no answer has come whose content is live.
  package func age(at instant: Instant) -> Int {
    guard let last = state.answeredAt ?? state.since else { return 0 }
    return Int(max(0, instant.secondsSinceEpoch - last.secondsSinceEpoch))
  }

  /// By what a section's state is kept.
  var key: String { "\(page)/\(section)" }
  /// Tells what is asked from what was asked before.
  var identity: String { String(Fingerprint.of(asking.json.canonicalBytes).prefix(16)) }

  /// The state as it is kept.
  var stateJSON: JSON {
    var object: JSONObject = ["asking": .string(identity), "failures": .count(state.failures)]
    func kept(_ instant: Instant?) -> JSON? { instant.map { .count(Int($0.secondsSinceEpoch)) } }
    object["since"] = kept(state.since)
    object["answered"] = kept(state.answeredAt)
    object["tried"] = kept(state.triedAt)
    object["failure"] = state.failure.map { .string($0) }
    return .object(object)
  }

  /// With the state that another process has kept, where it asked the same.
  func taking(_ states: JSON) -> AskedSection {
    guard let kept = states[key], kept["asking"]?.string == identity else { return self }
    var section = self
    func instant(_ name: String) -> Instant? { kept[name]?.int.map { Instant(secondsSinceEpoch: Int64($0)) } }
    section.state = State(
      since: instant("since") ?? state.since, answeredAt: instant("answered"), triedAt: instant("tried"),
      failure: kept["failure"]?.string,
      failures: kept["failures"]?.int ?? 0)
    return section
  }
}
