import HTTPServer
import Serving

/// Answers `/console/` and, where it is on, `/demo/` from files, and sends `/` to the console. It knows no token:
/// everything that needs one goes through the admin API.
struct ConsoleHandler: Sendable {
  private let assets: ConsoleAssets
  /// The first segments of paths that have a page.
  private let pages: Set<String>

  /// - Throws: What the file system says.
  init(servesDemo: Bool) throws {
    // The console draws pages by the client's reader; the demo draws them as the console does.
    let console: KeyValuePairs = ["console/": "assets", "console/client/": "typescript"]
    let demo: KeyValuePairs = ["console/": "assets", "console/client/": "typescript", "demo/": "demo"]
    let bundled = [
      "bundle.js", "bundle.js.map", "bundle.css", "bundle.css.map", "sheets.js", "sheets.js.map",
      "gallery.js", "gallery.js.map", "shared.js",
    ].map { "console/" + $0 }
    assets = try ConsoleAssets(folders: servesDemo ? demo : console, bundled: bundled)
    pages = servesDemo ? ["console", "demo"] : ["console"]
  }

  /// `nil` when the path is not the console's.
  func answer(_ request: AdminRequest) -> Response? {
    let isRoot = request.segments == [""]
    guard isRoot || pages.contains(request.segments.first ?? "") else { return nil }
    let isRedirected = isRoot || request.segments.count == 1
    let asset = assets[request.segments]
    guard isRedirected || asset != nil else { return Problem.notFound.response(requestID: request.id) }
    if let response = request.answerUnlessRead { return response }
    guard !isRedirected, let asset else {
      let location = isRoot ? "/console/" : "/\(request.segments[0])/"
      return Response(308, fields: [ResponseField("Location", location), ResponseField("Cache-Control", "no-cache")])
    }
    return answer(request, with: asset)
  }

  private func answer(_ request: AdminRequest, with asset: ConsoleAssets.Asset) -> Response {
    let fields =
      [
        ResponseField("ETag", asset.tag), ResponseField("Cache-Control", "no-cache"),
        ResponseField("Vary", "Accept-Encoding"),
      ] + Self.protections
    guard let coding = request.codings.preferred() else {
      return Problem.notAcceptable(.all).response(requestID: request.id)
    }
    let name = coding.name.map { [ResponseField("Content-Encoding", $0)] } ?? []
    return Response(200, fields: [ResponseField("Content-Type", asset.type)] + fields + name, body: asset.bytes(coding))
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
