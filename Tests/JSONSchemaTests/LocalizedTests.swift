import JSON
import JSONSchema
import Testing

@Suite struct LocalizedTests {
  private static let schema = """
    {"$defs":{"image":{"type":"object","properties":{"url":{"type":"string"}},"required":["url"]}},
     "type":"object","properties":{
       "title":{"type":"string","maxLength":5,"x-localized":true},
       "image":{"$ref":"#/$defs/image","type":"object","x-localized":true},
       "tags":{"type":"array","items":{"type":"string","x-localized":true}}}}
    """

  @Test(arguments: [
    (#"{"title":"Scan"}"#, []), (#"{"title":{"zh-Hans":"扫一扫","*":"Scan"}}"#, []),
    (#"{"title":{"vi":"much too long"}}"#, ["/title/vi"]), (#"{"title":{}}"#, ["/title"]),
    (#"{"title":{"zh_Hans":"a"}}"#, ["/title/zh_Hans"]),
    (#"{"title":{"zh-Hans":"a","zh-hans":"b"}}"#, ["/title/zh-hans"]),
    (#"{"title":{"EN":"a","vi":"b","en":"c"}}"#, ["/title/en"]), (#"{"title":{"zh":"a","zh-Hans":"b"}}"#, []),
    (#"{"image":{"url":"x"}}"#, []),
    (#"{"image":{"en":{"url":"x"},"vi":{}}}"#, ["/image/vi/url"]),
  ])
  func `a localised value is validated for each locale`(value: String, pointers: [String]) throws {
    let schema = try Schema(in: JSON.parse(Self.schema))
    #expect(try schema.problems(in: JSON.parse(value)).map(\.pointer.description) == pointers)
  }

  @Test func `a localised value is resolved for the locale chosen, and left out where there is none`() throws {
    let schema = try Schema(in: JSON.parse(Self.schema))
    let value = try JSON.parse(
      #"{"title":{"en":"Scan","vi":"Quét"},"image":{"en":{"url":"e"},"vi":{"url":"v"}},"tags":["a",{"en":"b"}]}"#)
    let resolved = schema.localized(value) { $0.contains("vi") ? "vi" : nil }
    #expect(resolved?.canonicalText == #"{"image":{"url":"v"},"tags":["a"],"title":"Quét"}"#)
  }

  @Test func `localised values are found in schemas that recur, refer and combine`() throws {
    let schema = try Schema(
      in: JSON.parse(
        """
        {"$ref":"#/$defs/node","$defs":{
          "text":{"type":"string","x-localized":true},
          "node":{"allOf":[
            {"properties":{"title":{"$ref":"#/$defs/text"},"size":{"type":"number"}}},
            {"properties":{"below":{"type":"array","prefixItems":[{"$ref":"#/$defs/text"}],
              "items":{"$ref":"#/$defs/node"}}},"additionalProperties":{"anyOf":[{"$ref":"#/$defs/text"},true]}}]}}}
        """))
    let value = try JSON.parse(
      #"{"title":{"en":"a","vi":"b"},"size":3,"below":[{"en":"c"},{"title":{"vi":"d"},"other":{"vi":"e"}}]}"#)
    let resolved = schema.localized(value) { $0.contains("vi") ? "vi" : nil }
    #expect(resolved?.canonicalText == #"{"below":[{"other":"e","title":"d"}],"size":3,"title":"b"}"#)
    #expect(
      schema.localeMaps(in: value).map { "\($0.pointer) \($0.names.joined(separator: ","))" }
        == ["/below/0 en", "/below/1/other vi", "/below/1/title vi", "/title en,vi"])
  }
}
