public import Foundation
import HomePayload

/// Whose signatures a client wants on pages, and what it does with a page that has none.
///
/// ```swift
/// settings.signatures = try SignaturePolicy(.require, keys: ["FhuRUSQ8jkT1Fdkac5M/+PQUObRHnb7N9cj9ufJD3O4="])
/// ```
public struct SignaturePolicy: Sendable {
  /// What happens to an answer that does not verify.
  public enum Mode: Hashable, Sendable {
    /// It is shown, and ``PageState/verification`` says why it did not verify.
    case report
    /// It is dropped: the page that is held stays, and the poll fails with ``ClientError/unverified(_:)``.
    case require
  }

  /// Whether a key, in its 32 raw bytes, made a signature of bytes (Ed25519, RFC 8032).
  public typealias Verifier = @Sendable (_ signature: [UInt8], _ bytes: [UInt8], _ key: [UInt8]) -> Bool

  /// The most keys that are pinned: those in use, and those to come.
  public static let keyCountMax = 4

  /// What happens to an answer that does not verify.
  public var mode: Mode
  /// How many seconds the device's clock may be off when it is asked whether a signature is over, or of the future.
  public var clockSkew: TimeInterval = 300
  /// The ids of the pinned keys, as the server names them.
  public var keyIDs: Set<String> { Set(keys.keys) }
  /// The pinned keys, by their ids.
  private let keys: [String: [UInt8]]
  private let verifier: Verifier

  /// A policy with a verifier of the app's own, where the system has none.
  ///
  /// - Parameters:
  ///   - keys: 1 to 4 public keys as `hearth keys list` prints them: base64 of 32 bytes.
  ///   - verifier: Whether a key made a signature.
  /// - Throws: ``InvalidKey``, also for a key that is there twice.
  public init(_ mode: Mode, keys: [String], verifier: @escaping Verifier) throws {
    guard (1...Self.keyCountMax).contains(keys.count) else {
      throw InvalidKey("There are \(keys.count) keys, and 1 to \(Self.keyCountMax) can be pinned.")
    }
    var pinned: [String: [UInt8]] = [:]
    for key in keys {
      guard let bytes = Data(base64Encoded: key).map({ Array($0) }), bytes.count == 32 else {
        throw InvalidKey("The key \(key) is not base64 of 32 bytes, which hearth keys list prints.")
      }
      let id = Digest.hexadecimal(Digest.sha256(bytes)).prefix(PageSignature.keyIDCount)
      guard pinned.updateValue(bytes, forKey: String(id)) == nil else {
        throw InvalidKey("The key \(id) is there twice.")
      }
    }
    (self.mode, self.keys, self.verifier) = (mode, pinned, verifier)
  }

  /// A key that cannot be pinned.
  public struct InvalidKey: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with it, in a sentence.
    public let description: String

    init(_ description: String) { self.description = description }
  }
}

extension SignaturePolicy {
  /// What the signatures of an answer prove.
  struct Proof: Equatable {
    /// The pinned keys that made them, in the order of the answer.
    var keyIDs: [String]
    /// The edition that they are of.
    var revision: PageRevision
    /// Whether the page itself is signed, and not only that it is unchanged.
    var isOfPage: Bool
  }

  /// Checks the signatures of an answer, of which one is enough.
  ///
  /// - Parameters:
  ///   - tag: The tag of the page that is held, when the answer says that it is the one to show. A cache that says so by
  ///     itself sends the signature of the page.
  ///   - page: The bytes that the answer comes to.
  ///   - date: Now; `nil` for a page that was kept, which stays good to show when its signature is over.
  func check(
    _ signed: SignedFields, tag: String? = nil, page: () -> [UInt8], at date: Date?
  ) throws(SignatureFailure) -> Proof {
    guard let input = signed.input, let signature = signed.signature else { throw .unsigned }
    guard let revision = signed.revision.flatMap(PageRevision.init) else { throw .unreadable }
    let all = PageSignature.read(input: input, signature: signature)
    guard !all.isEmpty else { throw .unreadable }
    let known = all.filter { keys[$0.signature.keyID] != nil }
    guard !known.isEmpty else { throw .unknownKey(all.map(\.signature.keyID)) }
    var proof = Proof(keyIDs: [], revision: revision, isOfPage: false)
    var failure: SignatureFailure?
    for one in known {
      do throws(SignatureFailure) {
        try check(one, signed, tag: tag, page: page, at: date)
        proof.keyIDs.append(one.signature.keyID)
        if one.signature.content == .page { proof.isOfPage = true }
      } catch { failure = failure ?? error }
    }
    if proof.keyIDs.isEmpty, let failure { throw failure }
    return proof
  }

  private func check(
    _ one: PageSignature.Signed, _ signed: SignedFields, tag: String?, page: () -> [UInt8], at date: Date?
  ) throws(SignatureFailure) {
    let signature = one.signature
    let validator = signature.content == .page ? signed.digest : tag
    guard let validator else { throw .otherContent }
    guard let key = keys[signature.keyID],
      verifier(one.bytes, signature.base(validator, revision: signed.revision ?? ""), key)
    else { throw .wrongSignature(signature.keyID) }
    if let date {
      let (created, expires) = (TimeInterval(signature.created), TimeInterval(signature.expires))
      let now = date.timeIntervalSince1970
      guard created <= now + clockSkew else { throw .notYet(Date(timeIntervalSince1970: created)) }
      guard now <= expires + clockSkew else { throw .expired(Date(timeIntervalSince1970: expires)) }
    }
    guard signature.content == .notModified || validator == PageSignature.digest(Digest.sha256(page())) else {
      throw .otherContent
    }
  }
}
