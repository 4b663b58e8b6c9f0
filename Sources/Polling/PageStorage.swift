public import Foundation

/// Where a client keeps the last good page beyond the app's end: one record, which the client checks when it is read.
///
/// A storage that fails harms nothing but the next start; ``PageClient/storageFailure`` says why.
public struct PageStorage: Sendable {
  /// Brings what was saved last; `nil` when nothing was.
  public var load: @Sendable () async throws -> Data?
  /// Keeps a record in the place of the last one. It is called for one record at a time.
  public var save: @Sendable (Data) async throws -> Void

  /// A storage of the app's own.
  public init(
    load: @escaping @Sendable () async throws -> Data?, save: @escaping @Sendable (Data) async throws -> Void
  ) {
    self.load = load
    self.save = save
  }

  /// A file, such as one in the folder of Application Support, in whose place each record comes whole.
  ///
  /// Its folder is made when it is missing. No other client may keep its page in the same file.
  public static func file(_ url: URL) -> PageStorage {
    PageStorage(load: { try await read(url) }, save: { try await write($0, to: url) })
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
    let folder = url.deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try data.write(to: url, options: .atomic)
  }
}
