/// How long a body may still keep its server waiting: a bucket of octets that time empties at the least rate allowed,
/// and that what comes fills up. It holds at most the grace's worth, so a fast start does not allow a long pause.
struct BodyAllowance {
  private let bytesPerSecond: Int
  private let capacity: Int
  private var credit: Int
  private var received = 0
  private var second: UInt32

  init(limits: Limits, timeouts: Timeouts, second: UInt32) {
    bytesPerSecond = max(limits.bodyBytesPerSecondMin, 1)
    capacity = bytesPerSecond * max(timeouts.bodyRateGrace, 1)
    credit = capacity
    self.second = second
  }

  /// The seconds from `second` on that may pass before more comes, once `received` octets are there; `nil` when the
  /// body is too late already.
  mutating func seconds(received: Int, at second: UInt32) -> Int? {
    let left = credit - Int(second - self.second) * bytesPerSecond
    credit = min(left + received - self.received, capacity)
    self.received = received
    self.second = second
    return credit < 0 ? nil : credit / bytesPerSecond
  }
}
