/// A request method (RFC 9110 §9). Methods are case-sensitive; all others are ``other``.
public enum Method: UInt8, Sendable {
  case get, head, post, put, patch, delete, options, trace, connect, other

  init(_ token: Span<UInt8>) {
    self =
      switch token.count {
      case 3 where token.equals("GET"): .get
      case 3 where token.equals("PUT"): .put
      case 4 where token.equals("HEAD"): .head
      case 4 where token.equals("POST"): .post
      case 5 where token.equals("PATCH"): .patch
      case 5 where token.equals("TRACE"): .trace
      case 6 where token.equals("DELETE"): .delete
      case 7 where token.equals("OPTIONS"): .options
      case 7 where token.equals("CONNECT"): .connect
      default: .other
      }
  }
}
