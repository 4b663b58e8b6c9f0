import JSON
public import Layout

/// What a new revision is made of.
public enum PublishScope: Hashable, Sendable {
  /// The whole draft.
  case draft
  /// Some parts of the draft; all else stays as it is live.
  case parts(PageParts)
  /// An edit of one section's content, which is made in the draft too; all else stays as it is live. What was asked is
  /// refused where the live section asks otherwise by then, and leaves a draft alone that does.
  case content(section: String, ContentEdit, asked: AskedBy? = nil)
  /// An earlier revision; `resetsDraft` makes the draft equal to it.
  case revision(Int, resetsDraft: Bool = false)
  /// The due scheduled publish with an id.
  case scheduled(Int64)

  /// Some sections of the draft.
  public static func sections(_ ids: [String]) -> PublishScope { .parts(PageParts(sections: ids)) }

  var kind: Revision.Kind {
    switch self {
    case .draft: .publish
    case .parts: .partial
    case .content: .content
    case .revision: .rollback
    case .scheduled: .scheduled
    }
  }

  /// Whether it was live, or scheduled, before.
  var bringsBack: Bool {
    switch self {
    case .revision, .scheduled: true
    case .draft, .parts, .content: false
    }
  }

  var action: String {
    switch self {
    case .draft: "page.publish"
    case .parts: "page.publish.sections"
    case .content(_, let edit, _): edit.publishAction
    case .revision: "page.rollback"
    case .scheduled: "page.publish.scheduled"
    }
  }
}

/// A revision about to be made.
public struct Candidate: Sendable {
  /// The page's definition.
  public var definition: PageDefinition
  /// The fingerprint of each section.
  public var fingerprints: [String]
  /// The live page, if any.
  public var live: PageDefinition?
  /// The fingerprint of each section that is live.
  public internal(set) var liveFingerprints: [String] = []
  /// The number it will have.
  public var number: Int
  /// The revision it is made of, when it is made of one.
  public var source: Int?
  /// The database's generation.
  public var generation = 1
  /// Tells the revision from another one of its number, which there is once history was cut: 32 hexadecimal digits.
  public var identity = (0..<16).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal
  /// The hash of the kinds that the nodes go by, when there are any.
  public var kinds: String?
  /// The parts that the publish changes and that also wait in schedules, soonest first, as a dry run tells.
  public internal(set) var waiting: [Waiting] = []
  /// The kept pictures of the parts that it changes.
  var pictures: Set<AssetName> = []
  /// The missing ones.
  public var lacking = LackingPictures()
  /// The sections with `freshFor` that no source's token is for.
  public var withoutSource: Set<String> = []
  /// Whether it equals the live revision. Then no revision is made.
  var isLive = false

  /// What orders its edition among others of the page.
  public var edition: EditionNumber { EditionNumber(generation: generation, revision: number) }
}

extension Candidate {
  /// The entity tag of what the publish changes in the live page, place by place, and of nothing else (decision 0139).
  public var tag: String { "\(Self.tagPrefix)\(definition.changes(since: live).prefix(32))\"" }

  private static let tagPrefix = "\"publish-"

  /// Whether a condition names a dry run's entity tag.
  static func isNamed(by precondition: WritePrecondition) -> Bool {
    guard case .some(let tags)? = precondition.match else { return false }
    return tags.contains { $0.hasPrefix(tagPrefix) }
  }
}
