import Foundation
import HTTPServer
import JSON
import Serving
import Storage

/// The description of every endpoint (OpenAPI 3.1), docs/openapi.yaml: the one thing that is readable without a token.
enum OpenAPIDocument {
  private static let yaml = FileManager.default.contents(
    atPath: ProgramFiles.folder(of: "Service").appendingPathComponent("openapi.yaml").path
  ).map { [UInt8]($0) }

  /// Read once, when it is asked for first.
  private static let json = yaml.flatMap {
    try? YAMLDocument($0).json.canonicalBytes
  }

  /// Answers a request for the document, `nil` when it is for something else.
  static func answer(_ request: AdminRequest, _ segments: ArraySlice<String>) throws -> Response? {
    let response: Response?
    switch Array(segments) {
    case ["openapi.json"]: response = json.map { .json($0) }
    case ["openapi.yaml"]: response = yaml.map { Response.yaml($0) }
    default: return nil
    }
    guard let response else { throw Problem.notFound }
    try request.requireParameters(in: [])
    return request.answerUnlessRead ?? response
  }
}

extension Response {
  static func yaml(_ body: [UInt8]) -> Response {
    Response(
      200, fields: [ResponseField("Content-Type", "application/yaml"), ResponseField("Cache-Control", "no-store")],
      body: body)
  }
}
