import Foundation
import Glibc
import Layout
import Storage

/// Why a file could not be read or written.
public struct FileFailure: Error, CustomStringConvertible {
  /// Which file, and what went wrong.
  public let description: String
}

/// A small text in a file that is never half written: two slots, of which the older is written in place and synced.
///
/// One sync of data alone, without a new name in a folder, takes a fifth of the time of a new file in the place of the
/// old one; a publish waits for it. Each slot holds the text's SHA-256, its number and the text, filled up with spaces.
struct TwoSlotFile {
  /// A slot's content.
  private struct Slot {
    var number: UInt64
    var text: String

    init(number: UInt64, text: String) {
      self.number = number
      self.text = text
    }

    /// `nil` for what was never written, or not to its end.
    init?(_ bytes: some BidirectionalCollection<UInt8>) {
      // What fills the slot up goes first: it is most of it.
      let (space, newline) = (UInt8(ascii: " "), UInt8(ascii: "\n"))
      guard let end = bytes.lastIndex(where: { $0 != space && $0 != newline }) else { return nil }
      let parts = String(decoding: bytes[...end], as: UTF8.self).split(separator: " ", maxSplits: 2)
      guard parts.count == 3, let number = UInt64(parts[1]) else { return nil }
      let text = String(parts[2])
      guard Fingerprint.of("\(number) \(text)".utf8) == parts[0] else { return nil }
      self.init(number: number, text: text)
    }

    var bytes: [UInt8] { Array("\(Fingerprint.of("\(number) \(text)".utf8)) \(number) \(text)".utf8) }

    /// Filled up to the size of a slot.
    func bytes(_ size: Int) -> Data {
      var bytes = bytes
      bytes += [UInt8](repeating: UInt8(ascii: " "), count: size - bytes.count - 1) + [UInt8(ascii: "\n")]
      return Data(bytes)
    }
  }

  private static let slotBytesMin = 4_096
  let path: String

  /// The newest text.
  ///
  /// - Returns: `nil` if the file does not exist.
  func read() throws(FileFailure) -> String? {
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let bytes = FileManager.default.contents(atPath: path) else { throw failure("cannot be read") }
    guard let text = Self.text(in: bytes) else { throw failure("was not written by a server") }
    return text
  }

  /// The newest text in a file's bytes; `nil` if nobody has written it.
  static func text(in bytes: Data) -> String? {
    slots(bytes).compactMap(\.self).max { $0.number < $1.number }?.text
  }

  /// Changes the text; it is on the disk when this returns.
  ///
  /// - Parameter edit: Gets the newest text, which another process may have written; `nil` when there is none.
  func update(_ edit: (String?) -> String) throws(FileFailure) {
    // While this one waited for the lock, another process may have made a larger file take its place.
    while try !updateOpened(edit) {}
  }

  /// - Returns: False where the file that was opened is not the one that has the name any more; it is left as it is.
  private func updateOpened(_ edit: (String?) -> String) throws(FileFailure) -> Bool {
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot be opened") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      guard flock(descriptor, LOCK_EX) == 0 else { throw failure("cannot be locked") }
      guard FileIdentity(descriptor: descriptor) == FileIdentity(path: path) else { return false }
      let bytes = try file.readToEnd() ?? Data()
      let slots = Self.slots(bytes)
      let newest = slots.indices.max { slots[$0]?.number ?? 0 < slots[$1]?.number ?? 0 } ?? 0
      let slot = Slot(number: (slots[newest]?.number ?? 0) + 1, text: edit(slots[newest]?.text))
      let size = bytes.count / 2
      // A file that nobody here wrote may be readable for others.
      guard slots.contains(where: { $0 != nil }), size >= Self.slotBytesMin, bytes.count == 2 * size,
        slot.bytes.count < size
      else {
        try replace(slot)
        return true
      }
      try file.seek(toOffset: UInt64((1 - newest) * size))
      try file.write(contentsOf: slot.bytes(size))
      guard fdatasync(descriptor) == 0 else { throw failure("cannot be synced") }
      return true
    } catch {
      throw error as? FileFailure ?? failure("cannot be written: \(error.localizedDescription)")
    }
  }

  /// Makes a file with room to grow take the place of the one that is there.
  private func replace(_ slot: Slot) throws {
    let unfinished = path + ".unfinished"
    let descriptor = unsafe open(unfinished, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("cannot be replaced") }
    let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let size = max(Self.slotBytesMin, slot.bytes.count * 2)
      try file.write(contentsOf: slot.bytes(size) + Data(repeating: UInt8(ascii: " "), count: size))
      try file.synchronize()
      guard unsafe rename(unfinished, path) == 0 else { throw failure("cannot be replaced") }
    } catch {
      _ = unsafe unlink(unfinished)
      throw error
    }
    // The new name is on the disk when its folder is.
    let folder = unsafe open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    if folder >= 0 { try FileHandle(fileDescriptor: folder, closeOnDealloc: true).synchronize() }
  }

  private static func slots(_ bytes: Data) -> [Slot?] {
    let size = bytes.count / 2
    return [Slot(bytes.prefix(size)), Slot(bytes.suffix(bytes.count - size))]
  }

  private func failure(_ what: String) -> FileFailure { FileFailure(description: "\(path) \(what)") }
}
