/// Where a request goes: `http` or `https`, a host, a port, a path. What libcurl and this program could read differently is none.
public struct OutgoingURL: Hashable, Sendable {
  /// The most bytes.
  public static let bytesMax = 2_048

  /// As it is written.
  public let text: String
  /// A name, or an address without brackets.
  let host: String
  let port: UInt16
  /// Scheme, host and port, by which two addresses are of one server: `https://example.com:443`.
  public let origin: String

  /// What one must be, for who wrote another.
  public static let expected =
    "an address such as https://example.com/hook: http or https, a name or a numeric address, perhaps a port, a path of ASCII without "
    + "spaces, no user and no fragment, at most \(bytesMax) bytes"

  /// `nil` for anything but what ``expected`` says.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.bytesMax, text.utf8.allSatisfy(Self.isAllowed) else { return nil }
    let schemes: [(String, UInt16)] = [("https://", 443), ("http://", 80)]
    guard let (scheme, fallback) = schemes.first(where: { text.hasPrefix($0.0) }) else { return nil }
    let authority = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
    guard let (host, port) = Self.place(authority, fallback) else { return nil }
    (self.text, self.host, self.port) = (text, host, port)
    origin = "\(scheme)\(host.lowercased()):\(port)"
  }

  /// Visible ASCII without what a browser or a program of the shell takes for something else, and without a fragment.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !#"#\"<>^`{|}"#.utf8.contains(byte)
  }

  private static func place(_ authority: Substring, _ fallback: UInt16) -> (String, UInt16)? {
    guard !authority.hasPrefix("[") else { return placeOfVersion6(authority, fallback) }
    let host = authority.prefix { $0 != ":" }
    guard isName(host) || NetworkAddress(String(host)) != nil else { return nil }
    return port(authority.dropFirst(host.count), fallback).map { (String(host), $0) }
  }

  private static func placeOfVersion6(_ authority: Substring, _ fallback: UInt16) -> (String, UInt16)? {
    guard let end = authority.firstIndex(of: "]") else { return nil }
    let host = String(authority[..<end].dropFirst())
    guard NetworkAddress(host)?.isVersion6 == true else { return nil }
    return port(authority[end...].dropFirst(), fallback).map { (host, $0) }
  }

  /// What stands behind a host: nothing, or a colon and a number.
  private static func port(_ rest: Substring, _ fallback: UInt16) -> UInt16? {
    guard !rest.isEmpty else { return fallback }
    let digits = rest.dropFirst()
    guard rest.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return UInt16(digits).flatMap { $0 > 0 ? $0 : nil }
  }

  /// Whether it can be looked up as a name. The last label begins with a letter: what begins with a digit is a number that
  /// some read as an address, such as `127.1` or `0x7f000001`.
  private static func isName(_ host: Substring) -> Bool {
    let labels = host.split(separator: ".", omittingEmptySubsequences: false)
    guard host.utf8.count <= 253, labels.last?.first.map({ ("a"..."z").contains($0.lowercased()) }) == true else {
      return false
    }
    return labels.allSatisfy { (1...63).contains($0.utf8.count) && $0.utf8.allSatisfy(isOfName) }
  }

  /// A letter, a digit, a hyphen or an underscore.
  private static func isOfName(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x2D || byte == 0x5F
  }
}
