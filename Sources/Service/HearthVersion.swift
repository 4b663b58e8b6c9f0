/// The version of this build.
public enum HearthVersion {
  /// As in the changelog, by Semantic Versioning.
  public static let current = "0.1.0"
}
