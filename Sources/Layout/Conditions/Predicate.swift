/// Whom something is for: a condition over client attributes.
///
/// A client that does not send an attribute does not match a predicate on it, negated or not.
public indirect enum Predicate: Hashable, Sendable {
  /// An attribute compared with a value.
  case attribute(String, Comparison)
  /// All of them hold.
  case all([Predicate])
  /// At least one holds.
  case any([Predicate])
  /// It does not hold.
  case not(Predicate)
  /// A named audience.
  case audience(String)
}

/// How an attribute is compared.
public enum Comparison: Hashable, Sendable {
  /// Equal to one of the values.
  case isIn([AttributeValue])
  /// Sent, and equal to none of the values.
  case isNotIn([AttributeValue])
  /// The value or above.
  case atLeast(AttributeValue)
  /// Below the value.
  case below(AttributeValue)
  /// From the first value to the second, both included.
  case between(AttributeValue, AttributeValue)
  /// Begins with the prefix; a locale matches by whole subtags (RFC 4647 basic filtering).
  case matches(String)
}
