import HTTPServer
package import Layout

extension ClientAttributes {
  /// What a request says of its client: declared query parameters, and `Accept-Language` where it names no locale.
  ///
  /// - Throws: ``Problem`` for a declared parameter that is malformed or sent twice; others are ignored.
  init(_ request: borrowing Request, declared: [String: AttributeDeclaration]) throws(Problem) {
    self.init()
    var problem: Problem?
    request.query.forEachQueryPair { name, value in
      guard problem == nil,
        let name = name.percentDecoded(plusIsSpace: true).map({ String(decoding: $0, as: UTF8.self) }),
        // A name that Swift takes for this one, though it is written with other code points, is another.
        let declaration = declared[name], declaration.name.utf8.elementsEqual(name.utf8)
      else { return }
      let text = value.percentDecoded(plusIsSpace: true).flatMap { String(validating: $0, as: UTF8.self) }
      // A NUL would end the text in what is kept of this client's versions.
      guard let text, !text.utf8.contains(0), let parsed = declaration.value(of: text) else {
        problem = .malformed(declaration)
        return
      }
      if values[name] != nil || (name == "locale" && !languages.isEmpty) { problem = .repeated(name) }
      take(parsed, of: name)
    }
    if let problem { throw problem }
    if languages.isEmpty, let field = request.joinedValue(.acceptLanguage) {
      languages = LanguageRange.list(acceptLanguage: field.span)
    }
  }

  /// Takes what is said of an attribute: a locale stands for all languages.
  package mutating func take(_ value: AttributeValue, of name: String) {
    if case .locale(let locale) = value, name == "locale" {
      languages = [LanguageRange(locale: locale)]
    } else {
      values[name] = value
    }
  }
}

extension LanguageRange {
  /// The most members that are read of one field.
  private static let countMax = 32

  /// The ranges of an `Accept-Language` field in order of preference (RFC 9110 §12.5.4); what is malformed is left out.
  package static func list(acceptLanguage field: Span<UInt8>) -> [LanguageRange] {
    var ranges: [LanguageRange] = []
    var count = 0
    field.forEachMember { member in
      count += 1
      guard count <= countMax, let weighted = Weighted(member) else { return }
      if weighted.value.equals("*") {
        ranges.append(LanguageRange(locale: nil, weight: weighted.weight))
      } else if let locale = Locale(weighted.value.string) {
        ranges.append(LanguageRange(locale: locale, weight: weighted.weight))
      }
    }
    // The standard library's sort is stable: equal weights stay in the order they were sent.
    return ranges.sorted { $0.weight > $1.weight }
  }
}

extension Problem {
  package static func malformed(_ declaration: AttributeDeclaration) -> Problem {
    Problem(400, "malformed-attribute", "The query parameter '\(declaration.name)' must be \(declaration.expectation).")
  }

  static func repeated(_ name: String) -> Problem {
    Problem(400, "repeated-attribute", "The query parameter '\(name)' appears twice; send it once.")
  }
}
