import Foundation
import Layout
import Testing

@testable import Storage

@Suite struct DatabaseLocationTests {
  @Test(arguments: [
    "data/hearth.db", "/var/lib/hearth/hearth.db", "hearth=1.db", "./host=db", "hosts", "postgresql",
  ])
  func `a path is one`(text: String) { #expect(DatabaseLocation(text) == .file(text)) }

  @Test(arguments: [
    "postgresql://", "postgres://db/hearth", "postgresql://u@db:5433/hearth?sslmode=require", "host=db dbname=hearth",
    "service=hearth", "dbname=hearth", "\"postgresql://u:secret@db/hearth\"", " postgresql://db", "Postgres://db",
    "host = db", "keepalives=1 host=db", "unknown=1 password=secret", "C:/postgresql://x",
  ])
  func `a connection string is one`(text: String) { #expect(DatabaseLocation(text) == .postgresql(text)) }

  @Test(arguments: [
    ("postgresql://u:secret@db:5433/hearth?sslmode=require", "postgresql://u@db:5433/hearth"),
    ("postgresql://u@db/hearth?password=secret", "postgresql://u@db/hearth"),
    ("postgresql:///hearth?host=/run/postgresql", "postgresql:///hearth"),
    ("postgresql://u:secret", "postgresql://"),
    ("postgresql://u:a/secret@db/hearth", "postgresql://"),
    ("postgresql://u:a?secret@db/hearth", "postgresql://"),
    ("postgresql://u:a@secret@db/hearth", "postgresql://"),
    ("postgresql://u@db/hearth?password=a@secret", "postgresql://"),
    ("postgresql://[::1]:5432/hearth", "postgresql://[::1]:5432/hearth"),
    ("host=db user=u password=secret dbname=hearth", "host=db user=u dbname=hearth"),
    ("host=db password='a dbname=secret' user=u", "postgresql"),
    (#"host=db password=a\ dbname=secret"#, "postgresql"),
    ("host=db password = secret", "postgresql"),
    ("host=db password= user=secret", "postgresql"),
    ("\"postgresql://u:secret@db/hearth\"", "postgresql://u@db/hearth\""),
  ])
  func `its description has no password`(text: String, shown: String) {
    #expect("\(DatabaseLocation(text))" == shown)
  }

  @Test func `a statement has numbers where SQLite has question marks or names`() {
    let listed = PostgreSQLText("INSERT INTO a (b, c) VALUES (?, 'is it?', ?)")
    #expect(listed.sql == "INSERT INTO a (b, c) VALUES ($1, 'is it?', $2)")
    #expect(listed.values([1, nil]) == ["1", nil])
    let named = PostgreSQLText("SELECT 1 WHERE a = :page OR b = :item || ':no' OR c = :page")
    #expect(named.sql == "SELECT 1 WHERE a = $1 OR b = $2 || ':no' OR c = $1")
    #expect(named.values(["item": "i", "page": "p"]) == ["p", "i"])
  }

}
