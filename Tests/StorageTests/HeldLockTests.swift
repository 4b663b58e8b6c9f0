import PostgreSQL
import Testing

@testable import Storage

@Suite struct HeldLockTests {
  private static func holder(
    _ process: Int = 7, since: String? = "noon", held: Duration? = nil
  ) -> PostgreSQLConnection.LockHolder {
    PostgreSQLConnection.LockHolder(process: process, since: since, held: held, name: "hearth, psql")
  }

  @Test func `a lock is told of once it is held for longer than a change takes`() throws {
    #expect(HeldLock(nil, after: nil) == nil)
    let short = try #require(HeldLock(Self.holder(held: .seconds(9)), after: nil))
    #expect(short.told == nil)
    let long = try #require(HeldLock(Self.holder(held: .seconds(31)), after: short).flatMap(\.told))
    #expect(long.duration >= .seconds(31))
    #expect(long.description.hasPrefix("process 7 (hearth, psql) has had a lock of the database for 31 s"))
  }

  @Test func `where the role may not see since when, what this process has seen counts`() throws {
    let began = ContinuousClock.now - .seconds(20)
    let first = try #require(HeldLock(Self.holder(since: nil), after: nil, at: began))
    #expect(first.told?.duration ?? .zero >= .seconds(20))
    let again = try #require(HeldLock(Self.holder(since: nil), after: first))
    #expect(again.told != nil)
    // Another process, or the same one in another transaction.
    #expect(try #require(HeldLock(Self.holder(8, since: nil), after: first)).told == nil)
    let seen = try #require(HeldLock(Self.holder(since: "noon"), after: nil, at: began))
    #expect(try #require(HeldLock(Self.holder(since: "one"), after: seen)).told == nil)
  }
}
