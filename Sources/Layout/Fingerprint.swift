import Crypto
public import JSON

/// The SHA-256 of a definition's canonical bytes, in hexadecimal.
public enum Fingerprint {
  /// The fingerprint of bytes: 64 hexadecimal digits.
  public static func of(_ bytes: some Sequence<UInt8>) -> String { of(pieces: [Array(bytes)]) }

  /// The fingerprint of bytes that are in pieces: they need not be copied together for it.
  public static func of(pieces: [[UInt8]]) -> String {
    var hash = SHA256()
    for piece in pieces { hash.update(data: piece) }
    let digits = Array("0123456789abcdef".utf8)
    var text: [UInt8] = []
    for byte in hash.finalize() {
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The fingerprint of a JSON value.
  public static func of(_ json: JSON) -> String { of(json.canonicalBytes) }
}
