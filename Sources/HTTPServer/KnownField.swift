/// The request fields that the engine or its handlers ask for on most requests: found once while parsing, then O(1).
public enum KnownField: UInt8, Sendable, CaseIterable {
  case host, connection, contentLength, transferEncoding, expect, contentEncoding
  case accept, acceptEncoding, acceptLanguage, acceptInstanceManipulation
  case ifMatch, ifNoneMatch, ifModifiedSince
  case authorization, contentType, cookie, idempotencyKey, origin, prefer, userAgent, forwardedFor, requestID

  static let count = 22

  /// The field that `name` names, in any case of its letters (RFC 9110 §5.1).
  init?(_ name: Span<UInt8>) {
    switch name.count {
    case 4 where name.equalsIgnoringCase("host"): self = .host
    case 4 where name.equalsIgnoringCase("a-im"): self = .acceptInstanceManipulation
    case 6: self.init(six: name)
    case 8 where name.equalsIgnoringCase("if-match"): self = .ifMatch
    case 10: self.init(ten: name)
    case 12 where name.equalsIgnoringCase("content-type"): self = .contentType
    case 12 where name.equalsIgnoringCase("x-request-id"): self = .requestID
    case 13 where name.equalsIgnoringCase("if-none-match"): self = .ifNoneMatch
    case 13 where name.equalsIgnoringCase("authorization"): self = .authorization
    case 14 where name.equalsIgnoringCase("content-length"): self = .contentLength
    case 15: self.init(fifteen: name)
    case 16 where name.equalsIgnoringCase("content-encoding"): self = .contentEncoding
    case 17 where name.equalsIgnoringCase("transfer-encoding"): self = .transferEncoding
    case 17 where name.equalsIgnoringCase("if-modified-since"): self = .ifModifiedSince
    default: return nil
    }
  }

  private init?(six name: Span<UInt8>) {
    if name.equalsIgnoringCase("accept") {
      self = .accept
    } else if name.equalsIgnoringCase("cookie") {
      self = .cookie
    } else if name.equalsIgnoringCase("expect") {
      self = .expect
    } else if name.equalsIgnoringCase("prefer") {
      self = .prefer
    } else if name.equalsIgnoringCase("origin") {
      self = .origin
    } else {
      return nil
    }
  }

  private init?(ten name: Span<UInt8>) {
    if name.equalsIgnoringCase("user-agent") {
      self = .userAgent
    } else if name.equalsIgnoringCase("connection") {
      self = .connection
    } else {
      return nil
    }
  }

  private init?(fifteen name: Span<UInt8>) {
    if name.equalsIgnoringCase("accept-encoding") {
      self = .acceptEncoding
    } else if name.equalsIgnoringCase("accept-language") {
      self = .acceptLanguage
    } else if name.equalsIgnoringCase("idempotency-key") {
      self = .idempotencyKey
    } else if name.equalsIgnoringCase("x-forwarded-for") {
      self = .forwardedFor
    } else {
      return nil
    }
  }
}
