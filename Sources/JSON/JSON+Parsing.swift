extension JSON {
  /// The deepest nesting of arrays and objects that is read unless another limit is given.
  public static let depthMax = 64

  /// Reads strict RFC 8259 JSON: UTF-8 without a byte order mark, no comment, no trailing comma, every name once.
  ///
  /// - Parameters:
  ///   - bytes: The whole document.
  ///   - depthMax: The deepest nesting of arrays and objects, 1 or above.
  /// - Throws: ``JSONParseError`` with the place and a sentence.
  public static func parse(_ bytes: [UInt8], depthMax: Int = JSON.depthMax) throws(JSONParseError) -> JSON {
    var parser = JSONParser(bytes: bytes, depthMax: depthMax)
    do {
      return try parser.document()
    } catch {
      throw error.described(in: bytes)
    }
  }

  /// Reads strict RFC 8259 JSON from text.
  ///
  /// - Throws: ``JSONParseError`` with the place and a sentence.
  public static func parse(_ text: String, depthMax: Int = JSON.depthMax) throws(JSONParseError) -> JSON {
    try parse(Array(text.utf8), depthMax: depthMax)
  }
}

extension JSONParser.Stop {
  fileprivate func described(in bytes: [UInt8]) -> JSONParseError {
    let before = bytes.prefix(offset)
    let line = before.count { $0 == 0x0A } + 1
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONParseError(
      detail: detail, offset: offset, line: line, column: offset - lineStart + 1,
      pointer: JSONPointer(tokens.reversed()))
  }
}
