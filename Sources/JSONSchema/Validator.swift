import JSON

/// Holds a value against nodes and collects what fails.
struct Validator {
  let schema: Schema
  /// Whether problems are reported; without them, validating takes a fraction of the time.
  let collects: Bool
  private(set) var problems: [SchemaProblem] = []
  private(set) var isValid = true

  mutating func validate(_ value: JSON, by place: Int, at pointer: JSONPointer) {
    guard isValid || collects else { return }
    let node = schema.nodes[place]
    if node.keywords.isLocalized, let map = node.keywords.localeMap(value) {
      return validate(map, by: node, at: pointer)
    }
    check(value, by: node, at: pointer)
  }

  private mutating func validate(_ map: JSONObject, by node: CompiledNode, at pointer: JSONPointer) {
    if map.isEmpty {
      fail(.localized, node, pointer, "must have a value for at least one locale")
    }
    for name in LanguageTag.respelt(among: map.names) {
      fail(.uniqueItems, node, place(pointer, name), "\"\(name)\" is there in another spelling, too")
    }
    for member in map {
      let place = place(pointer, member.name)
      if LanguageTag.isWellFormedOrAny(member.name) {
        check(member.value, by: node, at: place)
      } else {
        let name: JSONObject = ["name": .string(member.name)]
        fail(.localized, node, place, "\"\(member.name)\" is not a locale tag such as zh-Hans, nor \"*\"", name)
      }
    }
  }

  private mutating func check(_ value: JSON, by node: CompiledNode, at pointer: JSONPointer) {
    if node.keywords.verdict == false { fail("false", node, pointer, "is not allowed here") }
    if let reference = node.keywords.reference { validate(value, by: reference, at: pointer) }
    if let types = node.keywords.types, !types.contains(where: { $0.holds(value) }) {
      let expected = types.map(\.rawValue)
      fail(
        .type, node, pointer, "must be of type \(expected.joined(separator: " or ")), not \(value.typeDescription)",
        ["allowed": .array(expected.map { .string($0) })])
    }
    if let allowed = node.keywords.enumeration, !allowed.contains(value) {
      fail(
        .enumeration, node, pointer, "must be one of \(allowed.map(\.canonicalText).joined(separator: ", "))",
        ["allowed": .array(allowed)])
    }
    if let constant = node.keywords.constant, constant != value {
      fail(.const, node, pointer, "must be \(constant.canonicalText)", ["allowed": [constant]])
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

  private mutating func checkCombinations(_ value: JSON, by node: CompiledNode, at pointer: JSONPointer) {
    for place in node.keywords.allOf { validate(value, by: place, at: pointer) }
    if !node.keywords.anyOf.isEmpty, !node.keywords.anyOf.contains(where: { accepts(value, by: $0) }) {
      fail(
        .anyOf, node, pointer, "must match at least one of \(node.keywords.anyOf.count) alternatives, but matches none")
    }
    if !node.keywords.oneOf.isEmpty {
      let matches = node.keywords.oneOf.count { accepts(value, by: $0) }
      if matches != 1 {
        fail(
          .oneOf, node, pointer,
          "must match exactly one of \(node.keywords.oneOf.count) alternatives, but matches \(matches)")
      }
    }
    if let place = node.keywords.not, accepts(value, by: place) {
      fail(.not, node, pointer, "must not match the schema under 'not'")
    }
  }

  /// Whether a value is valid for a node, whatever this validator has found.
  func accepts(_ value: JSON, by place: Int) -> Bool {
    var trial = Validator(schema: schema, collects: false)
    trial.validate(value, by: place, at: JSONPointer())
    return trial.isValid
  }

  /// The place of a member, where problems are reported.
  func place(_ pointer: JSONPointer, _ name: String) -> JSONPointer { collects ? pointer.appending(name) : pointer }

  /// The place of an element, where problems are reported.
  func place(_ pointer: JSONPointer, _ index: Int) -> JSONPointer { collects ? pointer.appending(index) : pointer }

  mutating func fail(
    _ keyword: Keyword, _ node: CompiledNode, _ pointer: JSONPointer, _ detail: @autoclosure () -> String,
    _ values: @autoclosure () -> JSONObject = [:]
  ) {
    fail(keyword.rawValue, node, pointer, detail(), values())
  }

  private mutating func fail(
    _ keyword: String, _ node: CompiledNode, _ pointer: JSONPointer, _ detail: @autoclosure () -> String,
    _ values: @autoclosure () -> JSONObject = [:]
  ) {
    isValid = false
    guard collects else { return }
    problems.append(
      SchemaProblem(
        pointer: pointer, keyword: keyword, schemaPointer: node.keywords.pointer, detail: detail(), values: values()))
  }
}
