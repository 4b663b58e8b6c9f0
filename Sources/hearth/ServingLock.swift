import Foundation
import Glibc
import HTTPServer
import JSON
import Layout
import Storage
import Synchronization

/// The right to serve a database in a file, which one process has at a time; of one that a server keeps, the right to a
/// node's own files. It ends with the process, however that ends.
///
/// The lock is on the file itself, not on a name for it: whoever comes by a symbolic or a hard link finds it taken. Its
/// descriptor is never closed, since closing any descriptor of the file would drop the locks that SQLite has on it.
final class ServingLock: Sendable {
  private let descriptor: Int32
  private let database: DatabaseLocation
  /// Where it says who serves.
  private let announcement: String
  /// Whether this process hears SIGHUP.
  private let hearsHangUps: Bool
  /// Where a successor asks for the sockets of the process that has the right.
  let handoverPath: String
  /// The file that the right is for.
  let file: FileIdentity
  private let taken = Atomic(false)

  /// - Throws: ``StoreError`` when there is no such database file or it cannot be opened, ``Failure`` when a node has no
  ///   folder for its own files.
  init(_ settings: Settings, hearsHangUps: Bool) throws {
    database = settings.database
    self.hearsHangUps = hearsHangUps
    announcement = settings.lockFile
    handoverPath = settings.handoverFile
    if case .file(let path) = database {
      descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    } else {
      let folder = URL(fileURLWithPath: announcement).deletingLastPathComponent()
      try? FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      descriptor = unsafe open(announcement, O_CREAT | O_RDONLY | O_CLOEXEC, 0o600)
    }
    guard descriptor >= 0, let file = FileIdentity(descriptor: descriptor) else {
      if case .file(let path) = database { throw StoreError.unopened(path) }
      throw Failure(
        .inputOutput,
        "\(announcement) cannot be opened; a node keeps what it has served beside it, so set snapshotFolder to a folder "
          + "that this user may write")
    }
    self.file = file
  }

  /// Whether this process has the right.
  var isTaken: Bool { taken.load(ordering: .acquiring) }

  /// Takes the right.
  ///
  /// - Throws: ``Failure`` 74 when another process has it.
  func take() throws {
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else { throw isServed }
    // A successor that serves may not have got it yet from a predecessor that ended just now.
    if (try? Handover.isOffered(at: handoverPath)) == true {
      flock(descriptor, LOCK_UN)
      throw isServed
    }
    taken.store(true, ordering: .releasing)
  }

  private var isServed: Failure {
    guard case .file = database else {
      return Failure(
        .inputOutput,
        "\(announcement): another hearth keeps its files there; stop that one, or set snapshotFolder to a folder of "
          + "this node's own")
    }
    return Failure(
      .inputOutput,
      "\(database): the database is locked, because another hearth serves it; stop that one, or name another database with --database"
    )
  }

  /// Takes the right as soon as the predecessor has ended.
  func takeLater(announcing kinds: Kinds) {
    Thread.detachNewThread { [self] in
      while flock(descriptor, LOCK_EX) != 0 { guard errno == EINTR else { return } }
      announce(kinds)
      taken.store(true, ordering: .releasing)
    }
  }

  /// Checks that a predecessor that has not answered has ended, which takes it some moments after its connections.
  ///
  /// - Throws: ``Failure`` 74 when it goes on.
  func requireEndOfPredecessor() throws(Failure) {
    let end = ContinuousClock.now + .seconds(5)
    while !isTaken {
      guard ContinuousClock.now < end else {
        throw Failure(
          .inputOutput, "\(database): the hearth that serves it has not handed over in time, and goes on; try again")
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
  }
}

extension ServingLock {
  /// Writes beside the database who serves it and which kinds it knows, for commands that publish there.
  func announce(_ kinds: Kinds) {
    let names = (Array(kinds.sections.keys) + kinds.items.keys).sorted()
    let holder: JSON = [
      "process": .number(JSONNumber(Int(getpid()))), "kinds": .array(names.map { .string($0) }),
      "hearsHangUps": .bool(hearsHangUps),
    ]
    let descriptor = unsafe open(announcement, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // Whoever reads meanwhile finds no JSON, and says nothing.
    DescriptorWriting.write(holder.canonicalText, to: descriptor)
    close(descriptor)
  }

  /// What serves a database, by its own word.
  struct Holder {
    var process: Int32
    var kinds: Set<String>
    /// Whether it reads its kinds again at SIGHUP: not under `nohup`.
    var hearsHangUps: Bool

    /// `nil` when no process of this machine serves, or it did not say.
    init?(at path: String) {
      guard let data = FileManager.default.contents(atPath: path),
        let json = try? JSON.parse(Array(data)),
        let process = json["process"]?.number?.int.flatMap({ Int32(exactly: $0) }), let kinds = json["kinds"]?.array,
        kill(process, 0) == 0 || errno == EPERM
      else { return nil }
      self.process = process
      self.kinds = Set(kinds.compactMap(\.string))
      hearsHangUps = json["hearsHangUps"]?.bool ?? true
    }
  }
}
