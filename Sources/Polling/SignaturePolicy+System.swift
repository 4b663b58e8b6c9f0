#if canImport(CryptoKit)
import CryptoKit
#elseif Server
import Crypto
#endif

#if canImport(CryptoKit) || Server
extension SignaturePolicy {
  /// A policy; the system's cryptography verifies.
  ///
  /// - Parameter keys: 1 to 4 public keys as `hearth keys list` prints them: base64 of 32 bytes.
  /// - Throws: ``InvalidKey``, also for a key that is there twice.
  public init(_ mode: Mode, keys: [String]) throws {
    try self.init(mode, keys: keys) { signature, bytes, key in
      let key = try? Curve25519.Signing.PublicKey(rawRepresentation: key)
      return key?.isValidSignature(signature, for: bytes) ?? false
    }
  }
}
#endif
