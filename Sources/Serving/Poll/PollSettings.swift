import HTTPServer

/// What is set for polls.
public struct PollSettings: Sendable {
  /// The request shapes that each loop remembers.
  public var shapesMax = 32_768
  /// The most bytes of the shapes that each loop remembers.
  public var shapeBytesMax = 32 * 1024 * 1024
  /// The variants of first use that may wait to be assembled.
  public var assembliesMax = 1_024
  /// The longest a client may wait for a change, in seconds; 0 lets none wait.
  public var waitSecondsMax = 60
  /// The most seconds by which `max-age` exceeds a flip. Each variant has its own number, so clients do not all return
  /// at one instant; 0 is exact.
  public var spreadSecondsMax = 0
  /// What a client must send as `Hearth-Client-Key`; anyone may poll when it is `nil`.
  public var clientKey: String?
  /// Signs pages; `nil` if no place for keys is set.
  package var signing: PageSigning?

  /// The default settings.
  public init() {}

  /// Which caches may keep an answer, and for how long beyond its `max-age` while Hearth cannot answer.
  var caching: CacheDirectives {
    CacheDirectives(before: clientKey == nil ? "public, " : "private, ", after: ", stale-if-error=86400")
  }

  /// The same for a part of a list, which never becomes another.
  var cachingOfParts: CacheDirectives {
    CacheDirectives(before: caching.before, after: ", immutable\(caching.after)")
  }

  /// The seconds for which a part of a list may be kept at most: one with a kind that is withheld since is gone by then.
  static let partSecondsMax: Int64 = 300

  /// The seconds by which a version's clients come later.
  func spread(of version: String) -> Int64 {
    guard spreadSecondsMax > 0, let hash = UInt64(version, radix: 16) else { return 0 }
    return Int64(hash % UInt64(spreadSecondsMax + 1))
  }
}
