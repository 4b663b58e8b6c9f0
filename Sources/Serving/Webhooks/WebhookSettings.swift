public import HTTPClient

/// What is set for webhooks.
public struct WebhookSettings: Sendable {
  /// Whether this process sends: it needs libcurl then.
  public var isOn = false
  /// How requests are sent.
  public var client = HTTPClientSettings()
  /// How names are looked up.
  public var resolve: HTTPClient.Resolver = HTTPClient.system
  /// How many webhooks there may be.
  public var countMax = 20
  /// How many requests run at a time.
  public var sendingMax = 8
  /// How long an event waits for the nodes that do not serve its edition yet; then it is sent, and names them.
  public var nodesWait: Duration = .seconds(30)
  /// How long after a try that failed the next one comes; it doubles with each, up to an hour.
  public var retryFirst: Duration = .seconds(5)
  /// For how long an event is tried, from when its revision was made.
  public var retryFor: Duration = .seconds(86_400)

  /// The default settings.
  public init() {}

  /// The most time between two tries.
  static let retryMax = Duration.seconds(3_600)
  /// How many requests of one webhook run at a time, each of another page.
  static let sendingOfOneMax = 2
}
