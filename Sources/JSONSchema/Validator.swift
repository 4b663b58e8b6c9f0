import JSON

/// Holds a value against nodes and collects what fails.
struct Validator {
  let schema: Schema
  private(set) var problems: [SchemaProblem] = []

  init(schema: Schema) { self.schema = schema }

  mutating func validate(_ value: JSON, by place: Int, at pointer: JSONPointer) {
    let node = schema.nodes[place]
    if node.isLocalized, let map = LocaleMap(value, of: node) {
      return validate(map, by: node, at: pointer)
    }
    check(value, by: node, at: pointer)
  }

  private mutating func validate(_ map: LocaleMap, by node: SchemaNode, at pointer: JSONPointer) {
    if map.object.isEmpty {
      fail(.localized, node, pointer, "must hold a value for at least one locale")
    }
    for member in map.object {
      let place = pointer.appending(member.name)
      if LanguageTag.isWellFormedOrAny(member.name) {
        check(member.value, by: node, at: place)
      } else {
        fail(.localized, node, place, "\"\(member.name)\" is not a locale tag such as zh-Hans, nor \"*\"")
      }
    }
  }

  private mutating func check(_ value: JSON, by node: SchemaNode, at pointer: JSONPointer) {
    if node.verdict == false { fail("false", node, pointer, "nothing is allowed here") }
    if let reference = node.reference { validate(value, by: reference, at: pointer) }
    if let types = node.types, !types.contains(where: { $0.holds(value) }) {
      let expected = types.map(\.rawValue).joined(separator: " or ")
      fail(.type, node, pointer, "must be of type \(expected), not \(value.typeDescription)")
    }
    if let allowed = node.enumeration, !allowed.contains(value) {
      fail(.enumeration, node, pointer, "must be one of \(allowed.map(\.canonicalText).joined(separator: ", "))")
    }
    if let constant = node.constant, constant != value {
      fail(.const, node, pointer, "must be \(constant.canonicalText)")
    }
    checkCombinations(value, by: node, at: pointer)
    switch value {
    case .object(let object): check(object, by: node, at: pointer)
    case .array(let elements): check(elements, by: node, at: pointer)
    case .number(let number): check(number, by: node, at: pointer)
    case .string(let string): check(string, by: node, at: pointer)
    case .null, .bool: break
    }
  }

  private mutating func checkCombinations(_ value: JSON, by node: SchemaNode, at pointer: JSONPointer) {
    for place in node.allOf { validate(value, by: place, at: pointer) }
    if !node.anyOf.isEmpty, !node.anyOf.contains(where: { accepts(value, by: $0) }) {
      fail(.anyOf, node, pointer, "must match at least one of \(node.anyOf.count) alternatives, and matches none")
    }
    if !node.oneOf.isEmpty {
      let matches = node.oneOf.count { accepts(value, by: $0) }
      if matches != 1 {
        fail(
          .oneOf, node, pointer, "must match exactly one of \(node.oneOf.count) alternatives, and matches \(matches)")
      }
    }
    if let place = node.not, accepts(value, by: place) {
      fail(.not, node, pointer, "must not match the schema under 'not'")
    }
  }

  private func accepts(_ value: JSON, by place: Int) -> Bool {
    var trial = Validator(schema: schema)
    trial.validate(value, by: place, at: JSONPointer())
    return trial.problems.isEmpty
  }

  mutating func fail(_ keyword: Keyword, _ node: SchemaNode, _ pointer: JSONPointer, _ detail: String) {
    fail(keyword.rawValue, node, pointer, detail)
  }

  private mutating func fail(_ keyword: String, _ node: SchemaNode, _ pointer: JSONPointer, _ detail: String) {
    problems.append(
      SchemaProblem(pointer: pointer, keyword: keyword, schemaPointer: node.pointer, detail: detail))
  }
}
