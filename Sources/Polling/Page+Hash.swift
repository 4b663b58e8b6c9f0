import HomePayload
import JSON

extension Page {
  /// The version of a page, by its bytes without one (docs/protocol.md, The version).
  static func version(of bytes: [UInt8]) -> String {
    Digest.hexadecimal(Digest.sha256(bytes).prefix(8))
  }

  /// Whether bytes are those of this version.
  func isVersion(of bytes: [UInt8]) -> Bool {
    var head = Array("{\"page\":".utf8)
    JSON.append(id, to: &head)
    var whole = head + Array(",\"version\":".utf8)
    JSON.append(version, to: &whole)
    return bytes.starts(with: whole) && Self.version(of: head + bytes[whole.count...]) == version
  }
}
