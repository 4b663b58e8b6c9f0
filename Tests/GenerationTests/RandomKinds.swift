import JSON
import Layout
import SeededRandom

/// Kinds with names and schemas that are hard on languages, and content for them.
struct RandomKinds {
  private var random: SeededGenerator
  private(set) var document: JSON = .null

  /// Names of members, words and definitions.
  static let names = [
    "class", "in", "self", "Self", "init", "default", "Type", "Protocol", "1st", "3d", "🔥", "🔥🔥", "a-b", "a_b", "aB",
    "AB", "ab", "", "-", "+1", "-1", "é", "e\u{301}", "名字", "Ünï", "url", "URL", "URLText", "CNY", "unknown",
    "unknownMembers", "json", "hashValue", "hashCode", "toString", "constructor", "__proto__", "prototype", "rawValue",
    "value", "rest", "content", "members", "a\"b\\c", "$x", "a${b}", "line\nend", "*/", "/* x", "\\(x)", "a/b", "a~b",
    "\u{202E}rtl", "null", "true", "object", "val", "when", "typeof", "let", "Item", "Page", "Section", "String", "Int",
    "Array", "Optional", "Map", "List", "Unknown", "is", "as", "fun", "id", "kind", "title", "text", "image", "price",
    "some", "none", "any", "async", "await", "it", "at", "put", "remove", "left", "undefined", "NaN", "a b", "a  b",
  ]
  /// Names of kinds and slots.
  static let slugs = [
    "class", "in", "self", "init", "Type", "string", "String", "a-b", "a.b", "a_b", "aB", "ab", "AB", "x1", "x-1",
    "x.1",
    "unknown", "Unknown", "item", "Item", "section", "Section", "page", "JSON", "default", "protocol", "Content",
    "list",
    "map", "any", "object", "is", "val", "rest", "header", "items", "footer", "id", "layout", "index", "slots",
    "dropped",
  ]
  private static let shared = ["text", "node", "tree", "class", "1st", "card 🔥", "Item", "String", "target", "flag"]

  /// Some kinds, and a section with slots.
  init(seed: UInt64, kinds count: Int) {
    random = SeededGenerator(seed: seed)
    var items: [(String, JSON)] = []
    let ruled = Self.slugs.shuffled(using: &random)
    for position in 0..<count {
      let name = position < ruled.count ? ruled[position] : "kind\(position)"
      var kind: [(String, JSON)] = [("content", root()), ("title", .string(text()))]
      if Bool.random(using: &random) { kind.append(("children", .array([.string(ruled[0])]))) }
      items.append((name, .object(JSONObject(kind))))
    }
    let names = items.map { JSON.string($0.0) }
    // Names that are like one another stand side by side in the list.
    let first = Int(seed) * 5 % Self.slugs.count
    let slots = (Self.slugs + Self.slugs)[first..<first + 6].map { name -> (String, JSON) in
      let kinds = names.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))
      return (name, ["kinds": .array(Array(kinds)), "required": .bool(Int.random(in: 0..<8, using: &random) == 0)])
    }
    let layout: JSON = [
      "style": "list", "itemSize": ["width": "container", "height": ["points": 44]],
    ]
    document = [
      "$defs": .object(JSONObject(definitions())), "itemKinds": .object(JSONObject(items)),
      "sectionKinds": [
        "all": ["layout": layout, "items": ["kinds": .array(names)], "header": .array(names)],
        "slotted": ["layout": layout, "slots": .object(JSONObject(slots))],
        "class": ["layout": layout, "items": ["kinds": .array([names[0]])]],
      ],
    ]
  }

  private mutating func pick<Element>(_ elements: [Element]) -> Element {
    elements[Int.random(in: elements.indices, using: &random)]
  }

  private mutating func text() -> String { (0..<3).map { _ in pick(Self.names) }.joined(separator: " ") }

  private mutating func definitions() -> [(String, JSON)] {
    [
      ("text", ["type": "string", "x-localized": true, "description": .string(text())]),
      (
        "node",
        [
          "type": "object", "required": ["label"],
          "properties": [
            "label": ["type": "string"], "next": ["$ref": "#/$defs/node"],
            "under": ["type": "array", "items": ["$ref": "#/$defs/node"]],
            "none": ["anyOf": [["$ref": "#/$defs/node"], ["type": "null"]]],
          ],
        ]
      ),
      ("tree", ["type": "array", "items": ["$ref": "#/$defs/tree"]]), ("class", object(1)), ("1st", object(1)),
      ("card 🔥", object(1)), ("Item", object(0)), ("String", words()), ("target", marked(1)),
      ("flag", ["type": "boolean"]),
    ]
  }

  private mutating func root() -> JSON {
    switch Int.random(in: 0..<12, using: &random) {
    case 0: ["$ref": .string("#/$defs/" + pick(["node", "class", "1st", "Item"]))]
    case 1: marked(1)
    case 2: ["type": "object"]
    case 3: ["type": "object", "additionalProperties": ["type": "integer"]]
    case 4: ["allOf": [object(1), ["required": []]]]
    default: object(pick([0, 0, 0, 1, 1, 2]))
    }
  }

  private mutating func object(_ depth: Int) -> JSON {
    let names = Set(Self.names).shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)).sorted()
    let members = names.map { ($0, schema(depth)) }
    let required = names.filter { _ in Bool.random(using: &random) }.map { JSON.string($0) }
    var object: JSONObject = [
      "type": "object", "properties": .object(JSONObject(members)), "required": .array(required),
    ]
    if Bool.random(using: &random) { object["title"] = .string(text()) }
    return .object(object)
  }

  private mutating func words() -> JSON {
    let words = Self.names.shuffled(using: &random).prefix(Int.random(in: 1...5, using: &random))
    return ["enum": .array(words.map { .string($0) })]
  }

  /// Objects that are told apart by a word.
  private mutating func marked(_ depth: Int) -> JSON {
    let mark = pick(["type", "class", "@kind"])
    let words = Self.names.shuffled(using: &random).prefix(2)
    let alternatives = words.map { word -> JSON in
      let members: [(String, JSON)] = [("x", schema(depth - 1)), (mark, ["const": .string(word)])]
      return ["type": "object", "required": .array([.string(mark)]), "properties": .object(JSONObject(members))]
    }
    return ["oneOf": .array(alternatives)]
  }

  private mutating func schema(_ depth: Int) -> JSON {
    let limit: Int64 = pick([9, 2_147_483_647, 9_007_199_254_740_991, .max])
    switch Int.random(in: 0..<(depth > 0 ? 24 : 14), using: &random) {
    case 0, 1: return ["type": "string", "description": .string(text())]
    case 2: return ["type": "string", "x-localized": true]
    case 3: return ["type": "integer", "minimum": -9, "maximum": .number(JSONNumber(Int(limit)))]
    case 4: return ["type": "integer"]
    case 5: return ["type": "number"]
    case 6: return ["type": "number", "minimum": 0, "maximum": 1000, "multipleOf": .number(0.01)]
    case 7: return ["type": "boolean", "default": true]
    case 8: return words()
    case 9: return pick([["enum": [1, 2, 3]], ["enum": [1, "a"]], ["const": "x"], ["enum": ["a", .null]]])
    case 10: return ["type": ["string", "null"]]
    case 11: return pick([true, ["description": "anything"], ["type": ["string", "integer"]]])
    case 12, 13: return ["$ref": .string("#/$defs/" + pick(Self.shared))]
    case 14, 15: return ["type": "array", "items": schema(depth - 1)]
    case 16: return ["type": "array", "prefixItems": [["type": "string"], ["type": "integer"]]]
    case 17: return ["type": "object", "additionalProperties": schema(depth - 1)]
    case 18: return ["anyOf": [schema(depth - 1), ["type": "null"]]]
    case 19: return ["oneOf": [["type": "string"], object(depth - 1)]]
    case 20: return ["anyOf": [["type": "string", "format": "uri"], ["type": "string", "maxLength": 4]]]
    case 21: return marked(depth)
    case 22: return ["type": "object", "oneOf": [["required": ["a"]], ["required": ["b"]]]]
    default: return object(depth - 1)
    }
  }
}

