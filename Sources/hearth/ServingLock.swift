import Foundation
import Glibc
import JSON
import Layout

/// The right to serve a database, which one process has at a time. It ends with the process, however that ends.
final class ServingLock: Sendable {
  private let descriptor: Int32

  /// - Parameter waits: Whether to wait until a predecessor gives it up.
  /// - Throws: ``Failure`` 74 when another process has it.
  init(database: String, waits: Bool = false) throws {
    let path = database + ".lock"
    descriptor = unsafe open(path, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Failure(.inputOutput, "\(path) cannot be written; this user must be able to write in its folder")
    }
    guard flock(descriptor, waits ? LOCK_EX : LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw Failure(
        .inputOutput,
        "\(database): the database is locked, another hearth serves it; stop that one, or name another with --database")
    }
  }

  deinit { close(descriptor) }
}

extension ServingLock {
  /// Writes into the lock's file who holds it and which kinds it knows, for commands that publish beside it.
  func announce(_ kinds: Kinds) {
    let names = (Array(kinds.sections.keys) + kinds.items.keys).sorted()
    let holder: JSON = [
      "process": .number(JSONNumber(Int(getpid()))), "kinds": .array(names.map { .string($0) }),
    ]
    // Whoever reads meanwhile finds no JSON, and says nothing.
    ftruncate(descriptor, 0)
    let bytes = holder.canonicalBytes
    _ = unsafe bytes.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// What serves a database, by its own word.
  struct Holder {
    var process: Int32
    var kinds: Set<String>

    /// `nil` when no process of this machine serves the database, or it did not say.
    init?(of database: String) {
      guard let data = FileManager.default.contents(atPath: database + ".lock"),
        let json = try? JSON.parse(Array(data)),
        let process = json["process"]?.number?.int.flatMap({ Int32(exactly: $0) }), let kinds = json["kinds"]?.array,
        kill(process, 0) == 0 || errno == EPERM
      else { return nil }
      self.process = process
      self.kinds = Set(kinds.compactMap(\.string))
    }
  }
}
