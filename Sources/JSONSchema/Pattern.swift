import Foundation

/// A regular expression of ECMA-262, unanchored, run by the one of ICU.
struct Pattern: Sendable {
  /// Why a text is no regular expression.
  struct Invalid: Error { var detail: String }

  /// The expression as the schema has it.
  let text: String
  private let expression: NSRegularExpression

  init(_ text: String) throws(Invalid) {
    self.text = text
    var translator = PatternTranslator(text)
    let translated = try translator.translated()
    guard let expression = try? NSRegularExpression(pattern: translated) else {
      throw Invalid(detail: "it does not compile")
    }
    self.expression = expression
  }

  /// Whether some part of a string matches.
  func matches(_ string: String) -> Bool {
    let range = NSRange(location: 0, length: string.utf16.count)
    return expression.firstMatch(in: string, range: range) != nil
  }
}

/// Writes ECMA-262 syntax as ICU understands it, where the two differ: `\d`, `\w`, `\s`, `$`, and classes.
struct PatternTranslator {
  private var scalars: Substring.UnicodeScalarView
  private var result = ""
  private var isInClass = false

  init(_ text: String) { scalars = text[...].unicodeScalars }

  mutating func translated() throws(Pattern.Invalid) -> String {
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\\": try translateEscape()
      case "$" where !isInClass: result += "\\z"
      case "[" where !isInClass:
        isInClass = true
        result += scalars.first == "^" ? "[^" : "["
        if scalars.first == "^" { scalars.removeFirst() }
        // An empty class matches nothing, its complement everything; ICU has neither.
        if scalars.first == "]" {
          scalars.removeFirst()
          isInClass = false
          result = result.hasSuffix("^") ? result.dropLast(2) + "[\\s\\S]" : result.dropLast() + "(?!)"
        }
      case "]" where isInClass:
        isInClass = false
        result += "]"
      case "[", "&": result += isInClass ? "\\" + String(scalar) : String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    if isInClass { throw Pattern.Invalid(detail: "a class is not closed") }
    return result
  }

  private mutating func translateEscape() throws(Pattern.Invalid) {
    guard let scalar = scalars.popFirst() else { throw Pattern.Invalid(detail: "it ends in a backslash") }
    switch scalar {
    case "d": appendSet("0-9")
    case "D": result += "[^0-9]"
    case "w": appendSet("A-Za-z0-9_")
    case "W": result += "[^A-Za-z0-9_]"
    case "s": appendSet(Self.space)
    case "S": result += "[^\(Self.space)]"
    case "v": result += "\\x0B"
    case "0": result += "\\x00"
    case "u": try translateUnicodeEscape()
    case "c":
      guard let letter = scalars.popFirst(), letter.properties.isAlphabetic, letter.isASCII else {
        throw Pattern.Invalid(detail: "\\c takes a letter")
      }
      result += "\\c" + String(letter)
    case "b" where isInClass: result += "\\x08"
    case "b", "B", "f", "n", "r", "t", "x", "p", "P", "k", "1"..."9": result += "\\" + String(scalar)
    case "a"..."z", "A"..."Z":
      throw Pattern.Invalid(detail: "\\\(scalar) is no escape of ECMA-262")
    default: result += "\\" + String(scalar)
    }
  }

  /// ECMA-262 WhiteSpace and LineTerminator.
  private static let space = "\\t\\n\\x0B\\f\\r \\u00A0\\uFEFF\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000"

  private mutating func appendSet(_ set: String) {
    result += isInClass ? set : "[\(set)]"
    // After a set a hyphen stands for itself.
    if isInClass, scalars.first == "-" {
      scalars.removeFirst()
      result += "\\-"
    }
  }

  private mutating func translateUnicodeEscape() throws(Pattern.Invalid) {
    let wrong = Pattern.Invalid(detail: "\\u takes four hexadecimal digits, or some in braces")
    var code: UInt32
    if scalars.first == "{" {
      guard let end = scalars.firstIndex(of: "}") else { throw wrong }
      guard let value = UInt32(String(scalars[..<end].dropFirst()), radix: 16) else { throw wrong }
      scalars = scalars[scalars.index(after: end)...]
      code = value
    } else {
      guard let value = takeFourDigits() else { throw wrong }
      code = value
      if (0xD800..<0xDC00).contains(code), String(scalars.prefix(2)) == "\\u" {
        scalars = scalars.dropFirst(2)
        guard let low = takeFourDigits(), (0xDC00..<0xE000).contains(low) else { throw wrong }
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
      }
    }
    result += "\\x{" + String(code, radix: 16) + "}"
  }

  private mutating func takeFourDigits() -> UInt32? {
    let digits = String(scalars.prefix(4))
    guard digits.count == 4, let value = UInt32(digits, radix: 16) else { return nil }
    scalars = scalars.dropFirst(4)
    return value
  }
}
