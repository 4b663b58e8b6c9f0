/// Which program runs, as the log, `/status` and the metrics tell it.
public struct ProgramVersion: Sendable, CustomStringConvertible {
  /// As in the changelog, by Semantic Versioning.
  public let number: String
  /// The commit that it was built of, with `+` where files had been changed; `unknown` where nobody could know.
  public let commit: String

  /// A program of a version that was built of a commit.
  public init(number: String, commit: String) {
    self.number = number
    self.commit = commit
  }

  /// Both, for a person to read: `0.1.0 (ef7d606d6762)`.
  public var description: String { "\(number) (\(commit))" }
}
