import JSON
import Layout
import Service
import Testing

@Suite struct YAMLTests {
  /// The core schema of YAML 1.2.2 §10.3.
  @Test(arguments: [
    ("", "null"), ("~", "null"), ("null", "null"), ("Null", "null"), ("NULL", "null"), ("nUll", "\"nUll\""),
    ("true", "true"), ("True", "true"), ("FALSE", "false"), ("yes", "\"yes\""), ("NO", "\"NO\""), ("on", "\"on\""),
    ("0x1F", "31"), ("0xffffffffffffffff", "18446744073709551615"), ("0o17", "15"), ("0o18", "\"0o18\""),
    ("0x", "\"0x\""), ("0x-1", "\"0x-1\""), ("-0x1", "\"-0x1\""), ("+12", "12"), ("-12", "-12"), ("007", "7"),
    ("0", "0"), ("-0", "0"), ("1_000", "\"1_000\""), ("1.", "1"), (".5", "0.5"), ("-.5", "-0.5"), ("1e3", "1000"),
    ("1.5E-3", "0.0015"), ("+.5e+1", "5"), (".", "\".\""), ("e3", "\"e3\""), ("1e", "\"1e\""), ("1:30", "\"1:30\""),
    ("2026-11-21", "\"2026-11-21\""), ("0b11", "\"0b11\""), ("inf", "\"inf\""), ("nan", "\"nan\""),
    ("!!str 5", "\"5\""), ("!!str true", "\"true\""), ("!!str", "\"\""), ("! 5", "\"5\""), ("\"5\"", "\"5\""),
    ("!!int \"5\"", "5"), ("!!int 0x10", "16"), ("!!float 5", "5"), ("!!float \"1e2\"", "100"),
    ("!!bool \"true\"", "true"), ("!!null \"\"", "null"), ("!!seq [1]", "[1]"), ("!!map {a: 1}", "{\"a\":1}"),
    ("!<tag:yaml.org,2002:str> 5", "\"5\""),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("\"\\uFEFF\"", "\"\u{FEFF}\""), ("\"\\0\"", "\"\\u0000\""),
  ])
  func `a scalar is read by the core schema of YAML 1.2`(text: String, json: String) throws {
    #expect(try YAMLDocument("v: \(text)").json["v"]?.canonicalText == JSON.parse(json).canonicalText)
  }

  @Test(arguments: [
    (".inf", ".inf is no number"), ("-.Inf", "-.Inf is no number"), ("+.INF", "+.INF is no number"),
    (".nan", ".nan is no number"), ("!!float .inf", ".inf is no number"),
    ("123456789012345678901234567890123456789", "more than 38 significant digits"),
    ("-0.123456789012345678901234567890123456789", "more than 38 significant digits"),
    ("0xffffffffffffffffffffffffffffffff", "more than 38 significant digits"),
    ("0xfffffffffffffffffffffffffffffffff", "more than 38 significant digits"), ("1e10000", "10^±9999"),
    ("!!int 1.5", "!!int"), ("!!bool yes", "!!bool"), ("!!null 0", "!!null"), ("!!float x", "!!float"),
    ("!!binary aGk=", "!!binary"), ("!!timestamp 2026-11-21", "!!timestamp"), ("!local x", "!local"),
    ("!!set {a, b}", "!!set"), ("!!omap [a: 1]", "!!omap"), ("!!map [1]", "!!map"), ("!!seq {a: 1}", "!!seq"),
    ("!!seq 1", "!!seq"), ("*nobody", "*nobody"), ("{a: 1, a: 2}", "\"a\" appears twice"),
    ("{a: &x {b: 1}, *x : 2}", "name must be text"), ("[1", "expected"), ("\"\\uD800\"", "escape"),
  ])
  func `what has no JSON is refused by name, with its line`(text: String, says: String) {
    let error = #expect(throws: YAMLDocument.Invalid.self) { try YAMLDocument("first: 1\nv: \(text)\n") }
    #expect(error?.detail.contains(says) == true, "\(error?.detail ?? "")")
    #expect((2...3).contains(error?.line ?? 0), "\(error?.line ?? 0)")
  }

