import CPostgreSQL

/// Where a database is: a URI (`postgresql://user@host/name?sslmode=require`) or `host=… dbname=…`, read by libpq itself,
/// which takes what it does not say from the variables `PG*`, from `PGPASSFILE` and from the service file
/// (https://www.postgresql.org/docs/15/libpq-connect.html#LIBPQ-CONNSTRING).
struct ConnectionString: Hashable, Sendable {
  /// What is said, by libpq's names.
  private let options: [String: String]

  /// - Throws: ``PostgreSQLError``, which says nothing that may be a part of a password.
  init(_ text: String) throws(PostgreSQLError) {
    if let why = unsafe hearth_load_libpq() {
      throw PostgreSQLError(
        .libraryMissing, unsafe "\(String(cString: why)); databases of PostgreSQL need it (Debian's package libpq5)")
    }
    // libpq reads up to there.
    guard !text.utf8.contains(0) else { throw PostgreSQLError(.connectionString, "it holds the character U+0000") }
    var words: UnsafeMutablePointer<CChar>?
    guard let list = unsafe PQconninfoParse(text, &words) else {
      let why = unsafe words.map { unsafe String(cString: $0) } ?? "there is no memory"
      unsafe PQfreemem(words)
      throw PostgreSQLError(.connectionString, Self.withoutQuoted(why, text.contains("\"")))
    }
    options = unsafe Self.values(of: list)
    unsafe PQconninfoFree(list)
    try checkPassword(text)
  }

  /// Refuses what libpq takes for something else because the password has a character that ends it, such as `/`: then a
  /// part of the password would stand for the port or the database's name, and those are shown.
  private func checkPassword(_ text: String) throws(PostgreSQLError) {
    let port = options["port"] ?? ""
    guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2C }) else {
      throw PostgreSQLError(.connectionString, "the port must be a number; \(Self.escaping)")
    }
    guard port.split(separator: ",").allSatisfy({ Int($0).map { (1...65_535).contains($0) } ?? false }) else {
      throw PostgreSQLError(.connectionString, "the port must be a number from 1 to 65535")
    }
    // postgresql://user:password@host/name?…
    guard let scheme = text.firstRange(of: "://") else { return }
    let place = text[scheme.upperBound...].prefix { $0 != "?" }
    guard !place.drop(while: { $0 != "@" }).dropFirst().contains("@"), !place.drop(while: { $0 != "/" }).contains("@")
    else {
      throw PostgreSQLError(.connectionString, "there is an @ too many; \(Self.escaping)")
    }
  }

  private static let escaping =
    "in a URI, characters of a password such as : / ? # @ % are written as %3A %2F %3F %23 %40 %25"

  static func values(of list: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
    var values: [String: String] = [:]
    var option = unsafe list
    while let keyword = unsafe option.pointee.keyword {
      if let value = unsafe option.pointee.val {
        unsafe values[String(cString: keyword)] = unsafe String(cString: value)
      }
      unsafe option += 1
    }
    return values
  }

  /// The options that there are, as they are spelt.
  private static let names = [
    "application_name", "client_encoding", "connect_timeout", "dbname", "host", "hostaddr", "options", "passfile",
    "password", "port", "service", "sslmode", "target_session_attrs", "user",
  ]

  /// libpq's words about a string that it cannot read, without the parts of it that they quote: where a password is
  /// written wrongly, such a part is a piece of it.
  ///
  /// - Parameter hasQuotes: Whether the string has quotes itself, so that they do not tell where a part of it ends.
  static func withoutQuoted(_ words: String, _ hasQuotes: Bool) -> String {
    if hasQuotes { return words.prefix { $0 != "\"" } + "…" }
    let parts = words.split(separator: "\"", omittingEmptySubsequences: false)
    let kept = parts.enumerated().map { index, part in
      index.isMultiple(of: 2) || part == "=" || names.contains(String(part)) ? part : "…"
    }
    let line = kept.joined(separator: "\"").split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.contains("connection option") ? line + "; options are \(names.joined(separator: ", ")) and more" : line
  }

  /// What holds where nothing else is said: a server that does not answer is given up after seconds, by TCP too.
  private static let defaults = [
    "fallback_application_name": "hearth", "tcp_user_timeout": "3000", "keepalives_idle": "5",
    "keepalives_interval": "2", "keepalives_count": "3",
  ]

  /// Which of several hosts may be connected to: a standby that follows late would be taken for the truth. libpq knows
  /// `primary` since 14; `read-write` refuses, too, where `default_transaction_read_only` is set, and reading is all right.
  private var sessions: String {
    let said = options["target_session_attrs"]
    if let said, !["any", "read-only", "standby", "prefer-standby"].contains(said) { return said }
    return PQlibVersion() >= 140_000 ? "primary" : "read-write"
  }

  /// What libpq is given, by its names.
  var keywords: [String: String] {
    Self.defaults.merging(options) { _, said in said }
      .merging(["client_encoding": "UTF8", "target_session_attrs": sessions]) { _, ours in ours }
  }

  /// A text without the secrets, should they be in it.
  ///
  /// - Parameter password: The one that a connection uses, from wherever libpq has it.
  func scrubbed(_ text: String, password: String? = nil) -> String {
    let secrets = [options["password"], options["sslpassword"], password].compactMap { $0 }.filter { !$0.isEmpty }
    return secrets.reduce(text) { text, secret in
      text.split(separator: secret, omittingEmptySubsequences: false).joined(separator: "…")
    }
  }
}

extension ConnectionString: CustomStringConvertible {
  /// The string without what is secret: `postgresql://user@host:port/name`.
  var description: String {
    let user = options["user"].map { $0 + "@" } ?? ""
    let port = options["port"].map { ":" + $0 } ?? ""
    return "postgresql://\(user)\(options["host"] ?? options["hostaddr"] ?? "")\(port)/\(options["dbname"] ?? "")"
  }
}
