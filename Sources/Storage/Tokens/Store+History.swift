import JSON
public import Layout

/// What a node has served. By it the node notices that the database's history was cut: a backup was restored, or
/// PostgreSQL lost its last changes.
public struct ServedHistory: Hashable, Sendable {
  /// A page's revision.
  public struct Revision: Hashable, Sendable {
    /// Its number.
    public var number: Int
    /// What tells it from another one of its number.
    public var identity: String
    /// Whether the page has not been deleted since.
    public var isLive: Bool

    /// A revision.
    public init(number: Int, identity: String, isLive: Bool = true) {
      self.number = number
      self.identity = identity
      self.isLive = isLive
    }
  }

  /// An entry of the audit.
  public struct Change: Hashable, Sendable {
    /// Its number.
    public var id: Int64
    /// What tells it from another one of its number.
    public var fingerprint: String

    /// An entry.
    public init(id: Int64, fingerprint: String) {
      self.id = id
      self.fingerprint = fingerprint
    }
  }

  /// The generation; 0 before anything was served.
  public var generation: Int
  /// The last revision of each page.
  public var pages: [String: Revision]
  /// The last change that the node has seen in the database, `nil` where none was noted.
  public var lastChange: Change?

  /// A history.
  public init(generation: Int = 0, pages: [String: Revision] = [:], lastChange: Change? = nil) {
    self.generation = generation
    self.pages = pages
    self.lastChange = lastChange
  }

  /// Takes up that a revision is served, unless a newer one was.
  public mutating func note(_ page: String, _ edition: EditionNumber, identity: String) {
    guard edition.generation >= generation else { return }
    if edition.generation > generation { self = ServedHistory(generation: edition.generation) }
    guard edition.revision > pages[page]?.number ?? 0 else { return }
    pages[page] = Revision(number: edition.revision, identity: identity)
  }

  /// Notes that a page is no longer served. Its last revision stays known, so its return is noticed.
  ///
  /// - Parameter last: The page's last revision number.
  public mutating func noteEnd(of page: String, last: Int) {
    if let number = pages[page]?.number, number <= last { pages[page]?.isLive = false }
  }

  /// Takes up that a change is in the database, unless a later one was noted.
  ///
  /// - Parameter generation: The database's when it was seen.
  public mutating func note(_ change: Change, of generation: Int) {
    guard generation == self.generation, change.id > lastChange?.id ?? 0 else { return }
    lastChange = change
  }
}

/// How a database's history differs from what a node has served.
public struct HistoryCut: Hashable, Sendable, CustomStringConvertible {
  /// What is missing or another: `home: revision 50, which was served, is not in the database`.
  public var evidence: String

  /// The finding and what to do, in words.
  public var description: String {
    "history was cut: \(evidence); if that is intended, run hearth generation raise --reason TEXT"
  }
}

extension Store {
  /// The database's generation: 1 at first, and greater each time an operator said that history was cut.
  public func generation() async throws -> Int { try await read { db in try Generation.present(db) } }

  /// How history was cut since a node served what it did; `nil` when it was not, or somebody has raised the generation.
  public func historyCut(since served: ServedHistory) async throws -> HistoryCut? {
    try await read { db in try HistoryCut.since(served, db) }
  }

  /// The database's last change and its generation, for a node to note; `nil` if the node has it already, or history
  /// was cut.
  public func lastChange(since served: ServedHistory) async throws -> (change: ServedHistory.Change, generation: Int)? {
    try await read { db in
      // Nearly always there is none to note, and what was served need not be held against the database for it.
      guard let last = try ServedHistory.Change.last(db), last.id > served.lastChange?.id ?? 0,
        try HistoryCut.since(served, db) == nil
      else { return nil }
      return (change: last, generation: try Generation.present(db))
    }
  }

  /// The latest instant at which one of the last hundred changes was made, as the audit has it; `nil` when there is none. One
  /// alone may have been made by a clock that was wrong already.
  public func lastChangeAt() async throws -> Instant? {
    try await read { db in
      try Instant.fetchOne(
        db, sql: "SELECT at FROM (SELECT at FROM audit ORDER BY id DESC LIMIT 100) AS a ORDER BY at DESC"
      )
    }
  }

  /// Says that history was cut and that the database counts as it is: every node and client follows the new generation.
  /// What is scheduled is held until somebody has looked at it, since it may have been called off in what was cut; and no
  /// entity tag that anyone holds fits any more: the numbers that tags are made of were given to other changes before the
  /// backup was restored.
  ///
  /// - Parameters:
  ///   - reason: Why, for the audit.
  ///   - served: The generation that the node has served, which the new one is above.
  /// - Returns: The greatest of the present generation + 1, `served` + 1 and the seconds since 1970, so that two raises
  ///   from one backup differ; and what was scheduled and is held from now on.
  public func raiseGeneration(
    reason: String, above served: Int = 0, by actor: Actor
  ) async throws -> (generation: Int, held: [ScheduledPublish]) {
    try await write("generation.raise", by: actor) { change in
      let db = change.db
      let present = try Generation.present(db)
      let raised = max(present + 1, served + 1, Int(change.now.secondsSinceEpoch))
      try db.execute(sql: "UPDATE history SET generation = ?, copy = NULL", arguments: [raised])
      try db.connection.takePlace()
      change.id = max(change.id, Generation.firstChange(of: raised))
      try change.touchAll()
      let held = try ScheduledPublish.fetchAll(db, where: "is_missed = 0")
      for scheduled in held {
        try db.execute(sql: "UPDATE scheduled_publishes SET is_missed = 1 WHERE id = ?", arguments: [scheduled.id])
        change.touched.append(Touched(action: "page.schedule.hold", page: scheduled.page, detail: scheduled.detail))
      }
      change.detail = "from \(present) to \(raised): \(reason)"
      return (raised, held)
    }
  }
}

