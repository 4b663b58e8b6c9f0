/// The address of one end of a connection.
public struct PeerAddress: Sendable, Hashable, CustomStringConvertible {
  /// An IPv6 address; an IPv4 one as `::ffff:a.b.c.d`. High half first.
  let high: UInt64
  let low: UInt64
  /// The port; 0 if the address has none.
  public let port: UInt16

  /// Whether this stands for every address of the machine: `0.0.0.0` or `::`.
  public var isUnspecified: Bool { high == 0 && (low == 0 || low == 0xFFFF_0000_0000) }

  /// Whether this is an IPv4 address.
  public var isVersion4: Bool { high == 0 && low >> 32 == 0xFFFF }

  /// Whether this is the machine itself.
  public var isLoopback: Bool { isVersion4 ? (low >> 24) & 0xFF == 127 : high == 0 && low == 1 }

  /// What is counted as one client: an IPv4 address, or the /64 that an IPv6 client is given.
  public var client: UInt64 { isVersion4 ? low : high }

  /// With its port, as a setting has it: `192.0.2.7:8080`, `[::]:8080`.
  public var description: String {
    if isVersion4 { return "\(host):\(port)" }
    return "[\(isUnspecified ? "::" : isLoopback ? "::1" : host)]:\(port)"
  }

  /// The address without its port, as `192.0.2.7` or `2001:db8:0:0:0:0:0:1`.
  public var host: String {
    if isVersion4 {
      return [24, 16, 8, 0].map { String((low >> UInt64($0)) & 0xFF) }.joined(separator: ".")
    }
    return [high, low].flatMap { half in [48, 32, 16, 0].map { String((half >> UInt64($0)) & 0xFFFF, radix: 16) } }
      .joined(separator: ":")
  }
}

extension PeerAddress {
  /// A numeric address as ``host`` or any other spelling of it has it, without brackets; `nil` for a name.
  public init?(host: String) {
    guard let address = Linux.address(host) else { return nil }
    self = address
  }
}
