import Peers
import Testing

/// A start on SQLite has no other clock than the machine's.
@Suite(.disabled(if: TestEngine.isPostgreSQL, "there the database's clock counts")) struct ClockAtStartTests {
  @Test func `a start whose clock is before the last change says so, and no other does`() async throws {
    let clock = TestClock()
    let first = try await RunningServer(clock: clock)
    try await first.stop(keepsFolder: true)
    for (seconds, count) in [(0, 0), (-3_600, 1), (86_400, 0)] as [(Int64, Int)] {
      let lines = LogLines()
      let clock = TestClock()
      clock.advance(by: seconds)
      let server = try await RunningServer([], folder: first.folder, clock: clock, logger: lines.logger)
      let told = lines.with("this machine's clock is before the last change in the database")
      #expect(told.count == count && told.allSatisfy { $0.hasPrefix("warning") }, "\(seconds): \(told)")
      try await server.stop(keepsFolder: seconds < 86_400)
    }
  }
}
