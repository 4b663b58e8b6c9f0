import JSON

/// Lines of code.
struct SourceText {
  private(set) var text = ""
  private(set) var depth = 0
  let indent: String

  /// A line, or several.
  mutating func line(_ line: String = "") {
    for part in line.split(separator: "\n", omittingEmptySubsequences: false) {
      if !part.isEmpty { text += String(repeating: indent, count: depth) + part }
      text += "\n"
    }
  }

  /// A line after which others stand deeper.
  mutating func open(_ head: String) {
    line(head)
    depth += 1
  }

  /// A line that ends what was opened.
  mutating func close(_ end: String = "}") {
    depth -= 1
    line(end)
  }

  /// A comment of Java's kind before the line that it belongs to.
  mutating func documentation(_ lines: [String]) {
    if lines.count == 1 { return line("/** \(lines[0]) */") }
    guard !lines.isEmpty else { return }
    line("/**")
    for line in lines { self.line(" * " + line) }
    line(" */")
  }

  /// Comments before the line that they belong to.
  mutating func comment(_ lines: [String]) { for line in lines { self.line("/// " + line) } }

  /// Lines that stand deeper.
  mutating func block(_ head: String, end: String = "}", _ body: (inout SourceText) -> Void) {
    open(head)
    body(&self)
    close(end)
  }
}

/// Text of a schema as it may stand in a comment: no line ends, nothing that turns the text around it, no end of it.
func commentLines(_ text: String) -> [String] {
  var clean = String.UnicodeScalarView()
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: clean.append(scalar == "\n" ? scalar : " ")
    case .format, .surrogate, .privateUse, .unassigned: break
    default: clean.append(scalar)
    }
  }
  let lines = String(clean).replacing("*/", with: "* /").replacing("/*", with: "/ *")
    .split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
  return lines.flatMap(wrapped)
}

/// Lines of at most 100 characters, broken between words.
private func wrapped(_ line: String) -> [String] {
  var lines: [String] = []
  for word in line.split(separator: " ") {
    if let last = lines.last, last.count + word.count < 100 {
      lines[lines.count - 1] = last + " " + word
    } else {
      lines.append(String(word))
    }
  }
  return lines
}

/// A string as a literal: what is plain as it is, everything else by its code.
///
/// - Parameters:
///   - quoted: What stands after a backslash as itself.
///   - escape: How a code point is written; as Swift and TypeScript do without it.
func literal(
  _ text: String, quoting quoted: Set<Unicode.Scalar> = ["\"", "\\"],
  escape: (Unicode.Scalar) -> String = { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
) -> String {
  var literal = "\""
  for scalar in text.unicodeScalars {
    if quoted.contains(scalar) {
      literal += "\\" + String(scalar)
    } else if isPlain(scalar) {
      literal.unicodeScalars.append(scalar)
    } else {
      literal += escape(scalar)
    }
  }
  return literal + "\""
}

/// What editors and compilers show as it is.
private func isPlain(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x17F, 0x1EA0...0x1EF9, 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FA5,
    0xAC00...0xD7A3:
    true
  default: false
  }
}
