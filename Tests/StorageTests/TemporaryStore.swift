import Foundation
import GRDB
import JSON
import Layout
import Peers
import Storage
import Synchronization
import Testing

/// A real database in a folder of its own, and a clock that a test moves.
struct TemporaryStore: Sendable {
  let folder: String
  let store: Store
  let clock: ManualClock

  /// The file, where the database is in one.
  var path: String { folder + "/hearth.db" }

  /// A second connection to the file, as another process has it.
  func connection() throws -> DatabaseQueue { try DatabaseQueue(path: path) }

  /// One value that a query of another process finds.
  func value<Value: DatabaseValueConvertible & LosslessStringConvertible & Sendable>(
    _ sql: String, _ type: Value.Type = Value.self
  ) throws -> Value? {
    if TestEngine.isPostgreSQL { return Value(try TestEngine.psql(sql, in: folder)) }
    return try connection().read { db in try Value.fetchOne(db, sql: sql) }
  }

  /// The rows of one column that a query of another process finds.
  func values(_ sql: String) throws -> [String] {
    if TestEngine.isPostgreSQL { return try TestEngine.psql(sql, in: folder).split(separator: "\n").map(String.init) }
    return try connection().read { db in try String.fetchAll(db, sql: sql) }
  }

  /// Changes the database as another process does.
  func execute(_ sql: String) throws {
    if TestEngine.isPostgreSQL {
      try TestEngine.psql("BEGIN; \(sql); UPDATE changes SET number = number + 1; COMMIT", in: folder)
    } else {
      try connection().write { db in try db.execute(sql: sql) }
    }
  }

  /// Another process's view of the database.
  func another() throws -> Store {
    let location = DatabaseLocation(try TestEngine.database(in: folder))
    return try Store(at: location, migrations: location.migrations(), context: Pages.context)
  }

  /// A copy of a database as an older version had it: with the migrations before one.
  ///
  /// - Returns: Its folder.
  func older(before name: String) throws -> String {
    let folder = try TemporaryStore.makeFolder()
    let location = DatabaseLocation(try TestEngine.database(in: folder))
    let known = try location.migrations().prefix { !$0.name.hasSuffix(name) }
    _ = try Store(at: location, migrations: Array(known))
    let tables = [
      "audit", "pages", "sections", "items", "sort_rules", "sort_rule_indices", "audiences", "section_pieces",
      "section_documents", "revision_numbers", "revisions", "revision_sections", "scheduled_publishes",
      "scheduled_sections",
    ]
    if TestEngine.isPostgreSQL {
      for table in tables { try copy(table, to: folder) }
    } else {
      try copy(tables, to: folder)
    }
    return folder
  }

  /// Copies the columns of tables that the older database has.
  private func copy(_ tables: [String], to folder: String) throws {
    try DatabaseQueue(path: folder + "/hearth.db").writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS newer", arguments: [path])
      for table in try tables.filter({ try db.tableExists($0, in: "main") || db.viewExists($0, in: "main") }) {
        let columns = try db.columns(in: table, in: "main").map(\.name).joined(separator: ", ")
        let order = ["revisions", "revision_sections"].contains(table) ? " ORDER BY page, number" : ""
        try db.execute(sql: "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM newer.\(table)\(order)")
        guard table == "revision_numbers" else { continue }
        // It noted each of them.
        try db.execute(
          sql: """
            INSERT INTO main.revision_numbers (page, last) SELECT page, max(number) FROM newer.revisions GROUP BY page
            ON CONFLICT (page) DO UPDATE SET last = max(last, excluded.last)
            """)
      }
    }
  }

  private func copy(_ table: String, to folder: String) throws {
    let columns = try TestEngine.psql(
      "SELECT string_agg(column_name, ', ') FROM information_schema.columns WHERE table_name = '\(table)'", in: folder)
    let rows = try TestEngine.psql("COPY (SELECT \(columns) FROM \(table)) TO STDOUT", in: self.folder)
    try TestEngine.psql(
      "COPY \(table) (\(columns)) FROM STDIN;\n\(rows)\(rows.isEmpty ? "" : "\n")\\.\n", in: folder)
  }

  static func makeFolder() throws -> String {
    let path = NSTemporaryDirectory() + "/hearth-storage-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }
}

/// Runs with a database that holds a document's pages, unpublished.
func withStore(
  _ document: String = Pages.home, writing: WriteSettings = WriteSettings(),
  _ body: (TemporaryStore) async throws -> Void
) async throws {
  let folder = try TemporaryStore.makeFolder()
  defer { TestEngine.remove(folder) }
  let clock = ManualClock()
  let location = DatabaseLocation(try TestEngine.database(in: folder))
  let store = try Store(
    at: location, migrations: location.migrations(), context: Pages.context, writing: writing,
    clock: StoreClock { clock.now })
  _ = try await store.import(Pages.document(document), by: editor)
  try await body(TemporaryStore(folder: folder, store: store, clock: clock))
}

extension Trait where Self == ConditionTrait {
  /// A test of what SQLite alone has: files, its locks, its migrations.
  static var ofSQLite: Self { .disabled(if: TestEngine.isPostgreSQL, "it is about SQLite") }
}

