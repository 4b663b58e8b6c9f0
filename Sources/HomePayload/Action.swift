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

extension Action: Described {
  static var blank: Action { Action(target: .url("")) }

  static func describe(_ member: inout some MemberWalk<Action>) {
    member("url", \.url)
    member("handler", \.handler)
    member("event", \.event)
    member("attributes", \.attributes)
  }

  /// A newer server may name another kind of target: then the tap does nothing.
  var isKnown: Bool { url != "" }

  private var url: String? {
    get { if case .url(let url) = target { url } else { nil } }
    set { if let newValue { target = .url(newValue) } }
  }

  private var handler: String? {
    get { if case .handler(let name) = target { name } else { nil } }
    set { if let newValue, !isKnown { target = .handler(newValue) } }
  }

  /// Whether two actions are written the same.
  public static func == (left: Action, right: Action) -> Bool { left.isSame(as: right) }
}

extension Action.Target {
  /// Whether two targets are written the same.
  public static func == (left: Action.Target, right: Action.Target) -> Bool {
    Action(target: left) == Action(target: right)
  }
}
