public import JSON

/// What a tap does: opens a URL or calls a handler of the app, and may be tracked (S3.4).
public struct Action: Hashable, Sendable {
  /// Where a tap leads.
  public enum Target: Hashable, Sendable {
    /// An absolute URI, also of an app's own scheme: `app://scan`.
    case url(String)
    /// The name of a handler in the app.
    case handler(String)
  }

  /// Where the tap leads.
  public var target: Target
  /// The name of the tracking event.
  public var event: String?
  /// The attributes of the tracking event.
  public var attributes: JSONObject?

  /// An action.
  public init(target: Target, event: String? = nil, attributes: JSONObject? = nil) {
    self.target = target
    self.event = event
    self.attributes = attributes
  }
}
