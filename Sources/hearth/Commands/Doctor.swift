import ArgumentParser
import Foundation
import JSON
import Layout
import Serving
import Storage

/// `hearth doctor`
struct Doctor: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Tell what a start would find in the database, and change nothing.",
    discussion: """
      Whether SQLite calls the database whole, whether history was cut, which editions were served, which tokens are gone \
      or back, and which schedules would run. An SQLite database is copied to TMPDIR with its log, and the copy is looked \
      at. On PostgreSQL the database itself is read, and pg_amcheck tells whether it is whole. Ends with 0 when a start changes nothing of its own, with 1 when there is something to look at before, and with 74 \
      when the database is damaged, or cannot be read or written.
      """)

  @Flag(help: "Write JSON: an object of what was found.")
  var json = false

  @OptionGroup var options: Options

  func run() async throws {
    try await withSettings(options, needsFolder: false) { settings in
      let found = try await Examination(of: settings)
      print(json ? found.json.canonicalText : found.lines.joined(separator: "\n"))
      if found.damage != nil || found.unwritable != nil { throw ExitCode(Failure.Code.inputOutput.rawValue) }
      if found.isNoteworthy { throw ExitCode(Failure.Code.invalid.rawValue) }
    }
  }
}

/// What a start would find, by the functions that it calls itself.
struct Examination {
  /// A page as the node has served it, and as the database has it.
  struct Page {
    var id: String
    var served: ServedHistory.Revision
    /// The live number in the database.
    var live: Int?
  }

  /// A file of the database or the node.
  struct File {
    var path: String
    var bytes: Int?
    /// Why the file counts as missing.
    var failure: FileFailure?
  }

  /// When a scheduled publish goes live.
  enum Turn: String {
    case atStart = "at the start"
    case later
    /// Once somebody has released it, or after a raise.
    case held
  }

  let database: DatabaseLocation
  var files: [File] = []
  /// The file or folder of the database that this user may not write: a start ends.
  var unwritable: String?
  /// What SQLite finds.
  var damage: String?
  var pending: [String] = []
  var generation: Int?
  var lastChange: Instant?
  var servedGeneration = 0
  var pages: [Page] = []
  var cut: HistoryCut?
  var tokens: [TokenHistory.Finding] = []
  var schedules: [(publish: ScheduledPublish, turn: Turn)] = []

  /// - Parameter known: What another machine has served, where this one has no record.
  init(of settings: Settings, served known: ServedHistory? = nil) async throws {
    database = settings.database
    var served = known ?? ServedHistory()
    var history: TokenHistory?
    if case .file(let path) = database {
      files = [File(path, nil), File(URL(fileURLWithPath: path).resolvingSymlinksInPath().path + "-wal", nil)]
    }
    // One that cannot be read counts as none, for a server too.
    files.append(File(settings.servedFile) { path throws(FileFailure) in served = try ServedFile.read(path) ?? served })
    files.append(File(settings.tokensFile) { path throws(FileFailure) in history = try TokensFile.read(path) })
    files.append(File(settings.snapshotFile, nil))
    servedGeneration = served.generation
    if case .file(let path) = database {
      unwritable = Store.unwritable(ofFile: path)
      let scratch = try DatabaseScratch(of: path)
      defer { withExtendedLifetime(scratch) {} }
      try await look(at: .file(scratch.path), settings, served, history)
    } else {
      try await look(at: database, settings, served, history)
    }
  }

  private mutating func look(
    at place: DatabaseLocation, _ settings: Settings, _ served: ServedHistory, _ history: TokenHistory?
  ) async throws {
    let migrations = try place.migrations()
    let status = try Store.migrationStatus(at: place, migrations: migrations, server: settings.values.databaseServer)
    guard status.contains(where: { $0.appliedAt != nil }) else { throw StoreError.database(.missing) }
    pending = status.filter { $0.appliedAt == nil }.map(\.name)
    if case .file(let path) = place {
      damage = try Store.damage(ofFile: path)
      // Whatever else is read of it may be wrong.
      if damage != nil { return }
    } else if let first = pending.first {
      throw Failure(.configuration, "\(place): it lacks the migration \(first); run hearth migrate up first")
    }
    let store = try Store(
      at: place, migrations: migrations, makes: false, context: settings.context, server: settings.values.databaseServer
    )
    do { try await read(store, served, history) } catch {
      await store.close()
      throw error
    }
    await store.close()
  }

