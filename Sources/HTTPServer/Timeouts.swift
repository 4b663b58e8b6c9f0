/// The limits of time in the loop's whole seconds, worked out once: arithmetic on durations is in 128 bits.
struct Timeouts {
  let head: Int
  let bodyRateGrace: Int
  let writeStall: Int
  let idle: Int
  let linger: Int

  init(limits: Limits) {
    head = Self.seconds(limits.headTimeout)
    bodyRateGrace = Self.seconds(limits.bodyRateGrace)
    writeStall = Self.seconds(limits.writeStallTimeout)
    idle = Self.seconds(limits.idleTimeout)
    linger = Self.seconds(limits.lingerTimeout)
  }

  static func seconds(_ timeout: Duration) -> Int {
    Int(clamping: timeout.components.seconds) + (timeout.components.attoseconds > 0 ? 1 : 0)
  }
}
