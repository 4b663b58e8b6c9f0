/// Why a request is refused by the engine itself. Each ends its connection: what follows a request that cannot be
/// framed must never be read as another (RFC 9112 §9.6, §11.2).
public enum RequestFailure: Error, Sendable, CaseIterable {
  case malformedRequestLine, malformedTarget, unsupportedVersion
  case malformedField, hostMissing, hostRepeated, malformedHost
  case malformedContentLength, contentLengthWithTransferEncoding
  case transferEncodingInOldVersion, malformedTransferEncoding, unsupportedTransferEncoding
  case malformedChunk, unsupportedExpectation, encodedBody, connectRefused
  case requestLineTooLong, headTooLarge, tooManyFields, bodyTooLarge, chunkOverheadTooLarge
  case methodTooLong, headTimeout, bodyTimeout, overloaded, uploadsOverloaded

  /// Whether it says of a body that it will not be read, so that the path and the method come before it.
  var isOfBody: Bool { self == .bodyTooLarge || self == .encodedBody }

  /// The status that answers it.
  public var status: Status {
    switch self {
    case .malformedRequestLine, .malformedTarget, .malformedField, .hostMissing, .hostRepeated, .malformedHost,
      .malformedContentLength, .contentLengthWithTransferEncoding, .transferEncodingInOldVersion,
      .malformedTransferEncoding, .malformedChunk:
      400
    case .headTimeout, .bodyTimeout: 408
    case .bodyTooLarge: 413
    case .requestLineTooLong: 414
    case .encodedBody: 415
    case .unsupportedExpectation: 417
    case .headTooLarge, .tooManyFields, .chunkOverheadTooLarge: 431
    case .unsupportedTransferEncoding, .connectRefused, .methodTooLong: 501
    case .overloaded, .uploadsOverloaded: 503
    case .unsupportedVersion: 505
    }
  }

  /// What is wrong, and what would be right, in one sentence for the client's developer.
  public var detail: String {
    switch self {
    case .malformedRequestLine: "The request line is not `method SP target SP HTTP/1.1 CRLF`."
    case .malformedTarget: "The request target is neither a path, an absolute http URI, nor `*` with OPTIONS."
    case .unsupportedVersion: "This server speaks HTTP/1.1 and HTTP/1.0."
    case .malformedField: "A header line is not `name: value CRLF` without control characters or folding."
    case .hostMissing: "An HTTP/1.1 request needs a Host field."
    case .hostRepeated: "A request must have one Host field, not several."
    case .malformedHost: "The host is not `name[:port]`."
    case .malformedContentLength: "Content-Length is not one decimal number."
    case .contentLengthWithTransferEncoding: "A request must have Content-Length or Transfer-Encoding, not both."
    case .transferEncodingInOldVersion: "Transfer-Encoding needs HTTP/1.1."
    case .malformedTransferEncoding: "The last transfer coding of a request must be `chunked`, once."
    case .unsupportedTransferEncoding: "The only transfer coding that this server knows is `chunked`."
    case .malformedChunk: "The chunked body is not `size CRLF data CRLF`, ended by a chunk of size 0."
    case .unsupportedExpectation: "The only expectation that this server knows is `100-continue`."
    case .encodedBody: "This server takes request bodies only without a content coding."
    case .connectRefused: "This server is not a proxy."
    case .requestLineTooLong: "The request line is longer than this server reads."
    case .headTooLarge: "The header section is larger than this server reads."
    case .tooManyFields: "The request has more fields than this server reads."
    case .bodyTooLarge: "The body is larger than this server takes here."
    case .chunkOverheadTooLarge: "The chunk extensions and trailers are larger than this server reads."
    case .headTimeout: "The request's head did not arrive in time."
    case .bodyTimeout: "The request's body arrives too slowly."
    case .methodTooLong: "The method is longer than any registered one."
    case .uploadsOverloaded: "This server holds as many unfinished bodies as it can; try again."
    case .overloaded: "This server has as many connections as it may have."
    }
  }
}
