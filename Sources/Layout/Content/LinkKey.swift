import Crypto

/// The key that the links of long lists are made and checked with: a random one of the database, so that all of its nodes
/// have it and nobody else (docs/decisions/0090).
public struct LinkKey: Hashable, Sendable, CustomStringConvertible {
  /// The key as the database has it: 64 hexadecimal digits. A secret.
  public let text: String

  /// A key that the database or a snapshot has.
  public init(_ text: String) { self.text = text }

  /// A key of its own, for kinds that no database has named one for: nobody else can check what is made with it.
  static func random() -> LinkKey {
    LinkKey((0..<32).map { _ in UInt8.random(in: .min ... .max) }.hexadecimal)
  }

  /// What names the database that it is of, and tells nothing of it: 32 hexadecimal digits.
  public var databaseName: String { code(of: Array("the database".utf8)).hexadecimal }

  /// What stands for it where it must not be told.
  public var description: String { "a key" }

  /// HMAC-SHA256, its first 128 bits: no fewer than half of them (RFC 2104 §5).
  func code(of bytes: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: Array(text.utf8))).prefix(16))
  }
}
