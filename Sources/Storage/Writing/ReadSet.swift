import Layout

/// A place in the database. Its number moves whenever what stands there becomes other.
struct Place: Hashable, Sendable {
  enum Kind: String, Sendable {
    /// The generation, the kinds, what is withheld, or the audiences: what counts for all pages.
    case common
    /// What a page's clients get, with the last number that a revision of it was given.
    case live
    /// A page's draft, with all sections.
    case draft
    /// The settings and the order of a draft.
    case frame
    /// A section of a draft.
    case section
    /// What is scheduled and not held, with what it is laid over.
    case schedule
    /// Everything: what is made of it is right as long as the audit has no newer row.
    case all
    /// The last row of the audit.
    case last
  }

  var kind: Kind
  /// The page, section or schedule.
  var name: String
}

/// The places that something is made of.
struct Places: Sendable {
  private(set) var sql: String
  private(set) var arguments: [SQLValue] = []
  /// The sections that it is made of, where these are not all of the draft.
  private(set) var sections: Set<String>?

  private init(_ sql: String) { self.sql = sql }

  static let all = Places("SELECT 'all', '', CAST(coalesce(max(id), 0) AS TEXT) FROM audit")

  /// Where something goes, the count tells.
  static let common = Places(
    """
    SELECT 'common', 'generation', generation || ' ' || coalesce(copy, '') FROM history
    UNION ALL SELECT 'common', 'kinds', hash FROM kinds
    UNION ALL SELECT 'common', 'withheld', count(*) || ' ' || coalesce(max(changed), 0) FROM withheld
    UNION ALL SELECT 'common', 'audiences', count(*) || ' ' || coalesce(max(changed), 0) FROM audiences
    """)

  /// Of all pages without one; so below.
  static func live(_ page: String? = nil) -> Places {
    Places(
      """
      SELECT 'live', p.id, coalesce(p.live, 0) || ' ' || coalesce(n.last, 0) || ' ' || coalesce(r.confirmed, '')
      FROM pages p LEFT JOIN revision_numbers n ON n.page = p.id
      LEFT JOIN revisions r ON r.page = p.id AND r.number = p.live WHERE 1 = 1
      """
    ).with("p.id", page)
  }

  static func draft(_ page: String? = nil) -> Places {
    Places("SELECT 'draft', id, CAST(draft_changed AS TEXT) FROM pages WHERE 1 = 1").with("id", page)
  }

  static func draft(_ page: String, sections: [String]) -> Places {
    var places =
      Places("SELECT 'frame', id, changed || ' ' || order_changed FROM pages WHERE 1 = 1").with("id", page)
      + section(page, nil)
    places.sections = Set(sections)
    return places
  }

  static func section(_ page: String, _ section: String?) -> Places {
    Places(
      "SELECT 'section', id, settings_changed || ' ' || content_changed || ' ' || fingerprint FROM sections WHERE 1 = 1"
    ).with("page", page).with("id", section)
  }

  static func schedule(_ id: Int64? = nil) -> Places {
    Places(
      """
      SELECT 'schedule', CAST(s.id AS TEXT), coalesce(p.live, 0) || ' ' || (
        SELECT count(*) || ' ' || coalesce(max(k.number), 0) || ' ' || coalesce(max(k.section || ' ' || k.item), '')
        FROM pushed k WHERE k.page = s.page AND k.number > s.made)
      FROM scheduled_publishes s JOIN pages p ON p.id = s.page WHERE s.is_missed = 0
      """
    ).with("s.id", id)
      + Places(
        """
        SELECT 'schedule', CAST(s.id AS TEXT), k.section || ' ' || coalesce(k.fingerprint, '')
        FROM scheduled_publishes s JOIN scheduled_sections k ON k.scheduled = s.id WHERE s.is_missed = 0
        """
      ).with("s.id", id)
  }

  private func with(_ column: String, _ value: (any SQLEncodable)?) -> Places {
    guard let value else { return self }
    var places = self
    places.sql += " AND \(column) = ?"
    places.arguments.append(value.sql)
    return places
  }

  static func + (left: Places, right: Places) -> Places {
    var both = Places("\(left.sql)\nUNION ALL \(right.sql)")
    both.arguments = left.arguments + right.arguments
    both.sections = left.sections ?? right.sections
    return both
  }
}

/// What something was made of: each place with its number, asked for in one statement.
struct ReadSet: Sendable {
  private var numbers: [Place: String] = [:]
  /// The last row of the audit.
  private var last: Int64 = 0

