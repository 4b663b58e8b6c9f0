import JSON
import Testing

@Suite struct ParsingTests {
  @Test(arguments: [
    ("{\"b\":1,\"a\":[true,false,null]}", "{\"a\":[true,false,null],\"b\":1}"),
    (" [ 1.0 , 10e-1, -0, 1E400 ] ", "[1,1,0,1e400]"),
    ("\"\\u00e9\\ud83d\\ude00\\/\\n\"", "\"é😀/\\n\""),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("0.00012", "0.00012"), ("1e-9", "1e-9"), ("-12.50", "-12.5"),
  ])
  func `a document is read and written canonically`(text: String, canonical: String) throws {
    #expect(try JSON.parse(text).canonicalText == canonical)
  }

  @Test(arguments: [
    ("[1,]", 3), ("{\"a\":1,}", 7), ("[1 2]", 3), ("01", 1), ("1.", 2), (".5", 0), ("+1", 0), ("NaN", 0), ("", 0),
    ("\"a\u{1}\"", 2), ("\"\\ud800\"", 1), ("\"\\x\"", 1), ("{\"a\":1,\"a\":2}", 7), ("[1]x", 3), ("tru", 3),
    ("123456789012345678901234567890123456789", 0), ("1e10001", 0), ("\"abc", 0), ("//x", 0), ("{a:1}", 1),
  ])
  func `what is not strict RFC 8259 is refused with its place`(text: String, offset: Int) throws {
    let error = #expect(throws: JSONParseError.self) { try JSON.parse(text) }
    #expect(error?.offset == offset)
  }

  @Test func `nesting beyond the limit is refused, and not by a crash`() {
    #expect(throws: Never.self) {
      try JSON.parse(String(repeating: "[", count: 64) + String(repeating: "]", count: 64))
    }
    #expect(throws: JSONParseError.self) { try JSON.parse(String(repeating: "[", count: 100_000)) }
  }

  @Test func `an error names the line, the column and the value`() {
    let error = #expect(throws: JSONParseError.self) { try JSON.parse("{\"items\":[\n  1,\n  tru ]}") }
    #expect(error?.line == 3)
    #expect(error?.column == 6)
    #expect(error?.pointer.description == "/items/1")
  }

  @Test func `invalid UTF-8 is refused`() {
    #expect(throws: JSONParseError.self) { try JSON.parse([0x22, 0xC0, 0x80, 0x22]) }
  }
}
