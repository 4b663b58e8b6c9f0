import Crypto
import Foundation
import HomePayload
public import Layout

/// A key that signs pages (Ed25519, RFC 8032). Nothing that describes it has its private part.
public struct SigningKey: Sendable, CustomStringConvertible {
  private let key: Curve25519.Signing.PrivateKey
  /// The first 16 hexadecimal digits of the SHA-256 of the public key.
  public let id: String
  /// When it was made; `nil` where nobody wrote it down.
  public let created: Instant?

  /// The public key, which clients pin: its 32 bytes in base64.
  public var publicKey: String { key.publicKey.rawRepresentation.base64EncodedString() }

  /// The id.
  public var description: String { id }

  /// A new key.
  init(created: Instant) { self.init(Curve25519.Signing.PrivateKey(), created: created) }

  /// A key that was made before; `nil` when the text is not 32 bytes in base64.
  init?(base64 text: some StringProtocol, created: Instant?) {
    guard let bytes = Data(base64Encoded: String(text)),
      let key = try? Curve25519.Signing.PrivateKey(rawRepresentation: bytes)
    else { return nil }
    self.init(key, created: created)
  }

  private init(_ key: Curve25519.Signing.PrivateKey, created: Instant?) {
    self.key = key
    self.created = created
    id = String(Fingerprint.of(key.publicKey.rawRepresentation).prefix(PageSignature.keyIDCount))
  }

  /// The private key for its file: its 32 bytes in base64.
  var privateText: String { key.rawRepresentation.base64EncodedString() }

  /// The signature of an answer; `nil` if the library could not make one.
  ///
  /// - Parameters:
  ///   - validator: The value of `Unencoded-Digest` or `ETag`.
  ///   - revision: The value of `Hearth-Revision`.
  func sign(
    _ content: PageSignature.Content, _ validator: String, revision: String, created: Instant, expires: Instant
  ) -> PageSignature.Signed? {
    let signature = PageSignature(
      content, created: created.secondsSinceEpoch, expires: expires.secondsSinceEpoch, keyID: id)
    guard let bytes = try? key.signature(for: signature.base(validator, revision: revision)) else { return nil }
    return PageSignature.Signed(signature, bytes: Array(bytes))
  }
}

/// Why keys cannot be used, or changed. Private keys are in no description.
public enum SigningKeyFailure: Error, CustomStringConvertible {
  /// A file, its folder or a setting is not as it must be.
  case unusable(String)
  /// A key is not there, or there are enough.
  case refused(String)
  /// A file cannot be written.
  case inputOutput(String)

  /// The problem and what to do, in words.
  public var description: String {
    switch self {
    case .unusable(let text), .refused(let text), .inputOutput(let text): text
    }
  }
}

/// Settings of signatures.
public struct SigningSettings: Sendable {
  /// The folder of the keys' files; `nil` for none.
  public var keysFolder: String?
  /// Private keys in base64, separated by commas, the newest first, instead of a folder.
  public var keys: String?
  /// How long a signature counts, in seconds. It is renewed at half of it.
  public var lifetime = 86_400

  /// The default settings.
  public init() {}

  /// The most keys that sign at a time: the one that apps pin and the one that takes its place.
  public static let keysMax = 2

  /// Whether pages can be signed: there is a place for keys.
  package var isOn: Bool { keysFolder != nil || keys != nil }

  /// The keys that sign, the newest first.
  ///
  /// - Throws: ``SigningKeyFailure``.
  public func read() throws(SigningKeyFailure) -> [SigningKey] {
    guard keysFolder == nil || keys == nil else {
      throw .unusable("signing.keysFolder and signing.keys are both set; keep the keys in one place")
    }
    var found: [SigningKey] = []
    if let keysFolder { found = try SigningKeyFolder(path: keysFolder).active }
    for text in keys?.split(separator: ",") ?? [] {
      guard let key = SigningKey(base64: text.filter { !$0.isWhitespace }, created: nil) else {
        throw .unusable("signing.keys has something that is not a private key: 32 bytes in base64, separated by commas")
      }
      if !found.contains(where: { $0.id == key.id }) { found.append(key) }
    }
    guard found.count <= Self.keysMax else {
      let ids = found.map(\.id).joined(separator: ", ")
      throw .unusable("\(found.count) keys are active (\(ids)), and at most \(Self.keysMax) sign; retire the oldest")
    }
    return found
  }

  /// Demands of keys that signed and do so no more that somebody retired them: a file may be gone by mistake, or with its disk.
  ///
  /// - Throws: ``SigningKeyFailure/unusable(_:)``.
  func requireRetired(_ before: [String], unless present: [String]) throws(SigningKeyFailure) {
    let gone = before.filter { !present.contains($0) }
    guard let keysFolder, !gone.isEmpty else { return }
    let retired = try SigningKeyFolder(path: keysFolder).entries.filter { $0.retired != nil }.map(\.id)
    guard let lost = gone.first(where: { !retired.contains($0) }) else { return }
    throw .unusable(
      "\(keysFolder)/\(lost).key is gone, and hearth keys retire did not do that; put it back, or restart without it")
  }
}
