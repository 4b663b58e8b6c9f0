import Glibc
import JSON
import Layout
import Storage

/// The file of a snapshot: a line that says what follows, a document, and the pieces of bytes that it refers to.
///
/// The line has the SHA-256 of all that follows, so that what is torn, cut off or changed is noticed. The file takes the
/// place of the one before at once; it is not synced, since one that was lost with the power costs a slower start alone.
struct SnapshotFile {
  /// A file's content.
  struct Contents {
    var document: JSON
    /// The bytes of the pieces, one behind the other.
    var pieces: ArraySlice<UInt8>
  }

  /// Changes whenever the file's format does.
  private static let format = "hearth-snapshot 3"
  /// More is neither written nor read, in bytes.
  static let bytesMax = 1 << 30
  private static let lineBytesMax = 256

  let path: String
  /// What must be the same for a snapshot to be used: 64 hexadecimal digits.
  let setup: String

  /// Reads the file.
  ///
  /// - Returns: `nil` if it does not exist.
  /// - Throws: ``FileFailure`` that says why it is not used.
  func read() throws(FileFailure) -> Contents? {
    guard let bytes = try bytes(atMost: Self.bytesMax) else { return nil }
    return try contents(of: bytes)
  }

  /// The bytes of a plain file; `nil` if it does not exist.
  ///
  /// - Throws: ``FileFailure`` if it is not a plain file, exceeds `bytesMax`, or cannot be read.
  func bytes(atMost bytesMax: Int) throws(FileFailure) -> [UInt8]? {
    // What is no plain file must not hold up the start.
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw failure("cannot be opened: \(SystemFailure.last)")
    }
    defer { close(descriptor) }
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
      throw failure("is no file")
    }
    guard found.st_size <= bytesMax else { throw failure("has more than \(bytesMax) bytes") }
    guard let bytes = Self.read(descriptor, Int(found.st_size)) else {
      throw failure("cannot be read: \(SystemFailure.last)")
    }
    return bytes
  }

  private func contents(of bytes: [UInt8]) throws(FileFailure) -> Contents {
    guard let end = bytes.prefix(Self.lineBytesMax).firstIndex(of: UInt8(ascii: "\n")) else {
      throw failure("is no snapshot")
    }
    let line = String(decoding: bytes[..<end], as: UTF8.self)
    guard line.hasPrefix("hearth-snapshot ") else { throw failure("is no snapshot") }
    guard line.hasPrefix(Self.format + " ") else { throw failure("has the form of another version") }
    let words = line.dropFirst(Self.format.count + 1).split(separator: " ")
    guard words.count == 3, let size = Int(words[1]) else { throw failure("is no snapshot") }
    guard words[0] == setup else { throw failure("was made by another version, or with other attributes") }
    let rest = bytes[(end + 1)...]
    guard Fingerprint.of(rest) == words[2], (0...rest.count).contains(size) else { throw failure("is damaged") }
    guard let document = try? JSON.parse(Array(rest.prefix(size)), depthMax: .max) else { throw failure("is damaged") }
    return Contents(document: document, pieces: rest.dropFirst(size))
  }

  /// Writes a snapshot in the place of the one that is there.
  ///
  /// - Returns: How many bytes it has; `nil` when another process is writing it.
  /// - Throws: ``FileFailure``; what was there is as it was.
  func write(_ document: JSON, _ pieces: [[UInt8]]) throws(FileFailure) -> Int? {
    let all = [document.canonicalBytes] + pieces
    let line = "\(Self.format) \(setup) \(all[0].count) \(Fingerprint.of(pieces: all))\n"
    let size = all.reduce(line.utf8.count) { $0 + $1.count }
    guard size <= Self.bytesMax else { throw failure("would have more than \(Self.bytesMax) bytes") }
    let unfinished = path + ".unfinished"
    let descriptor = unsafe open(unfinished, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("cannot be written: \(SystemFailure.last)") }
    defer { close(descriptor) }
    // A predecessor that still writes has the name; what one that was killed left there is written over.
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0,
      FileIdentity(descriptor: descriptor) == FileIdentity(path: unfinished)
    else { return nil }
    var end = 0
    guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0,
      ([Array(line.utf8)] + all).allSatisfy({ piece in
        defer { end += piece.count }
        return Self.write(piece, descriptor, at: end)
      }), unsafe rename(unfinished, path) == 0
    else {
      let failure = failure("cannot be written: \(SystemFailure.last)")
      _ = unsafe unlink(unfinished)
      throw failure
    }
    return size
  }

  private func failure(_ what: String) -> FileFailure { FileFailure(description: "\(path) \(what)") }

  /// - Returns: As many bytes as there are, at most `size`; `nil` when they cannot be read.
  private static func read(_ descriptor: Int32, _ size: Int) -> [UInt8]? {
    var isRead = true
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let length = unsafe Glibc.read(descriptor, buffer.baseAddress.map { unsafe $0 + count }, size - count)
        if length < 0, errno == EINTR { continue }
        guard length > 0 else {
          isRead = length == 0
          return
        }
        count += length
      }
    }
    return isRead ? bytes : nil
  }

  /// - Returns: Whether all of them stand at the place.
  static func write(_ bytes: [UInt8], _ descriptor: Int32, at place: Int) -> Bool {
    unsafe bytes.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count {
        let length = unsafe pwrite(
          descriptor, buffer.baseAddress.map { unsafe $0 + written }, buffer.count - written, place + written)
        if length < 0, errno == EINTR { continue }
        guard length > 0 else { return false }
        written += length
      }
      return true
    }
  }
}
