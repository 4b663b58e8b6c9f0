public import Layout

/// The live revisions that the caller lacks.
public struct LiveRevisions: Sendable {
  /// The live revisions newer than the caller's. If history was cut: the served revisions that the database still has
  /// unchanged.
  public var revisions: [Candidate] = []
  /// The pages of which the caller has the very revision that would be among these.
  public var confirmed: Set<String> = []
  /// The pages with a live revision; after history was cut, only pages that may be served.
  public var pages: Set<String> = []
  /// The pages that have had a live revision and have none, with the last number of each.
  public var withoutLive: [String: Int] = [:]
  /// The database's generation.
  public var generation: Int
  /// The kinds that the nodes go by, when the caller goes by others.
  public var otherKinds: StoredKinds?
  /// How history was cut since the node served what it did, and nobody has raised the generation.
  public var cut: HistoryCut?
  /// When the content of live sections was confirmed last, by page and section, each with the revision that it is of.
  public var confirmations: [String: Confirmed] = [:]
  /// The last change that is in the database; `nil` where history was cut.
  public var lastChange: ServedHistory.Change?

  /// When the content of a live revision's sections was confirmed last, by their ids.
  public struct Confirmed: Hashable, Sendable {
    /// What orders its edition.
    public var number: EditionNumber
    /// The instants.
    public var times: [String: Instant]
  }

  /// A revision that the caller has, told from another one of its number.
  public struct Known: Hashable, Sendable {
    /// What orders its edition.
    public var number: EditionNumber
    /// What tells it from another one of its number.
    public var identity: String

    /// A revision.
    public init(number: EditionNumber, identity: String) {
      self.number = number
      self.identity = identity
    }
  }
}

extension Store {
  /// The live revision of every page that has one, and the pages that have none any more, in one snapshot.
  ///
  /// - Parameters:
  ///   - known: The editions that the caller has, by page; their revisions are not read again.
  ///   - ready: Revisions that the caller has at hand; where one is live, it is confirmed and not read.
  ///   - served: What the node has served.
  ///   - kinds: What tells the kinds that the caller goes by from others (``Kinds/identity``).
  public func liveRevisions(
    newerThan known: [String: EditionNumber] = [:], having ready: [String: LiveRevisions.Known] = [:],
    since served: ServedHistory = ServedHistory(), knowing kinds: String? = nil
  ) async throws -> LiveRevisions {
    try await read { [self] db in
      let reader = reader(db)
      let cut = try HistoryCut.since(served, db)
      // A node that has served nothing has nothing to keep to: of a copy on a new disk, all is served that there is.
      if let cut, !served.pages.isEmpty { return try reader.served(served, besides: known, having: ready, cut) }
      let generation = try Generation.present(db)
      var found = LiveRevisions(generation: generation, cut: cut)
      if cut == nil { found.lastChange = try ServedHistory.Change.last(db) }
      if let kinds, let active = try StoredKinds.identity(db), active != kinds {
        found.otherKinds = try StoredKinds.present(db)
      }
      let pages = try Row.fetchAll(
        db,
        sql: """
          SELECT p.id AS id, p.live AS live, r.confirmed AS confirmed
          FROM pages p JOIN revisions r ON r.page = p.id AND r.number = p.live ORDER BY p.id
          """)
      for row in pages {
        let page: String = row["id"]
        let edition = EditionNumber(generation: generation, revision: row["live"])
        found.pages.insert(page)
        let confirmed = try [String: Instant](stored: row["confirmed"])
        if !confirmed.isEmpty { found.confirmations[page] = LiveRevisions.Confirmed(number: edition, times: confirmed) }
        if let present = known[page], present >= edition { continue }
        try reader.add(page, edition, having: ready, to: &found)
      }
      let last = try Row.fetchAll(
        db,
        sql: """
          SELECT page, last FROM revision_numbers WHERE page NOT IN (SELECT id FROM pages WHERE live IS NOT NULL)
          """)
      found.withoutLive = Dictionary(last.map { ($0["page"], $0["last"]) }, uniquingKeysWith: { first, _ in first })
      return found
    }
  }
}

extension PageReader {
  /// After history was cut: the served revisions that the database still has unchanged.
  fileprivate func served(
    _ served: ServedHistory, besides known: [String: EditionNumber], having ready: [String: LiveRevisions.Known],
    _ cut: HistoryCut
  ) throws -> LiveRevisions {
    var found = LiveRevisions(generation: served.generation, cut: cut)
    for (page, revision) in served.pages where revision.isLive {
      found.pages.insert(page)
      guard known[page] == nil else { continue }
      let identity = try String.fetchOne(
        db, sql: "SELECT identity FROM revisions WHERE page = ? AND number = ?", arguments: [page, revision.number])
      guard identity == revision.identity else { continue }
      let edition = EditionNumber(generation: served.generation, revision: revision.number)
      try add(page, edition, having: ready, to: &found)
    }
    return found
  }

  /// Adds a page's revision, read unless the caller has it.
  fileprivate func add(
    _ page: String, _ edition: EditionNumber, having ready: [String: LiveRevisions.Known],
    to found: inout LiveRevisions
  ) throws {
    if let ready = ready[page], ready.number == edition,
      ready.identity == (try revisionRow(page, edition.revision)["identity"] as String)
    {
      found.confirmed.insert(page)
    } else {
      found.revisions.append(try candidate(page, edition))
    }
  }

  private func candidate(_ page: String, _ edition: EditionNumber) throws -> Candidate {
    let (definition, fingerprints) = try revision(page, edition.revision)
    return Candidate(
      definition: definition, fingerprints: fingerprints, live: nil, number: edition.revision,
      generation: edition.generation, identity: try revisionRow(page, edition.revision)["identity"])
  }
}
