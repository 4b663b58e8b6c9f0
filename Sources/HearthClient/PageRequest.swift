import Foundation
import HomePayload

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a poll asks for.
struct PageRequest {
  /// The page that the client holds and would have changes of; `nil` asks for the whole page.
  var base: Page?
  /// How long the server may hold the answer; zero for at once.
  var wait: Duration = .zero
  /// Whether caches on the way have to ask the server.
  var isPastCaches = false

  func urlRequest(_ settings: PageClientSettings) -> URLRequest? {
    guard let url = url(settings) else { return nil }
    let timeout = settings.timeout + wait
    var request = URLRequest(
      url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: TimeInterval(timeout.components.seconds))
    request.setValue("application/json", forHTTPHeaderField: "Accept")
    request.setValue(settings.clientKey, forHTTPHeaderField: "Hearth-Client-Key")
    if isPastCaches { request.setValue("no-cache", forHTTPHeaderField: "Cache-Control") }
    if let base {
      request.setValue("W/\"\(base.version)\"", forHTTPHeaderField: "If-None-Match")
      request.setValue("hearth-changes", forHTTPHeaderField: "A-IM")
      if wait > .zero { request.setValue("wait=\(wait.components.seconds)", forHTTPHeaderField: "Prefer") }
    }
    return request
  }

  /// Always in the same order, so that caches see one URL for one set of attributes.
  private func url(_ settings: PageClientSettings) -> URL? {
    var parameters = settings.attributes
    parameters["platform"] = settings.platform
    parameters["appVersion"] = settings.appVersion
    parameters["locale"] = settings.locale
    parameters["bucket"] = settings.bucket.map(String.init)
    let query = parameters.sorted { $0.key < $1.key }
      .map { "\(Self.escaped($0.key))=\(Self.escaped($0.value))" }
      .joined(separator: "&")
    var base = settings.server.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    return URL(string: "\(base)/v1/pages/\(Self.escaped(settings.page))" + (query.isEmpty ? "" : "?\(query)"))
  }

  /// Everything but the unreserved characters of RFC 3986 §2.3: a `+` would be read as a space.
  private static func escaped(_ text: String) -> String {
    let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    return text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved)) ?? text
  }
}