  init(_ places: Places, _ db: Database) throws {
    for case .text(let text) in places.arguments { try WholeText.check(text) }
    let sql = "SELECT 'last' AS kind, '' AS name, CAST(max(id) AS TEXT) AS number FROM audit\nUNION ALL \(places.sql)"
    for row in try Row.fetchAll(db, sql: sql, arguments: .listed(places.arguments)) {
      guard let kind = Place.Kind(rawValue: row["kind"]) else { throw StoreError.database(.corrupt) }
      let place = Place(kind: kind, name: row["name"])
      let number: String? = row["number"]
      switch kind {
      case .last: last = number.flatMap { Int64($0) } ?? 0
      case .section where places.sections?.contains(place.name) == false: break
      // A place of several rows has the numbers of all.
      default: numbers[place, default: ""] += " \(number ?? "")"
      }
    }
  }

  /// The places that have moved since.
  func moved(since earlier: ReadSet) -> Set<Place> {
    Set(numbers.keys).union(earlier.numbers.keys).filter { numbers[$0] != earlier.numbers[$0] }
  }

  /// Whether what was made of an earlier one is right now. Where the audit is shorter, history was cut meanwhile.
  func confirms(_ earlier: ReadSet) -> Bool { numbers == earlier.numbers && last >= earlier.last }
}

/// What an attempt before has made.
struct Earlier<Made> {
  let made: Made
  /// The places that have moved since.
  let moved: Set<Place>

  /// Whether what was made of a place, and of what counts for all pages, is right still.
  func keeps(_ kind: Place.Kind, _ name: String) -> Bool {
    !moved.contains(Place(kind: kind, name: name)) && !moved.contains { $0.kind == .common }
  }
}

/// What something was made of is not what is there any more.
struct Moved: Error {}

extension Store {
  /// How often something is made outside the lock before it is made inside.
  static let attemptsMax = 3

  /// Runs a change that is made of what it reads, outside the lock that every change waits for. Inside, the places that were
  /// read are asked for again. Where one has moved, what hangs on it is made again, at last inside: then nothing can come
  /// between.
  ///
  /// - Parameters:
  ///   - isUrgent: Whether it is an emergency: its turn comes before those of others, and where these have the lock for long, it
  ///     is not tried outside again.
  ///   - isBrief: Whether what was made outside is written in a moment, and may be committed together with others.
  ///   - attempts: How often it is made outside.
  ///   - make: Gets what was made before, so that what has not moved need not be made again.
  ///   - body: Throws ``Moved`` where something else that was read is not there any more.
  func write<Made: Sendable, Value: Sendable>(
    _ action: String, by actor: Actor, page: String? = nil, section: String? = nil, item: String? = nil,
    keeping: AnswerKeeper<Value>? = nil, isUrgent: Bool = false, isBrief: (Made) -> Bool = { _ in false },
    attempts: Int = Store.attemptsMax, reading places: Places,
    making make: @Sendable @escaping (Change, Earlier<Made>?) throws -> Made,
    _ body: @Sendable @escaping (inout Change, Made) throws -> Value
  ) async throws -> Value {
    typealias Attempt = (made: Made, reads: ReadSet)
    @Sendable func attempt(_ change: Change, after last: Attempt?) throws -> Attempt {
      let reads = try ReadSet(places, change.db)
      return (try make(change, last.map { Earlier(made: $0.made, moved: reads.moved(since: $0.reads)) }), reads)
    }
    var last: Attempt?
    let end = ContinuousClock.now + writeSettings.waitMax
    for count in 0..<attempts where count == 0 || !isUrgent || ContinuousClock.now < end {
      let now = clock()
      let next = try await read { [last] db in
        try attempt(Change(db: db, id: 0, now: now, actor: actor, action: action), after: last)
      }
      last = next
      do {
        return try await write(
          action, by: actor, page: page, section: section, item: item, keeping: keeping, isUrgent: isUrgent,
          isGrouped: isBrief(next.made)
        ) { change in
          guard try ReadSet(places, change.db).confirms(next.reads) else { throw Moved() }
          return try body(&change, next.made)
        }
      } catch is Moved { continue }
    }
    return try await write(
      action, by: actor, page: page, section: section, item: item, keeping: keeping, isUrgent: isUrgent
    ) { [last] change in try body(&change, attempt(change, after: last).made) }
  }
}
