import HTTPServer
import Tracing

extension AdminRequest {
  /// The field of W3C's Trace Context, in lowercase.
  static let traceField = "traceparent"

  /// The methods that a span may be named after: others are names that a client has made up.
  private static let methods: Set<String> = ["DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"]

  /// Answers the request in a span: of the trace that it names, or of one that begins here.
  ///
  /// What it has of the request is its method, its route and its id: never the path or the query as they were sent, which may
  /// name tokens, nor a field or a body.
  func traced(_ answer: (any Span) async -> Response) async -> Response {
    var context = ServiceContext.topLevel
    InstrumentationSystem.instrument.extract(self, into: &context, using: TraceField())
    let method = Self.methods.contains(method) ? method : "_OTHER"
    return await withSpan(method, context: context, ofKind: .server) { span in
      span.attributes["http.request.method"] = method
      span.attributes["hearth.request"] = id
      let response = await answer(span)
      span.attributes["http.response.status_code"] = Int(response.status.code)
      if response.status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
      return response
    }
  }
}

extension Span {
  /// Names it after a route: `PUT /admin/v1/pages/{page}`.
  func name(_ route: Route, page: String?) {
    let template = "/" + (["admin", "v1"] + route.pattern).joined(separator: "/")
    operationName += " \(template)"
    attributes["http.route"] = template
    attributes["hearth.page"] = page
  }
}

/// Finds the field of W3C's Trace Context.
private struct TraceField: Extractor {
  func extract(key: String, from request: AdminRequest) -> String? {
    key == AdminRequest.traceField ? request.traceParent : nil
  }
}
