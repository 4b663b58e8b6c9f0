public import Foundation

/// Which page a client polls, what it tells of itself, and how often it asks.
public struct PageClientSettings: Sendable {
  /// Where the public listener is: `https://home.example.com`, with a path when it is served below one.
  public var server: URL
  /// The page's id.
  public var page: String
  /// `ios`, `android` or `web`.
  public var platform: String?
  /// The app's version: `5.12.0`.
  public var appVersion: String?
  /// A BCP 47 tag; without one the system's `Accept-Language` decides.
  public var locale: String?
  /// 0 to 99, see ``Bucket``.
  public var bucket: Int?
  /// The attributes that the server's configuration declares.
  public var attributes: [String: String] = [:]
  /// The key that the server may ask its clients for.
  public var clientKey: String?
  /// The text of a preview link (`?preview=`): the client shows what the link does, and keeps nothing of it. The server does not
  /// say how long such a page holds: ``PollTiming/maxAge`` says when to ask again.
  public var preview: String?
  /// What a tester sets on a device in the place of what the app tells, by the names of the query, such as `locale` or
  /// `preview`: ``PageClient/change(_:)`` while it runs.
  public var overrides: [String: String] = [:]
  /// For how many seconds the server may hold a poll until the page changes (RFC 7240), whole ones; zero asks at intervals
  /// instead.
  ///
  /// No longer than the server's own limit, else the answer comes sooner and the client asks at intervals.
  public var wait: TimeInterval = 0
  /// How many seconds an answer may take, what the server holds it not counted.
  public var timeout: TimeInterval = 20
  /// The most bytes of an answer, unpacked: a longer one is `unreadable`, and is not read to its end.
  public var bodyMax = Self.bodyMaxDefault
  /// 32 MiB: pages are far smaller.
  public static let bodyMaxDefault = 32 << 20
  /// The keys that sign the server's pages; `nil` asks for no signatures and looks at none.
  ///
  /// Parts of long lists and what preview links show are not signed.
  public var signatures: SignaturePolicy?
  /// When to ask again.
  public var timing = PollTiming()

  /// Whether a preview is shown, of which nothing is kept.
  var isPreview: Bool { preview != nil || overrides["preview"] != nil }

  /// Settings for a page, with everything else left out.
  public init(server: URL, page: String = "home") {
    self.server = server
    self.page = page
  }
}
