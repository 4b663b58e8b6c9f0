import Layout
import Synchronization

/// A statement as PostgreSQL has it: `$1` where SQLite has `?` or `:name`.
struct PostgreSQLText: Sendable {
  let sql: String
  /// The names of the parameters in the order of their numbers; none where they are listed.
  let names: [String]
  /// Whether it only reads.
  let isQuery: Bool

  private static let known = Mutex<[String: PostgreSQLText]>([:])

  /// Each text is rewritten once: there are about a hundred.
  static func of(_ sql: String) -> PostgreSQLText {
    if let text = known.withLock({ $0[sql] }) { return text }
    let text = PostgreSQLText(sql)
    known.withLock { $0[sql] = text }
    return text
  }

  init(_ sql: String) {
    var written = ""
    var names: [String] = []
    var count = 0
    var isQuoted = false
    var rest = Substring(sql)
    while let character = rest.popFirst() {
      if character == "'" { isQuoted.toggle() }
      switch character {
      case "?" where !isQuoted:
        count += 1
        written += "$\(count)"
      case ":" where !isQuoted:
        let name = String(rest.prefix { $0.isLetter })
        rest = rest.dropFirst(name.count)
        if !names.contains(name) { names.append(name) }
        written += "$\((names.firstIndex(of: name) ?? 0) + 1)"
      default: written.append(character)
      }
    }
    self.sql = written
    self.names = names
    isQuery = sql.hasPrefix("SELECT")
  }

  /// The values of the parameters, as texts.
  func values(_ arguments: Arguments) -> [String?] {
    switch arguments {
    case .listed(let values): values.map(\.text)
    case .named(let values): names.map { values[$0]?.text }
    }
  }
}

extension SQLValue {
  fileprivate var text: String? {
    switch self {
    case .null: nil
    case .integer(let number): String(number)
    case .text(let text): text
    case .bytes(let bytes): "\\x" + bytes.hexadecimal
    }
  }
}
