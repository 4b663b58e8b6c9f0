import Foundation
import Glibc
import Layout
import Synchronization

/// The pictures on this machine's disk, in files by their names: they are sent while the database is away, too.
///
/// A file is held to its name whenever it is read, so that one that is damaged, cut off or another's is none. It owns the
/// folder and what is in it.
package final class AssetCache: Sendable {
  private struct Entry {
    var size: Int
    /// When it was last asked for, by a count that rises.
    var lastUse: UInt64
  }

  private struct State {
    var entries: [AssetName: Entry] = [:]
    var bytes = 0
    var uses: UInt64 = 0
    /// What pages that are live refer to: it goes last.
    var live: Set<AssetName> = []
    var failure: String?
  }

  private let folder: String?
  private let bytesMax: Int
  private let state = Mutex(State())

  /// Takes over what is in the folder, which is made when it is not there.
  ///
  /// - Parameter folder: `nil` to keep nothing.
  init(folder: String?, bytesMax: Int) {
    self.folder = folder
    self.bytesMax = bytesMax
    guard let folder else { return }
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      let files = try FileManager.default.contentsOfDirectory(atPath: folder).map { file in
        (file: file, attributes: try? FileManager.default.attributesOfItem(atPath: folder + "/" + file))
      }
      func date(_ attributes: [FileAttributeKey: Any]?) -> Date {
        attributes?[.modificationDate] as? Date ?? .distantPast
      }
      state.withLock { state in
        for (file, attributes) in files.sorted(by: { date($0.attributes) < date($1.attributes) }) {
          guard let name = AssetName(file), let size = attributes?[.size] as? Int else {
            // What a process that was killed has begun.
            if file.hasSuffix(Self.unfinished) { _ = unsafe unlink("\(folder)/\(file)") }
            continue
          }
          state.uses += 1
          state.entries[name] = Entry(size: size, lastUse: state.uses)
          state.bytes += size
        }
      }
      makeRoom()
    } catch {
      state.withLock { $0.failure = "\(folder) cannot be used: \(error.localizedDescription)" }
    }
  }

  /// Why the newest picture could not be put there, `nil` when it could.
  package var failure: String? { state.withLock { $0.failure } }

  /// How many bytes there are.
  package var bytes: Int { state.withLock { $0.bytes } }

  /// Whether there is a file of this name.
  func has(_ name: AssetName) -> Bool { state.withLock { $0.entries[name] != nil } }

  /// A picture, `nil` when it is not there as its name says. It is read on the caller's thread.
  func read(_ name: AssetName) -> [UInt8]? {
    guard let path = path(name), has(name) else { return nil }
    let read = FileManager.default.contents(atPath: path).map { [UInt8]($0) }
    // One that cannot be read for want of a descriptor is there all the same.
    if read == nil, FileManager.default.fileExists(atPath: path) { return nil }
    guard let bytes = read, Fingerprint.of(bytes) == name.hash else {
      remove([name])
      return nil
    }
    state.withLock { state in
      state.uses += 1
      state.entries[name]?.lastUse = state.uses
    }
    return bytes
  }

  /// Writes a picture into the cache, on the caller's thread; the least recently requested ones make room for it.
  func write(_ name: AssetName, _ bytes: [UInt8]) {
    guard let path = path(name), bytes.count <= bytesMax, !has(name) else { return }
    let begun = path + "." + RequestID.random() + Self.unfinished
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: begun))
      guard unsafe rename(begun, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    } catch {
      _ = unsafe unlink(begun)
      state.withLock { $0.failure = "\(path) cannot be written: \(error.localizedDescription)" }
      return
    }
    state.withLock { state in
      state.uses += 1
      state.failure = nil
      if let before = state.entries.updateValue(Entry(size: bytes.count, lastUse: state.uses), forKey: name) {
        state.bytes -= before.size
      }
      state.bytes += bytes.count
    }
    makeRoom()
  }

  /// Notes what pages that are live refer to, and removes what neither they nor the database have.
  func keep(live: Set<AssetName>, known: Set<AssetName>) {
    let gone = state.withLock { state in
      state.live = live
      return state.entries.keys.filter { !live.contains($0) && !known.contains($0) }
    }
    remove(gone)
  }

  /// Removes the pictures that it has.
  func remove(_ names: [AssetName]) {
    for name in names {
      guard let path = path(name) else { continue }
      _ = unsafe unlink(path)
      state.withLock { state in
        if let entry = state.entries.removeValue(forKey: name) { state.bytes -= entry.size }
      }
    }
  }

  private func makeRoom() {
    let gone = state.withLock { state -> [AssetName] in
      guard state.bytes > bytesMax else { return [] }
      var over = state.bytes - bytesMax
      let live = state.live
      let order = state.entries.sorted { left, right in
        let (isLeftLive, isRightLive) = (live.contains(left.key), live.contains(right.key))
        return isLeftLive == isRightLive ? left.value.lastUse < right.value.lastUse : isRightLive
      }
      return order.prefix { entry in
        defer { over -= entry.value.size }
        return over > 0
      }.map(\.key)
    }
    remove(gone)
  }

  private func path(_ name: AssetName) -> String? { folder.map { "\($0)/\(name)" } }
  private static let unfinished = ".unfinished"
}
