public import JSON

/// One way in which the values that two schemas take differ.
public struct SchemaDifference: Hashable, Sendable {
  /// What the newer schema takes, seen from the older one.
  public enum Change: String, Sendable {
    /// Less: some values that were valid are refused.
    case narrower
    /// More: some values are valid that were refused.
    case wider
    /// Both at once.
    case other
    /// The same, under another name.
    case renamed
  }

  /// The place in the value; `*` stands for every element, and for every member that is not named.
  public var place: JSONPointer
  /// The keyword that makes the difference.
  public var keyword: String
  /// What the newer schema takes.
  public var change: Change
  /// Whether whoever reads values by the older schema may meet what it has no shape for: another type or format, an
  /// unknown word, an absent member. A wider limit is none of these.
  public var isNewShape: Bool
  /// What is so now, and what was.
  public var detail: String
}

extension Schema {
  /// How a newer schema differs from this one in the values that they take: by place, nothing when they take the same.
  ///
  /// Schemas are compared by their keywords, `$ref` and `allOf` joined into one, so that moving a part into `$defs` is no
  /// difference. Alternatives are compared as sets. Where keywords imply each other in ways that this does not see, a
  /// difference may be reported that no value shows; none is missed.
  public func differences(to newer: Schema) -> [SchemaDifference] {
    var comparison = SchemaComparison(older: self, newer: newer)
    comparison.compare([root], [newer.root], at: JSONPointer())
    return comparison.differences.sorted { $0.place.description < $1.place.description }
  }
}
