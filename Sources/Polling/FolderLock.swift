import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// The right to write in a folder, which one process has at a time. It ends with the process, and leaves nothing there.
final class FolderLock: Sendable {
  private let descriptor: Int32

  private init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// How often it is tried, and the nanoseconds in between: a second in all. A process that was stopped may have it.
  private static let (tries, pause): (Int, UInt64) = (100, 10_000_000)

  /// Makes the folder when it is missing, and waits until no other process has the right.
  ///
  /// - Returns: `nil` where folders have no locks.
  /// - Throws: `CocoaError`: `fileLocking` when another process has it for a second.
  @concurrent static func take(_ folder: URL) async throws -> FolderLock? {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let descriptor = unsafe open(folder.path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let lock = FolderLock(descriptor)
    do {
      for _ in 0..<tries {
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return lock }
        guard errno == EWOULDBLOCK || errno == EINTR else {
          lock.release()
          return nil
        }
        try await Task.sleep(nanoseconds: pause)
      }
      throw CocoaError(.fileLocking, userInfo: [NSFilePathErrorKey: folder.path])
    } catch {
      lock.release()
      throw error
    }
  }

  /// Lets others write. To be called once.
  func release() { close(descriptor) }
}
