import Foundation
import PostgreSQL
import Synchronization

/// Prepares a server's database before its first use: applies migrations and checks rights. If the server is away at
/// the start, the first use of the database does it, until it succeeds once.
final class PostgreSQLPreparation: Sendable {
  private struct State {
    var underWay: Task<Void, any Error>?
    var unsuitableReason: String?
  }

  private let prepare: @Sendable () throws -> Void
  private let isDone = Atomic<Bool>(false)
  private let state = Mutex(State())

  /// - Parameter prepare: Blocks the thread that calls. It does no harm when it is done again.
  init(_ prepare: @escaping @Sendable () throws -> Void) { self.prepare = prepare }

  /// Why what the server has is nothing for this program; `nil` while nobody could look, and once it can be used.
  var unsuitableReason: String? { state.withLock { $0.unsuitableReason } }

  /// Notes how a later transaction has ended: the server may let this program in no more, and do so again.
  func note(_ error: PostgreSQLError?) {
    // What was found before the database may be used is not theirs to take back.
    guard isDone.load(ordering: .acquiring), error?.isForGood ?? true else { return }
    let reason = error.flatMap { Self.reason($0) }
    state.withLock { $0.unsuitableReason = reason }
  }

  /// Makes the next use of the database prepare it again.
  func lookAgain() { isDone.store(false, ordering: .releasing) }

  /// Does it on the thread that calls.
  ///
  /// - Throws: ``PostgreSQLError``, ``StoreError``, ``MigrationError`` or ``ConnectionFailure``.
  func run() throws {
    do {
      try prepare()
      state.withLock { $0.unsuitableReason = nil }
      isDone.store(true, ordering: .releasing)
    } catch {
      state.withLock { $0.unsuitableReason = Self.reason(error) }
      throw error
    }
  }

  /// Returns at once if it was done. Otherwise one caller tries, and concurrent callers get its result.
  ///
  /// - Throws: ``StoreError/database(_:)``.
  func require() async throws {
    if isDone.load(ordering: .acquiring) { return }
    let task = state.withLock { state in
      let task = state.underWay ?? Task { try await attempt() }
      state.underWay = task
      return task
    }
    do { try await task.value } catch let error as PostgreSQLError {
      throw StoreError.database(Self.reason(error) == nil ? StoreError.DatabaseFailure(error) : .unsuitable)
    } catch {
      throw StoreError.database(.unsuitable)
    }
  }

  private func attempt() async throws {
    defer { state.withLock { $0.underWay = nil } }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      // It blocks, and no thread of Swift's tasks may.
      Thread.detachNewThread { [self] in continuation.resume(with: Result { try run() }) }
    }
  }

  /// Why waiting cannot help; `nil` if the server is merely away.
  private static func reason(_ error: any Error) -> String? {
    switch error {
    case let error as PostgreSQLError:
      error.isForGood || error.kind == .notPermitted ? ConnectionFailure(error).description : nil
    case StoreError.database(let failure): failure.description
    default: "\(error)"
    }
  }
}
