import HTTPServer

extension Response {
  /// A 304 in its place when the client holds what it has (RFC 9110 §13.1.2).
  func unlessKnown(to request: AdminRequest) -> Response {
    guard let held = request.ifNoneMatch, let tag = fields.first(where: { $0.name == "ETag" })?.value,
      held == "*" || EntityTagList(held)?.opaque.contains(tag) == true
    else { return self }
    return Response(304, fields: fields.filter { ["ETag", "Cache-Control"].contains($0.name) })
  }
}