// MARK: Content
extension RandomKinds {
  /// A value that a schema of these kinds takes, most of the time.
  mutating func value(_ schema: JSON, depth: Int = 0) -> JSON {
    if let reference = schema["$ref"]?.string, let pointer = JSONPointer(text: String(reference.dropFirst())) {
      return value(pointer.value(in: document) ?? true, depth: depth)
    }
    if let listed = schema["enum"]?.array { return pick(listed) }
    if let constant = schema["const"] { return constant }
    if let alternatives = (schema["oneOf"] ?? schema["anyOf"])?.array {
      if let names = alternatives.first?["required"]?.array, alternatives.first?["properties"] == nil {
        return .object(JSONObject([(names.first?.string ?? "", .number(1))]))
      }
      // What recurs comes to an end.
      return value(depth > 4 ? alternatives[alternatives.count - 1] : pick(alternatives), depth: depth + 1)
    }
    if let parts = schema["allOf"]?.array { return value(parts[0], depth: depth) }
    let type = schema["type"]?.string ?? schema["type"]?.array.map { pick($0).string ?? "" } ?? "any"
    switch type {
    case "string": return .string(pick(Self.names))
    case "boolean": return .bool(Bool.random(using: &random))
    case "null": return .null
    case "integer": return .number(integer(schema["maximum"]?.number))
    case "number":
      if schema["maximum"] != nil {
        return .number(JSONNumber(text: "\(Int.random(in: 0..<1000, using: &random)).25") ?? 0)
      }
      return .number(JSONNumber(text: pick(["0", "-1.5", "1e-9", "12345678901234567890.125", "4e40"])) ?? 0)
    case "array":
      guard depth < 5, schema["prefixItems"] == nil else { return [] }
      return .array(
        (0..<Int.random(in: 0..<3, using: &random)).map { _ in value(schema["items"] ?? true, depth: depth + 1) })
    case "object": return object(schema, depth: depth)
    default: return pick([.null, 1, "x", true, [1, .null], ["a": ["b": .number(0.5)]]])
    }
  }

  private mutating func integer(_ maximum: JSONNumber?) -> JSONNumber {
    guard let maximum else { return JSONNumber(text: pick(["0", "-7", "12345678901234567890123", "5e30"])) ?? 0 }
    return pick([maximum, 0, -9])
  }

  private mutating func object(_ schema: JSON, depth: Int) -> JSON {
    var object = JSONObject()
    let required = Set(schema["required"]?.array?.compactMap { $0.string.map { ExactString($0) } } ?? [])
    for member in schema["properties"]?.object ?? JSONObject() {
      let isRequired = required.contains(ExactString(member.name))
      guard isRequired || (depth < 4 && Bool.random(using: &random)) else { continue }
      object[member.name] = value(member.value, depth: depth + 1)
    }
    if let others = schema["additionalProperties"] {
      for name in ["first", "名", "a b"] { object[name] = value(others, depth: depth + 1) }
    } else if Int.random(in: 0..<3, using: &random) == 0 {
      // A newer server may say more.
      object["a member of tomorrow"] = ["x": [1, .null, "y"]]
    }
    return .object(object)
  }
}
