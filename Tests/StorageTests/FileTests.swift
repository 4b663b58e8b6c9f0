import Foundation
import GRDB
import Layout
import Testing

@testable import Storage

/// The file of a database, whatever happens to it: what is acknowledged is found by whoever opens the path next.
@Suite(.ofSQLite) struct FileTests {
  enum Loss: String, CaseIterable {
    case removed, moved, replaced, folderMoved, logRemoved, indexRemoved

    /// Brings it about, and returns what undoes it.
    func happen(to temporary: TemporaryStore) throws -> () throws -> Void {
      let (files, path) = (FileManager.default, temporary.path)
      func move(_ from: String, _ to: String) throws -> () throws -> Void {
        try files.moveItem(atPath: from, toPath: to)
        return { try files.moveItem(atPath: to, toPath: from) }
      }
      switch self {
      case .removed:
        // A second name keeps the file, so that it can come back.
        try files.linkItem(atPath: path, toPath: path + ".kept")
        try files.removeItem(atPath: path)
        return { try files.moveItem(atPath: path + ".kept", toPath: path) }
      case .moved: return try move(path, path + ".moved")
      case .replaced:
        let undo = try move(path, path + ".moved")
        try files.copyItem(atPath: path + ".moved", toPath: path)
        return {
          try files.removeItem(atPath: path)
          try undo()
        }
      case .folderMoved: return try move(temporary.folder, temporary.folder + ".moved")
      case .logRemoved: return try move(path + "-wal", path + "-wal.moved")
      case .indexRemoved: return try move(path + "-shm", path + "-shm.moved")
      }
    }
  }

