import Foundation

/// What a signature of an answer says of itself (RFC 9421), and the bytes that it is over: what the server signs and a client
/// verifies. Keys and their mathematics are not here.
public struct PageSignature: Hashable, Sendable {
  /// What is signed.
  public enum Content: Hashable, Sendable {
    /// The page that a 200 or a 226 comes to: `Unencoded-Digest` and `Hearth-Revision`.
    case page
    /// That the page held is the current one, which a 304 says: `ETag` and `Hearth-Revision`.
    case notModified

    /// The names of the fields, in the order of the signature base.
    public var components: [String] {
      switch self {
      case .page: ["unencoded-digest", "hearth-revision"]
      case .notModified: ["etag", "hearth-revision"]
      }
    }
  }

  /// The one value of `Accept-Signature` by which signatures are asked for; any other asks for none.
  public static let accepted = #"sig1=("unencoded-digest" "hearth-revision");created;expires;keyid;alg="ed25519""#

  /// The digits of a key's id.
  public static let keyIDCount = 16

  /// What is signed.
  public var content: Content
  /// When it was signed, in whole seconds since 1970.
  public var created: Int64
  /// The last second, since 1970, in which it counts.
  public var expires: Int64
  /// The first 16 hexadecimal digits of the SHA-256 of the public key's 32 bytes.
  public var keyID: String

  /// What a signature says of itself.
  public init(_ content: Content, created: Int64, expires: Int64, keyID: String) {
    self.content = content
    self.created = created
    self.expires = expires
    self.keyID = keyID
  }

  /// What is signed, and how: a member's value in `Signature-Input`, and the last line of the base.
  public var parameters: String {
    let components = content.components.map { "\"\($0)\"" }.joined(separator: " ")
    return "(\(components));created=\(created);expires=\(expires);keyid=\"\(keyID)\";alg=\"ed25519\""
  }

  /// The bytes that are signed (RFC 9421 §2.5).
  ///
  /// - Parameters:
  ///   - validator: The value of `Unencoded-Digest` or `ETag`, exactly as it is sent.
  ///   - revision: The value of `Hearth-Revision`.
  public func base(_ validator: String, revision: String) -> [UInt8] {
    let lines = zip(content.components, [validator, revision]).map { "\"\($0)\": \($1)\n" }
    return Array((lines.joined() + "\"@signature-params\": \(parameters)").utf8)
  }

  /// The value of `Unencoded-Digest` of a page, by the SHA-256 of its bytes without a content coding.
  public static func digest(_ hash: [UInt8]) -> String { "sha-256=\(byteSequence(hash))" }

  /// Bytes as fields have them (RFC 8941 §3.3.5): base64 between colons.
  public static func byteSequence(_ bytes: [UInt8]) -> String { ":\(Data(bytes).base64EncodedString()):" }
}

extension PageSignature {
  /// A signature of an answer: what it says of itself, and its 64 bytes.
  public struct Signed: Hashable, Sendable {
    /// What it says of itself.
    public var signature: PageSignature
    /// What the key made of the base.
    public var bytes: [UInt8]

    /// A signature with its bytes.
    public init(_ signature: PageSignature, bytes: [UInt8]) {
      self.signature = signature
      self.bytes = bytes
    }
  }

  /// The values of `Signature-Input` and `Signature` that carry signatures, labelled `sig1`, `sig2` and so on.
  public static func fields(_ signed: [Signed]) -> (input: String, signature: String) {
    func members(_ value: (Signed) -> String) -> String {
      signed.enumerated().map { "sig\($0 + 1)=\(value($1))" }.joined(separator: ", ")
    }
    return (members { $0.signature.parameters }, members { byteSequence($0.bytes) })
  }

  /// The most signatures that are read of an answer: a server sends two at most.
  public static let countMax = 8

  /// The signatures of an answer. What is not written as ``parameters`` writes it is left out, such as the signature of a
  /// proxy, which is none of a page.
  ///
  /// - Parameters:
  ///   - input: The value of `Signature-Input`.
  ///   - signature: The value of `Signature`.
  public static func read(input: String, signature: String) -> [Signed] {
    let inputs = members(of: input)
    let signatures = Dictionary(members(of: signature), uniquingKeysWith: { $1 })
    // Of a label that is there twice, the last counts (RFC 8941 §3.2).
    let last = Dictionary(inputs, uniquingKeysWith: { $1 })
    var labels: Set<String> = []
    var found: [Signed] = []
    for (label, _) in inputs where found.count < countMax && labels.insert(label).inserted {
      guard let written = last[label], let read = PageSignature(parameters: written),
        let encoded = signatures[label], encoded.count > 2, encoded.hasPrefix(":"), encoded.hasSuffix(":"),
        let bytes = Data(base64Encoded: String(encoded.dropFirst().dropLast())), bytes.count == 64
      else { continue }
      found.append(Signed(read, bytes: Array(bytes)))
    }
    return found
  }

  /// Labels and values. A value with a comma in a string comes apart, and is none of ours.
  private static func members(of field: String) -> [(String, String)] {
    guard field.utf8.count <= 8_192 else { return [] }
    return field.split(separator: ",").compactMap { member in
      let member = member.drop { $0 == " " || $0 == "\t" }
      guard let equals = member.firstIndex(of: "=") else { return nil }
      let value = member[member.index(after: equals)...]
      let end = value.lastIndex { $0 != " " && $0 != "\t" }.map(value.index(after:)) ?? value.startIndex
      return (String(member[..<equals]), String(value[..<end]))
    }
  }

  /// What ``parameters`` has written; `nil` for anything else.
  public init?(parameters text: String) {
    let parts = text.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 5 else { return nil }
    func number(_ part: Substring, _ name: String) -> Int64? {
      part.hasPrefix("\(name)=") ? Int64(part.dropFirst(name.count + 1)) : nil
    }
    guard let created = number(parts[1], "created"), let expires = number(parts[2], "expires"),
      parts[3].hasPrefix("keyid=\""), parts[3].utf8.count == Self.keyIDCount + 8
    else { return nil }
    let keyID = String(parts[3].dropFirst(7).dropLast())
    guard keyID.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }) else { return nil }
    for content in [Content.page, .notModified] {
      self.init(content, created: created, expires: expires, keyID: keyID)
      if parameters == text { return }
    }
    return nil
  }
}
