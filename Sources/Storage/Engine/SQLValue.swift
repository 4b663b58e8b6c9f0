import Layout

/// A column's value, on either engine.
enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case text(String)
  case bytes([UInt8])
}

/// What can be an argument of a statement.
protocol SQLEncodable {
  var sql: SQLValue { get }
}

/// A type that columns can be read as.
protocol SQLDecodable {
  /// `nil` when the value is of another type.
  init?(sql: SQLValue)
}

extension SQLDecodable {
  /// The first column of the first row; `nil` without a row, or if it is NULL.
  static func fetchOne(_ db: Database, sql: String, arguments: Arguments = []) throws -> Self? {
    try Row.fetchOne(db, sql: sql, arguments: arguments).flatMap { $0.values.first }.flatMap { Self(sql: $0) }
  }

  /// The first column of every row.
  static func fetchAll(_ db: Database, sql: String, arguments: Arguments = []) throws -> [Self] {
    try Row.fetchAll(db, sql: sql, arguments: arguments).compactMap { $0.values.first.flatMap { Self(sql: $0) } }
  }
}

extension Int64: SQLEncodable, SQLDecodable {
  var sql: SQLValue { .integer(self) }

  init?(sql: SQLValue) {
    switch sql {
    case .integer(let value): self = value
    // PostgreSQL answers everything as text.
    case .text(let text): self.init(text)
    case .null, .bytes: return nil
    }
  }
}

extension Int: SQLEncodable, SQLDecodable {
  var sql: SQLValue { .integer(Int64(self)) }

  init?(sql: SQLValue) {
    guard let value = Int64(sql: sql) else { return nil }
    self.init(value)
  }
}

/// Truth is 1 or 0: SQLite has no type for it.
extension Bool: SQLEncodable, SQLDecodable {
  var sql: SQLValue { .integer(self ? 1 : 0) }

  init?(sql: SQLValue) {
    guard let value = Int64(sql: sql) else { return nil }
    self = value != 0
  }
}

/// Seconds since 1970.
extension Instant: SQLEncodable, SQLDecodable {
  var sql: SQLValue { .integer(secondsSinceEpoch) }

  init?(sql: SQLValue) {
    guard let seconds = Int64(sql: sql) else { return nil }
    self.init(secondsSinceEpoch: seconds)
  }
}

extension String: SQLEncodable, SQLDecodable {
  var sql: SQLValue { .text(self) }

  init?(sql: SQLValue) {
    guard case .text(let value) = sql else { return nil }
    self = value
  }
}

extension [UInt8]: SQLEncodable, SQLDecodable {
  var sql: SQLValue { .bytes(self) }

  init?(sql: SQLValue) {
    switch sql {
    case .bytes(let bytes): self = bytes
    // As PostgreSQL writes bytes: `\x` and two digits each.
    case .text(let text): self.init(hexadecimal: text.utf8.dropFirst(2))
    case .null, .integer: return nil
    }
  }

  private init?(hexadecimal digits: Substring.UTF8View) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    var high: UInt8?
    for digit in digits {
      let value: UInt8
      switch digit {
      case 0x30...0x39: value = digit - 0x30
      case 0x61...0x66: value = digit - 0x61 + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    guard high == nil else { return nil }
    self = bytes
  }
}

extension Optional: SQLDecodable where Wrapped: SQLDecodable {
  init?(sql: SQLValue) {
    if case .null = sql { self = .none } else if let value = Wrapped(sql: sql) { self = value } else { return nil }
  }
}

/// The arguments of a statement: in the order of its `?`, or by the names that it gives as `:name`.
enum Arguments: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
  case listed([SQLValue])
  case named([String: SQLValue])

  init(arrayLiteral elements: (any SQLEncodable)?...) { self = .listed(elements.map { $0?.sql ?? .null }) }

  init(dictionaryLiteral elements: (String, (any SQLEncodable)?)...) {
    self = .named(Dictionary(elements.map { ($0, $1?.sql ?? .null) }, uniquingKeysWith: { first, _ in first }))
  }
}
