/// A status code with its reason phrase (RFC 9110 §15).
public struct Status: Sendable, Hashable, ExpressibleByIntegerLiteral {
  /// From 100 to 599.
  public let code: UInt16

  /// A status outside 100 to 599 becomes 500: a handler's mistake must not break the framing.
  public init(_ code: Int) {
    self.code = (100...599).contains(code) ? UInt16(code) : 500
  }

  /// The status that an integer literal names.
  public init(integerLiteral code: Int) {
    self.init(code)
  }

  /// 1xx, 204 and 304 never have content (RFC 9110 §6.4.1).
  public var hasContent: Bool {
    code >= 200 && code != 204 && code != 304
  }

  /// The reason phrase of the status line; empty for a code that no specification names.
  public var reason: String {
    Self.reasons[code] ?? ""
  }

  private static let reasons: [UInt16: String] = [
    100: "Continue", 200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content",
    226: "IM Used", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
    307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden",
    404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable", 408: "Request Timeout", 409: "Conflict",
    410: "Gone", 411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
    415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
    421: "Misdirected Request", 422: "Unprocessable Content", 428: "Precondition Required",
    429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
    501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    505: "HTTP Version Not Supported", 507: "Insufficient Storage",
  ]
}
