import Layout

/// What takes long is made of a snapshot, without the lock that every change waits for; the transaction then looks whether
/// what it was made of is still the same. Where it is not, it is made again, at last inside the transaction: then nothing
/// can come between.
extension Store {
  /// How often something is made outside the lock before it is made inside.
  static let attemptsMax = 3

  /// Runs a change that is made of all that is live, with what `make` makes of it, outside the lock at first. Each time it gets
  /// what it made before, so that a page that did not change meanwhile is not made again: what is left to be made at last, inside
  /// the lock, is what was published in the moment before.
  ///
  /// - Parameter isRight: Whether what was made of one state is right in another one.
  func write<Made: Sendable, Value: Sendable>(
    _ action: String, by actor: Actor, keeping: AnswerKeeper<Value>? = nil,
    isRight: @Sendable @escaping (_ made: Made, _ present: ContentState) -> Bool,
    making make: @Sendable @escaping (Change, _ before: Made?) throws -> Made,
    _ body: @Sendable @escaping (inout Change, Made) throws -> Value
  ) async throws -> Value {
    var made: Made?
    for _ in 0..<Self.attemptsMax {
      let now = clock()
      let next = try await read { [made] db in
        try make(Change(db: db, id: 0, now: now, actor: actor, action: action), made)
      }
      made = next
      do {
        return try await write(action, by: actor, keeping: keeping) { change in
          guard isRight(next, try ContentState(change.db)) else { throw Superseded() }
          return try body(&change, next)
        }
      } catch is Superseded { continue }
    }
    return try await write(action, by: actor, keeping: keeping) { [made] change in
      try body(&change, make(change, made))
    }
  }

  /// Finds out what a publish would make live, has `prepare` make it ready, and runs `commit` with the result.
  func prepared<Made: Sendable, Value: Sendable>(
    _ page: String, _ scope: PublishScope, if precondition: WritePrecondition, since served: ServedHistory?,
    check: @Sendable @escaping (SectionDefinition) throws -> Void,
    _ prepare: @Sendable @escaping (Candidate) throws -> Made,
    commit: @Sendable (Attempt<Made>) async throws -> Value
  ) async throws -> Value {
    let now = clock()
    var attempt = Attempt(
      page: page, scope: scope, precondition: precondition, served: served, check: check, prepare: prepare)
    for _ in 0..<Self.attemptsMax {
      let outside = engine.outsideChanges
      let (found, own) = try await read { [self, attempt] db in
        let change = Change(db: db, id: 0, now: now, actor: Actor(name: ""), action: "")
        return (try attempt.prospect(change, self, isChecked: true), try db.connection.changeNumber())
      }
      attempt.state = DatabaseState(own: own, outside: outside)
      var prospect = found
      if case .revision(_, true) = scope { prospect.draft = WrittenDraft(prospect.candidate.definition) }
      attempt.made = (prospect, prospect.candidate.isLive ? nil : try prepare(prospect.candidate))
      do { return try await commit(attempt) } catch is Superseded { continue }
    }
    attempt.made = nil
    return try await commit(attempt)
  }

  /// Runs a change that is made of much of the database, outside the lock: it holds when nothing was changed since.
  func write<Made: Sendable, Value: Sendable>(
    _ action: String, by actor: Actor, keeping: AnswerKeeper<Value>? = nil,
    making make: @Sendable @escaping (Database) throws -> Made,
    _ body: @Sendable @escaping (inout Change, Made) throws -> Value
  ) async throws -> Value {
    for _ in 0..<Self.attemptsMax {
      let (made, last) = try await read { db in (try make(db), try Change.last(db)) }
      do {
        return try await write(action, by: actor, keeping: keeping) { change in
          guard change.id == last + 1 else { throw Superseded() }
          return try body(&change, made)
        }
      } catch is Superseded { continue }
    }
    return try await write(action, by: actor, keeping: keeping) { change in try body(&change, make(change.db)) }
  }
}

/// What something was made of is not what is there any more.
struct Superseded: Error {}

