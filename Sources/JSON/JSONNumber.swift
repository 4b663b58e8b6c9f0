/// A decimal number that keeps its value exactly. Equality is by value: `1`, `1.0` and `10e-1` are the same number.
public struct JSONNumber: Hashable, Sendable {
  /// The shortest canonical spelling: `0`, `-12.5`, `1e400`.
  public let text: String

  /// A whole number.
  public init(_ value: Int) { text = String(value) }
}