  @Test func `bytes that are no UTF-8 are refused with their line`() {
    for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE4, 0xB8]] {
      let error = #expect(throws: YAMLDocument.Invalid.self) {
        try YAMLDocument(Array("a: 1\nb: \"".utf8) + bytes + Array("\"\n".utf8))
      }
      #expect(error?.line == 2)
      #expect(error?.detail.contains("UTF-8") == true, "\(error?.detail ?? "")")
    }
  }

  @Test func `a short text that stands for very much is refused, and one nested too deep`() {
    let lines = (0..<40).map { "a\($0): &a\($0) [\($0 == 0 ? "x" : "*a\($0 - 1), *a\($0 - 1)")]" }
    #expect(throws: YAMLDocument.Invalid.self) { try YAMLDocument(lines.joined(separator: "\n")) }
    #expect(throws: YAMLDocument.Invalid.self) { try YAMLDocument(String(repeating: "[", count: 100_000)) }
    let chain = (0..<80).map { "a\($0): &a\($0) [\($0 == 0 ? "x" : "*a\($0 - 1)")]" }
    #expect(throws: YAMLDocument.Invalid.self) { try YAMLDocument(chain.joined(separator: "\n")) }
  }

  @Test func `an empty text is null, two documents are refused, and places have their lines`() throws {
    #expect(try YAMLDocument("").json == .null)
    #expect(try YAMLDocument("# nothing\n").json == .null)
    #expect(throws: YAMLDocument.Invalid.self) { try YAMLDocument("a: 1\n---\nb: 2\n") }
    let document = try YAMLDocument("# one\na: &x\n  - 1\n  - b: 2\nc: *x\n")
    #expect(document.json == ["a": [1, ["b": 2]], "c": [1, ["b": 2]]])
    #expect(document.line(of: JSONPointer(["a", "1", "b"])) == 4)
    #expect(document.line(of: JSONPointer(["c"])) == 5)
    #expect(document.line(of: JSONPointer(["a", "9"])) == 2)
  }

  @Test(arguments: ["hearth: 1\npages: {}\n", "- a\n- b\n", "# c\nhearth: 1\n", "\"\u{FEFF}\"", ""])
  func `a byte order mark before a text says nothing (YAML 1.2 §5.2)`(text: String) throws {
    let marked = try YAMLDocument([0xEF, 0xBB, 0xBF] + Array(text.utf8))
    #expect(marked.json == (try YAMLDocument(text).json))
  }

  /// Texts that a writer or a reader of YAML may take for something else.
  private static let texts = [
    "", " ", "a", "5", "0x1F", ".inf", "1e3", "true", "Null", "~", "-", "- a", "a: b", "# c", "\u{FEFF}", "\u{FEFF}a",
    "a\u{FEFF}", "\u{E9}", "e\u{301}", "\u{85}", "\u{2028}", "\u{2029}x", "\t", "a\nb", "a\r\nb\n", "\u{0}", "\u{7F}",
    "\u{9F}", "\u{202E}", "\u{1F600}", "'", "\"", "\\", "%", "@", "`", "!", "&x", "*x", "|", ">", "?", "<<", "=", "---",
    "...",
    String(repeating: "word ", count: 60),
  ]

  @Test func `whatever a text or a name is, it is read back as it was written`() throws {
    let values = JSON.array(Self.texts.map { .string($0) })
    #expect(try YAMLDocument(YAMLDocument.text(of: values)).json == values)
    let names = JSON.object(JSONObject(Self.texts.map { ($0, .string($0)) }))
    #expect(names.object?.count == Self.texts.count)
    #expect(try YAMLDocument(YAMLDocument.text(of: names)).json == names)
  }
}
