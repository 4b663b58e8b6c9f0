/// What is set for connections. Everything is bounded: nothing waits for ever.
public struct PostgreSQLSettings: Sendable {
  /// Connections of a pool, each with a thread of its own.
  public var connectionsMax = 4
  /// How many may wait for one of them; more are refused.
  public var waitingMax = 1_024
  /// How long a transaction that reads may wait for a connection and its beginning, and one attempt to connect may take,
  /// all hosts together.
  public var connectTimeout: Duration = .seconds(5)
  /// How long a statement may take, where the deadline leaves more. The server ends it a moment before; a server that does not,
  /// because it was stopped or the link swallows what is sent, is given up then, whatever the deadline is.
  public var statementTimeout: Duration = .seconds(4)

  /// The default settings.
  public init() {}
}
