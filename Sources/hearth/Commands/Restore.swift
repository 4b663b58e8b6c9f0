import ArgumentParser
import Backup
import Foundation
import Service
import Serving
import Storage

/// `hearth restore`
struct Restore: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Put an SQLite database together from what was sent to backup.to.",
    discussion: """
      It writes the file of the database, where none may be, and looks whether it is whole. Where the record of tokens is \
      not beside it, its newest version is put there, so that what was revoked stays revoked. Then it tells what a start \
      would find, as hearth doctor does, and what was served before. The database is a copy: a server serves it and \
      publishes nothing, until hearth generation raise says that it counts.
      """)

  @Option(help: "The latest moment that it may be of, such as 2026-11-27T09:00:00Z; without it, all there is.")
  var at: String?

  @Flag(help: "Tell what can be restored, and write nothing.")
  var list = false

  @OptionGroup var options: Options

  func run() async throws {
    try await reporting {
      let settings = try options.settings(needsFolder: false)
      guard case .file(let path) = settings.database else { throw TargetFailure.ofServer }
      let moment = at.flatMap { BackupMoment($0) }
      guard at == nil || moment != nil else {
        throw ValidationError(
          "--at must be a time with an offset, such as 2026-11-27T09:00:00Z or 2026-11-27T17:00:00.250+08:00")
      }
      let source = BackupRestore(from: try settings.values.server.backup.target())
      if list { return try tell(source) }
      try await reporting(database: path) { try await restore(source, moment, settings, to: path) }
    }
  }

  private func tell(_ source: BackupRestore) throws {
    let spans = try Self.reading { () throws(TargetFailure) in try source.spans() }
    guard !spans.isEmpty else { throw Failure(.invalid, "there is no series") }
    for span in spans {
      let moments = span.moments.map { "\($0.lowerBound) to \($0.upperBound)" } ?? "not complete"
      print("\(span.series)  \(moments)  \(span.pieces) pieces\(span.damage.map { "  damaged: \($0)" } ?? "")")
    }
  }

  private func restore(
    _ source: BackupRestore, _ moment: BackupMoment?, _ settings: Settings, to path: String
  ) async throws {
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
      throw Failure(
        .inputOutput, "\(path + suffix) is there; stop the server, and move it and what is beside it away first")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
    try? FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    let unfinished = path + ".restoring"
    let suffixes = ["", "-wal", "-shm"]
    for suffix in suffixes { try? FileManager.default.removeItem(atPath: unfinished + suffix) }
    let restored: BackupRestore.Restored
    do {
      restored = try Self.reading { () throws(TargetFailure) in try source.restore(at: moment, to: unfinished) }
      try await Store.finishCopy(ofFile: unfinished, at: restored.at.instant)
      try bringBackTokens(to: settings.tokensFile, source)
      try FileManager.default.moveItem(atPath: unfinished, toPath: path)
      try writing(folder.path) { () throws(SystemFailure) in try FileMaking.synchronize(folder.path) }
    } catch {
      for suffix in suffixes { try? FileManager.default.removeItem(atPath: unfinished + suffix) }
      if let failure = error as? BackupFailure { throw Failure(.inputOutput, "\(path): \(failure)") }
      throw error
    }
    print("restored: \(path), as it was at \(restored.at), from \(restored.pieces) pieces of \(restored.series)")
    if let together = restored.together {
      print("not restored: the changes from \(together.lowerBound) to \(together.upperBound) left together")
    }
    let served = try servedBefore(source, settings)
    print(try await Examination(of: settings, served: served).lines.joined(separator: "\n"))
  }

  /// What the lost machine has served, where this one has served nothing. It is told, and not put there: what the copy lacks
  /// would be withheld, and new apps would get nothing until the generation is raised.
  private func servedBefore(_ source: BackupRestore, _ settings: Settings) throws -> ServedHistory? {
    guard !FileManager.default.fileExists(atPath: settings.servedFile) else { return nil }
    let bytes = try Self.reading { () throws(TargetFailure) in try source.latest("served") }
    return bytes.flatMap(ServedFile.history(in:))
  }

  /// Puts the newest record of tokens where there is none: one of this machine is as new.
  private func bringBackTokens(to path: String, _ source: BackupRestore) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    guard let bytes = try Self.reading({ () throws(TargetFailure) in try source.latest("tokens") }) else {
      return print("record: tokens is not in the backup: tokens that were revoked since may be back")
    }
    try writing(path) { () throws(SystemFailure) in try FileMaking.write(bytes, to: path) }
    print("record: \(path), the newest version")
  }

  private func writing(_ path: String, _ body: () throws(SystemFailure) -> Void) throws {
    do { try body() } catch { throw Failure(.inputOutput, "\(path) cannot be written: \(error)") }
  }

  /// What is wrong with a target is no wrong setting.
  private static func reading<Value>(_ body: () throws(TargetFailure) -> Value) throws -> Value {
    do { return try body() } catch { throw Failure(.inputOutput, "\(error)") }
  }
}
