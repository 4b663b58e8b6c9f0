import Glibc

/// Which file a path leads to, links followed: its device and its number there.
public struct FileIdentity: Hashable, Sendable {
  let device: UInt64
  let number: UInt64

  /// `nil` if the path leads to no file, or cannot be reached.
  public init?(path: String) {
    var found = stat()
    guard unsafe stat(path, &found) == 0 else { return nil }
    self.init(found)
  }

  /// That of an open file.
  public init?(descriptor: Int32) {
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0 else { return nil }
    self.init(found)
  }

  private init(_ found: stat) {
    device = UInt64(found.st_dev)
    number = UInt64(found.st_ino)
  }
}
