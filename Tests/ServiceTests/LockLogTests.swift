import Testing

@testable import Service
@testable import Storage

@Suite struct LockLogTests {
  @Test func `a lock is logged when it is held for too long and when that is over, and not in between`() {
    let lines = LogLines()
    var log = LockLog()
    func look(_ process: Int?, _ seconds: Int = 0, state: String = "active", isKnown: Bool = true) {
      let held = process.map {
        LockHeld(process: $0, by: "process \($0) (hearth, psql, \(state))", for: .seconds(seconds))
      }
      log.update(held, isKnown: isKnown, lines.logger)
    }
    look(nil)
    #expect(lines.with("").isEmpty)
    for second in 10..<40 { look(7, second, state: second.isMultiple(of: 2) ? "active" : "idle in transaction") }
    #expect(lines.with("").count == 1)
    #expect(
      lines.with("error somebody has a lock of the database that changes wait for").first?
        .contains("heldFor=10 s holder=process 7 (hearth, psql, active) reason=") == true)
    // A database that cannot be asked does not say that it is over.
    look(nil, isKnown: false)
    #expect(lines.with("").count == 1)
    look(nil)
    look(nil)
    #expect(lines.with("").count == 2)
    #expect(
      lines.with("notice the lock that changes waited for is free again").first?
        .hasSuffix("heldAtLeast=39 s holder=process 7 (hearth, psql, idle in transaction)") == true)
    // One after the other.
    look(8, 12)
    look(9, 11)
    look(nil)
    #expect(lines.with("somebody has").count == 3 && lines.with("is free again").count == 3)
  }
}
