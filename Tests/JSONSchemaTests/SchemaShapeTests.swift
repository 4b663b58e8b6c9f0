import JSON
import JSONSchema
import Testing

@Suite struct SchemaShapeTests {
  /// The shape of an object's member `a`, in words; `…` stands for a shape that leads back to itself.
  private func shape(_ schema: String, defs: String = "{}") throws -> String {
    let document = try JSON.parse(
      "{\"$defs\": \(defs), \"root\": {\"type\": \"object\", \"properties\": {\"a\": \(schema)}}}")
    let shapes = try SchemaShapes(ofObjectsIn: document, at: [JSONPointer(["root"])])
    guard case .object(let members) = shapes.all[shapes.roots[0]].form, members.count == 1 else { return "no object" }
    return words(members[0].shape, shapes.all, within: [])
  }

  private func words(_ position: Int, _ all: [SchemaShape], within outer: Set<Int>) -> String {
    if outer.contains(position) { return "…" }
    let shape = all[position]
    func below(_ position: Int) -> String { words(position, all, within: outer.union([shapePosition])) }
    let shapePosition = position
    func limits(_ limits: SchemaShape.Limits) -> String {
      [limits.lower?.text, limits.upper?.text].map { $0 ?? "*" }.joined(separator: "..")
        + (limits.step.map { "/\($0)" } ?? "")
    }
    let text =
      switch shape.form {
      case .any(let reason): "any (\(reason))"
      case .boolean: "boolean"
      case .text: "text" + (shape.format.map { " \($0)" } ?? "")
      case .integer(let range): "integer \(limits(range))"
      case .number(let range): "number \(limits(range))"
      case .words(let words): words.joined(separator: "|")
      case .list(let element): "[\(below(element))]"
      case .map(let element): "{*: \(below(element))}"
      case .object(let members):
        "{\(members.map { "\($0.name)\($0.isRequired ? "" : "?"): \(below($0.shape))" }.joined(separator: ", "))}"
      case .choice(let alternatives):
        alternatives.map { alternative in
          "<\(alternative.mark.map { "\($0.member)=\($0.words.joined(separator: "|"))" } ?? alternative.types.sorted().joined(separator: "|"))> "
            + below(alternative.shape)
        }.joined(separator: " or ")
      case .same(let other): below(other)
      }
    return (shape.definition.map { "\($0): " } ?? "") + text + (shape.isNullable ? " or null" : "")
  }

