/// When something shows: from an instant (inclusive) until another (exclusive).
public struct Schedule: Hashable, Sendable {
  /// The first instant it shows; from the beginning of time when absent.
  public var from: Instant?
  /// The first instant it shows no more; for ever when absent.
  public var until: Instant?
  /// The IANA zone the instants were entered in, which the console shows them in: `Asia/Shanghai`.
  public var zone: String

  /// A schedule.
  public init(from: Instant? = nil, until: Instant? = nil, zone: String = "UTC") {
    self.from = from
    self.until = until
    self.zone = zone
  }
}