  @Test(arguments: Loss.allCases)
  func `nothing is written once a file is not the one that is open, and all goes on when it is back`(
    loss: Loss
  ) async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.claim()
      let probe = try DatabaseProbe(store)
      #expect(await probe.examine() == nil)
      let undo = try loss.happen(to: temporary)
      #expect(await refusal { try await store.publish() } == "database gone")
      #expect(await probe.examine() == .gone)
      // Reading goes on, by every connection that reads.
      let rows = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<16 { group.addTask { try await store.audit(limit: 1).count } }
        return try await group.reduce(0, +)
      }
      #expect(rows == 16)
      try undo()
      #expect(try await store.publish().number == 1)
      #expect(await probe.examine() == nil)
    }
  }

  @Test func `a copy over the file is noticed by its number, a backup of this very run too`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.claim()
      _ = try await store.publish()
      let copy = temporary.folder + "/backup.db"
      _ = try await store.backup(to: copy, by: editor)
      let original = try Data(contentsOf: URL(fileURLWithPath: temporary.path))
      // As cp does it: the file keeps its device and number.
      try overwrite(temporary.path, Data(contentsOf: URL(fileURLWithPath: copy)))
      let probe = try DatabaseProbe(store)
      #expect(await refusal { try await store.publish() } == "database gone")
      #expect(await probe.examine() == .gone)
      // At the end nothing is moved into the file that somebody put there.
      await store.close()
      #expect(
        try Data(contentsOf: URL(fileURLWithPath: temporary.path)) == Data(contentsOf: URL(fileURLWithPath: copy)))
      try overwrite(temporary.path, original)
      #expect(try await store.publish().number == 2)
    }
  }

  @Test func `an older copy of the same file over it is noticed, too`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.claim()
      let old = try Data(contentsOf: URL(fileURLWithPath: temporary.path))
      _ = try await store.publish()
      try await store.sqlite.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      _ = try await store.publish()
      try overwrite(temporary.path, old)
      #expect(await refusal { try await store.publish() } == "database gone")
    }
  }

  @Test func `a link that is led elsewhere is a database that is gone`() async throws {
    let folder = try TemporaryStore.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let files = FileManager.default
    for name in ["a", "b"] {
      try files.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
      _ = try Store(at: .file("\(folder)/\(name)/hearth.db"), migrations: Migration.bundled())
    }
    try files.createSymbolicLink(atPath: folder + "/link.db", withDestinationPath: folder + "/a/hearth.db")
    let store = try Store(at: .file(folder + "/link.db"), migrations: Migration.bundled())
    _ = try await store.createToken(name: "a", role: .viewer, by: editor)
    try files.removeItem(atPath: folder + "/link.db")
    try files.createSymbolicLink(atPath: folder + "/link.db", withDestinationPath: folder + "/b/hearth.db")
    #expect(
      await refusal { _ = try await store.createToken(name: "b", role: .viewer, by: editor) } == "database gone")
  }

  enum Damage: String, CaseIterable {
    case emptied, shortened, headless, garbled, readOnly

    var failure: StoreError.DatabaseFailure {
      switch self {
      // Its number is not the one that is expected.
      case .emptied, .headless: .gone
      case .shortened, .garbled: .corrupt
      case .readOnly: .readOnly
      }
    }

    func happen(to path: String) throws {
      let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
      switch self {
      case .emptied: try file.truncate(atOffset: 0)
      case .shortened: try file.truncate(atOffset: try file.seekToEnd() - 4_096)
      case .headless: try file.write(contentsOf: Data(repeating: 7, count: 100))
      case .garbled:
        for page in stride(from: UInt64(8_192), to: try file.seekToEnd(), by: 4_096) {
          try file.seek(toOffset: page)
          try file.write(contentsOf: Data(repeating: 7, count: 64))
        }
      case .readOnly: try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
      }
    }
  }

  @Test(arguments: Damage.allCases)
  func `a damaged file is noticed, though its pages are in memory, and its return`(damage: Damage) async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.claim()
      _ = try await store.publish()
      try await store.sqlite.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      let probe = try DatabaseProbe(store)
      #expect(await probe.examine() == nil)
      let original = try Data(contentsOf: URL(fileURLWithPath: temporary.path))
      try damage.happen(to: temporary.path)
      // Pages are checked now and then.
      #expect(try await eventually { await probe.examine() == damage.failure })
      if ![.garbled, .shortened].contains(damage) {
        let told = await refusal { try await store.publish() }
        // A header that is gone, SQLite may find before its number is looked at.
        let expected = damage == .readOnly ? ["database read-only"] : ["database gone", "database corrupt"]
        #expect(expected.contains(told ?? ""))
      }
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: temporary.path)
      try overwrite(temporary.path, original)
      #expect(try await eventually { await probe.examine() == nil })
    }
  }

  @Test func `a checkpoint that is not finished is no damage, neither here nor to the next start`() async throws {
    try await withStore { temporary in
      let (store, path) = (temporary.store, temporary.path)
      try await store.claim()
      try await store.sqlite.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
      let whole = try Data(contentsOf: URL(fileURLWithPath: path))
      try await store.fill("middle", SectionContent(items: [Pages.item("a", String(repeating: "x", count: 400_000))]))
      _ = try await store.publish()
      // As the first page of a checkpoint leaves it: the header counts pages that are in the log alone.
      let log = try Data(contentsOf: URL(fileURLWithPath: path + "-wal"))
      let frames = stride(from: 32, to: log.count - 4_119, by: 4_120).filter { log[$0..<$0 + 4] == Data([0, 0, 0, 1]) }
      let header = try log[(#require(frames.last) + 24)...].prefix(4_096)
      let pages = header.dropFirst(28).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      #expect(pages * 4_096 > whole.count)
      let unfinished = header + whole.dropFirst(4_096)
      try overwrite(path, unfinished)
      let probe = try DatabaseProbe(store)
      #expect(await probe.examine() == nil)
      #expect(try await store.audit(limit: 1).count == 1)
      // What is left when the process is killed now.
      let folder = temporary.folder + "/killed"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try unfinished.write(to: URL(fileURLWithPath: folder + "/hearth.db"))
      try log.write(to: URL(fileURLWithPath: folder + "/hearth.db-wal"))
      let next = try Store(at: .file(folder + "/hearth.db"), migrations: Migration.bundled(), context: Pages.context)
      try await next.claim()
      #expect(try await next.publish().number == 2)
      #expect(try await store.publish().number == 2)
      #expect(await probe.examine() == nil)
    }
  }

  @Test func `a snapshot that is older than what others have written since is of the same database`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.claim()
      let (opened, written) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
      async let found = try store.sqlite.pool.read { db -> (any Error)? in
        _ = try ChangeNumber.current(db)
        opened.continuation.finish()
        written.wait()
        do { try store.sqlite.file.checkContent(db) } catch { return error }
        return nil
      }
      for await _ in opened.stream {}
      for _ in 0..<3 {
        _ = try await store.publish()
        try await store.sqlite.pool.writeWithoutTransaction { db in _ = try db.checkpoint(.passive) }
      }
      written.signal()
      #expect(try await found == nil)
    }
  }

  @Test func `an acknowledged write waits for the disk`() async throws {
    try await withStore { temporary in
      let level = try await temporary.store.sqlite.pool.writeWithoutTransaction { db in
        try Int.fetchOne(db, sql: "PRAGMA synchronous")
      }
      #expect(level == 2)
    }
  }

  @Test func `databases and backups are their owner's alone, older ones as soon as they are opened`() async throws {
    func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    try await withStore { temporary in
      for suffix in ["", "-wal", "-shm"] { #expect(try mode(temporary.path + suffix) == 0o600) }
      let copy = temporary.folder + "/backup.db"
      _ = try await temporary.store.backup(to: copy, by: editor)
      #expect(try mode(copy) == 0o600)
      try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy)
      let again = try Store(at: .file(copy), migrations: Migration.bundled())
      #expect(try mode(copy) == 0o600)
      _ = try await again.createToken(name: "a", role: .viewer, by: editor)
      #expect(try mode(copy + "-wal") == 0o600)
    }
  }

  @Test func `a backup that fails leaves nothing, whatever it fails of`() async throws {
    try await withStore { temporary in
      let folder = temporary.folder + "/backups"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      // What an earlier one left when its process was killed is in nobody's way.
      for name in [
        "one.db.unfinished", "one.db.unfinished-journal", "before.db.unfinished", "before.db.unfinished-journal",
      ] {
        #expect(FileManager.default.createFile(atPath: folder + "/" + name, contents: Data("half".utf8)))
      }
      let lock = try Lock(temporary)
      #expect(
        await refusal { _ = try await temporary.store.backup(to: folder + "/one.db", by: editor) } == "database locked")
      try lock.end()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
      _ = try await temporary.store.backup(to: folder + "/one.db", by: editor)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["one.db"])
    }
  }

  @Test func `a backup leaves alone what another process is writing, and what is no backup`() async throws {
    try await withStore { temporary in
      let folder = temporary.folder + "/backups"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let names = ["notes.unfinished", "other.db.unfinished"]
      for name in names { #expect(FileManager.default.createFile(atPath: folder + "/" + name, contents: Data())) }
      let writing = unsafe open(folder + "/other.db.unfinished", O_RDONLY)
      #expect(flock(writing, LOCK_EX | LOCK_NB) == 0)
      _ = try await temporary.store.backup(to: folder + "/one.db", by: editor)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [names[0], "one.db", names[1]])
      close(writing)
      _ = try await temporary.store.backup(to: folder + "/two.db", by: editor)
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [names[0], "one.db", "two.db"])
    }
  }

  @Test func `a log without its database is kept, and so is a file that is no database yet`() throws {
    let folder = try TemporaryStore.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/hearth.db"
    func open(makes: Bool) -> String? {
      do { _ = try Store(at: .file(path), migrations: Migration.bundled(), makes: makes) } catch StoreError.database(
        let failure)
      { return failure.rawValue } catch { return "\(error)" }
      return nil
    }
    #expect(open(makes: false) == "missing")
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(FileManager.default.createFile(atPath: path + "-wal", contents: Data("last changes".utf8)))
    #expect(open(makes: true) == "log-alone")
    #expect(FileManager.default.createFile(atPath: path, contents: nil))
    #expect(open(makes: false) == "log-alone")
    #expect(open(makes: true) == "log-alone")
    #expect(throws: StoreError.self) { try Store.migrationStatus(at: .file(path), migrations: Migration.bundled()) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path + "-wal")) == Data("last changes".utf8))
    try FileManager.default.removeItem(atPath: path + "-wal")
    #expect(open(makes: true) == nil)
    #expect(open(makes: false) == nil)
  }
}

/// Writes over a file's bytes, as `cp` does. By another process: closing the file in this one would drop SQLite's locks.
private func overwrite(_ path: String, _ bytes: Data) throws {
  let source = path + ".source"
  try bytes.write(to: URL(fileURLWithPath: source))
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/bin/cp")
  process.arguments = [source, path]
  try process.run()
  process.waitUntilExit()
  #expect(process.terminationStatus == 0)
  try FileManager.default.removeItem(atPath: source)
}

/// Whether a condition comes about within two minutes.
func eventually(_ condition: () async throws -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < end {
    if try await condition() { return true }
    try? await Task.sleep(for: .milliseconds(10))
  }
  return false
}

extension Store {
  /// The engine that these tests look into.
  fileprivate var sqlite: SQLiteEngine {
    get throws { try #require(engine as? SQLiteEngine) }
  }
}