  private static let plain: [(String, String)] = [
    (#"{"type": "string", "maxLength": 3}"#, "text"), (#"{"type": "string", "format": "uri"}"#, "text uri"),
    (#"{"type": "string", "x-localized": true}"#, "text"), (#"{"type": "boolean"}"#, "boolean"),
    (#"{"type": "integer", "minimum": 1, "exclusiveMaximum": 10}"#, "integer 1..9"),
    (#"{"type": "integer"}"#, "integer *..*"),
    (#"{"type": "number", "minimum": 0, "multipleOf": 0.01}"#, "number 0..*/0.01"),
    (#"{"enum": ["b", "a"]}"#, "b|a"), (#"{"const": "a"}"#, "a"), (#"{"enum": ["a", null]}"#, "a or null"),
    (#"{"enum": [3, 1]}"#, "integer 1..3"), (#"{"enum": [true]}"#, "boolean"),
    (#"{"enum": [1, "a"]}"#, "any (the values that the schema lists are of several types)"),
    (#"{"type": ["string", "null"]}"#, "text or null"),
    (#"{"type": ["string", "integer"]}"#, "any (the schema takes values of several types)"),
    ("true", "any (the schema takes values of any type)"), ("{}", "any (the schema takes values of any type)"),
    (#"{"type": "array", "items": {"type": "string"}}"#, "[text]"),
    (#"{"type": "array"}"#, "[any (the schema takes values of any type)]"),
    (
      #"{"type": "array", "prefixItems": [{"type": "string"}]}"#,
      "any (prefixItems gives each element a type of its own)"
    ),
    (#"{"type": "object"}"#, "{*: any (the schema takes values of any type)}"),
    (#"{"type": "object", "additionalProperties": false}"#, "{}"),
    (#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, "{*: integer *..*}"),
    (
      #"{"type": "object", "properties": {"x": {"type": "string"}, "y": false}, "required": ["z"]}"#,
      "{x?: text, z: any (the schema takes values of any type)}"
    ),
    (
      #"{"allOf": [{"type": "object", "properties": {"x": {"type": "integer", "minimum": 0}}}, {"required": ["x"], "properties": {"x": {"maximum": 5}}}]}"#,
      "{x: integer 0..5}"
    ),
  ]

  @Test(arguments: plain) func `a schema has the shape that a type can say`(schema: String, expected: String) throws {
    #expect(try shape(schema) == expected)
  }

  private static let alternatives: [(String, String)] = [
    (#"{"anyOf": [{"type": "string"}, {"type": "null"}]}"#, "text or null"),
    (
      #"{"oneOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}"#,
      "<string> text or <array> [text]"
    ),
    (
      #"{"oneOf": [{"type": "object", "required": ["t"], "properties": {"t": {"const": "a"}}}, {"type": "object", "required": ["t"], "properties": {"t": {"enum": ["b", "c"]}}}]}"#,
      "<t=a> {t: a} or <t=b|c> {t: b|c}"
    ),
    // The part that all have is part of each.
    (
      #"{"type": "object", "properties": {"n": {"type": "boolean"}}, "required": ["t"], "oneOf": [{"properties": {"t": {"const": "a"}}}, {"properties": {"t": {"const": "b"}}}]}"#,
      "<t=a> {n?: boolean, t: a} or <t=b> {n?: boolean, t: b}"
    ),
    // Words that two have in common tell nothing apart.
    (
      #"{"oneOf": [{"type": "object", "required": ["t"], "properties": {"t": {"enum": ["a", "b"]}}}, {"type": "object", "required": ["t"], "properties": {"t": {"const": "a"}}}]}"#,
      "any (nothing but their members tells the alternatives of oneOf apart)"
    ),
    (#"{"anyOf": [{"type": "string", "format": "uri"}, {"type": "string", "maxLength": 4}]}"#, "text"),
    (
      #"{"type": "object", "properties": {"x": {"type": "string"}}, "anyOf": [{"required": ["x"]}, {"minProperties": 2}]}"#,
      "{x?: text}"
    ),
  ]

  @Test(arguments: alternatives) func `alternatives are several shapes where a reader can tell them apart`(
    schema: String, expected: String
  ) throws {
    #expect(try shape(schema) == expected)
  }

  @Test func `what is in $defs has its name from there, and may lead back to itself`() throws {
    let defs = """
      {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}, "end": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}},
       "tree": {"type": "array", "items": {"$ref": "#/$defs/tree"}}, "text": {"type": "string"}}
      """
    #expect(
      try shape(##"{"$ref": "#/$defs/node", "title": "A node"}"##, defs: defs) == "node: {end?: … or null, next?: …}")
    #expect(
      try shape(##"{"$ref": "#/$defs/tree"}"##, defs: defs)
        == "tree: any (the schema leads back to itself through lists alone)")
    #expect(try shape(##"{"$ref": "#/$defs/text", "maxLength": 3}"##, defs: defs) == "text")
  }

  @Test func `one schema that several places refer to is one shape`() throws {
    let document: JSON = [
      "$defs": ["image": ["type": "object", "properties": ["url": ["type": "string"]]]],
      "one": ["type": "object", "properties": ["a": ["$ref": "#/$defs/image"], "b": ["$ref": "#/$defs/image"]]],
      "two": ["$ref": "#/$defs/image"],
    ]
    let shapes = try SchemaShapes(ofObjectsIn: document, at: [JSONPointer(["one"]), JSONPointer(["two"])])
    guard case .object(let members) = shapes.all[shapes.roots[0]].form else { return #expect(Bool(false)) }
    #expect(Set(members.map(\.shape)) == [shapes.roots[1]])
    #expect(shapes.all.count(where: { $0.definition == "image" }) == 1)
  }
}
