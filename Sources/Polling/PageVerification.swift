public import Foundation
import JSON

/// What the signature of the last answer that was taken says of the page.
public enum PageVerification: Hashable, Sendable {
  /// The pinned key of this id signed that it is the page to show.
  case verified(by: String)
  /// No pinned key did.
  case failed(SignatureFailure)
}

/// Why an answer does not verify.
public enum SignatureFailure: Error, Hashable, Sendable {
  /// It has no signature, or something on the way drops fields.
  case unsigned
  /// Its signature is not one that Hearth makes: of other fields, by another algorithm, without an expiry, cut,
  /// or above 8,192 bytes.
  case unreadable
  /// It is signed by keys that are not pinned.
  case unknownKey([String])
  /// It was not made by the key that it names, or the answer was changed on the way.
  case wrongSignature(String)
  /// It is of other content than what the answer comes to.
  case otherContent
  /// It was made later than now.
  case notYet(Date)
  /// It is over.
  case expired(Date)
}

extension SignatureFailure: CustomStringConvertible {
  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .unsigned: "it is not signed"
    case .unreadable: "its signature is not one of a page"
    case .unknownKey(let ids): "it is signed by \(ids.joined(separator: " and ")), which is not pinned"
    case .wrongSignature(let id): "the key \(id) did not make its signature"
    case .otherContent: "its signature is of other content"
    case .notYet(let date): "its signature is of \(Self.text(date)), which is to come by the clock of this device"
    case .expired(let date): "its signature was good until \(Self.text(date))"
    }
  }

  private static func text(_ date: Date) -> String { ISO8601DateFormatter().string(from: date) }
}

/// The fields that a signature is in and over, as they came.
struct SignedFields: Hashable, Sendable {
  var input: String?
  var signature: String?
  var digest: String?
  var revision: String?

  /// Those of an answer.
  init(_ field: (String) -> String?) {
    (input, signature) = (field("Signature-Input"), field("Signature"))
    (digest, revision) = (field("Unencoded-Digest"), field("Hearth-Revision"))
  }

  /// Those that were kept.
  init(json: JSON?) {
    let fields = json?.object ?? JSONObject()
    self.init { fields[$0]?.string }
  }

  /// What is kept of them.
  var json: JSON {
    var fields = JSONObject()
    fields["Signature-Input"] = input.map(JSON.string)
    fields["Signature"] = signature.map(JSON.string)
    fields["Unencoded-Digest"] = digest.map(JSON.string)
    fields["Hearth-Revision"] = revision.map(JSON.string)
    return .object(fields)
  }
}
