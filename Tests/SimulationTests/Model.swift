/// What must be so, in plain values: the changes of a database in their order, carried out one after the other.
struct Model {
  /// What a page shows: a text for each of its sections, and whether the kind of the pictures is withheld.
  struct Content: Hashable {
    var feed = "first"
    var notes = "first"
    var isWithheld = false
    var kinds = 0
  }

  struct Page {
    /// What was live by each revision's number.
    var revisions: [Int: Content] = [:]
    var live = 1
    var draftNotes = "first"

    var content: Content { revisions[live] ?? Content() }

    mutating func publish(_ change: (inout Content) -> Void) {
      var next = content
      change(&next)
      live += 1
      revisions[live] = next
    }
  }

  private(set) var pages: [String: Page] = [:]
  /// What waits to be published, by the number of the request that has scheduled it.
  private(set) var scheduled: [Int: (page: String, notes: String, at: Int64)] = [:]
  private(set) var isWithheld = false
  private(set) var kinds = 0

  init(pages: [String]) {
    for page in pages { self.pages[page] = Page(revisions: [1: Content()]) }
  }

  /// Carries out a change.
  ///
  /// - Returns: Why it cannot be, if so.
  mutating func carryOut(_ request: Request, _ action: String, page: String?, at: Int64) -> String? {
    switch (request.change, page) {
    case (.push(_, into: .feed), let page?): pages[page]?.publish { $0.feed = request.text }
    case (.push(_, into: .notes), let page?):
      pages[page]?.draftNotes = request.text
      pages[page]?.publish { $0.notes = request.text }
      for number in scheduled.keys where scheduled[number]?.page == page { scheduled[number]?.notes = request.text }
    case (.edit, let page?): pages[page]?.draftNotes = request.text
    case (.publish, let page?):
      let notes = pages[page]?.draftNotes ?? ""
      pages[page]?.publish { $0.notes = notes }
    case (.schedule(_, let due), let page?) where action == "page.schedule":
      scheduled[request.number] = (page, pages[page]?.draftNotes ?? "", due)
    case (.schedule, let page?):
      guard let due = scheduled.removeValue(forKey: request.number) else { return "nothing was scheduled any more" }
      guard due.at <= at else { return "it was due at \(due.at), and was published at \(at)" }
      pages[page]?.publish { $0.notes = due.notes }
    case (.cancel(_, let number, _), _):
      guard scheduled.removeValue(forKey: number) != nil else { return "it was not scheduled any more" }
    case (.withhold, nil): isWithheld = true
    case (.lift, nil): isWithheld = false
    case (.withhold, let page?), (.lift, let page?):
      let isWithheld = isWithheld
      pages[page]?.publish { $0.isWithheld = isWithheld }
    case (.kinds(let kinds), nil): self.kinds = kinds
    case (.kinds(let kinds), let page?): pages[page]?.publish { $0.kinds = kinds }
    case (_, nil): return "it is of no page"
    }
    return nil
  }
}

/// What somebody asks for.
struct Request: Sendable {
  enum Section: String {
    case feed, notes
  }

  enum Change: Sendable {
    /// A source changes one section, live.
    case push(String, into: Section)
    /// An operator changes the draft.
    case edit(String)
    case publish(String)
    case schedule(String, at: Int64)
    case cancel(String, of: Int, id: Int64)
    case withhold
    case lift
    case kinds(Int)
  }

  var number: Int
  var change: Change
  /// Whether it can be asked for again and is carried out once.
  var hasKey: Bool

  /// What it writes.
  var text: String { "text \(number)" }
  var name: String { "request \(number)" }
}
