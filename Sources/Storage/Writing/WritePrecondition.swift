/// What must hold of a resource before it is changed (RFC 9110 §13.1): both conditions, where both are given.
public struct WritePrecondition: Hashable, Sendable {
  /// What a condition names.
  public enum Tags: Hashable, Sendable {
    /// Whatever: `*`.
    case any
    /// These entity tags, quotes included and without `W/`.
    case some(Set<String>)
  }

  /// What it must be, `If-Match`; nothing when `nil`, and nothing either for `*`, which forces the change and makes what
  /// is not there (decision 0004).
  public var match: Tags?
  /// What it must not be, `If-None-Match`; nothing when `nil`.
  public var noneMatch: Tags?

  /// Whether a change of what is there needs one of the conditions, so that nobody's work is lost. Decided where they
  /// are: in the transaction.
  public var isRequired = false

  /// A precondition of one or both conditions.
  public init(match: Tags? = nil, noneMatch: Tags? = nil, isRequired: Bool = false) {
    self.match = match
    self.noneMatch = noneMatch
    self.isRequired = isRequired
  }

  /// Nothing must hold.
  public static let none = WritePrecondition()
  /// Nothing must hold, and the caller says so: `If-Match: *`.
  public static let forced = WritePrecondition(match: .any)
  /// It is not there: `If-None-Match: *`.
  public static let absent = WritePrecondition(noneMatch: .any)

  /// It has one of these entity tags, quotes included.
  public static func matches(_ tags: Set<String>) -> WritePrecondition { WritePrecondition(match: .some(tags)) }

  /// Whether a condition is needed for a resource and there is none.
  ///
  /// - Parameter own: What there is of the resource; `nil` when it is not there, which is made without a condition.
  func isMissing<Resource>(for own: Resource?) -> Bool { isRequired && own != nil && match == nil && noneMatch == nil }

  /// Whether it holds for a resource.
  ///
  /// - Parameters:
  ///   - own: The resource's entity tag, `nil` when it is not there.
  ///   - others: The tags of what it is a part of, which speak for it in `If-Match`.
  func holds(for own: String?, or others: [String] = []) -> Bool {
    let matches =
      switch match {
      case nil, .any?: true
      case .some(let tags)?: own.map(tags.contains) ?? false || others.contains(where: tags.contains)
      }
    let isOther =
      switch noneMatch {
      case nil: true
      case .any?: own == nil
      case .some(let tags)?: own.map { !tags.contains($0) } ?? true
      }
    return matches && isOther
  }
}
