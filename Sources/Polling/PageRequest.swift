import Foundation
import HomePayload

/// What a poll asks for.
struct PageRequest {
  /// The page that the client holds and would have changes of; `nil` asks for the whole page.
  var base: Page?
  /// Whether its changes may come instead of the page.
  var takesChanges = true
  /// For how many seconds the server may hold the answer; zero for at once.
  var wait: TimeInterval = 0
  /// Whether caches on the way have to ask the server.
  var isPastCaches = false

  /// The request for the items that a link of the page leads to; `nil` when it leads elsewhere than to the page's server.
  static func ofItems(_ href: String, _ settings: PageClientSettings) -> TransportRequest? {
    guard href.hasPrefix("/v1/"), let url = URL(string: base(settings) + href) else { return nil }
    return TransportRequest(url: url, fields: fields(settings), timeout: settings.timeout, bodyMax: settings.bodyMax)
  }

  private static func fields(_ settings: PageClientSettings) -> [String: String] {
    var fields = ["Accept": "application/json"]
    fields["Hearth-Client-Key"] = settings.clientKey
    return fields
  }

  /// The entity tag of a page.
  static func tag(_ page: Page) -> String { "W/\"\(page.version)\"" }

  func transportRequest(_ settings: PageClientSettings) -> TransportRequest? {
    guard let url = Self.url(settings) else { return nil }
    var fields = Self.fields(settings)
    if isPastCaches { fields["Cache-Control"] = "no-cache" }
    if settings.signatures != nil { fields["Accept-Signature"] = PageSignature.accepted }
    if let base {
      fields["If-None-Match"] = Self.tag(base)
      if takesChanges { fields["A-IM"] = "hearth-changes" }
      if wait > 0 { fields["Prefer"] = "wait=\(Int(wait))" }
    }
    return TransportRequest(url: url, fields: fields, timeout: settings.timeout + wait, bodyMax: settings.bodyMax)
  }

  /// Always in the same order, so that caches see one URL for one set of attributes.
  static func url(_ settings: PageClientSettings) -> URL? {
    let own = [
      "platform": settings.platform, "appVersion": settings.appVersion, "locale": settings.locale,
      "bucket": settings.bucket.map(String.init), "preview": settings.preview,
    ]
    let told = settings.attributes.merging(own.compactMapValues { $0 }) { $1 }
    let query = told.merging(settings.overrides) { $1 }.sorted { $0.key < $1.key }
      .map { "\(escaped($0.key))=\(escaped($0.value))" }
      .joined(separator: "&")
    return URL(string: "\(base(settings))/v1/pages/\(escaped(settings.page))" + (query.isEmpty ? "" : "?\(query)"))
  }

  private static func base(_ settings: PageClientSettings) -> String {
    var base = settings.server.absoluteString
    while base.hasSuffix("/") { base.removeLast() }
    return base
  }

  /// Everything but the unreserved characters of RFC 3986 §2.3: a `+` would be read as a space.
  private static func escaped(_ text: String) -> String {
    let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
    return text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved)) ?? text
  }
}
