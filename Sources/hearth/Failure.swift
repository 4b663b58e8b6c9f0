import ArgumentParser
import Backup
import CLinux
import Foundation
import HTTPClient
import HTTPServer
import JSON
import Layout
import Serving
import Service
import Storage

/// Why the process stops, as a line for people and a code for scripts (those of BSD's `sysexits.h`).
struct Failure: Error {
  enum Code: Int32 {
    /// A document is invalid.
    case invalid = 1
    /// Something that is needed is not to be had: an address, or descriptors for the loops.
    case unavailable = 69
    /// The database or a file cannot be read or written.
    case inputOutput = 74
    /// A setting, a kind or a migration is wrong.
    case configuration = 78
  }

  var code: Code
  var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  /// The failure that an error stands for; `path` is the database's.
  init?(_ error: any Error, database path: String) {
    switch error {
    case let failure as Failure: self = failure
    case let error as ListenFailure: self.init(.unavailable, error.description)
    case let error as SystemError: self.init(.unavailable, "the server cannot be set up: \(error)")
    case let error as MigrationError: self.init(.configuration, "\(path): \(error)")
    case DatabaseCopy.Failure.notEmpty, DatabaseCopy.Failure.sourceIsPending: self.init(.configuration, "\(error)")
    case let error as DatabaseCopy.Failure: self.init(.inputOutput, "\(error)")
    case let error as ConnectionFailure:
      self.init(error.isOfTheSetting ? .configuration : .inputOutput, "\(path): \(error)")
    case let error as HTTPClientFailure: self.init(.configuration, "\(error)")
    case let error as TargetFailure: self.init(.configuration, "\(error)")
    case SigningKeyFailure.unusable: self.init(.configuration, "\(error)")
    case SigningKeyFailure.refused: self.init(.invalid, "\(error)")
    case SigningKeyFailure.inputOutput: self.init(.inputOutput, "\(error)")
    case let error as UnusableKinds: self.init(.configuration, "\(path): \(error)")
    case StoreError.database(let failure):
      self.init(.inputOutput, "\(path): \(failure)" + (failure.remedy.map { "; \($0)" } ?? ""))
    case StoreError.invalid(let problems):
      self.init(.invalid, problems.map(\.description).joined(separator: "\nhearth: "))
    case let error as StoreError: self.init(.invalid, error.description)
    default: return nil
    }
  }
}

extension StoreError.DatabaseFailure {
  /// What to do.
  var remedy: String? {
    switch self {
    case .full: "make room and start again"
    case .readOnly: "give this user the right to write the file and its folder"
    case .notADatabase: "it was not touched, so name another with --database"
    case .corrupt: "look with PRAGMA integrity_check, and restore a backup if it finds damage"
    case .gone: "start again"
    case .missing: "make one with hearth migrate up or hearth serve --create, or name another with --database"
    case .logAlone: "put the database back, or move the log away"
    case .busy: "try again"
    case .locked: "stop that one, or name another database with --database"
    case .cannotOpen: "its folder must exist and this user must be able to write there"
    case .unconfirmed, .standbyMissing: "bring the standby back, or take it out of synchronous_standby_names"
    case .inputOutput, .inDoubt, .connectionLost, .unreachable, .notPermitted, .unsuitable: nil
    }
  }
}

extension String {
  /// Writes it to a file in one step, so that a disk that is full leaves the file of before; to what is no plain file, such
  /// as a device or a pipe, as it is.
  ///
  /// - Throws: ``Failure`` when it cannot be written.
  func write(toFile path: String) throws(Failure) {
    var status = stat()
    let isPlain = unsafe stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG
    do { try Data(utf8).write(to: URL(filePath: path), options: isPlain ? .atomic : []) } catch {
      throw Failure(.inputOutput, "\(path) cannot be written")
    }
  }
}

/// Runs a command's body, and reports a failure in one message on standard error: that of the body, or that what it
/// printed did not arrive.
func reporting<Value>(database path: String = "", _ body: () async throws -> Value) async throws -> Value {
  do {
    let value = try await body()
    if hearth_output_is_lost() != 0 {
      throw Failure(.inputOutput, "what was printed could not be written to standard output; the rest was done")
    }
    return value
  } catch {
    guard let failure = Failure(error, database: path) else { throw error }
    let lines = failure.message.split(separator: "\n").map { String($0).escapingControls }
    // What was printed comes before the reason why no more is.
    fflush(nil)
    DescriptorWriting.write("hearth: \(lines.joined(separator: "\n"))\n", to: STDERR_FILENO)
    throw ExitCode(failure.code.rawValue)
  }
}

/// Runs a command with the settings; a failure names the database.
///
/// - Parameter needsFolder: Whether it is a failure that there is no configuration.
func withSettings(
  _ options: Options, needsFolder: Bool = true, _ body: (Settings) async throws -> Void
) async throws {
  try await reporting {
    let settings = try options.settings(needsFolder: needsFolder)
    try await reporting(database: "\(settings.database)") { try await body(settings) }
  }
}
