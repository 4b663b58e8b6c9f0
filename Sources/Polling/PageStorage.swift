public import Foundation

#if canImport(Darwin)
import Darwin
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Where a client keeps the last good page beyond the app's end: one record, which the client checks when it is read.
///
/// Before a page is kept, what is there is looked at: another client of the same app may have kept a newer page. A storage
/// that fails harms nothing but the next start; ``PageClient/storageFailure`` says why.
public struct PageStorage: Sendable {
  /// Brings what was saved last; `nil` when nothing was.
  public var load: @Sendable () async throws -> Data?
  /// Keeps a record in the place of the last one; an empty one when the client was reset. It is called for one record at a
  /// time.
  public var save: @Sendable (Data) async throws -> Void

  /// Lets no two clients look and write at once.
  private var turns = Turns()
  /// The same for clients of other processes, where they may share the storage.
  private var lock: @Sendable () async throws -> FolderLock? = { nil }

  /// A storage of the app's own.
  public init(
    load: @escaping @Sendable () async throws -> Data?, save: @escaping @Sendable (Data) async throws -> Void
  ) {
    self.load = load
    self.save = save
  }

  /// A file, such as one in the folder of Application Support, in whose place each record comes whole.
  ///
  /// Its folder is made when it is missing. Clients of one page may share a file, also those of several processes, such
  /// as an app and its widget; those of other pages may not. Whoever writes locks the folder (`flock`). What is written
  /// is beside the file until it is whole, with `.new` at the end of its name: what an app left there that ended
  /// meanwhile is written over the next time.
  public static func file(_ url: URL) -> PageStorage {
    var storage = PageStorage(load: { try await read(url) }, save: { try await write($0, to: url) })
    storage.turns = files
    storage.lock = { try await FolderLock.take(url.deletingLastPathComponent()) }
    return storage
  }

  private static let files = Turns()

  /// Keeps a record, unless what is there is newer.
  func replace(with record: Data, if isOld: @escaping @Sendable (Data) -> Bool) async throws {
    try await turns.run {
      let lock = try await lock()
      defer { lock?.release() }
      // What cannot be read is replaced.
      if let there = try? await load(), there.count <= Self.bytesMax, !isOld(there) { return }
      try await save(record)
    }
  }

  /// The most bytes of a record that are read: a page is far smaller.
  static let bytesMax = 32 << 20

  @concurrent private static func read(_ url: URL) async throws -> Data? {
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path) else { return nil }
    guard attributes[.type] as? FileAttributeType == .typeRegular, let size = attributes[.size] as? Int,
      size <= bytesMax
    else { throw CocoaError(.fileReadCorruptFile) }
    return try Data(contentsOf: url)
  }

  @concurrent private static func write(_ data: Data, to url: URL) async throws {
    let new = url.appendingPathExtension("new")
    try data.write(to: new)
    guard unsafe rename(new.path, url.path) == 0 else {
      try? FileManager.default.removeItem(at: new)
      throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
    }
  }
}