/// Who acts in these tests.
let editor = Actor(name: "editor", token: "selector1", address: "192.0.2.7", request: "request1")

/// A clock that stands still until it is moved.
final class ManualClock: Sendable {
  private let time = Mutex(Instant(secondsSinceEpoch: 1_800_000_000))

  var now: Instant { time.withLock { $0 } }

  func advance(by seconds: Int64) { time.withLock { $0 = $0.adding(seconds: seconds) } }
}

/// Small pages.
enum Pages {
  static let context = DefinitionContext(attributes: [AttributeDeclaration(name: "memberTier", kind: .integer(0...9))])

  static func document(_ text: String) throws -> LayoutDocument {
    try LayoutDocument(json: JSON.parse(text), in: context)
  }

  static func item(_ id: String, _ title: String = "Title") -> ItemDefinition {
    ItemDefinition(id: id, kind: "navigation", content: ["title": .string(title)])
  }

  static func content(_ ids: String...) -> SectionContent { SectionContent(items: ids.map { item($0) }) }

  static let home = """
    {"hearth": 1,
     "audiences": {
       "members": {"attribute": "memberTier", "atLeast": 1},
       "vip": {"all": [{"audience": "members"}, {"attribute": "memberTier", "atLeast": 5}]}},
     "pages": {"home": {
       "title": "Home", "defaultLocale": "en", "locales": ["zh-Hans", "en"], "pollInterval": 30,
       "emptyState": {"id": "empty", "kind": "notice", "content": {"text": {"en": "Nothing", "zh-Hans": "空"}}},
       "sections": [
         {"id": "top", "kind": "grid", "audience": "vip",
          "schedule": {"from": "2026-11-20T09:00", "until": "2030-01-01T00:00:00Z", "zone": "Asia/Shanghai"},
          "layout": {"itemSize": {"width": "column", "height": {"points": {"*": 98, "zh": 80.5}}}},
          "header": {"kind": "title", "content": {"text": "Channels"}}, "itemOrder": {"by": "/date", "descending": true},
          "items": [
            {"id": "scan", "kind": "navigation", "content": {"title": {"en": "Scan", "zh-Hans": "扫一扫"},
              "exact": 12345678901234567890.000000000000000001},
             "action": {"url": "app://scan", "event": "tap", "attributes": {"slot": 1}}, "aspect": 1.5, "keepOnTop": true},
            {"id": "pay", "kind": "outline", "content": {}, "expanded": true, "audience": {"not": {"audience": "vip"}},
             "children": [{"id": "pay1", "kind": "row", "content": {"a": null, "b": [true, -0.5e10]}}]}],
          "slots": {"hot": {"kind": "navigation", "content": {"title": "Hot"}}}},
         {"id": "middle", "kind": "list", "items": [{"id": "a", "kind": "navigation", "content": {"title": "A"}}]},
         {"id": "bottom", "kind": "list", "hidden": true, "title": "Kept for spring"}],
       "sortRules": {
         "default": {"indices": {"top": 0, "middle": 5, "bottom": 9}},
         "spring": {"priority": 10, "audience": "vip", "indices": {"bottom": -3, "gone": 7},
           "schedule": {"from": "2027-02-01T00:00:00Z"}}}}}}
    """

  static let other = """
    {"hearth": 1, "pages": {"other": {"title": "Other", "defaultLocale": "en", "locales": ["en"], "pollInterval": 60,
      "sections": [{"id": "one", "kind": "list"}], "sortRules": {"default": {"indices": {"one": 1}}}}}}
    """
}

extension Store {
  /// Publishes, with nothing to make ready.
  @discardableResult
  func publish(
    _ page: String = "home", _ scope: PublishScope = .draft, if precondition: WritePrecondition = .none,
    keeping: AnswerKeeper<Published>? = nil
  ) async throws -> Revision {
    try await publish(page, scope, message: "M", if: precondition, by: editor, keeping: keeping) { _ in ((), .array([]))
    }
    .published.revision
  }

  /// Fills a section.
  @discardableResult
  func fill(
    _ section: String, _ content: SectionContent, if precondition: WritePrecondition = .none
  ) async throws -> String {
    try await edit("home", section, .replace(content), if: precondition, by: editor).tag
  }

  /// The ids of the sections that a revision has, and of the items of each.
  func published(_ number: Int, _ page: String = "home") async throws -> [String: [String]] {
    let sections = try await revisionDefinition(page, number).definition.sections
    return Dictionary(uniqueKeysWithValues: sections.map { ($0.id, $0.content.items.map(\.id)) })
  }
}

/// The error that the store throws, as text that a test can compare: `stale`, `notFound section`, `conflict in-use`.
func refusal(_ body: () async throws -> Void) async -> String? {
  do { try await body() } catch let error as StoreError {
    switch error {
    case .notFound(let what, _, _): return "notFound \(what)"
    case .stale: return "stale"
    case .preconditionRequired: return "preconditionRequired"
    case .conflict(let code, _, _): return "conflict \(code)"
    case .waiting: return "waiting"
    case .invalid(let problems): return "invalid \(problems.map(\.pointer.description).joined(separator: " "))"
    case .order: return "order"
    case .database(let failure): return "database \(failure.rawValue)"
    }
  } catch {
    return "\(error)"
  }
  return nil
}
