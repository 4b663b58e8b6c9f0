import Glibc

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
