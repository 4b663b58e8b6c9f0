import JSON
import Layout
import Serving

/// Where a list goes on, opaque to clients.
enum Cursor {
  static func json(_ text: String) -> JSON { .string(Array(text.utf8).hexadecimal) }

  static func text(_ cursor: String?) throws -> String? {
    guard let cursor else { return nil }
    let digits = cursor.utf8.map { Character(Unicode.Scalar($0)) }.filter { !$0.isUppercase }.compactMap(
      \.hexDigitValue)
    let bytes = stride(from: 1, to: digits.count, by: 2).map { UInt8(digits[$0 - 1] << 4 | digits[$0]) }
    guard !bytes.isEmpty, !bytes.contains(0), bytes.count * 2 == cursor.utf8.count,
      let text = String(validating: bytes, as: UTF8.self)
    else {
      throw Problem.parameter("cursor", "the 'next' of the previous answer")
    }
    return text
  }

  static func number(_ cursor: String?) throws -> Int? {
    guard let text = try text(cursor) else { return nil }
    guard let number = Int(text) else { throw Problem.parameter("cursor", "the 'next' of the previous answer") }
    return number
  }
}
