import Crypto
public import Layout

/// What a token may do; each role holds the ones before it.
public enum Role: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Read.
  case viewer
  /// Fill the sections or pages that the token names with content.
  case source
  /// Edit drafts.
  case editor
  /// Publish and roll back.
  case publisher
  /// Tokens, import and backup.
  case admin

  /// Whether one role is held by the other and not the same.
  public static func < (left: Role, right: Role) -> Bool {
    let order = Role.allCases
    return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
  }
}

/// A token as it is shown: never with its secret.
public struct Token: Hashable, Sendable {
  /// The public part that finds it.
  public var selector: String
  /// The name that its maker gave it, for people.
  public var name: String
  /// Its role.
  public var role: Role
  /// The pages it is for; all when empty. `home` is the whole page, `home/otc` one section of it.
  public var scopes: [String]
  /// When it was made.
  public var createdAt: Instant
  /// Who made it.
  public var createdBy: String
  /// From when on it is refused.
  public var expiresAt: Instant?
  /// When it was last used, to the minute.
  public var lastUsedAt: Instant?

  /// Whether it is for a page, and for a section of it.
  public func covers(page: String, section: String? = nil) -> Bool {
    scopes.isEmpty || scopes.contains(page) || section.map { scopes.contains("\(page)/\($0)") } ?? false
  }

  /// Whether some section of a page is within the scopes.
  public func touches(page: String) -> Bool {
    covers(page: page) || scopes.contains { $0.hasPrefix(page + "/") }
  }
}

/// A token that is no longer valid.
public struct FormerToken: Hashable, Sendable {
  /// The public part that found it.
  public var selector: String
  /// Its name.
  public var name: String
  /// How it ended.
  public var end: End

  /// How a token ends.
  public enum End: String, Hashable, Sendable {
    /// Its time is over.
    case expired = "the token has expired"
    /// It was removed.
    case revoked = "the token was revoked"
  }
}

/// A bearer token's text: `hearth_<selector>_<secret>`.
public struct TokenText: Hashable, Sendable {
  /// The public part.
  public var selector: String
  /// The secret part, 43 letters and digits: 256 bits.
  public var secret: String

  /// A new random one.
  public static func random() -> TokenText { TokenText(selector: letters(12), secret: letters(43)) }

  /// A token's text, `nil` when it does not have the form.
  public init?(_ text: String) {
    let parts = text.split(separator: "_", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, parts[0] == "hearth", Self.isSelector(parts[1]), !parts[2].isEmpty, text.utf8.count <= 256
    else { return nil }
    self.init(selector: parts[1], secret: parts[2])
  }

  /// Whether a text can be the public part of a token: 8 to 64 letters and digits.
  public static func isSelector(_ text: String) -> Bool {
    (8...64).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
  }

  init(selector: String, secret: String) {
    self.selector = selector
    self.secret = secret
  }

  /// The text to send.
  public var text: String { "hearth_\(selector)_\(secret)" }

  var secretHash: String { Fingerprint.of(secret.utf8) }

  /// So many random letters and digits.
  static func letters(_ count: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var generator = SystemRandomNumberGenerator()
    return String(
      decoding: (0..<count).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }, as: UTF8.self)
  }
}
