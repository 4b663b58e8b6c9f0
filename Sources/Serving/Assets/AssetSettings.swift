public import Storage

/// What is set for pictures that Hearth keeps.
public struct AssetSettings: Sendable {
  /// How many the database keeps, and how large they may be.
  public var limits = AssetLimits()
  /// What stands before their addresses in pages, such as `https://cdn.example.com`; nothing does when it is `nil`.
  public var baseURL: String?
  /// The days after which one goes that nothing refers to.
  public var unusedDaysKept = 30
  /// The folder on this machine that pictures are sent from; they are read from the database each time when it is `nil`.
  public var cacheFolder: String?
  /// The most bytes of the pictures in the folder.
  public var cacheBytesMax = 512 * 1024 * 1024
  /// The pictures that may be read at once, of all listeners together.
  public var readsMax = 64

  /// The default settings.
  public init() {}

  /// Whether a text can be ``baseURL``: a scheme of the web, a host, and perhaps a path, without a slash at the end.
  public static func isBaseURL(_ text: String) -> Bool {
    guard let rest = ["https://", "http://"].first(where: text.hasPrefix).map({ text.dropFirst($0.count) }) else {
      return false
    }
    let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:/[]%".utf8)
    return text.utf8.count <= 512 && rest.utf8.first.map { $0 != UInt8(ascii: "/") } ?? false && !rest.hasSuffix("/")
      && rest.utf8.allSatisfy(allowed.contains)
  }
}
