import JSON
public import Layout

/// The kinds that all nodes of a database go by, as the database has them.
public struct StoredKinds: Hashable, Sendable {
  /// The hash of the document. Equal hashes mean equal kinds.
  public var hash: String
  /// What `kinds.yaml` says, as canonical JSON.
  public var document: String
  /// The number of the change that stored them: the newest one counts. 0 before they are stored.
  public var changed: Int64
  /// The key that makes the links of long lists. It belongs to the database and does not depend on its kinds.
  public var linkKey: LinkKey

  /// Kinds that are to be stored.
  public init(_ kinds: Kinds) {
    hash = kinds.hash
    document = kinds.document.canonicalText
    changed = 0
    linkKey = kinds.linkKey
  }

  fileprivate init(_ row: Row) {
    (hash, document, changed) = (row["hash"], row["document"], row["changed"])
    linkKey = LinkKey(row["link_key"])
  }
}

/// A state of a page that new kinds are held against.
public struct StoredContent: Sendable {
  /// Which state of the page it is: `live`, `draft`, or `scheduled for` and when.
  public var state: String
  /// Whether it is what clients get.
  public var isLive: Bool { state == "live" }
  /// The page as it is in that state.
  public var definition: PageDefinition
}

/// The nodes go by other kinds than somebody thought.
public struct KindsAreOthers: Error, CustomStringConvertible {
  /// That they do.
  public init() {}

  /// The fact, in words.
  public var description: String { "the kinds were changed meanwhile" }
}

extension Store {
  /// The kinds that the nodes go by; `nil` when nobody has stored any.
  public func storedKinds() async throws -> StoredKinds? { try await read { db in try StoredKinds.present(db) } }

  /// Stores the first kinds of a database.
  ///
  /// - Returns: The kinds that the nodes go by now: another may have been faster.
  public func storeFirstKinds(_ kinds: StoredKinds, by actor: Actor) async throws -> StoredKinds {
    if let present = try await storedKinds() { return present }
    return try await write("kinds.store", by: actor) { change in
      if let present = try StoredKinds.present(change.db) {
        change.isVoid = true
        return present
      }
      return try change.store(kinds, before: nil)
    }
  }

  /// Changes the kinds of all nodes: stores them, and makes a revision of the live content of each page concerned, in
  /// one transaction. Drafts stay as they are.
  ///
  /// - Parameters:
  ///   - known: The hash of the current kinds, as the caller knows them.
  ///   - served: What the node has served; nothing is published into history that was cut since.
  ///   - isConcerned: Whether a live page may look different.
  ///   - check: Gets all content, and again what changed meanwhile; throws what the new kinds refuse.
  ///   - prepare: Makes a page ready to serve, mostly outside the transaction and maybe more than once.
  /// - Returns: The stored kinds, and the revision of each page concerned with its ready edition.
  /// - Throws: ``KindsAreOthers``, ``StoreError``, or what `check` and `prepare` throw; then nothing was changed.
  public func changeKinds<Ready: Sendable>(
    from known: String, to kinds: StoredKinds, since served: ServedHistory, by actor: Actor,
    keeping: AnswerKeeper<[Revision]>? = nil,
    isConcerned: @Sendable @escaping (PageDefinition) -> Bool,
    check: @Sendable @escaping ([StoredContent]) throws -> Void,
    prepare: @Sendable @escaping (Candidate) throws -> Ready
  ) async throws -> (kinds: StoredKinds, revisions: [(revision: Revision, ready: Ready)]) {
    try await write(
      "kinds.reload", by: actor, keeping: keeping?.of { $0.revisions.map(\.revision) }, isUrgent: true,
      reading: .common + .live() + .draft() + .schedule(),
      making: { [self] change, earlier -> [String: (candidate: Candidate, ready: Ready)] in
        try change.requireUncut(since: served)
        guard try StoredKinds.hash(change.db) == known else { throw KindsAreOthers() }
        let reader = reader(change.db)
        var made: [String: (candidate: Candidate, ready: Ready)] = [:]
        var content: [StoredContent] = []
        for page in try reader.pageIDs() {
          if earlier?.keeps(.draft, page) != true {
            content.append(StoredContent(state: "draft", definition: try reader.definition(page).definition))
          }
          if let earlier, earlier.keeps(.live, page) {
            made[page] = earlier.made[page]
          } else if let live = try reader.live(page) {
            content.append(StoredContent(state: "live", definition: live.definition))
            if isConcerned(live.definition) {
              let candidate = try change.candidate(live, live: live, self)
              made[page] = (candidate, try prepare(candidate))
            }
          }
        }
        content += try reader.scheduledPages { earlier?.keeps(.schedule, String($0.id)) != true }.map {
          StoredContent(state: "scheduled for \($0.scheduled.at)", definition: $0.definition)
        }
        try check(content)
        return made
      }
    ) { change, made in try change.carryOut(made, kinds, from: known) }
  }
}

extension StoredKinds {
  static func present(_ db: Database) throws -> StoredKinds? {
    try Row.fetchOne(db, sql: "SELECT hash, document, changed, link_key FROM kinds, history").map { StoredKinds($0) }
  }

  /// What tells what is assembled with them (``Kinds/identity``); `nil` when nobody has stored any kinds.
  static func identity(_ db: Database) throws -> String? {
    try Row.fetchOne(db, sql: "SELECT hash, link_key FROM kinds, history").map {
      Kinds.identity($0["hash"], LinkKey($0["link_key"]))
    }
  }

  /// The hash alone; `nil` when nobody has stored any kinds.
  static func hash(_ db: Database) throws -> String? { try String.fetchOne(db, sql: "SELECT hash FROM kinds") }
}

extension Change {
  fileprivate mutating func carryOut<Ready>(
    _ made: [String: (candidate: Candidate, ready: Ready)], _ kinds: StoredKinds, from known: String
  ) throws -> (kinds: StoredKinds, revisions: [(revision: Revision, ready: Ready)]) {
    var revisions: [(revision: Revision, ready: Ready)] = []
    for (_, page) in made.sorted(by: { $0.key < $1.key }) {
      let message = "kinds \(kinds.hash.prefix(8))"
      let revision = try insertRevision(page.candidate, .kinds, message: message, problems: .array([]))
      touched.append(Touched(action: "page.kinds", page: revision.page, detail: detail, before: before, after: after))
      revisions.append((revision, page.ready))
    }
    return (try store(kinds, before: known), revisions)
  }

  fileprivate mutating func store(_ kinds: StoredKinds, before: String?) throws -> StoredKinds {
    try db.execute(
      sql: """
        INSERT INTO kinds (id, hash, document, changed) VALUES (1, :hash, :document, :changed)
        ON CONFLICT (id) DO UPDATE SET hash = :hash, document = :document, changed = :changed
        """, arguments: ["hash": kinds.hash, "document": kinds.document, "changed": id])
    (self.before, after, detail) = (before, kinds.hash, nil)
    var stored = kinds
    stored.changed = id
    stored.linkKey = try StoredKinds.present(db)?.linkKey ?? kinds.linkKey
    return stored
  }
}
