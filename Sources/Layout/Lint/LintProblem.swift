public import JSON

/// One thing on a page that an operator should know before it goes live.
public struct LintProblem: Hashable, Sendable {
  /// What a problem does to a publish.
  public enum Severity: String, Hashable, Sendable, CaseIterable {
    /// It stops the publish.
    case error
    /// It is listed, and recorded with the revision.
    case warning
  }

  /// The rules, each with a name that never changes.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// A section's id twice on the page, or an item's twice in its section.
    case duplicateID = "duplicate-id"
    /// Ids of items that are in several sections, for clients that tell items of a page apart by them alone.
    case idNotUnique = "id-not-unique"
    /// A section or item of a kind that is not declared.
    case unknownKind = "unknown-kind"
    /// Something that its kind does not allow.
    case invalidContent = "invalid-content"
    /// Children on more levels than the section's kind allows.
    case childrenTooDeep = "children-too-deep"
    /// More sections, items, sort rules or levels than there may be.
    case overLimit = "over-limit"
    /// A named audience that is not there, or refers to itself.
    case unknownAudience = "unknown-audience"
    /// A schedule that ends before it begins.
    case scheduleInsideOut = "schedule-inside-out"
    /// A schedule that is over already.
    case scheduleOver = "schedule-over"
    /// A schedule without a moment in which it and what it stands in are there.
    case scheduleNeverBegins = "schedule-never-begins"
    /// An audience that no client can be of.
    case nobodyCanSee = "nobody-can-see"
    /// An audience of clients of which none can draw the kind, nor a fallback.
    case nobodyCanDraw = "nobody-can-draw"
    /// A slot that the kind requires: until it is filled the section is not in the page.
    case requiredSlotEmpty = "required-slot-empty"
    /// A sort rule that lists a section that is not on the page.
    case unknownSection = "unknown-section"
    /// Two rules of one priority that can apply to one client at one time.
    case equalPriority = "equal-priority"
    /// Two sections pinned to the bottom that one client can see at one time.
    case severalPinned = "several-pinned"
    /// A section whose content counts for a time only, and that no source fills.
    case noSource = "no-source"
    /// A picture of a waterfall whose height nobody knows before it is loaded (S3.5).
    case imageWithoutSize = "image-without-size"
    /// A member of a layout that its style does not look at.
    case unusedLayout = "unused-layout"
    /// A group whose columns of points are wider than what it has on a small screen.
    case wideGroup = "wide-group"
    /// A list that an item names and its section does not have.
    case unknownList = "unknown-list"
    /// A picture of Hearth's own that is not there, and that no client looks for yet.
    case unknownPicture = "unknown-picture"
    /// One that is not there any more, where clients look for it already or an earlier revision comes back.
    case removedPicture = "removed-picture"
    /// A value that differs by locale and has none for one of the page's locales.
    case missingLocale = "missing-locale"
    /// An image or a button without a text or label for people who do not see it.
    case missingLabel = "missing-label"
    /// More actions at one side of an item than a row that is swiped has room for.
    case manyActions = "many-actions"
    /// Text that is hard to read on what is behind it, in light or dark (WCAG AA).
    case lowContrast = "low-contrast"
    /// A publish that takes more than a third of the sections that are shown off the page.
    case losesSections = "loses-sections"
    /// A page larger than the size budget.
    case overBudget = "over-budget"

    /// Whether it stops a publish: what would be served wrongly does; what is merely useless or unwise does not, nor what
    /// hides itself, such as a section whose source has nothing for a slot (S1.5).
    public var severity: Severity {
      switch self {
      case .duplicateID, .unknownKind, .invalidContent, .childrenTooDeep, .overLimit, .unknownAudience,
        .scheduleInsideOut, .unknownList, .unknownPicture:
        .error
      default: .warning
      }
    }
  }

  /// The rule.
  public var code: Code
  /// The place in the page as documents write it: `/sections/3/items/0/schedule`.
  public var pointer: JSONPointer
  /// The problem and what would be right, in words.
  public var sentence: Sentence
  /// The id of the section it is about.
  public var section: String?

  /// A problem.
  public init(_ code: Code, at pointer: JSONPointer, section: String? = nil, _ sentence: Sentence) {
    self.code = code
    self.pointer = pointer
    self.section = section
    self.sentence = sentence
  }

  /// What is wrong, and what would be right, in English.
  public var detail: String { sentence.text }

  /// What the problem does to a publish.
  public var severity: Severity { code.severity }

  /// The problem as one of the page's document.
  public var place: DocumentProblem { DocumentProblem(pointer: pointer, sentence) }

  /// The problem as admin answers and revisions write it.
  public var json: JSON {
    .object(
      JSONObject(present: [
        ("severity", .string(severity.rawValue)), ("code", .string(code.rawValue)),
        ("pointer", .string(pointer.description)), ("detail", .string(detail)), ("sentence", sentence.json),
        ("section", section.map { .string($0) }),
      ]))
  }
}
