import Crypto
public import JSON

/// The SHA-256 of a definition's canonical bytes, in hexadecimal.
public enum Fingerprint {
  /// The fingerprint of bytes: 64 hexadecimal digits.
  public static func of(_ bytes: some Sequence<UInt8>) -> String { of(pieces: [Array(bytes)]) }

  /// The fingerprint of bytes that are in pieces: they need not be copied together for it.
  public static func of(pieces: [[UInt8]]) -> String {
    var hash = PieceHash()
    for piece in pieces { hash.update(piece) }
    return hash.fingerprint
  }

  /// The SHA-256 of bytes itself.
  public static func hash(of bytes: [UInt8]) -> [UInt8] { Array(SHA256.hash(data: bytes)) }

  /// The fingerprint of a JSON value.
  public static func of(_ json: JSON) -> String { of(json.canonicalBytes) }
}

/// A running SHA-256 over pieces of bytes. A copy continues from the same state.
public struct PieceHash: Sendable {
  private var hash = SHA256()

  /// Of no bytes.
  public init() {}

  /// Takes the next bytes.
  public mutating func update(_ piece: [UInt8]) { hash.update(data: piece) }

  /// The fingerprint of all pieces so far: 64 hexadecimal digits.
  public var fingerprint: String { hash.finalize().hexadecimal }
}

extension Sequence<UInt8> {
  /// Two digits a byte, in lowercase.
  public var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    text.reserveCapacity(underestimatedCount * 2)
    for byte in self {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }
}
