import Glibc
import JSON
import Layout
import Storage

/// What one or more editions have changed, as the journal has it.
struct JournalRecord {
  /// Rises with each turn of the journal's files.
  var epoch: Int
  var contents: SnapshotFile.Contents

  /// Changes whenever the file's format does.
  private static let format = "hearth-journal 1"
  private static let lineBytesMax = 256

  /// A record's bytes: a line that says what follows, a document, and the pieces of bytes that it refers to.
  ///
  /// - Parameter setup: What must be the same for it to be used (``SnapshotFile/setup``).
  static func bytes(_ epoch: Int, _ setup: String, _ document: JSON, _ pieces: [[UInt8]]) -> [UInt8] {
    let all = [document.canonicalBytes] + pieces
    let size = pieces.reduce(0) { $0 + $1.count }
    let line = "\(format) \(epoch) \(setup) \(all[0].count) \(size) \(Fingerprint.of(pieces: all))\n"
    return Array(line.utf8) + all.joined()
  }

  /// Whether `bytes` begin with a torn or damaged record of this turn. What a turn has not overwritten yet belongs to
  /// the turn before, and may begin anywhere within one of its records.
  ///
  /// - Parameter last: The turn's last whole record.
  static func isBegun(_ bytes: ArraySlice<UInt8>, after last: JournalRecord?, setup: String) -> Bool {
    let wanted = Array((last.map { "\(format) \($0.epoch) \(setup) " } ?? "\(format) ").utf8)
    let common = zip(bytes, wanted).prefix { $0 == $1 }.count
    if common == wanted.count {
      var length = 0
      // One of another setup is whole.
      let words = String(decoding: bytes.prefix(lineBytesMax), as: UTF8.self).split(separator: " ")
      return JournalRecord(bytes, setup: words.count > 3 ? String(words[3]) : setup, length: &length) == nil
    }
    // Cut off within the line that says what follows: after it there is nothing, or what the file was filled with.
    return common >= 8 && bytes.dropFirst(common).first ?? 0 == 0
  }

  /// The record that begins with some bytes, and how many are its own; `nil` when that is none, or not whole.
  init?(_ bytes: ArraySlice<UInt8>, setup: String, length: inout Int) {
    guard let end = bytes.prefix(Self.lineBytesMax).firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ")
    guard words.count == 7, words.prefix(2).joined(separator: " ") == Self.format, words[3] == setup,
      let epoch = Int(words[2]), let document = Int(words[4]), let pieces = Int(words[5]), document >= 0, pieces >= 0
    else { return nil }
    let rest = bytes[(end + 1)...]
    guard document <= rest.count, pieces <= rest.count - document else { return nil }
    let all = rest.prefix(document + pieces)
    guard Fingerprint.of(all) == words[6], let json = try? JSON.parse(Array(all.prefix(document)), depthMax: .max)
    else { return nil }
    self.epoch = epoch
    contents = SnapshotFile.Contents(document: json, pieces: all.dropFirst(document))
    length = all.endIndex - bytes.startIndex
  }
}

/// A file of the journal. It is written over from its beginning again and again, so that a sync need not wait for a file
/// that grows.
struct JournalFile {
  let path: String
  let setup: String

  /// The records from the beginning up to the first one of another turn or not whole; and where they end.
  ///
  /// - Returns: No records if the file does not exist; and what this turn has written that cannot be used.
  func read() -> (records: [JournalRecord], end: Int, dropped: FileFailure?) {
    let bytes: [UInt8]
    do throws(FileFailure) {
      guard let found = try SnapshotFile(path: path, setup: setup).bytes(atMost: Journal.bytesMax * 2) else {
        return ([], 0, nil)
      }
      bytes = found
    } catch { return ([], 0, error) }
    var records: [JournalRecord] = []
    var end = 0
    var length = 0
    while let record = JournalRecord(bytes[end...], setup: setup, length: &length),
      records.last.map({ $0.epoch == record.epoch }) ?? true
    {
      records.append(record)
      end += length
    }
    guard JournalRecord.isBegun(bytes[end...], after: records.last, setup: setup) else { return (records, end, nil) }
    let dropped = FileFailure(
      description: "\(path): the record at byte \(end) is torn or damaged, and is dropped with what may come after it; "
        + "the \(records.count) before it are used")
    return (records, end, dropped)
  }

  /// How much room is made at once where the file has to grow, in bytes.
  private static let growth = 256 * 1024

  /// Writes bytes at a place, and returns when they are on the disk.
  ///
  /// - Throws: ``FileFailure``.
  func write(_ bytes: [UInt8], at place: Int) throws(FileFailure) {
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    guard descriptor >= 0 else { throw failure("be opened") }
    defer { close(descriptor) }
    var found = stat()
    guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG, fchmod(descriptor, 0o600) == 0
    else { throw failure("be written: it is no file") }
    let missing = place + bytes.count - Int(found.st_size)
    if missing > 0 {
      let room = [UInt8](repeating: 0, count: missing + Self.growth)
      guard SnapshotFile.write(room, descriptor, at: Int(found.st_size)) else { throw failure("be written") }
    }
    guard SnapshotFile.write(bytes, descriptor, at: place), fdatasync(descriptor) == 0 else {
      throw failure("be written")
    }
  }

  private func failure(_ what: String) -> FileFailure {
    FileFailure(description: "\(path) cannot \(what): \(SystemFailure.last)")
  }
}
