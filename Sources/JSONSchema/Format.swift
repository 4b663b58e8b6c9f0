import Dates

/// The formats that are asserted.
enum Format: String, CaseIterable, Sendable {
  case uri
  case dateTime = "date-time"
  case date
  case email

  /// What a valid string is, for messages.
  var expectation: String {
    switch self {
    case .uri: "an absolute URI such as https://example.com/a (RFC 3986)"
    case .dateTime: "a date and time such as 2026-11-21T09:00:00Z (RFC 3339)"
    case .date: "a date such as 2026-11-21 (RFC 3339)"
    case .email: "an email address such as name@example.com (RFC 5321)"
    }
  }

  func holds(_ string: String) -> Bool {
    let bytes = Array(string.utf8)
    return switch self {
    case .uri: URISyntax.isAbsolute(bytes)
    case .dateTime: CivilTime(string).map { $0.hasSecond && $0.offset != nil } ?? false
    case .date: CivilDate(string) != nil
    case .email: EmailSyntax.isAddress(bytes)
    }
  }
}
