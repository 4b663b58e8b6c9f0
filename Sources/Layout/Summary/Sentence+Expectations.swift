public import JSON

/// What several readers say: some refuse, and some say what a value must be (``demanded`` makes a refusal of them).
extension Sentence {
  /// The same of other English text.
  public func saying(_ text: String) -> Sentence { Sentence(code, text, values) }

  /// That something must be this.
  public var demanded: Sentence { saying("must be \(text)") }

  /// A whole number; `unit` goes behind these words, as in ` of seconds`.
  public static func wholeNumber(in range: ClosedRange<Int>, of unit: String = "") -> Sentence {
    let text = "a whole number\(unit) from \(range.lowerBound) to \(range.upperBound)"
    return Sentence(.wholeNumber, text, bounds(range))
  }

  /// Text of so many bytes in UTF-8.
  public static func textBytes(_ range: ClosedRange<Int>, _ text: String? = nil) -> Sentence {
    let words = text ?? "\(range.lowerBound) to \(range.upperBound) bytes of text"
    return Sentence(.textBytes, words, bounds(range))
  }

  /// One of a closed list.
  public static func word(of known: [String]) -> Sentence {
    Sentence(.enum, "one of \(known.joined(separator: ", "))", ["allowed": .names(known)])
  }

  /// A string.
  public static func text(_ text: String) -> Sentence { Sentence(.type, text, ["allowed": ["string"]]) }

  /// An array.
  public static func array(_ text: String) -> Sentence { Sentence(.type, text, ["allowed": ["array"]]) }

  /// An instant.
  public static func time(_ text: String) -> Sentence { Sentence(.format, text, ["format": "date-time"]) }

  /// Refuses a member.
  public static func unknownMember(known: [String]) -> Sentence {
    let list = known.isEmpty ? "none" : known.joined(separator: ", ")
    return Sentence(
      .additionalProperties, "is not a known member; known here: \(list)", ["known": .names(known)])
  }

  /// Refuses a value of another type.
  ///
  /// - Parameters:
  ///   - expected: What it must be, in English with an article.
  ///   - type: The type's name in JSON Schema.
  static func type(_ expected: String, not json: JSON, _ type: String) -> Sentence {
    Sentence(.type, "must be \(expected), not \(json.typeDescription)", ["allowed": [.string(type)]])
  }

  /// Refuses the name of a member that must be a locale's tag.
  static func noLocale(_ name: String) -> Sentence {
    Sentence(.localized, "is not a locale tag such as zh-Hans, nor \"*\"", ["name": .string(name)])
  }

  /// Refuses the name of a member that is the locale of another one, too.
  static func respelt(_ name: String) -> Sentence {
    Sentence(.uniqueItems, "\"\(name)\" is there in another spelling, too")
  }

  /// Refuses a kinds file. Its authors read the reason in English.
  static func invalidKinds(_ text: String) -> Sentence { Sentence(.invalidKinds, text, ["text": .string(text)]) }

  /// Says why bytes are not the JSON that is asked for.
  public init(_ error: JSONParseError) {
    self.init(
      .invalidJSON, error.description,
      ["line": .count(error.line), "column": .count(error.column), "text": .string(error.detail)])
  }

  /// The ends of a range.
  static func bounds(_ range: ClosedRange<Int>) -> JSONObject {
    ["least": .count(range.lowerBound), "most": .count(range.upperBound)]
  }
}
