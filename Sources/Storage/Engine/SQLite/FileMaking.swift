import Glibc

/// Files that nobody but their owner reads.
enum FileMaking {
  /// Makes an empty file; one that is there stays as it is.
  ///
  /// - Throws: ``StoreError/database(_:)``.
  static func make(_ path: String) throws {
    let descriptor = unsafe open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    if descriptor >= 0 {
      close(descriptor)
    } else if errno != EEXIST {
      throw StoreError.database(StoreError.DatabaseFailure(errno: errno))
    }
  }

  /// Takes from everyone but the owner what rights they have to a file; without effect on somebody else's.
  static func keepToOwner(_ path: String) {
    var found = stat()
    guard unsafe stat(path, &found) == 0, found.st_mode & 0o077 != 0 else { return }
    unsafe chmod(path, found.st_mode & 0o7700)
  }

  /// Has the disk keep a file, or the names in a folder.
  ///
  /// - Throws: ``StoreError/database(_:)``.
  static func synchronize(_ path: String) throws {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    guard descriptor >= 0, fsync(descriptor) == 0 else {
      throw StoreError.database(StoreError.DatabaseFailure(errno: errno))
    }
  }
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
