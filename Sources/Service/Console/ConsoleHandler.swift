import HTTPServer

/// Answers `/console/` from files, and sends `/` there. It knows no token: everything that needs one goes through the
/// admin API.
struct ConsoleHandler: Sendable {
  private let assets: ConsoleAssets

  init(assets: ConsoleAssets) { self.assets = assets }

  /// `nil` when the path is not the console's.
  func answer(_ request: AdminRequest) -> Response? {
    let isRoot = request.segments == [""]
    guard isRoot || request.segments.first == "console" else { return nil }
    let isRedirected = isRoot || request.segments.count == 1
    let asset = assets[Array(request.segments.dropFirst())]
    guard isRedirected || asset != nil else { return Problem.notFound.response(requestID: request.id) }
    if let response = request.answerUnlessRead { return response }
    guard !isRedirected, let asset else {
      return Response(
        308, fields: [ResponseField("Location", "/console/"), ResponseField("Cache-Control", "no-cache")])
    }
    return answer(request, with: asset)
  }

  private func answer(_ request: AdminRequest, with asset: ConsoleAssets.Asset) -> Response {
    let fields =
      [
        ResponseField("ETag", asset.tag), ResponseField("Cache-Control", "no-cache"),
        ResponseField("Vary", "Accept-Encoding"),
      ] + Self.protections
    let type = [ResponseField("Content-Type", asset.type)]
    guard request.coding == .gzip else { return Response(200, fields: type + fields, body: asset.identity) }
    return Response(200, fields: type + fields + [ResponseField("Content-Encoding", "gzip")], body: asset.gzip)
  }

  /// Nothing but these files runs; nobody frames the console; no address leaks with a picture's request. Pictures come
  /// from wherever operators keep them.
  private static let protections = [
    ResponseField(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src * data:; connect-src 'self'; "
        + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
        + "trusted-types 'none'"),
    ResponseField("X-Content-Type-Options", "nosniff"),
    ResponseField("Referrer-Policy", "no-referrer"),
    ResponseField("Cross-Origin-Opener-Policy", "same-origin"),
    ResponseField("Cross-Origin-Resource-Policy", "same-origin"),
    ResponseField("Permissions-Policy", "camera=(), microphone=(), geolocation=()"),
  ]
}
