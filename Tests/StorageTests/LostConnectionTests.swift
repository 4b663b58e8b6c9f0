import Peers
import Testing

@testable import Storage

@Suite(.enabled(if: TestEngine.isPostgreSQL, "it is about a server")) struct LostConnectionTests {
  /// What a transaction fails with whose connection is cut in its midst.
  private func failure(
    of transaction: (Store, @Sendable @escaping (Database) throws -> Void) async throws -> Void
  ) async throws -> StoreError.DatabaseFailure? {
    var failure: StoreError.DatabaseFailure?
    try await withStore { temporary in
      let folder = temporary.folder
      do {
        try await transaction(temporary.store) { db in
          try TestEngine.psql(
            """
            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND pid <> pg_backend_pid()
            """, in: folder)
          _ = try Row.fetchOne(db, sql: "SELECT 1")
        }
      } catch StoreError.database(let found) { failure = found }
    }
    return failure
  }

  @Test func `a reading that loses its connection says nothing of a change`() async throws {
    #expect(try await failure { try await $0.read($1) } == .unreachable)
  }

  @Test func `a change that loses its connection says that it is not known whether it was made`() async throws {
    #expect(
      try await failure { store, body in
        try await store.engine.write(until: .now + .seconds(5), whenLocked: {}, body)
      } == .connectionLost)
  }
}
