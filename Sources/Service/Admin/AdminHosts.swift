import HTTPServer
import JSON
import Serving

/// The hosts that the admin listener answers for: loopback names and addresses, its own address, and those that are set.
///
/// A page of a stranger can give its own name this machine's address (DNS rebinding), and would then read what the
/// listener tells without a token: its requests carry that name. An address cannot be rebound.
struct AdminHosts: Sendable {
  /// Names in lowercase, and addresses in the one way that ``PeerAddress`` writes them.
  private let hosts: Set<String>
  /// Whether the listener takes connections to any of the machine's addresses: then any may stand in a request.
  private let takesAnyAddress: Bool

  /// - Parameters:
  ///   - hosts: What is set: names and addresses without a port.
  ///   - listening: The addresses that the listener is bound to.
  init(_ hosts: [String], listening: [PeerAddress]) {
    self.hosts = Set(hosts.map { Self.canonical($0[...]) } + listening.map(\.host))
    takesAnyAddress = listening.contains(where: \.isUnspecified)
  }

  /// Whether a request for this authority, `host[:port]`, is meant for the listener. The port tells nothing: tunnels and
  /// containers have others.
  func contains(_ authority: String) -> Bool {
    let host = Self.canonical(Self.host(of: authority))
    if hosts.contains(host) { return true }
    guard let address = PeerAddress(host: host) else { return host == "localhost" || host.hasSuffix(".localhost") }
    return address.isLoopback || takesAnyAddress
  }

  /// Whether a text can be set as a host: a name or an address, without a port.
  static func isValid(_ text: String) -> Bool {
    let host = canonical(text[...])
    if PeerAddress(host: host) != nil { return true }
    return !host.isEmpty && host.utf8.count <= 253
      && host.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || ".-_".utf8.contains($0) }
  }

  private static func host(of authority: String) -> Substring {
    guard authority.first != "[" else { return authority.prefix { $0 != "]" } }
    return authority.prefix { $0 != ":" }
  }

  /// Without case, brackets and the dot of a name that ends at the root.
  private static func canonical(_ host: Substring) -> String {
    var text = host.lowercased().filter { $0 != "[" && $0 != "]" }
    if text.hasSuffix(".") { text.removeLast() }
    return PeerAddress(host: text)?.host ?? text
  }
}

extension Problem {
  static func misdirected(_ authority: String) -> Problem {
    Problem(
      421, "misdirected-request",
      "This listener does not answer for \"\(authority)\". Use one of its addresses, or add the host to admin.hosts.",
      values: ["host": .string(authority)])
  }
}
