public import JSON
public import Layout

/// An immutable, numbered, published state of a page, without its sections.
public struct Revision: Hashable, Sendable {
  /// How a revision came to be.
  public enum Kind: String, CaseIterable, Hashable, Sendable {
    /// The whole draft was published.
    case publish
    /// Some sections of the draft were.
    case partial
    /// One section's content was, by a feeding service.
    case content
    /// An earlier revision was taken back.
    case rollback
    /// What was scheduled had come due, and was laid over what was live.
    case scheduled
    /// A document was imported and published.
    case `import`
    /// A kind was withheld from some clients, or that was lifted: the content is what was live.
    case withheld
    /// The kinds were changed: the content is what was live.
    case kinds
  }

  /// The page.
  public var page: String
  /// The number, from 1.
  public var number: Int
  /// How it came to be.
  public var kind: Kind
  /// The revision it equals, for a rollback or a scheduled publish of a whole page.
  public var source: Int?
  /// Who published it.
  public var author: String
  /// When.
  public var madeAt: Instant
  /// The author's message.
  public var message: String?
  /// The fingerprint of everything it holds.
  public var fingerprint: String
  /// The warnings that lint gave.
  public var problems: JSON
  /// The kinds that were withheld from some clients when it was made, as ``Withholding/json`` has each.
  public var withheld: JSON
  /// Whether retention keeps it.
  public var isPinned: Bool
  /// Whether it is the live one.
  public var isLive: Bool
  /// The database's generation, which orders editions before their revisions do.
  public var generation: Int

  /// What clients get as `Hearth-Revision`.
  public var edition: EditionNumber { EditionNumber(generation: generation, revision: number) }
}
