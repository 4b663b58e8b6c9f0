import JSON
import JSONSchema
import SeededRandom
import Testing

/// What a newer schema takes and an older one does not, and the other way round.
@Suite struct SchemaDifferenceTests {
  private func schema(_ text: String) throws -> Schema { try Schema(in: JSON.parse(Array(text.utf8))) }

  private func differences(_ old: String, _ new: String) throws -> [SchemaDifference] {
    try schema(old).differences(to: schema(new))
  }

  private static let table: [(old: String, new: String, expected: [String])] = [
    (#"{"type":"string"}"#, #"{"type":"string"}"#, []),
    (#"{"type":"string"}"#, #"{"type":["string","null"]}"#, ["wider type  shape"]),
    (#"{"type":["string","null"]}"#, #"{"type":"string"}"#, ["narrower type "]),
    (#"{"type":"integer"}"#, #"{"type":"number"}"#, ["wider type  shape"]),
    (#"{"type":"number"}"#, #"{"type":"integer"}"#, ["narrower type "]),
    (#"{"type":"integer"}"#, #"{"type":"string","maxLength":3}"#, ["other type  shape"]),
    (#"{"minimum":1}"#, #"{"minimum":2}"#, ["narrower minimum "]),
    (#"{"minimum":1}"#, #"{"exclusiveMinimum":1}"#, ["narrower minimum "]),
    (#"{"type":"integer","minimum":1}"#, #"{"type":"integer","exclusiveMinimum":0}"#, []),
    (#"{"maximum":9}"#, #"{}"#, ["wider maximum "]),
    (#"{"exclusiveMaximum":9}"#, #"{"maximum":9}"#, ["wider maximum "]),
    (#"{"multipleOf":4}"#, #"{"multipleOf":2}"#, ["wider multipleOf "]),
    (#"{"multipleOf":2}"#, #"{"multipleOf":3}"#, ["other multipleOf "]),
    (#"{"minLength":0}"#, #"{}"#, []), (#"{"maxLength":80}"#, #"{"maxLength":40}"#, ["narrower maxLength "]),
    (#"{"pattern":"a"}"#, #"{}"#, ["wider pattern "]), (#"{"pattern":"a"}"#, #"{"pattern":"b"}"#, ["other pattern "]),
    (#"{"format":"date"}"#, #"{}"#, ["wider format  shape"]), (#"{}"#, #"{"format":"uri"}"#, ["narrower format "]),
    (#"{"enum":["a","b"]}"#, #"{"enum":["a"]}"#, ["narrower enum "]),
    (#"{"enum":["a"]}"#, #"{"enum":["a","b"]}"#, ["wider enum  shape"]),
    (#"{"const":"a"}"#, #"{"enum":["a"]}"#, []), (#"{"enum":["a"]}"#, #"{"type":"string"}"#, ["wider enum  shape"]),
    (#"{"type":"string"}"#, #"{"enum":["a"]}"#, ["narrower enum "]),
    (#"{"type":"string"}"#, #"{"enum":["a",1]}"#, ["other enum  shape"]),
    (#"{"uniqueItems":true}"#, #"{}"#, ["wider uniqueItems "]),
    (#"{"items":{"type":"string"}}"#, #"{"items":{"type":"string","maxLength":3}}"#, ["narrower maxLength /*"]),
    (#"{"prefixItems":[{"type":"string"}]}"#, #"{"prefixItems":[{"type":"null"}]}"#, ["other type /0 shape"]),
    (
      #"{"properties":{"a":{"type":"string"}},"additionalProperties":false}"#,
      #"{"properties":{"a":{"type":"string"},"b":{"type":"null"}},"additionalProperties":false}"#,
      ["wider properties /b"]
    ),
    (
      #"{"properties":{"a":{"type":"string"}},"additionalProperties":false}"#, #"{"additionalProperties":false}"#,
      ["narrower properties /a"]
    ),
    (
      #"{"properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#,
      #"{"additionalProperties":false}"#, ["other properties /a shape"]
    ),
    (
      #"{"properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false}"#,
      #"{"properties":{"z":{"type":"string"}},"required":["z"],"additionalProperties":false}"#,
      ["renamed properties /a shape"]
    ),
    (#"{}"#, #"{"required":["a"]}"#, ["narrower required /a"]),
    (#"{"required":["a"]}"#, #"{}"#, ["wider required /a shape"]),
    (#"{"additionalProperties":{"type":"null"}}"#, #"{}"#, ["wider type /* shape"]),
    (#"{"propertyNames":{"maxLength":3}}"#, #"{"propertyNames":{"maxLength":2}}"#, ["narrower propertyNames "]),
    (#"{"anyOf":[{"type":"null"},{"type":"string"}]}"#, #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, []),
    (#"{"anyOf":[{"type":"null"}]}"#, #"{"anyOf":[{"type":"null"},{"const":1}]}"#, ["wider anyOf  shape"]),
    (#"{"anyOf":[{"maxLength":3}]}"#, #"{"anyOf":[{"maxLength":2}]}"#, ["narrower maxLength "]),
    (#"{"oneOf":[{"type":"null"},{"const":1}]}"#, #"{"oneOf":[{"type":"null"}]}"#, ["other oneOf "]),
    // Alternatives of different types exclude each other without being told to.
    (
      #"{"oneOf":[{"type":"string"},{"type":"integer"}]}"#,
      #"{"oneOf":[{"type":"string"},{"type":"integer"},{"type":"null"}]}"#, ["wider anyOf  shape"]
    ),
    (#"{"oneOf":[{"type":"string"},{"type":"null"}]}"#, #"{"anyOf":[{"type":"null"},{"type":"string"}]}"#, []),
    (
      #"{"oneOf":[{"type":"string"},{"type":"object","properties":{"a":{"maxLength":3}}}]}"#,
      #"{"oneOf":[{"type":"string"},{"type":"object","properties":{"a":{"maxLength":2}}}]}"#, ["narrower maxLength /a"]
    ),
    (
      #"{"oneOf":[{"type":"string","x-localized":true},{"type":"object"}]}"#,
      #"{"oneOf":[{"type":"string","x-localized":true},{"type":"object"},{"type":"null"}]}"#, ["other oneOf  shape"]
    ),
    (
      #"{"oneOf":[{"type":"integer"},{"type":"number"}]}"#,
      #"{"oneOf":[{"type":"integer"},{"type":"number"},{"type":"null"}]}"#, ["other oneOf  shape"]
    ),
    // Nor do they take anything else than a list of these types.
    (#"{"anyOf":[{"type":"string"},{"type":"null"}]}"#, #"{"type":["string","null"]}"#, []),
    (#"{"type":["string","null"]}"#, #"{"oneOf":[{"type":"null"},{"type":"string"}]}"#, []),
    (
      #"{"type":"string","maxLength":3}"#, #"{"anyOf":[{"type":"string"},{"type":"null"}]}"#,
      ["wider type  shape", "wider maxLength "]
    ),
    (#"{"anyOf":[{"type":"string"},{"type":"integer"}]}"#, #"{"type":"string"}"#, ["narrower type "]),
    (
      ##"{"anyOf":[{"$ref":"#/$defs/a"},{"type":"integer","minimum":1}],"$defs":{"a":{"type":"string","maxLength":3}}}"##,
      #"{"type":["string","integer"],"maxLength":3,"minimum":1}"#, []
    ),
    (
      #"{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}"#, #"{"type":["string","null"]}"#,
      ["narrower type ", "wider anyOf  shape"]
    ),
    (
      #"{"anyOf":[{"type":"string","minimum":1},{"type":"integer"}]}"#, #"{"type":["string","integer"]}"#,
      ["narrower type ", "wider anyOf  shape"]
    ),
    (
      #"{"x-localized":true,"anyOf":[{"type":"string"},{"type":"null"}]}"#,
      #"{"x-localized":true,"type":["string","null"]}"#, ["narrower type ", "wider anyOf  shape"]
    ),
    (#"{"not":{"type":"null"}}"#, #"{"not":{"type":["null","string"]}}"#, ["narrower not "]),
    (#"{"not":{"type":"null"}}"#, #"{}"#, ["wider not "]),
    // What is the same in other words.
    (##"{"$ref":"#/$defs/a","$defs":{"a":{"maxLength":3}}}"##, #"{"allOf":[{"maxLength":3}]}"#, []),
    (
      ##"{"properties":{"a":{"$ref":"#"},"b":{"maxLength":3}}}"##,
      ##"{"properties":{"a":{"$ref":"#"},"b":{"maxLength":2}}}"##, ["narrower maxLength /a/b", "narrower maxLength /b"]
    ),
    (#"{"x-localized":true}"#, #"{}"#, ["narrower x-localized "]),
    (#"{"title":"a","description":"b"}"#, #"{"default":1}"#, []),
    ("true", "false", ["narrower false "]), ("false", #"{"type":"null"}"#, ["wider false  shape"]),
  ]

  @Test(arguments: table)
  func `each keyword says what is narrower, wider, or of a new shape`(old: String, new: String, expected: [String])
    throws
  {
    let found = try differences(old, new).map {
      "\($0.change.rawValue) \($0.keyword) \($0.place)\($0.isNewShape ? " shape" : "")"
    }
    #expect(found == expected)
  }

  /// Schemas of every keyword, and values, drawn by a seed.
  private struct Draw {
    var generator: SeededGenerator

    mutating func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: values.indices, using: &generator)] }

    mutating func schema(depth: Int) -> JSON {
      if depth == 0 || Int.random(in: 0..<12, using: &generator) == 0 { return one([true, false, ["type": "null"]]) }
      var members: [(String, JSON)] = []
      for _ in 0..<Int.random(in: 1...3, using: &generator) { members.append(keyword(depth: depth - 1)) }
      var object = JSONObject()
      for (name, value) in members { object[name] = value }
      return .object(object)
    }

    private mutating func keyword(depth: Int) -> (String, JSON) {
      let count = JSON.number(JSONNumber(Int.random(in: 0...3, using: &generator)))
      switch Int.random(in: 0..<17, using: &generator) {
      case 0: return ("type", .string(one(["null", "boolean", "object", "array", "number", "string", "integer"])))
      case 1: return ("type", [.string(one(["null", "object", "integer"])), .string(one(["string", "array"]))])
      case 2: return ("enum", .array((0..<3).map { _ in value(depth: 1) }))
      case 3: return (one(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"]), count)
      case 4: return ("multipleOf", .number(one([1, 2, 3, 0.5])))
      case 5: return (one(["minLength", "maxLength"]), count)
      case 6: return (one(["minItems", "maxItems", "minProperties", "maxProperties"]), count)
      case 7: return ("uniqueItems", .bool(one([true, false])))
      case 8: return ("required", one([["a"], ["b"], ["a", "b"]]))
      case 9: return ("properties", ["a": schema(depth: depth), "b": schema(depth: depth)])
      case 10: return ("properties", [one(["a", "b"]): schema(depth: depth)])
      case 11: return ("additionalProperties", schema(depth: depth))
      case 12: return (one(["items", "propertyNames"]), schema(depth: depth))
      case 13: return ("prefixItems", [schema(depth: depth)])
      case 14: return ("not", schema(depth: depth))
      case 15:
        let types = [("string", "maxLength"), ("integer", "minimum"), ("array", "minItems"), ("null", "maxLength")]
        return (
          one(["anyOf", "oneOf"]),
          .array(
            types.shuffled(using: &generator).prefix(2).map { type, keyword in
              one([true, false]) ? ["type": .string(type)] : ["type": .string(type), keyword: count]
            })
        )
      default: return (one(["allOf", "anyOf", "oneOf"]), [schema(depth: depth), schema(depth: depth)])
      }
    }

    mutating func value(depth: Int) -> JSON {
      switch Int.random(in: 0..<(depth == 0 ? 5 : 7), using: &generator) {
      case 0: return .null
      case 1: return .bool(one([true, false]))
      case 2: return .number(one([0, 1, 2, 3, 4, 1.5, -1]))
      case 3, 4: return .string(one(["", "a", "ab", "abcd"]))
      case 5: return .array((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(depth: depth - 1) })
      default:
        var object = JSONObject()
        for name in ["a", "b", "c"] where one([true, false]) { object[name] = value(depth: depth - 1) }
        return .object(object)
      }
    }
  }

  @Test(arguments: 1...4)
  func `no value changes its verdict without a difference that says so`(seed: UInt64) throws {
    var draw = Draw(generator: SeededGenerator(seed: seed))
    var flips = 0
    for _ in 0..<200 {
      let (old, new) = (draw.schema(depth: 3), draw.schema(depth: 3))
      let (before, now) = (try Schema(in: old), try Schema(in: new))
      let changes = Set(before.differences(to: now).map(\.change))
      #expect(before.differences(to: before).isEmpty, "\(old.canonicalText)")
      for _ in 0..<40 {
        let value = draw.value(depth: 2)
        let verdicts = (before.accepts(value), now.accepts(value))
        guard verdicts.0 != verdicts.1 else { continue }
        flips += 1
        let allowed: Set<SchemaDifference.Change> = [verdicts.0 ? .narrower : .wider, .other, .renamed]
        #expect(
          !changes.isDisjoint(with: allowed),
          "\(value.canonicalText) flips from \(old.canonicalText) to \(new.canonicalText): \(changes)")
      }
    }
    #expect(flips > 200)
  }
}
