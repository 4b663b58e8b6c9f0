import HTTPServer

/// Answers what conformance suites ask for.
final class EchoHandler: RequestHandler {
  private let tagged: Tagged
  private static let allow = ResponseField("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")

  init(tagged: Tagged) {
    self.tagged = tagged
  }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    if request.isServerWide { return .response(Response(204, fields: [Self.allow])) }
    guard let segments = request.path.pathSegments() else {
      return .response(Response(400, text: "The path has a % without two hexadecimal digits.\n"))
    }
    let name = segments.count == 1 ? String(decoding: segments[0], as: UTF8.self) : nil
    if name == "tagged" { return tagged.answer(request) }
    guard let name, ["", "echo", "cookie"].contains(name) else {
      return .response(Response(404, text: "There is nothing here: try /, /echo, /cookie or /tagged.\n"))
    }
    if request.method == .options { return .response(Response(204, fields: [Self.allow])) }
    switch name {
    case "echo": return .response(lines(fields(request)))
    case "cookie": return .response(lines(cookies(request)))
    default: return .response(root(request))
    }
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

  /// Lines as they came, octet for octet: fields may hold obs-text of any charset (RFC 9110 §5.5).
  private func lines(_ lines: [[UInt8]]) -> Response {
    let body = lines.flatMap { $0 + Array("\r\n".utf8) }
    return Response(200, fields: [ResponseField("Content-Type", "text/plain")], body: body)
  }

  /// The request's fields in the order in which they came.
  private func fields(_ request: borrowing Request) -> [[UInt8]] {
    var fields: [[UInt8]] = []
    for index in 0..<request.fieldCount {
      fields.append(request.fieldName(index).array + Array(": ".utf8) + request.fieldValue(index).array)
    }
    return fields
  }

  /// The request's cookies, `k=v` (RFC 6265 §5.4).
  private func cookies(_ request: borrowing Request) -> [[UInt8]] {
    var cookies: [[UInt8]] = []
    for index in 0..<request.fieldCount where request.isField(index, .cookie) {
      request.fieldValue(index).forEachCookie { cookies.append($0.array) }
    }
    return cookies
  }
}

extension Span<UInt8> {
  /// Calls `body` with each `name=value` of a Cookie field. What has no name or no `=` is no cookie (RFC 6265 §4.2.1);
  /// a value in quotes ends with them, whatever stands between.
  fileprivate func forEachCookie(_ body: (Span<UInt8>) -> Void) {
    var start = 0
    while start < count {
      var end = first(UInt8(ascii: ";"), from: start) ?? count
      if let equals = first(UInt8(ascii: "="), from: start), equals < end {
        end = endOfQuoted(from: equals + 1) ?? end
        if extracting(start..<equals).trimmed.count > 0 { body(extracting(start..<end).trimmed) }
      }
      start = end + 1
    }
  }

  /// Where a cookie ends whose value begins at `start` with a quote: at the `;` after the second one.
  private func endOfQuoted(from start: Int) -> Int? {
    guard start < count, self[start] == UInt8(ascii: "\""), let quote = first(UInt8(ascii: "\""), from: start + 1)
    else { return nil }
    let end = first(UInt8(ascii: ";"), from: quote) ?? count
    return extracting((quote + 1)..<end).trimmed.count == 0 ? end : nil
  }
}
