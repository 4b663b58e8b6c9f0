public import Layout

/// A link that shows its bearer a page as it would be.
public struct PreviewLink: Hashable, Sendable {
  /// What names it to operators.
  public var id = 0
  /// The page's id.
  public var page: String
  /// What operators call it.
  public var name: String?
  /// `draft`, `live`, or a revision's number.
  public var revision: String
  /// The instant that it shows; the present when `nil`.
  public var at: Instant?
  /// The client attributes that it shows the page for, as query parameters have them; what is not among them is the
  /// device's own.
  public var client: [String: String]
  /// When it was made.
  public var createdAt: Instant
  /// Who made it.
  public var createdBy = ""
  /// From when on it shows nothing.
  public var expiresAt: Instant

  /// A link that is yet to be made.
  public init(
    page: String, name: String? = nil, revision: String, at: Instant? = nil, client: [String: String] = [:],
    expiresAt: Instant
  ) {
    self.page = page
    self.name = name
    self.revision = revision
    self.at = at
    self.client = client
    createdAt = expiresAt
    self.expiresAt = expiresAt
  }

  /// Whether a text can be what stands in a link: 43 letters and digits, 256 bits.
  public static func isText(_ text: String) -> Bool {
    text.utf8.count == textLength
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20) }
  }

  static let textLength = 43

  /// What of a link's text is kept.
  public static func hash(of text: String) -> String { Fingerprint.of(text.utf8) }
}
