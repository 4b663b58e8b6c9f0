import Foundation
import HomePayload
import Testing

@testable import Polling

@Suite struct TimingTests {
  /// What the fields say, in seconds; `nil` when they say nothing.
  @Test(arguments: [
    (["Cache-Control": "public, max-age=30, stale-if-error=86400"], 30),
    (["Cache-Control": "no-store, max-age=7"], 7), (["Cache-Control": "MAX-AGE=5"], 5),
    (["Cache-Control": "public, max-age=30", "Age": "12"], 18),
    (["Cache-Control": "public, max-age=30", "Age": "40"], 0),
    (["Cache-Control": "max-age=99999999999999999999"], 86_400), (["Cache-Control": "max-age=-1"], nil),
    (["Cache-Control": "max-age"], nil), (["Cache-Control": "s-maxage=9"], nil), ([:], nil),
  ])
  func `an answer holds for its max-age less its age`(fields: [String: String], seconds: Int?) {
    #expect(Delay.fresh { fields[$0] } == seconds.map { TimeInterval($0) })
  }

  @Test(arguments: [
    (["Retry-After": "120"], 120), (["Retry-After": "0"], 0), (["Retry-After": "soon"], nil), ([:], nil),
    (["Retry-After": "Sat, 21 Nov 2026 08:00:30 GMT", "Date": "Sat, 21 Nov 2026 08:00:00 GMT"], 30),
    (["Retry-After": "Sat, 21 Nov 2026 07:00:00 GMT", "Date": "Sat, 21 Nov 2026 08:00:00 GMT"], 0),
  ])
  func `Retry-After is seconds or a date (RFC 9110 §10.2.3)`(fields: [String: String], seconds: Int?) {
    #expect(Delay.retryAfter { fields[$0] } == seconds.map { TimeInterval($0) })
  }

  /// The shortest and the longest pause, in milliseconds.
  @Test(arguments: [(30, 30_000, 33_000), (1, 1_000, 2_000), (0, 1_000, 2_000), (600, 600_000, 660_000)])
  func `the next poll comes when the page is stale, late by chance`(fresh: Int, least: Int, most: Int) {
    let timing = PollTiming()
    #expect(timing.pause(fresh: TimeInterval(fresh), chance: 0) == TimeInterval(least) / 1_000)
    #expect(timing.pause(fresh: TimeInterval(fresh), chance: 1) == TimeInterval(most) / 1_000)
  }

  @Test func `a server that does not say is asked every half minute`() {
    #expect(PollTiming().pause(fresh: nil, chance: 0) == 30)
  }

  /// Failures in a row, and the shortest and the longest pause after them, in milliseconds.
  @Test(arguments: [
    (1, 500, 1_000), (2, 1_000, 2_000), (5, 8_000, 16_000), (9, 128_000, 256_000), (10, 150_000, 300_000),
    (1_000_000, 150_000, 300_000),
  ])
  func `a server that fails is asked ever later, up to a limit`(failures: Int, least: Int, most: Int) {
    let timing = PollTiming()
    #expect(timing.pause(failures: failures, retryAfter: nil, chance: 0) == TimeInterval(least) / 1_000)
    #expect(timing.pause(failures: failures, retryAfter: nil, chance: 1) == TimeInterval(most) / 1_000)
  }

  @Test func `a server that asks to be left alone is`() {
    let timing = PollTiming()
    #expect(timing.pause(failures: 3, retryAfter: 60, chance: 0) == 60)
    #expect(timing.pause(failures: 3, retryAfter: 60, chance: 1) == 66)
    #expect(timing.pauseBeforeWaiting(chance: 1) == 1)
  }

  /// Statuses that answer nothing that was asked.
  @Test(arguments: [100, 204, 206, 301, 304]) func `a status that does not fit is no answer`(status: Int) {
    #expect {
      _ = try PageAnswer(status: status, of: "home", base: nil, body: [], field: { _ in nil })
    } throws: { error in
      if case .unreadable? = error as? ClientError { true } else { false }
    }
  }
}
