/// How a language spells names.
struct Spelling {
  /// Words that are no names there, unless they are quoted.
  var keywords: Set<String>
  /// How a keyword is quoted; `nil` where it cannot be.
  var quote: (@Sendable (String) -> String)?
  /// Names of members that mean something else, quoted or not.
  var takenMembers: Set<String>
  /// Names of types that mean something else.
  var takenTypes: Set<String>
  /// Names of cases that mean something else.
  var takenCases: Set<String>
  /// Whether cases are spelled as types are.
  var casesAreTypes = false

  /// The name as it stands in the code.
  func written(_ name: String) -> String { keywords.contains(name) ? quote?(name) ?? name + "Value" : name }
}

/// Names of one scope: each that is asked for is another.
struct NameScope {
  private let spelling: Spelling
  private let isOfTypes: Bool
  private let reserved: Set<String>
  private var taken: Set<String>

  /// A scope of members or cases, or one of types. Types are told apart without regard to case: they become files.
  init(_ spelling: Spelling, ofTypes isOfTypes: Bool, taking more: Set<String> = []) {
    self.spelling = spelling
    self.isOfTypes = isOfTypes
    reserved = Set(
      (isOfTypes ? spelling.takenTypes : spelling.takenMembers).union(more).map { Self.key($0, isOfTypes) })
    taken = reserved
  }

  /// A name for a text: as near to it as the language and the other names let it be.
  mutating func name(for text: String, suffix: String = "") -> String {
    var stem = (isOfTypes ? Identifier.upper(text) : Identifier.lower(text)) + suffix
    while reserved.contains(Self.key(stem, isOfTypes)) || (spelling.keywords.contains(stem) && spelling.quote == nil) {
      stem += "Value"
    }
    var name = stem
    var number = 2
    while !taken.insert(Self.key(name, isOfTypes)).inserted {
      name = "\(stem)_\(number)"
      number += 1
    }
    return spelling.written(name)
  }

  private static func key(_ name: String, _ isOfType: Bool) -> String { isOfType ? name.lowercased() : name }

  /// Names for several texts, by their positions. A text that is a name already has it before one that becomes it.
  mutating func names(for texts: [String]) -> [String] {
    var names = [String](repeating: "", count: texts.count)
    let isExact = texts.map { (isOfTypes ? Identifier.upper($0) : Identifier.lower($0)) == $0 }
    for position in texts.indices.filter({ isExact[$0] }) + texts.indices.filter({ !isExact[$0] }) {
      names[position] = name(for: texts[position])
    }
    return names
  }
}

/// Turns any text into letters and digits that every language takes for a name.
enum Identifier {
  /// A type's name: `SmallWelfare`.
  static func upper(_ text: String) -> String { joined(words(text).map(capitalized)) }

  /// A member's name: `smallWelfare`, `cny` for `CNY`.
  static func lower(_ text: String) -> String {
    let words = words(text)
    return joined([uncapitalized(words[0])] + words.dropFirst().map(capitalized))
  }

  /// The text in words, at least one: what is no letter and no digit parts them, or is written as its code point.
  private static func words(_ text: String) -> [String] {
    var words = [""]
    for scalar in text.unicodeScalars {
      if isNameLetter(scalar) || isDigit(scalar) {
        words[words.count - 1].unicodeScalars.append(scalar)
      } else if scalar.isASCII {
        words.append("")
      } else {
        words += ["u" + String(scalar.value, radix: 16, uppercase: true), ""]
      }
    }
    words.removeAll(where: \.isEmpty)
    guard words.isEmpty else { return words }
    let codes = text.unicodeScalars.map { "u" + String($0.value, radix: 16, uppercase: true) }
    return codes.isEmpty ? ["empty"] : codes
  }

  /// Words in one; a digit after a digit is kept apart, and a name does not begin with one.
  private static func joined(_ words: [String]) -> String {
    var name = ""
    for word in words {
      if let last = name.unicodeScalars.last, let first = word.unicodeScalars.first, isDigit(last), isDigit(first) {
        name += "_"
      }
      name += word
    }
    guard let first = name.unicodeScalars.first, isDigit(first) else { return name }
    return "n" + name
  }

  private static func capitalized(_ word: String) -> String {
    guard let first = word.unicodeScalars.first, first.isASCII else { return word }
    return String(first).uppercased() + String(word.unicodeScalars.dropFirst())
  }

  /// `CNY` becomes `cny`, `URLText` `urlText`.
  private static func uncapitalized(_ word: String) -> String {
    let scalars = Array(word.unicodeScalars)
    let isUpper = { (scalar: Unicode.Scalar) in ("A"..."Z").contains(scalar) }
    let capitals = scalars.prefix(while: isUpper).count
    let rest = scalars.dropFirst(capitals)
    let isWhole = rest.allSatisfy { !("a"..."z").contains($0) }
    let lowered = isWhole ? capitals : max(capitals - 1, min(capitals, 1))
    var name = String.UnicodeScalarView()
    name += String(String.UnicodeScalarView(scalars.prefix(lowered))).lowercased().unicodeScalars
    name += scalars.dropFirst(lowered)
    return String(name)
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Letters of which no version of any of the languages, and no normal form of Unicode, makes something else.
  private static func isNameLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A: true
    case 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x17F: scalar.value != 0x149
    case 0x391...0x3A1, 0x3A3...0x3CE, 0x410...0x44F: true
    case 0x1EA0...0x1EF9: true
    case 0x3041...0x3096, 0x30A1...0x30FA, 0x4E00...0x9FA5, 0xAC00...0xD7A3: true
    default: false
    }
  }
}
