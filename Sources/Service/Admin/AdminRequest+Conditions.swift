import Compression
import HTTPServer
import JSON
import Layout
import Storage
import Serving

/// Conditions in the order of RFC 9110 §13.2.2: `If-Match`, then `If-None-Match`.
extension AdminRequest {
  /// When a change without a condition is refused.
  enum Need {
    case never
    /// When what it changes is there, which the transaction tells: it may have been made a moment ago.
    case whenPresent
    case always
    /// Always, except that a dry run changes nothing.
    case unlessDryRun
  }

  /// The request's conditions on the resource that it changes.
  ///
  /// - Throws: ``Problem`` 428 if one is required and missing, 400 if it is malformed.
  func precondition(needed need: Need) throws -> WritePrecondition {
    if need == .unlessDryRun { return try precondition(needed: flag("dryRun") ? .never : .always) }
    guard need != .always || ifMatch != nil || ifNoneMatch != nil else { throw Problem.preconditionRequired }
    return WritePrecondition(
      match: try tags("If-Match", ifMatch, weakly: false),
      noneMatch: try tags("If-None-Match", ifNoneMatch, weakly: true), isRequired: need != .never)
  }

  /// - Parameter weakly: Whether weak tags are compared: never for a change (RFC 9110 §13.1.1, §13.1.2).
  private func tags(_ name: String, _ text: String?, weakly: Bool) throws -> WritePrecondition.Tags? {
    guard let text else { return nil }
    if text == "*" { return .any }
    var tags: Set<String> = []
    let isList = EntityTags.forEach(in: text.utf8.span) { opaque, isWeak in
      if weakly || !isWeak { tags.insert(opaque.string) }
      return true
    }
    guard isList else {
      throw Problem(
        400, "malformed-condition", "\(name) must be * or a list of entity tags in quotes.",
        values: ["field": .string(name)])
    }
    return .some(tags)
  }

  /// Whether `If-Match` lets what has this tag be read; `nil` is one that has none.
  func matches(_ tag: String?) -> Bool {
    ifMatch.map { $0 == "*" || names($0, tag, weakly: false) } ?? true
  }

  /// Whether `If-None-Match` names what the client is about to get.
  func knows(_ tag: String?) -> Bool {
    ifNoneMatch.map { $0 == "*" || names($0, tag, weakly: true) } ?? false
  }

  private func names(_ list: String, _ tag: String?, weakly: Bool) -> Bool {
    tag.map { EntityTags.list(list.utf8.span, contains: $0.utf8.span, weakly: weakly) } ?? false
  }
}

extension Response {
  /// What a request to read gets when this is the answer without its conditions: this, 304 or 412.
  func meeting(_ request: AdminRequest) -> Response {
    // RFC 9110 §13.2.1: conditions are for what would succeed.
    guard request.method == "GET" || request.method == "HEAD", status.code == 200 else { return self }
    let tag = fields.first { $0.name == "ETag" }?.value
    guard request.matches(tag) else { return Problem.preconditionFailed(tag: tag).response(requestID: request.id) }
    guard request.knows(tag) else { return self }
    // RFC 9110 §15.4.5: a 304 tells what its 200 would, but nothing of the content.
    return Response(304, fields: fields.filter { !["Content-Type", "Content-Encoding"].contains($0.name) })
  }
}

extension Response {
  /// Bodies with fewer bytes hardly become smaller.
  private static let codedBytesMin = 1024

  /// This answer in the coding that the client prefers, without one where it takes that and another is not worth it; 406
  /// where it takes none and nothing can have been changed. The tag stays as it is: it names the last change and not the
  /// bytes (docs/decisions/0004), and nobody keeps the answer.
  func coded(for request: AdminRequest) -> Response {
    guard ["GET", "HEAD", "POST"].contains(request.method), status.code == 200 else { return self }
    let isShort = body.count < Self.codedBytesMin
    let chosen = (isShort ? request.codings.preferred(among: .identity) : nil) ?? request.codings.preferred()
    if let chosen { return coded(chosen) }
    return request.method == "POST" ? self : Problem.notAcceptable(.all).response(requestID: request.id)
  }
}

extension Problem {
  static let preconditionRequired = Problem(
    428, "precondition-required",
    "This change needs If-Match with the ETag that you read last, so that nobody's work is lost; * forces it.")
}
