import JSON
import JSONSchema
import Testing

@Suite struct KeywordTests {
  /// A schema, a value that it accepts, and a value that it refuses at a place.
  @Test(arguments: [
    (#"{"type":["string","null"]}"#, #"null"#, #"1"#, ""),
    (#"{"type":"integer"}"#, #"1.0"#, #"1.5"#, ""),
    (#"{"properties":{"a":{"type":"string"}}}"#, #"{"b":1}"#, #"{"a":1}"#, "/a"),
    (#"{"required":["a"]}"#, #"{"a":null}"#, #"{}"#, "/a"),
    (#"{"properties":{"a":true},"additionalProperties":false}"#, #"{"a":1}"#, #"{"a":1,"b":2}"#, "/b"),
    (#"{"prefixItems":[{"const":1}],"items":{"type":"string"}}"#, #"[1,"a"]"#, #"[1,2]"#, "/1"),
    (#"{"enum":[1,{"a":[2]}]}"#, #"{"a":[2.0]}"#, #"{"a":[3]}"#, ""),
    (#"{"minimum":1.5,"exclusiveMaximum":3}"#, #"1.5"#, #"3"#, ""),
    (#"{"multipleOf":0.01}"#, #"4.35"#, #"4.351"#, ""),
    (#"{"minLength":2,"maxLength":2}"#, #""😀é""#, #""abc""#, ""),
    (#"{"pattern":"^\\d+$"}"#, #""123""#, #""123\n""#, ""),
    (#"{"pattern":"^[\\w-.]+$"}"#, #""a-b.c""#, #""a b""#, ""),
    (#"{"uniqueItems":true}"#, #"[1,true,"1"]"#, #"[1,1.0]"#, "/1"),
    (#"{"minProperties":1,"maxProperties":1}"#, #"{"a":1}"#, #"{}"#, ""),
    (#"{"propertyNames":{"pattern":"^[a-z]+$"}}"#, #"{"abc":1}"#, #"{"A":1}"#, "/A"),
    (#"{"anyOf":[{"type":"string"},{"minimum":5}]}"#, #"7"#, #"3"#, ""),
    (#"{"oneOf":[{"type":"integer"},{"minimum":2}]}"#, #"1"#, #"3"#, ""),
    (#"{"allOf":[{"minimum":1},{"maximum":3}]}"#, #"2"#, #"4"#, ""),
    (#"{"not":{"type":"integer"}}"#, #""a""#, #"1"#, ""),
    (##"{"$defs":{"a b":{"type":"string"}},"items":{"$ref":"#/$defs/a%20b"}}"##, #"["x"]"#, #"[1]"#, "/0"),
    (##"{"properties":{"next":{"$ref":"#"}},"required":["id"]}"##, #"{"id":1}"#, #"{"id":1,"next":{}}"#, "/next/id"),
    (#"{"format":"uri"}"#, #""app://scan?x=1#y""#, #""//no-scheme""#, ""),
    (#"{"format":"date-time"}"#, #""1998-12-31T15:59:60.123-08:00""#, #""2026-02-29T00:00:00Z""#, ""),
    (#"{"format":"date"}"#, #""2024-02-29""#, #""2023-02-29""#, ""),
    (#"{"format":"email"}"#, #""a.b+c@example.com""#, #""a..b@example.com""#, ""),
    (
      "{\"properties\":{\"\u{E9}\":{\"type\":\"integer\"},\"e\u{301}\":{\"type\":\"string\"}}}",
      "{\"\u{E9}\":1,\"e\u{301}\":\"a\"}", "{\"\u{E9}\":1,\"e\u{301}\":1}", "/e\u{301}"
    ),
    ("{\"required\":[\"\u{E9}\",\"e\u{301}\"]}", "{\"\u{E9}\":1,\"e\u{301}\":1}", "{\"\u{E9}\":1}", "/e\u{301}"),
    ("{\"enum\":[\"\u{E9}\"]}", "\"\u{E9}\"", "\"e\u{301}\"", ""),
    ("{\"const\":\"K\"}", "\"K\"", "\"\u{212A}\"", ""),
    ("{\"uniqueItems\":true}", "[\"\u{E9}\",\"e\u{301}\"]", "[\"\u{E9}\",\"\u{E9}\"]", "/1"),
    ("false", "", "1", ""),
  ])
  func `a keyword accepts and refuses, and says where`(schema: String, good: String, bad: String, pointer: String)
    throws
  {
    let schema = try Schema(in: JSON.parse(schema))
    if !good.isEmpty { #expect(try schema.problems(in: JSON.parse(good)) == []) }
    let problems = try schema.problems(in: JSON.parse(bad))
    #expect(problems.map(\.pointer.description) == [pointer])
  }

  @Test(arguments: [
    (#"{"if":{}}"#, "if"), (#"{"patternProperties":{}}"#, "patternProperties"), (#"{"type":"text"}"#, "type"),
    (#"{"minLength":-1}"#, "minLength"), (#"{"pattern":"("}"#, "pattern"), (#"{"format":"ipv4"}"#, "format"),
    (#"{"$ref":"other.json"}"#, "$ref"), (##"{"$ref":"#/$defs/absent"}"##, "$ref"), (##"{"$ref":"#"}"##, "$ref"),
    (##"{"allOf":[{"$ref":"#"}]}"##, "$ref"), (#"{"items":[{}]}"#, ""), (#"{"multipleOf":0}"#, "multipleOf"),
    (#"{"required":["a","a"]}"#, "required"), (#"{"x-localized":"yes"}"#, "x-localized"), (#"{"anyOf":[]}"#, "anyOf"),
  ])
  func `a wrong schema is refused and the keyword named`(schema: String, keyword: String) throws {
    let document = try JSON.parse(schema)
    let error = #expect(throws: InvalidSchema.self) { try Schema(in: document) }
    #expect(error?.problems.first?.keyword == keyword)
  }
}
