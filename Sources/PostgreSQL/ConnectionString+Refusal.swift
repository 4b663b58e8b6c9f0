import CPostgreSQL
import Glibc

extension ConnectionString {
  /// Why a connection was not made that will not be made later either, where the server has named no error; `nil` where it
  /// may be.
  ///
  /// - Parameters:
  ///   - words: What libpq says, without secrets.
  ///   - isAtOnce: Whether it was not made before anything was waited for.
  func refusal(of connection: OpaquePointer, _ words: String, isAtOnce: Bool) -> PostgreSQLError? {
    // Those of the string, of the variables and of the service file, and the defaults.
    let known = unsafe PQconninfo(connection).map { list in
      defer { unsafe PQconninfoFree(list) }
      return unsafe Self.values(of: list)
    }
    let values = known ?? [:]
    if unsafe PQconnectionNeedsPassword(connection) == 1 {
      let want = Self.want(of: values["passfile"])
      return PostgreSQLError(.refused, "it asks for a password, and there is none: \(want)")
    }
    let plain = Self.withoutQuoted(words, values.values.contains { $0.contains("\"") })
    let isInvalid = plain.contains("invalid integer value") || plain.contains("invalid port number")
    if isInvalid || (isAtOnce && isNeverTried(values)) { return PostgreSQLError(.connectionString, plain) }
    let isSocket = values["hostaddr"] == nil && values["host"]?.hasPrefix("/") ?? true
    if !isSocket, values["sslmode"]?.hasPrefix("verify") == true, let file = values["sslrootcert"], file != "system",
      unsafe access(file, R_OK) != 0
    {
      let why = unsafe String(cString: strerror(errno))
      return PostgreSQLError(.connectionString, "the file that sslrootcert names cannot be read: \(why)")
    }
    // The server was there, and one of both sides does not take the other's certificate, or has none.
    let isOfTLS = ["certificate", "private key", "support SSL"].contains { plain.contains($0) }
    return isOfTLS ? PostgreSQLError(.refused, words) : nil
  }

  /// Whether libpq finds a value wrong before it asks anybody.
  private func isNeverTried(_ values: [String: String]) -> Bool {
    var keywords = keywords
    if values["hostaddr"] == nil {
      // As many places as there are, where nobody can be.
      let hosts = (values["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false)
      keywords["host"] = hosts.map { _ in "/dev/null" }.joined(separator: ",")
    } else if values["connect_timeout"] == nil {
      keywords["connect_timeout"] = "2"
    }
    // So that no file is read for it.
    keywords["password"] = "-"
    return unsafe Self.withPointers(keywords) { unsafe PQpingParams($0, $1, 0) == PQPING_NO_ATTEMPT }
  }

  /// Calls with lists of names and of values, as libpq takes them.
  static func withPointers<Value>(
    _ keywords: [String: String],
    _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    let keywords = Array(keywords)
    let texts = unsafe (keywords.map(\.key) + keywords.map(\.value)).map { unsafe strdup($0) }
    defer { unsafe texts.forEach { unsafe free($0) } }
    let pointers = unsafe texts.map { unsafe UnsafePointer($0) }
    let names = unsafe Array(pointers.prefix(keywords.count)) + [nil]
    let values = unsafe Array(pointers.suffix(keywords.count)) + [nil]
    return unsafe body(names, values)
  }

  /// What the file lacks that passwords are looked up in, which libpq says nowhere, or on standard error alone.
  private static func want(of file: String?) -> String {
    guard let file else { return "name a file that has it in PGPASSFILE" }
    var found = stat()
    guard unsafe stat(file, &found) == 0 else { return "there is no file \(file)" }
    guard found.st_mode & 0o077 == 0 else { return "\(file) is not read, since its mode is not 0600" }
    guard unsafe access(file, R_OK) == 0 else { return "this user may not read \(file)" }
    return "\(file) has no line for this host, port, database and user"
  }
}
