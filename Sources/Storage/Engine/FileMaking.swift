import Glibc

/// Files that nobody but their owner reads, and that the disk keeps.
public enum FileMaking {
  /// Makes an empty file; one that is there stays as it is.
  static func make(_ path: String) throws(SystemFailure) {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw .last
    }
  }

  /// Takes from everyone but the owner what rights they have to a file; without effect on somebody else's.
  static func keepToOwner(_ path: String) {
    var found = stat()
    guard unsafe stat(path, &found) == 0, found.st_mode & 0o077 != 0 else { return }
    unsafe chmod(path, found.st_mode & 0o7700)
  }

  /// Makes a file where none is, and has the disk keep what is in it. What cannot be written whole is removed.
  public static func write(_ bytes: [UInt8], to path: String) throws(SystemFailure) {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    var done = 0
    while done < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[done...])
        return unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      }
      guard count > 0 else { break }
      done += count
    }
    guard done == bytes.count, fsync(descriptor) == 0 else {
      let failure = SystemFailure.last
      unsafe unlink(path)
      throw failure
    }
  }

  /// Has the disk keep a file, or the names in a folder.
  public static func synchronize(_ path: String) throws(SystemFailure) {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .last }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .last }
  }
}

/// What the system says of a file.
public struct SystemFailure: Error, Hashable, CustomStringConvertible {
  /// Its `errno`.
  public let number: Int32

  /// In the system's words.
  public var description: String { unsafe String(cString: strerror(number)) }

  /// Of the call that has just failed.
  public static var last: SystemFailure { SystemFailure(number: errno) }
}

extension StoreError {
  /// What goes wrong with a file of the database.
  init(_ failure: SystemFailure) { self = .database(DatabaseFailure(errno: failure.number)) }
}

extension StoreError.DatabaseFailure {
  /// What an error of the system means for a file.
  init(errno: Int32) {
    switch errno {
    case ENOSPC, EDQUOT, EFBIG: self = .full
    case EROFS, EACCES, EPERM: self = .readOnly
    case ENOENT, ENOTDIR: self = .cannotOpen
    default: self = .inputOutput
    }
  }
}
