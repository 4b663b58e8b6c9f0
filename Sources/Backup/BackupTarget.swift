import Foundation
import Glibc
import Storage

/// Where backups are kept: objects by names with slashes. Every call blocks, perhaps for a minute.
public protocol BackupTarget: Sendable {
  /// What people are told of it.
  var name: String { get }
  /// Keeps an object: all of it, or nothing.
  ///
  /// - Parameter replaces: Whether one of this name may be another. If not, it is kept as it is.
  /// - Throws: ``TargetFailure``; it is `isTaken` where the name has another object.
  func put(_ name: String, _ bytes: [UInt8], replaces: Bool) throws(TargetFailure)
  /// An object, `nil` where there is none.
  func get(_ name: String) throws(TargetFailure) -> [UInt8]?
  /// The names below a folder, without it, in the order of their bytes: those of folders end with a slash.
  func list(_ folder: String) throws(TargetFailure) -> [String]
  /// Removes an object; one that is not there is no failure.
  func remove(_ name: String) throws(TargetFailure)
}

extension [String] {
  /// As every target lists its names.
  var inOrderOfBytes: [String] { sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } }
}

/// Why a target does not do what it should.
public struct TargetFailure: Error, Hashable, CustomStringConvertible {
  /// What is wrong, and what would be right.
  public let description: String
  /// Whether the name has another object.
  public let isTaken: Bool

  /// Of a setting that is for a file.
  public static let ofServer = TargetFailure(
    "backup.to is for an SQLite database; of PostgreSQL its own tools make backups, so leave it empty")

  init(_ description: String, isTaken: Bool = false) {
    self.description = description
    self.isTaken = isTaken
  }

  /// Of a call to the system that has just failed.
  static func last(_ what: String) -> TargetFailure { TargetFailure("\(what): \(SystemFailure.last)") }
}

/// A folder of this machine, perhaps on a disk elsewhere.
struct FolderTarget: BackupTarget {
  private let folder: String

  init(_ folder: String) { self.folder = folder }

  var name: String { "file://\(folder)" }

  func put(_ name: String, _ bytes: [UInt8], replaces: Bool) throws(TargetFailure) {
    let path = "\(folder)/\(name)"
    if !replaces, let other = try get(name) {
      if other == bytes { return }
      throw TargetFailure("\(path) is there already, and is another", isTaken: true)
    }
    try requireFolder()
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    if !FileManager.default.fileExists(atPath: parent) {
      // Where a series goes on, its folder was there: a disk that is not mounted must not look like an empty one.
      guard BackupPiece.isFirst(name) || !name.hasPrefix(BackupPiece.folder) else {
        throw TargetFailure("\(parent) is not there any more; is its disk mounted?")
      }
      try make(parent)
    }
    let unfinished = "\(parent)/.\(UUID().uuidString).unfinished"
    do { try FileMaking.write(bytes, to: unfinished) } catch {
      throw TargetFailure("\(path) cannot be written: \(error)")
    }
    // Without effect once it has its name.
    defer { unsafe unlink(unfinished) }
    // Unlike a new name for a file, a link takes no name that is there. Some file systems have no links.
    if !replaces, unsafe link(unfinished, path) != 0, errno == EEXIST {
      guard try get(name) == bytes else {
        throw TargetFailure("\(path) is there already, and is another", isTaken: true)
      }
      return
    }
    guard unsafe rename(unfinished, path) == 0 else { throw TargetFailure.last("\(path) cannot be made") }
    try Self.synchronize(parent)
  }

  private func requireFolder() throws(TargetFailure) {
    guard FileManager.default.fileExists(atPath: folder) else {
      throw TargetFailure("the folder \(folder) is not there; make it, or mount its disk")
    }
  }

  private func make(_ path: String) throws(TargetFailure) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch { throw TargetFailure("\(path) cannot be made: \(error.localizedDescription)") }
    try Self.synchronize(URL(fileURLWithPath: path).deletingLastPathComponent().path)
  }

  /// Has the disk keep the names in a folder.
  private static func synchronize(_ path: String) throws(TargetFailure) {
    do { try FileMaking.synchronize(path) } catch { throw TargetFailure("\(path) cannot be synced: \(error)") }
  }

  func get(_ name: String) throws(TargetFailure) -> [UInt8]? {
    try requireFolder()
    let path = "\(folder)/\(name)"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    guard let data = FileManager.default.contents(atPath: path) else {
      throw TargetFailure.last("\(path) cannot be read")
    }
    return [UInt8](data)
  }

  func list(_ folder: String) throws(TargetFailure) -> [String] {
    try requireFolder()
    let path = "\(self.folder)/\(folder)"
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    let found: [URL]
    do {
      found = try FileManager.default.contentsOfDirectory(
        at: URL(fileURLWithPath: path), includingPropertiesForKeys: [.isDirectoryKey], options: [.skipsHiddenFiles])
    } catch { throw TargetFailure("\(path) cannot be read: \(error.localizedDescription)") }
    return found.map { url in
      let isFolder = (try? url.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory ?? false
      return url.lastPathComponent + (isFolder ? "/" : "")
    }.inOrderOfBytes
  }

  func remove(_ name: String) throws(TargetFailure) {
    let path = "\(folder)/\(name)"
    guard unsafe unlink(path) == 0 || errno == ENOENT else { throw TargetFailure.last("\(path) cannot be removed") }
    // The last one takes the folder along; one that has others stays.
    let parent = URL(fileURLWithPath: path).deletingLastPathComponent().path
    guard unsafe rmdir(parent) != 0, errno == ENOTEMPTY || errno == EEXIST else { return }
    // What a process that was killed has left is none of them.
    let left = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
    guard left.allSatisfy({ $0.hasPrefix(".") && $0.hasSuffix(".unfinished") }) else { return }
    for name in left { unsafe unlink("\(parent)/\(name)") }
    unsafe rmdir(parent)
  }
}
