import HTTPServer
import Layout

extension Response {
  /// Says which request this answers, as the log and the audit name it: who asked finds their own entries by it.
  mutating func name(_ requestID: String) {
    guard !fields.contains(where: { $0.name == "X-Request-Id" }) else { return }
    fields.append(ResponseField("X-Request-Id", requestID))
  }

  /// With an entity tag made of the body, when it is what was asked to be read and has none of its own: every resource
  /// has one (decision 0004).
  func tagged(for request: AdminRequest) -> Response {
    guard ["GET", "HEAD"].contains(request.method), status.code == 200, !fields.contains(where: { $0.name == "ETag" })
    else { return self }
    var response = self
    response.fields.append(ResponseField("ETag", "\"\(Fingerprint.of(body).prefix(16))\""))
    return response
  }
}
