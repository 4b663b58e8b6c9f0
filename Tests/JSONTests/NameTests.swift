import JSON
import Testing

/// Names and texts are the same when their code points are (RFC 8259 §8.3).
@Suite struct NameTests {
  /// Each pair is one string to Swift, and two to everyone else.
  static let pairs = [
    ("\u{E9}", "e\u{301}"), ("\u{C5}", "\u{212B}"), ("a\u{323}\u{307}", "a\u{307}\u{323}"), ("K", "\u{212A}"),
    ("\u{AC00}", "\u{1100}\u{1161}"),
  ]

  @Test(arguments: pairs) func `strings of other code points are other members, values, names and places`(
    first: String, second: String
  ) throws {
    #expect(first == second)
    let object = try JSON.parse("{\"\(first)\":1,\"\(second)\":2}").object
    #expect(object?[first] == 1)
    #expect(object?[second] == 2)
    #expect(JSON.string(first) != .string(second))
    #expect(Set<JSON>([.string(first), .string(second), .string(first)]).count == 2)
    let objects: [JSONObject] = [[first: 1], [second: 1]]
    #expect(Set(objects).count == 2)
    #expect(Set([ExactString(first), ExactString(second), ExactString(first)]).count == 2)
    #expect((ExactString(first) < ExactString(second)) == first.utf8.lexicographicallyPrecedes(second.utf8))
    #expect((ExactString(first) < ExactString(second)) != (ExactString(second) < ExactString(first)))
    #expect(JSONPointer([first]) != JSONPointer([second]))
    #expect(Set([JSONPointer([first]), JSONPointer([second]), JSONPointer([first])]).count == 2)
  }

  @Test(arguments: ["/\u{301}", "/a/\u{301}b", "/\u{301}/~1", "/a\u{301}~0"])
  func `a pointer is read code point by code point`(text: String) throws {
    #expect(try #require(JSONPointer(text: text)).description.unicodeScalars.elementsEqual(text.unicodeScalars))
    #expect(JSONPointer(text: "/a/\u{301}b")?.tokens.count == 2)
  }

  @Test func `a number beyond the digits that are kept is called that`() {
    let error = #expect(throws: JSONParseError.self) {
      try JSON.parse(#"{"n": 123456789012345678901234567890123456789}"#)
    }
    #expect(error?.detail.contains("more than 38 significant digits") == true)
    #expect(error?.pointer.description == "/n")
  }
}
