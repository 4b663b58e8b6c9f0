public import JSON

/// What a tap does: opens a URL, calls a handler of the app, or is tracked alone (S3.4).
public struct Action: Hashable, Sendable {
  /// Where a tap leads in one app.
  public enum Target: Hashable, Sendable {
    /// An absolute URI, also of an app's own scheme: `app://scan`.
    case url(String)
    /// The name of a handler that the app has.
    case handler(String)
  }

  /// An absolute URI, also of an app's own scheme: `app://scan`.
  public var url: String?
  /// The name of a handler in the app, which goes before the URL in apps that have it.
  public var handler: String?
  /// What the handler is given.
  public var arguments: JSONObject?
  /// The name of the tracking event.
  public var event: String?
  /// The attributes of the tracking event.
  public var attributes: JSONObject?

  /// An action.
  public init(
    url: String? = nil, handler: String? = nil, arguments: JSONObject? = nil, event: String? = nil,
    attributes: JSONObject? = nil
  ) {
    self.url = url
    self.handler = handler
    self.arguments = arguments
    self.event = event
    self.attributes = attributes
  }

  /// Where the tap leads in an app: to the handler if the app has it, else to the URL.
  ///
  /// - Parameter isKnown: Whether the app has a handler of a name.
  /// - Returns: `nil` when the tap leads nowhere: it may still be tracked by ``event``.
  public func target(knowing isKnown: (String) -> Bool) -> Target? {
    if let handler, isKnown(handler) { return .handler(handler) }
    return url.map { .url($0) }
  }
}

extension Action: Described {
  static var blank: Action { Action() }

  static func describe(_ member: inout some MemberWalk<Action>) {
    member("url", \.url)
    member("handler", \.handler)
    member("arguments", \.arguments)
    member("event", \.event)
    member("attributes", \.attributes)
  }

  /// A newer server may name another kind of target: then the tap does nothing.
  var isKnown: Bool { url != nil || handler != nil || event != nil }

  /// Whether two actions are written the same.
  public static func == (left: Action, right: Action) -> Bool { left.isSame(as: right) }
}
