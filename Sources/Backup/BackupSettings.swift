/// What is set for the continuous backup of an SQLite database.
public struct BackupSettings: Sendable {
  /// Where changes go: `file:///FOLDER` or `s3://BUCKET/PREFIX`; `nil` for nowhere.
  public var to: String?
  /// Where the buckets are: `https://HOST` of what speaks S3.
  public var endpoint: String?
  /// The region that requests to buckets are signed for.
  public var region = "us-east-1"
  /// The file with `aws_access_key_id` and `aws_secret_access_key`.
  public var credentialsFile: String?
  /// How many days back a restore may go.
  public var daysKept = 14
  /// After how many hours another series begins with a snapshot.
  public var seriesHours = 24
  /// The bytes of changed pages that may wait to leave. More begin another series.
  public var waitingBytesMax = 1_073_741_824

  /// The default settings.
  public init() {}

  /// The target that is set.
  ///
  /// - Throws: ``TargetFailure`` that says which setting is wrong, and what would be right.
  public func target() throws(TargetFailure) -> any BackupTarget {
    guard let to else { throw TargetFailure("backup.to is not set") }
    if to.hasPrefix("s3://") { return try ObjectStore(to.dropFirst("s3://".count), self) }
    let path = to.hasPrefix("file://") ? String(to.dropFirst("file://".count)) : ""
    guard path.hasPrefix("/") else {
      throw TargetFailure("backup.to must be file:///FOLDER or s3://BUCKET/PREFIX, and is \"\(to)\"")
    }
    return FolderTarget(path)
  }
}
