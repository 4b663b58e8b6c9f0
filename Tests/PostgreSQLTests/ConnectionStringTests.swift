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

  @Test(arguments: [
    "postgresql://u@127.0.0.1/x?sslmode=quatsch", "postgresql://u@127.0.0.1/x?target_session_attrs=quatsch",
    "host=/nowhere,/nowhere port=1,2,3 channel_binding=quatsch", "postgresql://u@127.0.0.1/x?keepalives=quatsch",
    "postgresql://u@127.0.0.1:99999/x", "postgresql://u@127.0.0.1:0/x", "host=127.0.0.1 gssencmode=quatsch",
    "host=127.0.0.1 hostaddr=127.0.0.1,127.0.0.1", "service=quatsch",
    "host=127.0.0.1 sslmode=verify-full sslrootcert=/quatsch.crt",
  ])
  func `a value that libpq does not take is of the setting, and not repeated`(text: String) async throws {
    let found: PostgreSQLError?
    if let refused = refusal(text) {
      found = refused
    } else {
      do {
        try await PostgreSQLPool(text).transaction(.snapshot, until: .now + .seconds(5)) { _ in }
        found = nil
      } catch { found = error as? PostgreSQLError }
    }
    let error = try #require(found)
    #expect(error.kind == .connectionString, "\(error)")
    #expect(!error.message.contains("quatsch") && !error.message.contains("99999"), "\(error)")
  }

  @Test func `a server that is not there is unreachable, and said in one line`() async throws {
    for text in ["host=/nowhere", "postgresql://u@127.0.0.1:1/x", "host=/nowhere,127.0.0.1 port=1,1"] {
      let pool = try PostgreSQLPool(text)
      await #expect { try await pool.transaction(.snapshot, until: .now + .seconds(5)) { _ in } } throws: { error in
        guard let error = error as? PostgreSQLError else { return false }
        return error.kind == .unreachable && !error.message.contains { $0 == "\t" || $0.isNewline }
      }
    }
  }

  @Test func `a password that is asked for, and is not there, is told`() async throws {
    let server = try PostgreSQLServer.running()
    try server.psql("DROP ROLE IF EXISTS locked2; CREATE ROLE locked2 LOGIN PASSWORD 's3cret'")
    let file = server.folder + "/pgpass"
    func refusal() async throws -> PostgreSQLError? {
      let pool = try PostgreSQLPool(server.place("postgres", user: "locked2") + "&passfile=\(file)")
      do { try await pool.transaction(.snapshot, until: .now + .seconds(5)) { _ in } } catch {
        return error as? PostgreSQLError
      }
      return nil
    }
    let missing = try await refusal()
    #expect(missing?.kind == .refused)
    #expect(missing?.message.contains("there is no file") == true)
    for (line, mode, want) in [
      ("*:*:*:other:s3cret", 0o600, "has no line"), ("*:*:*:locked2:s3cret", 0o644, "0600"),
    ] {
      try (line + "\n").write(toFile: file, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
      let error = try #require(try await refusal())
      #expect(error.kind == .refused && error.message.contains(want) && !error.message.contains("s3cret"), "\(error)")
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
    #expect(try await refusal() == nil)
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