/// What a publish prepared outside its transaction, if anything.
struct Attempt<Made: Sendable>: Sendable {
  let page: String
  let scope: PublishScope
  let precondition: WritePrecondition
  let served: ServedHistory?
  let check: @Sendable (SectionDefinition) throws -> Void
  let prepare: @Sendable (Candidate) throws -> Made
  /// What the publish would make live, and what was made of it; nothing if it is live already.
  fileprivate(set) var made: (prospect: Prospect, made: Made?)?
  /// The database as of then.
  fileprivate var state: DatabaseState?

  fileprivate func prospect(_ change: Change, _ store: Store, isChecked: Bool) throws -> Prospect {
    try change.requireUncut(since: served)
    return try change.prospect(page, scope, if: precondition, store, known: made?.prospect) {
      if isChecked { try check($0) }
    }
  }

  /// Finds out again, inside the transaction, what the publish makes live, and returns it with what was made of it.
  ///
  /// - Throws: when the result differs from the one that was made ready.
  func verified(_ change: Change, _ store: Store) throws -> (prospect: Prospect, made: Made?) {
    // Where nothing was changed since, it comes to the same.
    if let made, try state == DatabaseState(change.db) { return made }
    let prospect = try prospect(change, store, isChecked: made == nil)
    guard let made else { return (prospect, prospect.candidate.isLive ? nil : try prepare(prospect.candidate)) }
    guard prospect.isSame(as: made.prospect) else { throw Superseded() }
    return made
  }
}

/// Which state a database is in, as a transaction that writes sees it: two that are equal hold the same.
struct DatabaseState: Equatable {
  /// Rises with every change of a server and its commands.
  var own: Int
  /// Changes whenever another connection commits.
  var outside: Int

  init(own: Int, outside: Int) { (self.own, self.outside) = (own, outside) }

  init(_ db: Database) throws {
    self.init(own: try db.connection.changeNumber(), outside: try db.connection.outsideChanges())
  }
}

/// Which content a database has, told apart without reading it: two that are equal hold the same pages, drafts and schedules.
struct ContentState: Hashable, Sendable {
  /// What counts for all pages.
  struct Common: Hashable {
    var generation: Int
    /// The changes that have withheld kinds, the last one of the audiences, and how many there are of both.
    var withheld: [Int64]
    var audiences: [Int64]
  }

  struct Page: Hashable {
    var draft: Int64
    var live: Int?
    /// The last number that was given to a revision, which a scheduled one has before it is live.
    var last: Int
  }

  var common: Common
  var pages: [String: Page]
  /// The live revision below each schedule that is not held, by its id.
  var schedules: [Int64: Int?]

  /// The numbers of each page that is live: what is made of it holds as long as they do.
  var live: [String: [Int]] { pages.compactMapValues { page in page.live.map { [$0, page.last] } } }

  init(_ db: Database) throws {
    func numbers(_ sql: String) throws -> [Int64] { try Int64.fetchAll(db, sql: sql) }
    common = Common(
      generation: try Generation.present(db),
      withheld: try numbers("SELECT changed FROM withheld ORDER BY family, kind"),
      audiences: try numbers("SELECT changed FROM audiences ORDER BY name"))
    let pages = try Row.fetchAll(
      db,
      sql: """
        SELECT p.id AS id, p.draft_changed AS draft_changed, p.live AS live, n.last AS last
        FROM pages p LEFT JOIN revision_numbers n ON n.page = p.id
        """
    ).map { row in
      (row["id"] as String, Page(draft: row["draft_changed"], live: row["live"], last: row["last"] as Int? ?? 0))
    }
    self.pages = Dictionary(uniqueKeysWithValues: pages)
    let schedules = try Row.fetchAll(
      db,
      sql: """
        SELECT s.id AS id, p.live AS live FROM scheduled_publishes s JOIN pages p ON p.id = s.page WHERE s.is_missed = 0
        """
    ).map { row in (row["id"] as Int64, row["live"] as Int?) }
    self.schedules = Dictionary(uniqueKeysWithValues: schedules)
  }
}

extension Change {
  /// The number of the last change that there is.
  static func last(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT max(id) FROM audit") ?? 0
  }
}
