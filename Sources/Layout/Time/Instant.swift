import Dates
import Foundation

/// A moment in UTC, to the second.
public struct Instant: Hashable, Comparable, Sendable {
  /// Seconds since 1970-01-01T00:00:00Z, leap seconds not counted.
  public var secondsSinceEpoch: Int64

  /// A moment.
  public init(secondsSinceEpoch: Int64) { self.secondsSinceEpoch = secondsSinceEpoch }

  /// The moment that the system's clock shows.
  public static var now: Instant { Instant(secondsSinceEpoch: Int64(Date().timeIntervalSince1970.rounded(.down))) }

  /// Whether one moment is before another.
  public static func < (left: Instant, right: Instant) -> Bool { left.secondsSinceEpoch < right.secondsSinceEpoch }

  /// A moment some seconds later.
  public func adding(seconds: Int64) -> Instant { Instant(secondsSinceEpoch: secondsSinceEpoch + seconds) }
}

extension Instant {
  /// A moment of RFC 3339 §5.6, with an offset and without a fraction: `2026-11-21T09:00:00Z`.
  public init?(_ text: String) {
    guard let time = CivilTime(toTheSecond: text), let offset = time.offset else { return nil }
    self.init(written: time.secondsSinceEpochAsUTC - Int64(offset))
  }

  /// A moment of RFC 3339, or a local time of a zone: `2026-11-21T09:00`.
  ///
  /// - Parameters:
  ///   - text: With an offset, that decides; without one, the zone does.
  ///   - zone: An IANA zone, `Asia/Shanghai`. A local time that comes twice, when clocks go back, is the earlier one.
  /// - Returns: `nil` when the text is no time, or when the zone's clocks never show it.
  init?(_ text: String, zone: TimeZone) {
    guard let time = CivilTime(toTheSecond: text) else { return nil }
    let local = time.secondsSinceEpochAsUTC
    if let offset = time.offset {
      self.init(written: local - Int64(offset))
      return
    }
    let day: Int64 = 86_400
    let candidates = [local - day, local + day].map { near in
      local - Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(near))))
    }
    let shown = candidates.sorted().first { candidate in
      candidate + Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: TimeInterval(candidate)))) == local
    }
    guard let shown else { return nil }
    self.init(written: shown)
  }

  /// `nil` for what is outside the years 0001 to 9999 in UTC: it could not be written again.
  private init?(written seconds: Int64) {
    guard (-62_135_596_800...253_402_300_799).contains(seconds) else { return nil }
    self.init(secondsSinceEpoch: seconds)
  }
}

extension Instant: CustomStringConvertible {
  /// The moment as RFC 3339 writes it in UTC: `2026-11-21T09:00:00Z`.
  public var description: String { CivilTime(secondsSinceEpoch: secondsSinceEpoch).description }
}

extension CivilTime {
  /// A time that an ``Instant`` can be: of the years 0001 to 9999, without a fraction, and no leap second.
  fileprivate init?(toTheSecond text: String) {
    self.init(text)
    guard date.year >= 1, second < 60, !hasFraction else { return nil }
  }
}
