import Foundation

/// Where a database is.
public enum DatabaseLocation: Hashable, Sendable {
  /// An SQLite file.
  case file(String)
  /// A database of a server: a URL (`postgresql://…`) or keywords (`host=… dbname=…`), as libpq takes them.
  case postgresql(String)

  /// What a setting names: a path, unless it reads as one of libpq's connection strings.
  public init(_ text: String) {
    // What looks like one is one, with quotes around it too: libpq refuses it, where a path of that name would be made
    // and shown.
    let lower = text.lowercased()
    let isURL = lower.contains("postgresql://") || lower.contains("postgres://")
    let words = text.drop(while: \.isWhitespace)
    let keyword = words.prefix { $0.isASCII && ($0.isLetter || $0 == "_") }
    let isAssigned = words.dropFirst(keyword.count).drop(while: \.isWhitespace).first == "="
    let isKeyword = isAssigned && (Self.keywords.contains(String(keyword)) || lower.contains("password"))
    self = isURL || isKeyword ? .postgresql(text) : .file(text)
  }

  /// The keywords that a connection string may begin with (PostgreSQL's documentation, 34.1.2).
  private static let keywords: Set<String> = [
    "host", "hostaddr", "port", "dbname", "user", "password", "passfile", "sslmode", "sslrootcert", "sslcert", "sslkey",
    "service", "options", "application_name", "connect_timeout", "target_session_attrs", "fallback_application_name",
    "client_encoding", "keepalives", "keepalives_idle", "keepalives_interval", "keepalives_count", "tcp_user_timeout",
    "gssencmode", "krbsrvname", "channel_binding", "requirepeer", "sslcrl", "sslpassword", "replication",
  ]

  /// The migrations of its engine, which come with the binary.
  ///
  /// - Throws: ``MigrationError/noFiles(folder:)`` when they are not beside it.
  public func migrations() throws -> [Migration] {
    switch self {
    case .file: try Migration.bundled()
    case .postgresql: try Migration.bundled(in: "postgresql")
    }
  }
}

extension DatabaseLocation: CustomStringConvertible {
  /// As logs and errors show it: never with a password.
  public var description: String {
    switch self {
    case .file(let path): path
    case .postgresql(let text): Self.withoutSecrets(text)
    }
  }

  private static func withoutSecrets(_ text: String) -> String {
    if let scheme = text.range(of: "://") { return withoutSecrets(url: text[scheme.upperBound...]) }
    // Quotes, and spaces around `=`, may hide where a password ends.
    let words = text.split(whereSeparator: \.isWhitespace)
    let isSpaced = words.contains { $0.hasPrefix("=") || $0.hasSuffix("=") }
    guard !isSpaced, !text.contains(where: { "'\\".contains($0) }) else { return "postgresql" }
    let shown = words.filter { word in
      ["host=", "hostaddr=", "port=", "dbname=", "user="].contains { word.hasPrefix($0) }
    }
    return shown.joined(separator: " ")
  }

  /// - Parameter rest: What follows `postgresql://`.
  private static func withoutSecrets(url rest: Substring) -> String {
    let parts = rest.split(separator: "@", omittingEmptySubsequences: false)
    let place = parts.last?.prefix { $0 != "?" } ?? ""
    switch parts.count {
    case 1 where hasPort(place): return "postgresql://\(place)"
    case 2 where hasPort(place) && !parts[0].contains(where: { "/?#".contains($0) }):
      return "postgresql://\(parts[0].prefix { $0 != ":" })@\(place)"
    // Where a password is not written as it should be, nobody knows where it ends.
    default: return "postgresql://"
    }
  }

  /// Whether what follows the last colon, if any, is a port: not a password whose `@HOST` is missing.
  private static func hasPort(_ place: Substring) -> Bool {
    let host = place.prefix { $0 != "/" }
    guard !host.hasPrefix("["), let colon = host.lastIndex(of: ":") else { return true }
    let port = host[host.index(after: colon)...]
    return port.isEmpty || Int(port).map { (1...65_535).contains($0) } ?? false
  }
}

/// How a server that keeps a database is connected to.
public struct ConnectionSettings: Sendable {
  /// Connections at once, at least 1.
  public var connectionsMax = 4
  /// How long a start waits for a server that does not answer.
  public var startWait: Duration = .seconds(10)

  /// The default settings.
  public init() {}
}

/// Why a server's database cannot be used.
public struct ConnectionFailure: Error, Sendable, CustomStringConvertible {
  /// Whether the setting is wrong, or what it names; otherwise what it names is not to be had.
  public let isOfTheSetting: Bool
  /// Whether the server does not answer, or admits nobody for now. Trying later may help.
  public let isAway: Bool
  /// Whether the server answers and refuses this program, which can be corrected there.
  public let isRefusal: Bool
  /// What is wrong, without a password.
  public let description: String

  init(isOfTheSetting: Bool, isAway: Bool = false, isRefusal: Bool = false, _ description: String) {
    self.isOfTheSetting = isOfTheSetting
    self.isAway = isAway
    self.isRefusal = isRefusal
    self.description = description
  }
}
