/// What is set for sections whose content is asked of an endpoint.
public struct SourceSettings: Sendable {
  /// Whether this process asks: it needs libcurl then.
  public var isOn = false
  /// The folder of the credentials that sections name; empty for none.
  public var credentialsFolder = ""
  /// How many sections are asked for, over all pages.
  public var countMax = 100
  /// The bytes that an answer may have.
  public var answerBytesMax = 1_048_576
  /// How many editors' tries run at a time.
  public var triesMax = 4
  /// How long a second of an interval takes: shorter in tests alone.
  public var second: Duration = .seconds(1)

  /// The default settings.
  public init() {}

  /// For how many seconds a process is the one that asks; it renews that after a quarter of it.
  static let lease: Int64 = 12
  /// How long what came of it may be unwritten while nothing begins to fail, or to succeed.
  static let tellInterval = Duration.seconds(15)
  /// The most time between two requests for a section that fails, unless its interval is longer.
  static let backOffMax = 900
  /// The most seconds that the first request for a section waits, so that a start does not ask for all at once.
  static let spreadMax = 5.0
}
