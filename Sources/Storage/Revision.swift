public import JSON
public import Layout

/// An immutable, numbered, published state of a page, told without its sections.
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
  }

  /// The page.
  public var page: String
  /// The number, from 1.
  public var number: Int
  /// How it came to be.
  public var kind: Kind
  /// The revision it was made of: that of a rollback, or of a scheduled publish of a whole page.
  public var source: Int?
  /// Who published it.
  public var author: String
  /// When.
  public var madeAt: Instant
  /// What the author said of it.
  public var message: String?
  /// The fingerprint of everything it holds.
  public var fingerprint: String
  /// The warnings that lint gave.
  public var problems: JSON
  /// Whether retention keeps it.
  public var isPinned: Bool
  /// Whether it is the live one.
  public var isLive: Bool
  /// The database's generation, by which its editions are ordered before their revisions.
  public var generation: Int

  /// What clients are told as `Hearth-Revision`.
  public var edition: EditionNumber { EditionNumber(generation: generation, revision: number) }
}

/// What a new revision is made of.
public enum PublishScope: Hashable, Sendable {
  /// The whole draft.
  case draft
  /// Some sections of the draft; all else stays as it is live.
  case sections([String])
  /// An edit of one section's content, which is made in the draft too; all else stays as it is live.
  case content(section: String, ContentEdit)
  /// An earlier revision; `resetsDraft` makes the draft equal to it.
  case revision(Int, resetsDraft: Bool)
  /// What is scheduled under an id and due.
  case scheduled(Int64)

  var kind: Revision.Kind {
    switch self {
    case .draft: .publish
    case .sections: .partial
    case .content: .content
    case .revision: .rollback
    case .scheduled: .scheduled
    }
  }

  var action: String {
    switch self {
    case .draft: "page.publish"
    case .sections: "page.publish.sections"
    case .content(_, let edit): edit.publishAction
    case .revision: "page.rollback"
    case .scheduled: "page.publish.scheduled"
    }
  }
}

/// What is about to become a revision.
public struct Candidate: Sendable {
  /// The page's definition.
  public var definition: PageDefinition
  /// The fingerprint of each section.
  public var fingerprints: [String]
  /// What is live now, when the page is.
  public var live: PageDefinition?
  /// The number it will have.
  public var number: Int
  /// The revision it is made of, when it is made of one.
  public var source: Int?
  /// The database's generation.
  public var generation = 1
  /// Tells the revision from another one of its number, which there is once history was cut.
  public var identity = Identity.random()
  /// Whether it is what is live already, so that there is no revision to make.
  var isLive = false

  /// What orders its edition among others of the page.
  public var edition: EditionNumber { EditionNumber(generation: generation, revision: number) }
}

/// Identities of revisions: 32 hexadecimal digits.
enum Identity {
  static func random() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: .min ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }
}
