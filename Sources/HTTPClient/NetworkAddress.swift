import Glibc

/// A numeric address of IPv4 or IPv6.
public struct NetworkAddress: Hashable, Sendable, CustomStringConvertible {
  /// Its 4 or 16 octets.
  let octets: [UInt8]

  /// An address as text, without brackets: dotted decimal, or a form of RFC 4291; `nil` for anything else.
  public init?(_ text: String) {
    guard !text.utf8.contains(0) else { return nil }
    guard let octets = Self.octets(text, AF_INET, 4) ?? Self.octets(text, AF_INET6, 16) else { return nil }
    self.octets = octets
  }

  init(octets: [UInt8]) { self.octets = octets }

  private static func octets(_ text: String, _ family: Int32, _ count: Int) -> [UInt8]? {
    var octets = [UInt8](repeating: 0, count: count)
    return unsafe inet_pton(family, text, &octets) == 1 ? octets : nil
  }

  var isVersion6: Bool { octets.count == 16 }

  /// As text: `192.0.2.7`, `2001:db8:0:0:0:0:0:1`.
  public var description: String {
    guard isVersion6 else { return octets.map(String.init).joined(separator: ".") }
    return stride(from: 0, to: 16, by: 2).map { String(Int(octets[$0]) << 8 | Int(octets[$0 + 1]), radix: 16) }
      .joined(separator: ":")
  }

  /// Whether nobody but machines of one's own, or nobody at all, is meant to be there: it is none of the addresses that the
  /// internet gives out. The ranges are those of IANA's registries of special-purpose addresses (RFC 6890) and multicast.
  public var isSpecial: Bool {
    isVersion6
      ? !Self.given.contains(self) || Self.special6.contains { $0.contains(self) }
      : Self.special4.contains { $0.contains(self) }
  }

  private static let special4 = ranges(
    "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
    "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
    "224.0.0.0/4", "240.0.0.0/4")
  /// All that IPv6 gives out; loopback, unique local, link-local, multicast, mapped and translated ones are outside.
  private static let given = AddressRange(network: [0x20] + [UInt8](repeating: 0, count: 15), length: 3)
  /// Those in it that carry an address of IPv4, or are for protocols, benchmarks and documents.
  private static let special6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

  private static func ranges(_ texts: String...) -> [AddressRange] { texts.compactMap { AddressRange($0) } }
}

/// A range of addresses: a network and the length of its prefix.
public struct AddressRange: Hashable, Sendable, CustomStringConvertible {
  let network: [UInt8]
  let length: Int
}

extension AddressRange {
  /// `10.0.0.0/8`, `fd00::/8`, or an address alone; `nil` for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let address = NetworkAddress(String(parts[0])) else { return nil }
    let most = address.octets.count * 8
    guard let length = parts.count == 1 ? most : Int(parts[1]), (0...most).contains(length) else { return nil }
    self.init(network: address.octets, length: length)
  }

  /// Whether an address is in it. One of IPv4 is in none of IPv6, and the other way round.
  public func contains(_ address: NetworkAddress) -> Bool {
    guard address.octets.count == network.count else { return false }
    return (0..<network.count).allSatisfy { index in
      let bits = min(max(length - index * 8, 0), 8)
      return (address.octets[index] ^ network[index]) >> (8 - UInt8(bits)) == 0
    }
  }

  /// As it is written: `10.0.0.0/8`.
  public var description: String { "\(NetworkAddress(octets: network))/\(length)" }
}

/// Ranges of addresses.
public struct AddressRanges: Hashable, Sendable, CustomStringConvertible {
  private let ranges: [AddressRange]

  /// Every address.
  public static let all = AddressRanges(["0.0.0.0/0", "::/0"]) ?? AddressRanges()

  /// No address at all.
  public init() { ranges = [] }

  /// Texts of which each is one of ``AddressRange``; `nil` when one is none.
  public init?(_ texts: [String]) {
    ranges = texts.compactMap { AddressRange($0) }
    guard ranges.count == texts.count else { return nil }
  }

  /// Whether an address is in one of them.
  public func contains(_ address: NetworkAddress) -> Bool { ranges.contains { $0.contains(address) } }

  /// As they are written, separated by commas.
  public var description: String { ranges.map(\.description).joined(separator: ", ") }
}
