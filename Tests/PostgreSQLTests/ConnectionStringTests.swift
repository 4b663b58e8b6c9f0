#if PostgreSQL

import Foundation
import Peers
import PostgreSQL
import Testing

@Suite struct ConnectionStringTests {
  /// Why a pool is not made.
  private func refusal(_ text: String) -> PostgreSQLError? {
    do { _ = try PostgreSQLPool(text) } catch { return error }
    return nil
  }

  @Test(arguments: [
    "postgresql://user@host/name?sslmode=require", "postgres://host:5433/name", "postgresql://",
    "host=/run dbname=name",
    "postgresql://one,two/name?target_session_attrs=read-write", "",
  ])
  func `a connection string is read as libpq reads it`(text: String) {
    #expect(refusal(text) == nil)
  }

  @Test func `what is shown of a connection string has no password`() throws {
    let pool = try PostgreSQLPool("postgresql://user:s3cret@host:5433/name?sslpassword=s3cret")
    #expect(pool.description == "postgresql://user@host:5433/name")
  }

  @Test(arguments: [
    "postgresql://user:s3cret@ho st/na me", "postgresql://user:s3c%ret@host/name",
    "postgresql://user:s3cret@[host/name",
    "postgresql://user@host/name?s3cret", "postgresql://user:s3cret/s3cret@host/name",
    "postgresql://user:a@s3cret@host/name", "postgresql://user:5/s3cret@host/name",
    "postgresql://user:a\"s3cret%x@host/\"", "postgresql://user@host/name?s3cret=1", "host=a password='s3cret",
    "s3cret",
    "host=a s3cret", "s3cret=1", "postgresql://user@host:s3cret:5432/name?=",
  ])
  func `one that is wrong is refused with the reason, and without what may be a password`(text: String) async throws {
    guard let error = refusal(text) else {
      // That there is no such host is found out when the connection is made.
      let pool = try PostgreSQLPool(text)
      await #expect { try await pool.transaction(.snapshot, until: .now + .seconds(5)) { _ in } } throws: { error in
        !"\(error)".contains("s3cret")
      }
      return
    }
    #expect(error.kind == .connectionString)
    #expect(!error.description.contains("s3c"), "\(error)")
    #expect(error.message.count > 10, "\(error)")
  }

  @Test func `a character that ends a text is refused`() {
    #expect(refusal("host=a\0b")?.kind == .connectionString)
  }

  @Test func `a wrong password is refused, and is in no message`() async throws {
    let server = try PostgreSQLServer.running()
    try server.psql("DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'right'")
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let wrong = try PostgreSQLPool(server.place(database, user: "locked", password: "s3cret"))
    await #expect { try await wrong.transaction(.snapshot, until: .now + .seconds(5)) { _ in } } throws: { error in
      guard let error = error as? PostgreSQLError else { return false }
      return error.kind == .refused && error.sqlState == "28P01"
        && !"\(error) \(String(reflecting: error))".contains("s3cret")
    }
    let right = try PostgreSQLPool(server.place(database, user: "locked", password: "right"))
    try await right.transaction(.snapshot, until: .now + .seconds(5)) { _ in }
  }
}

#endif
