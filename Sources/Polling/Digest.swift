#if canImport(CryptoKit)
import CryptoKit
#elseif Server
import Crypto
#endif

/// The SHA-256 of bytes, by the system where it has one.
enum Digest {
  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    #if canImport(CryptoKit) || Server
    Array(SHA256.hash(data: bytes))
    #else
    PortableSHA256.hash(bytes)
    #endif
  }

  /// As hexadecimal digits.
  static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String(0x100 + Int($0), radix: 16).dropFirst() }.joined()
  }
}
