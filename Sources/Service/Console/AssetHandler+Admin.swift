import HTTPServer
import Layout
import Serving

extension AssetHandler {
  /// Answers a request of the admin listener; `nil` when the path is another.
  func answer(_ request: AdminRequest) async -> Response? {
    guard request.segments.count == 3, request.segments.starts(with: ["v1", "assets"]),
      let name = AssetName(request.segments[2])
    else { return nil }
    if let response = request.answerUnlessRead { return response }
    guard request.codings.preferred(among: .identity) != nil else {
      return Problem.notAcceptable(.identity).response(requestID: request.id)
    }
    return await response(of: name, requestID: request.id)
  }
}