  private mutating func read(_ store: Store, _ served: ServedHistory, _ history: TokenHistory?) async throws {
    generation = try await store.generation()
    lastChange = try await store.lastChangeAt()
    cut = try await store.historyCut(since: served)
    let live = Dictionary(try await store.pages().map { ($0.id, $0.live) }, uniquingKeysWith: { first, _ in first })
    pages = served.pages.sorted { $0.key < $1.key }.map { id, revision in
      Page(id: id, served: revision, live: live[id] ?? nil)
    }
    let now = store.clock()
    tokens = try await store.compareTokens(with: history, ending: false).findings(at: now)
    schedules = try await store.scheduledPublishes().map { publish in
      (publish, cut != nil || publish.isHeld ? .held : publish.isDue(at: now) ? .atStart : .later)
    }
  }

  /// Whether SQLite was asked whether the database is whole: PostgreSQL has no answer for whoever only uses a database.
  private var isFile: Bool { if case .file = database { true } else { false } }

  /// Whether somebody should look before a start.
  var isNoteworthy: Bool {
    cut != nil || !tokens.isEmpty || schedules.contains { $0.turn != .later } || files.contains { $0.failure != nil }
  }
}

extension Examination.File {
  /// - Parameter read: Reads it, and throws why it counts as none.
  fileprivate init(_ path: String, _ read: ((String) throws(FileFailure) -> Void)?) {
    self.path = path
    bytes = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    do throws(FileFailure) { try read?(path) } catch { failure = error }
  }
}

extension Examination {
  /// For people, a thing a line.
  var lines: [String] {
    var lines = files.map { file in
      let size = file.bytes.map { "\($0) bytes" } ?? "not there"
      return "file: \(file.path), \(size)\(file.failure.map { ", counts as none: \($0)" } ?? "")"
    }
    if let unwritable {
      lines.append("writable: no, a start ends with 74: this user may not write \(unwritable)")
    }
    let whole = damage.map { "no, \($0)" } ?? "yes"
    lines.append("whole: \(isFile ? whole : "not looked at, pg_amcheck of PostgreSQL tells")")
    lines += pending.map { "migration: \($0), which a start applies" }
    if let generation {
      lines.append("generation: \(generation), last change \(lastChange.map { "at \($0)" } ?? "none")")
    }
    if damage == nil { lines.append("history: \(cut.map { "cut, \($0.evidence)" } ?? "not cut")") }
    lines += pages.map { page in
      "page: \(page.id), served \(servedGeneration).\(page.served.number)\(page.served.isLive ? "" : ", deleted since"), "
        + "database \(page.live.map { "\(generation ?? 1).\($0)" } ?? "not live")"
    }
    lines += tokens.map { "token: \($0.selector) \($0.name), \($0.fate.words)" }
    lines += schedules.map { schedule, turn in
      "schedule: \(schedule.page) \(schedule.id), \(schedule.detail), by \(schedule.author): \(turn.rawValue)"
    }
    // Names are what somebody has typed.
    return lines.map(\.escapingControls)
  }

  fileprivate var json: JSON {
    let files = files.map { file -> JSON in
      ["path": .string(file.path), "bytes": number(file.bytes), "failure": text(file.failure?.description)]
    }
    let pages = pages.map { page -> JSON in
      [
        "page": .string(page.id), "served": number(page.served.number), "deleted": .bool(!page.served.isLive),
        "database": number(page.live),
      ]
    }
    let tokens = tokens.map { token -> JSON in
      ["selector": .string(token.selector), "name": .string(token.name), "fate": .string(token.fate.rawValue)]
    }
    let schedules = schedules.map { schedule, turn -> JSON in
      [
        "page": .string(schedule.page), "id": number(Int(schedule.id)), "at": .string("\(schedule.at)"),
        "what": .string(schedule.what), "by": .string(schedule.author), "runs": .string(turn.rawValue),
      ]
    }
    return [
      "database": .string("\(database)"), "files": .array(files), "unwritable": text(unwritable),
      "damage": text(damage),
      "damageLookedFor": .bool(isFile), "pending": .array(pending.map { .string($0) }),
      "generation": number(generation),
      "lastChange": text(lastChange?.description), "cut": text(cut?.evidence),
      "served": ["generation": number(servedGeneration), "pages": .array(pages)], "tokens": .array(tokens),
      "schedules": .array(schedules),
    ]
  }

  private func number(_ value: Int?) -> JSON { value.map { .number(JSONNumber($0)) } ?? .null }
  private func text(_ value: String?) -> JSON { value.map { .string($0) } ?? .null }
}
