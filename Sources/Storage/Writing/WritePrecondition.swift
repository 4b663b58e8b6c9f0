/// What must hold of a resource before it is changed (RFC 9110 §13.1): both conditions, where both are given.
public struct WritePrecondition: Hashable, Sendable {
  /// What a condition names.
  public enum Tags: Hashable, Sendable {
    /// Whatever: `*`.
    case any
    /// These entity tags, quotes included and without `W/`.
    case some(Set<String>)
  }

  /// `If-Match`: tags of which the resource must have one; no condition if `nil`. `*` forces the change, and creates a
  /// missing resource (decision 0004).
  public var match: Tags?
  /// `If-None-Match`: tags that the resource must not have; no condition if `nil`.
  public var noneMatch: Tags?

  /// Whether a change of an existing resource needs one of the conditions, to protect others' work. The transaction
  /// decides.
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

  /// Whether it holds for some entity tags alone.
  var namesTags: Bool { [match, noneMatch].contains { $0 != nil && $0 != .any } }

  /// Whether a change of this resource needs a condition and has none.
  ///
  /// - Parameter own: The existing resource; `nil` if it does not exist. Creating it needs no condition.
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
