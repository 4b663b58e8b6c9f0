import HTTPServer

/// Answers what conformance suites ask for.
final class EchoHandler: RequestHandler {
  private let tagged: Tagged
  private static let allow = ResponseField("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")

  init(tagged: Tagged) {
    self.tagged = tagged
  }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    let path = request.path
    if path.equals("/tagged") { return tagged.answer(request) }
    if request.isServerWide || (request.method == .options && path.equals("/")) {
      return .response(Response(204, fields: [Self.allow]))
    }
    if path.equals("/") { return .response(root(request)) }
    if path.equals("/echo") { return .response(Response(200, text: fields(request))) }
    if path.equals("/cookie") { return .response(Response(200, text: cookies(request))) }
    return .response(Response(404, text: "There is nothing here: try /, /echo, /cookie or /tagged.\n"))
  }

  private static let tag = "\"ok\""

  private func root(_ request: borrowing Request) -> Response {
    switch request.precondition(Self.tag.utf8.span) {
    case .notModified: return Response(304, fields: [ResponseField("ETag", Self.tag)])
    case .failed: return Response(412, text: "The resource has another entity tag.\n")
    case .proceed: break
    }
    return switch request.method {
    case .post, .put, .patch:
      Response(200, fields: [ResponseField("Content-Type", "application/octet-stream")], body: request.body.array)
    default:
      Response(200, text: "OK", fields: [ResponseField("ETag", Self.tag)])
    }
  }

  /// The request's fields, a line each, in the order in which they came.
  private func fields(_ request: borrowing Request) -> String {
    var lines = ""
    for index in 0..<request.fieldCount {
      lines += "\(request.fieldName(index).string): \(request.fieldValue(index).string)\r\n"
    }
    return lines
  }

  /// The request's cookies, `k=v`, a line each (RFC 6265 §5.4).
  private func cookies(_ request: borrowing Request) -> String {
    var lines = ""
    for index in 0..<request.fieldCount where request.isField(index, .cookie) {
      let value = request.fieldValue(index)
      var start = 0
      while start < value.count {
        let end = value.first(UInt8(ascii: ";"), from: start) ?? value.count
        let pair = value.extracting(start..<end).trimmed
        if pair.count > 0 { lines += pair.string + "\r\n" }
        start = end + 1
      }
    }
    return lines
  }
}
