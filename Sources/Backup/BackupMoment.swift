import Foundation
public import Layout

/// A moment to the millisecond, as backups have it.
public struct BackupMoment: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// A moment.
  public init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// What the system's clock shows.
  public static var now: BackupMoment {
    BackupMoment(milliseconds: Int64((Date().timeIntervalSince1970 * 1_000).rounded(.down)))
  }

  /// A moment of RFC 3339 with an offset, perhaps with up to three decimals: `2026-11-27T09:00:00.250Z`.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      guard let instant = Instant(text) else { return nil }
      self.init(milliseconds: instant.secondsSinceEpoch * 1_000)
      return
    }
    let digits = parts[1].prefix { ("0"..."9").contains($0) }
    guard (1...3).contains(digits.count),
      let fraction = Int64("\(digits)" + String(repeating: "0", count: 3 - digits.count)),
      let instant = Instant("\(parts[0])\(parts[1].dropFirst(digits.count))")
    else { return nil }
    self.init(milliseconds: instant.secondsSinceEpoch * 1_000 + fraction)
  }

  /// The second that it is in.
  public var instant: Instant {
    Instant(secondsSinceEpoch: milliseconds >= 0 ? milliseconds / 1_000 : (milliseconds - 999) / 1_000)
  }

  /// As RFC 3339 writes it in UTC: `2026-11-27T09:00:00.250Z`.
  public var description: String {
    let rest = Int(milliseconds - instant.secondsSinceEpoch * 1_000)
    return "\(instant.description.dropLast()).\(String(rest + 1_000).dropFirst())Z"
  }

  /// Whether one is before another.
  public static func < (left: BackupMoment, right: BackupMoment) -> Bool { left.milliseconds < right.milliseconds }

  func adding(milliseconds more: Int64) -> BackupMoment { BackupMoment(milliseconds: milliseconds + more) }
}
