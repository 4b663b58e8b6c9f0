/// What is set for preview links.
public struct PreviewSettings: Sendable {
  /// The longest that a link may be valid, in hours.
  public var hoursMax = 168
  /// The most links at a time.
  public var linksMax = 500
  /// The requests by links that may wait for their answers.
  public var waitingMax = 8
  /// Where phones reach the public listener, for links that are shown whole; `nil` when nobody has said.
  public var baseURL: String?

  /// The default settings.
  public init() {}
}
