/// The commit that this program was built of. The plugin `NoteCommit` writes it down at each build.
public enum BuildCommit {
  /// The first 12 digits of the commit's hash. `+` follows where a file that the program is made of differed from the
  /// commit. `unknown` where the sources lay in no git checkout and `HEARTH_COMMIT` did not name a commit.
  public static let current = notedCommit
}