/// The database's generation.
enum Generation {
  /// The number of the change that raises it. Generations are at least a second apart, so one's changes never reach the
  /// next one's numbers. JavaScript can hold such a number until the year 2255.
  static func firstChange(of generation: Int) -> Int64 { Int64(generation) * 1_000_000 }

  static func present(_ db: Database) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT generation FROM history") ?? 1
  }
}

extension HistoryCut {
  /// Looks whether the database has what a node served, and is no copy; `nil` when that is so, or when an operator has
  /// raised the generation since.
  ///
  /// A copy says so itself, since a node may have nothing that it could compare it with.
  ///
  /// A page's revision must be there with the identity that it was served with, unless retention has removed it, or
  /// somebody its page: how high the page's live number is does not matter, since sources push on after a restore. A page
  /// that was deleted must not be live as it was, and the last change that the node has seen must be in the audit: a backup
  /// may lack no revision at all and still bring back a schedule that was called off.
  static func since(_ served: ServedHistory, _ db: Database) throws -> HistoryCut? {
    try (missing(of: served, db) ?? copied(db)).map(HistoryCut.init)
  }

  /// Names what was served and is missing in the database; `nil` if nothing is.
  private static func missing(of served: ServedHistory, _ db: Database) throws -> String? {
    let generation = try Generation.present(db)
    if generation > served.generation { return nil }
    if generation < served.generation {
      return "generation \(served.generation) was served, but the database has generation \(generation)"
    }
    for (page, revision) in served.pages.sorted(by: { $0.key < $1.key }) {
      if let evidence = try evidence(page, revision, db) { return evidence }
    }
    guard let change = served.lastChange, try ServedHistory.Change.find(change.id, db) != change else { return nil }
    return "change \(change.id) of the audit, which was made, is not in the database"
  }

  /// What makes the database a copy.
  private static func copied(_ db: Database) throws -> String? {
    if let copy = try String.fetchOne(db, sql: "SELECT copy FROM history WHERE copy IS NOT NULL") {
      return "the database is \(copy), and lacks what was done since"
    }
    guard try db.connection.isOutOfPlace() else { return nil }
    return "the database was brought here from another server or another name, as a dump that is restored"
  }

  private static func evidence(_ page: String, _ served: ServedHistory.Revision, _ db: Database) throws -> String? {
    let live: Int? =
      served.isLive ? nil : try Int.fetchOne(db, sql: "SELECT live FROM pages WHERE id = ?", arguments: [page])
    if let live, live <= served.number { return "\(page), which was deleted, is live as revision \(live)" }
    let identity = try String.fetchOne(
      db, sql: "SELECT identity FROM revisions WHERE page = ? AND number = ?", arguments: [page, served.number])
    if let identity {
      return identity == served.identity
        ? nil : "\(page): revision \(served.number) in the database is not the one that was served"
    }
    let removed = try Int.fetchOne(db, sql: "SELECT removed FROM revision_numbers WHERE page = ?", arguments: [page])
    return served.number <= removed ?? 0
      ? nil : "\(page): revision \(served.number), which was served, is not in the database"
  }
}

extension ServedHistory.Change {
  /// The audit's entry with this number; `nil` if it does not exist.
  fileprivate static func find(_ id: Int64, _ db: Database) throws -> Self? {
    try Row.fetchOne(db, sql: "\(columns) WHERE id = ?", arguments: [id]).map(Self.init)
  }

  /// The last change. Backups do not count, since the copy lacks its own entry; neither do refused requests.
  static func last(_ db: Database) throws -> Self? {
    try Row.fetchOne(
      db,
      sql: "\(columns) WHERE action <> 'backup' AND substr(action, 1, 14) <> 'authorisation.' ORDER BY id DESC LIMIT 1"
    ).map(Self.init)
  }

  private static let columns = "SELECT id, at, actor, action, request, detail FROM audit"

  private init(_ row: Row) {
    let at: Int64 = row["at"]
    let texts = ["actor", "action", "request", "detail"].map { name in (row[name] as String?).map(JSON.string) ?? .null
    }
    self.init(id: row["id"], fingerprint: Fingerprint.of(JSON.array([.number(JSONNumber(Int(at)))] + texts)))
  }
}

extension Change {
  /// Makes this the last change of all that has an entity tag, and of the kinds.
  fileprivate func touchAll() throws {
    for sql in [
      "UPDATE pages SET changed = :id, order_changed = :id, draft_changed = :id",
      "UPDATE sections SET settings_changed = :id, content_changed = :id", "UPDATE sort_rules SET changed = :id",
      "UPDATE audiences SET changed = :id", "UPDATE withheld SET changed = :id", "UPDATE kinds SET changed = :id",
    ] { try db.execute(sql: sql, arguments: ["id": id]) }
  }

  /// - Throws: ``StoreError`` when history was cut since a node served what it did, or the database is a copy: it must
  ///   publish nothing.
  func requireUncut(since served: ServedHistory?) throws {
    guard let cut = try HistoryCut.since(served ?? ServedHistory(), db) else { return }
    throw StoreError.conflict(code: "history-cut", detail: cut.description)
  }
}
