import HTTPServer
import Layout

extension ClientAttributes {
  /// What a request says of its client: declared query parameters, and `Accept-Language` where it names no locale.
  ///
  /// - Throws: ``Problem`` for a declared parameter that is malformed or sent twice; others are ignored.
  init(_ request: borrowing Request, declared: [String: AttributeDeclaration]) throws(Problem) {
    self.init()
    var problem: Problem?
    var locale: Locale?
    var values: [String: AttributeValue] = [:]
    request.query.forEachQueryPair { name, value in
      guard problem == nil,
        let name = name.percentDecoded(plusIsSpace: true).map({ String(decoding: $0, as: UTF8.self) }),
        let declaration = declared[name]
      else { return }
      let text = value.percentDecoded(plusIsSpace: true).flatMap { String(validating: $0, as: UTF8.self) }
      guard let parsed = text.flatMap(declaration.value(of:)) else {
        problem = .malformed(declaration)
        return
      }
      if values[name] != nil || (name == "locale" && locale != nil) { problem = .repeated(name) }
      if case .locale(let wanted) = parsed, name == "locale" { locale = wanted } else { values[name] = parsed }
    }
    if let problem { throw problem }
    self.values = values
    if let locale {
      languages = [LanguageRange(locale: locale)]
    } else if let field = request.joinedValue(.acceptLanguage) {
      languages = LanguageRange.parse(acceptLanguage: String(decoding: field, as: UTF8.self))
    }
  }
}

extension Problem {
  static func malformed(_ declaration: AttributeDeclaration) -> Problem {
    Problem(400, "malformed-attribute", "The query parameter '\(declaration.name)' must be \(declaration.expectation).")
  }

  static func repeated(_ name: String) -> Problem {
    Problem(400, "repeated-attribute", "The query parameter '\(name)' is there twice; send it once.")
  }
}
