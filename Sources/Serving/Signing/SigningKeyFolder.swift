import Foundation
import Glibc
public import Layout
import Storage

/// The files of signing keys: `ID.key` of one that signs, and `ID.retired` of one that does so no more, without its private
/// part. Only their owner may read them.
public struct SigningKeyFolder: Sendable {
  /// A key as its file has it.
  public struct Entry: Sendable {
    /// The key's id.
    public var id: String
    /// When the key was made.
    public var created: Instant
    /// When it was retired; `nil` for one that signs.
    public var retired: Instant?
    /// The public key in base64.
    public var publicKey: String
    fileprivate var key: SigningKey?
  }

  /// The folder.
  public let path: String

  /// A folder that need not be there yet.
  public init(path: String) { self.path = path }

  /// The most bytes of a file that are read: it has three lines.
  private static let fileBytesMax = 4_096

  /// All keys: signing ones before retired ones, the newest first.
  public var entries: [Entry] {
    get throws(SigningKeyFailure) {
      try checkFolder()
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
        throw .unusable("\(path) cannot be read; it must belong to the user who runs this")
      }
      var retired: [Entry] = []
      for id in Self.ids(in: names, ending: ".retired") { retired.append(try readRetired(id)) }
      var active: [Entry] = []
      // A process that ended in the middle of retiring a key leaves both files.
      for id in Self.ids(in: names, ending: ".key") where !retired.contains(where: { $0.id == id }) {
        active.append(try readActive(id))
      }
      return [active, retired].flatMap { $0.sorted { ($1.created, $0.id) < ($0.created, $1.id) } }
    }
  }

  /// The keys that sign, the newest first.
  var active: [SigningKey] { get throws(SigningKeyFailure) { try entries.compactMap(\.key) } }

  /// Makes a key, and the folder if it does not exist.
  ///
  /// - Throws: ``SigningKeyFailure/refused(_:)`` if the most allowed are active.
  public func create(at now: Instant) throws(SigningKeyFailure) -> Entry {
    if !FileManager.default.fileExists(atPath: path) {
      do {
        try FileManager.default.createDirectory(
          atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch { throw .inputOutput("\(path) cannot be made: \(error.localizedDescription)") }
    }
    return try locked { () throws(SigningKeyFailure) -> Entry in
      let present = try active
      guard present.count < SigningSettings.keysMax else {
        throw .refused(
          "\(present.map(\.id).joined(separator: " and ")) are active, and at most \(SigningSettings.keysMax) sign; "
            + "retire one of them first")
      }
      let key = SigningKey(created: now)
      try write(
        "\(key.id).key",
        """
        # A signing key of Hearth. Whoever reads it can sign pages: show it to nobody.
        created=\(now)
        private=\(key.privateText)

        """)
      return Entry(id: key.id, created: now, publicKey: key.publicKey, key: key)
    }
  }

  /// Retires a key: its private part is removed, and what is left is listed.
  ///
  /// - Throws: ``SigningKeyFailure/refused(_:)`` when there is no such active key.
  public func retire(_ id: String, at now: Instant) throws(SigningKeyFailure) {
    try locked { () throws(SigningKeyFailure) -> Void in
      let all = try entries
      // Of a process that ended in the middle of it, the private part is still there.
      if all.contains(where: { $0.id == id && $0.retired != nil }), unsafe unlink("\(path)/\(id).key") == 0 { return }
      guard let entry = all.first(where: { $0.id == id }), entry.retired == nil else {
        let active = all.filter { $0.retired == nil }.map(\.id)
        throw .refused(
          "no active key is called \"\(id)\"; "
            + (active.isEmpty ? "none is active" : "active are \(active.joined(separator: " and "))"))
      }
      try write("\(id).retired", "created=\(entry.created)\nretired=\(now)\npublic=\(entry.publicKey)\n")
      guard unsafe unlink("\(path)/\(id).key") == 0 else {
        throw .inputOutput("\(path)/\(id).key cannot be removed; the key is retired, so remove it yourself")
      }
    }
  }
}

extension SigningKeyFolder {
  private static func ids(in names: [String], ending: String) -> [String] {
    names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.map { String($0.dropLast(ending.count)) }.sorted()
  }

  private func readActive(_ id: String) throws(SigningKeyFailure) -> Entry {
    let file = "\(path)/\(id).key"
    let found = try values(in: file)
    guard let created = found["created"].flatMap(Instant.init), let text = found["private"],
      let key = SigningKey(base64: text, created: created), key.id == id
    else {
      throw .unusable("\(file) is not the file of this key; put back what hearth keys create wrote, or remove it")
    }
    return Entry(id: id, created: created, publicKey: key.publicKey, key: key)
  }

  private func readRetired(_ id: String) throws(SigningKeyFailure) -> Entry {
    let file = "\(path)/\(id).retired"
    let found = try values(in: file)
    guard let created = found["created"].flatMap(Instant.init), let retired = found["retired"].flatMap(Instant.init),
      let publicKey = found["public"]
    else { throw .unusable("\(file) is not the file of a retired key; put back what hearth keys retire wrote") }
    return Entry(id: id, created: created, retired: retired, publicKey: publicKey)
  }

  /// The lines `name=value` of a file that nobody but its owner may read.
  private func values(in file: String) throws(SigningKeyFailure) -> [String: String] {
    let descriptor = unsafe open(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unusable("\(file) cannot be read; it must be a file, no link, and belong to the user who runs this")
    }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unusable("\(file) is not a file; remove it")
    }
    guard status.st_mode & 0o077 == 0 else {
      throw .unusable("\(file) may be read by others than its owner; if it was secret all the time, chmod 600 it")
    }
    guard status.st_uid == geteuid() || geteuid() == 0 else {
      throw .unusable("\(file) belongs to another user, who can read it; it must belong to the user who runs this")
    }
    guard let data = try? handle.read(upToCount: Self.fileBytesMax + 1), data.count <= Self.fileBytesMax else {
      throw .unusable("\(file) cannot be read, or is not the file of a key")
    }
    var found: [String: String] = [:]
    for line in String(decoding: data, as: UTF8.self).split(separator: "\n") where !line.hasPrefix("#") {
      guard let equals = line.firstIndex(of: "=") else { continue }
      found[String(line[..<equals])] = String(line[line.index(after: equals)...])
    }
    return found
  }

  private func checkFolder() throws(SigningKeyFailure) {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw .unusable("\(path): there is no such folder; make a key in it with hearth keys create")
    }
    guard [geteuid(), 0].contains(status.st_uid) || geteuid() == 0 else {
      throw .unusable(
        "\(path) belongs to another user, who could put keys there; it must belong to the user who runs this")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw .unusable("\(path) may be written by others than its owner, who could put keys there; chmod 700 it")
    }
  }

  /// Lets one process at a time change the keys.
  private func locked<Value>(_ body: () throws(SigningKeyFailure) -> Value) throws(SigningKeyFailure) -> Value {
    try checkFolder()
    let folder = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0, flock(folder, LOCK_EX) == 0 else { throw .inputOutput("\(path) cannot be locked") }
    defer { close(folder) }
    let value = try body()
    // The new names are on the disk when their folder is.
    do { try FileMaking.synchronize(path) } catch { throw .inputOutput("\(path) cannot be synced: \(error)") }
    return value
  }

  /// Writes a file that is there as a whole or not at all.
  private func write(_ name: String, _ text: String) throws(SigningKeyFailure) {
    let unfinished = "\(path)/.\(name).unfinished"
    _ = unsafe unlink(unfinished)
    do { try FileMaking.write(Array(text.utf8), to: unfinished) } catch {
      throw .inputOutput("\(path)/\(name) cannot be written: \(error)")
    }
    guard unsafe rename(unfinished, "\(path)/\(name)") == 0 else {
      _ = unsafe unlink(unfinished)
      throw .inputOutput("\(path)/\(name) cannot be written")
    }
  }
}
