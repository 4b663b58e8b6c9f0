/// A lock of the database's server that somebody has had for longer than a change takes.
public struct LockHeld: Sendable, CustomStringConvertible {
  /// A lock that is held for less is not told of: 10 seconds.
  static let least = Duration.seconds(10)

  /// The process of the database's server that has it.
  public var process: Int
  /// Who has it: the process, its role and program, and what it is doing.
  public var by: String
  /// For how long.
  public var duration: Duration

  package init(process: Int, by holder: String, for duration: Duration) {
    self.process = process
    by = holder
    self.duration = duration
  }

  /// The problem and what to do, in words.
  public var description: String {
    """
    \(by) has had a lock of the database for \(Int(duration / .seconds(1))) s, and changes wait for it; end it (SELECT \
    pg_terminate_backend) if it is not meant to be there
    """
  }
}
