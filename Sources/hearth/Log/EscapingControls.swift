extension Unicode.Scalar {
  /// Whether a terminal or a reader of lines would obey it instead of showing it: C0 and C1 controls, line and paragraph
  /// separators, bidirectional overrides and other format characters, and what no standard gives a shape.
  var isControlling: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }
}

extension String {
  /// The text with every character that would be obeyed written as its number, `\u{202E}`, and a line's end as `\n`.
  var escapingControls: String {
    guard unicodeScalars.contains(where: \.isControlling) else { return self }
    var text = ""
    for scalar in unicodeScalars {
      if scalar == "\n" {
        text += "\\n"
      } else if scalar.isControlling {
        text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      } else {
        text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
