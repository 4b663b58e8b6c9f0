import Foundation
import Glibc
import Storage

/// A copy of an SQLite database and its log in a folder of its own, which only this user can read and which goes with this
/// object, or with the process where SIGINT, SIGTERM or SIGHUP ends it. SQLite changes files beside a database even where it
/// only reads it.
final class DatabaseScratch {
  /// How often the files are copied until nobody has changed them meanwhile, and the seconds before the next time.
  private static let attempts = (count: 20, pause: 0.05)
  private let folder: String
  /// The copy.
  let path: String
  private let signals: [any DispatchSourceSignal]

  /// - Throws: ``Failure`` 74 when the files cannot be copied, or somebody goes on changing them.
  init(of database: String) throws {
    folder = FileManager.default.temporaryDirectory.path + "/hearth-doctor-\(UUID().uuidString)"
    path = folder + "/hearth.db"
    // Before there is a folder.
    signals = [SIGINT, SIGTERM, SIGHUP].filter { !isSignalIgnored($0) }.map { [folder] number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        Self.remove(folder)
        // As the signal ends whoever does not hear it.
        signal(number, SIG_DFL)
        kill(getpid(), number)
      }
      source.resume()
      return source
    }
    // SQLite has its log beside what a link leads to.
    let source = URL(fileURLWithPath: database).resolvingSymlinksInPath().path
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
      guard try copy(source) else {
        throw Failure(
          .inputOutput, "\(database) is being changed; stop the server that serves it, or ask that one for its /status")
      }
    } catch {
      Self.remove(folder)
      throw error as? Failure
        ?? Failure(
          .inputOutput,
          "\(database) cannot be copied to \(folder): \(error.localizedDescription); it must be readable, and TMPDIR must "
            + "be a folder with room for it")
    }
  }

  deinit {
    Self.remove(folder)
    for source in signals {
      source.cancel()
      signal(Int32(source.handle), SIG_DFL)
    }
  }

  /// Removes a folder, also while somebody copies into it.
  private static func remove(_ folder: String) {
    for _ in 0..<attempts.count {
      try? FileManager.default.removeItem(atPath: folder)
      guard FileManager.default.fileExists(atPath: folder) else { return }
    }
  }

  /// - Returns: Whether the copies are of one moment.
  private func copy(_ source: String) throws -> Bool {
    for _ in 0..<Self.attempts.count {
      let before = Self.state(of: source)
      for suffix in Self.suffixes {
        try? FileManager.default.removeItem(atPath: path + suffix)
        guard FileManager.default.fileExists(atPath: source + suffix) else { continue }
        try FileManager.default.copyItem(atPath: source + suffix, toPath: path + suffix)
        unsafe chmod(path + suffix, 0o600)
      }
      if Self.state(of: source) == before, Self.isSettled(before) { return true }
      Thread.sleep(forTimeInterval: Self.attempts.pause)
    }
    return false
  }

  /// The database, its write-ahead log, and the journal of one that has no such log.
  private static let suffixes = ["", "-wal", "-journal"]

  /// The number, size and time of change of each file.
  private static func state(of source: String) -> [[Int]] {
    suffixes.map { suffix in
      var found = stat()
      guard unsafe stat(source + suffix, &found) == 0 else { return [] }
      return [Int(found.st_ino), Int(found.st_size), found.st_mtim.tv_sec, found.st_mtim.tv_nsec]
    }
  }

  /// Whether the last change is so long ago that another one would have another time: a file system may count in steps of
  /// ten milliseconds.
  private static func isSettled(_ state: [[Int]]) -> Bool {
    let now = Date().timeIntervalSince1970
    return state.allSatisfy { file in
      file.isEmpty || abs(now - Double(file[2]) - Double(file[3]) / 1e9) > 0.02
    }
  }
}
