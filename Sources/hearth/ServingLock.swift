import Foundation
import Glibc
import HTTPServer
import JSON
import Layout
import Storage
import Synchronization

/// The right to serve a database, which one process has at a time. It ends with the process, however that ends.
///
/// The lock is on the file itself, not on a name for it: whoever comes by a symbolic or a hard link finds it taken. Its
/// descriptor is never closed, since closing any descriptor of the file would drop the locks that SQLite has on it.
final class ServingLock: Sendable {
  private let descriptor: Int32
  private let database: String
  /// The file that the right is for.
  let file: FileIdentity
  private let taken = Atomic(false)

  /// - Throws: ``StoreError`` when there is no such file or it cannot be opened.
  init(database: String) throws {
    self.database = database
    descriptor = unsafe open(database, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0, let file = FileIdentity(descriptor: descriptor) else {
      throw StoreError.database(errno == ENOENT ? .missing : .cannotOpen)
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

  /// Where a successor asks for the sockets of the process that serves the database.
  var handoverPath: String { database + ".handover" }

  private var isServed: Failure {
    Failure(
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
    ]
    let descriptor = unsafe open(database + ".lock", O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    // Whoever reads meanwhile finds no JSON, and says nothing.
    DescriptorWriting.write(holder.canonicalText, to: descriptor)
    close(descriptor)
  }

  /// What serves a database, by its own word.
  struct Holder {
    var process: Int32
    var kinds: Set<String>

    /// `nil` when no process of this machine serves the database, or it did not say.
    init?(of database: String) {
      guard let data = FileManager.default.contents(atPath: database + ".lock"),
        let json = try? JSON.parse(Array(data)),
        let process = json["process"]?.number?.int.flatMap({ Int32(exactly: $0) }), let kinds = json["kinds"]?.array,
        kill(process, 0) == 0 || errno == EPERM
      else { return nil }
      self.process = process
      self.kinds = Set(kinds.compactMap(\.string))
    }
  }
}
