import BuildCommit
import Service

extension ProgramVersion {
  /// What this program is.
  static let current = ProgramVersion(number: "0.1.0", commit: BuildCommit.current)
}
