public import JSON

extension Predicate {
  /// As much of a predicate as can be read, as documents write it, checked against the declared attributes; a bare string
  /// names an audience.
  ///
  /// - Parameters:
  ///   - pointer: Where it is in the document.
  ///   - collector: Gets every problem.
  ///   - depth: In how many other conditions it is nested.
  public init?(
    _ json: JSON, at pointer: JSONPointer, in context: DefinitionContext, _ collector: ProblemCollector, depth: Int = 0
  ) {
    if let name = json.string {
      guard Slug.check(name, at: pointer, collector) else { return nil }
      self = .audience(name)
      return
    }
    // An audience counts nothing, however it is written.
    guard depth < context.limits.predicateDepthMax || json["audience"] != nil else {
      let most = context.limits.predicateDepthMax
      collector.add(
        pointer, .conditionsTooDeep, "is nested deeper than \(most) conditions", ["most": .count(most)])
      return nil
    }
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    guard let predicate = Self.read(&reader, json, context, depth) else { return nil }
    reader.refuseOthers()
    self = predicate
  }

  private static func read(
    _ reader: inout ObjectReader, _ json: JSON, _ context: DefinitionContext, _ depth: Int
  ) -> Predicate? {
    func nested(_ json: JSON, _ pointer: JSONPointer, _ collector: ProblemCollector) -> Predicate? {
      Predicate(json, at: pointer, in: context, collector, depth: depth + 1)
    }
    func list(_ name: String, _ reader: inout ObjectReader) -> [Predicate] {
      let elements = reader.array(name) ?? []
      if elements.isEmpty {
        reader.collector.add(
          reader.place(of: name), .minItems, "must have at least one condition",
          ["least": .count(1), "count": .count(0)])
      }
      let place = reader.place(of: name)
      let collector = reader.collector
      return elements.enumerated().compactMap { nested($1, place.appending($0), collector) }
    }
    if json["all"] != nil { return .all(list("all", &reader)) }
    if json["any"] != nil { return .any(list("any", &reader)) }
    if let inner = reader.value("not") {
      return nested(inner, reader.place(of: "not"), reader.collector).map { .not($0) }
    }
    if json["audience"] != nil { return reader.slug("audience").map { .audience($0) } }
    guard json["attribute"] != nil else {
      reader.collector.add(
        reader.pointer, .oneOfMembers, "must have one of 'attribute', 'audience', 'all', 'any', 'not'",
        ["known": ["attribute", "audience", "all", "any", "not"]])
      return nil
    }
    return comparison(&reader, json, context)
  }

  private static func comparison(
    _ reader: inout ObjectReader, _ json: JSON, _ context: DefinitionContext
  ) -> Predicate? {
    guard let name = reader.string("attribute") else { return nil }
    guard let declaration = context.attributes[name] else {
      let known = context.attributes.keys.sorted()
      reader.collector.add(
        reader.place(of: "attribute"), .unknownAttribute,
        "there is no attribute \"\(name)\"; declared are \(known.joined(separator: ", "))",
        ["name": .string(name), "known": .names(known)])
      return nil
    }
    let names = ["in", "notIn", "atLeast", "below", "between", "matches"]
    let operators = names.filter { json[$0] != nil }
    guard operators.count == 1, let operation = operators.first, let operand = reader.value(operation) else {
      reader.collector.add(
        reader.pointer, .oneOfMembers, "must have exactly one of \(names.joined(separator: ", "))",
        ["known": .names(names)])
      return nil
    }
    var operands = OperandReader(
      declaration: declaration, place: reader.place(of: operation), collector: reader.collector)
    return operands.comparison(operation, operand).map { .attribute(name, $0) }
  }
}

/// Reads the operands of a comparison with one attribute.
private struct OperandReader {
  let declaration: AttributeDeclaration
  let place: JSONPointer
  let collector: ProblemCollector

  private var attribute: JSONObject { ["attribute": .string(declaration.name)] }

  mutating func comparison(_ operation: String, _ operand: JSON) -> Comparison? {
    switch operation {
    case "in": return values(operand).map { .isIn($0) }
    case "notIn": return values(operand).map { .isNotIn($0) }
    case "atLeast": return orderedValue(operand, place).map { .atLeast($0) }
    case "below": return orderedValue(operand, place).map { .below($0) }
    case "between": return bounds(operand)
    default: return prefix(operand)
    }
  }

  private func values(_ operand: JSON) -> [AttributeValue]? {
    guard let elements = operand.array, !elements.isEmpty else {
      collector.add(
        place, .minItems, "must be an array of at least one value", ["least": .count(1), "count": .count(0)])
      return nil
    }
    return elements.enumerated().compactMap { value($1, place.appending($0)) }
  }

  private func bounds(_ operand: JSON) -> Comparison? {
    guard let elements = operand.array, elements.count == 2 else {
      collector.add(place, .noBounds, "must be an array of the lowest and the highest value")
      return nil
    }
    guard let least = orderedValue(elements[0], place.appending(0)),
      let greatest = orderedValue(elements[1], place.appending(1))
    else { return nil }
    guard !(greatest < least) else {
      collector.add(place, .boundsInsideOut, "must have the lower value first; otherwise it matches nobody")
      return nil
    }
    return .between(least, greatest)
  }

  private func prefix(_ operand: JSON) -> Comparison? {
    switch declaration.kind {
    case .text, .locale:
      if let prefix = operand.string, !prefix.isEmpty { return .matches(prefix) }
      collector.add(place, .noBeginning, "must be the beginning of \(declaration.expectation)", attribute)
    default:
      collector.add(
        place, .noBeginnings, "'matches' goes with text and locales; \(declaration.name) is neither", attribute)
    }
    return nil
  }

  private func orderedValue(_ json: JSON, _ pointer: JSONPointer) -> AttributeValue? {
    switch declaration.kind {
    case .integer, .version: return value(json, pointer)
    default:
      collector.add(
        place, .noOrder, "\(declaration.name) has no order; compare it by 'in', 'notIn' or 'matches'", attribute)
      return nil
    }
  }

  private func value(_ json: JSON, _ pointer: JSONPointer) -> AttributeValue? {
    let text: String? =
      switch (json, declaration.kind) {
      case (.string(let string), .text), (.string(let string), .version), (.string(let string), .locale): string
      case (.number(let number), .integer): number.isInteger ? number.text : nil
      case (.bool(let flag), .flag): String(flag)
      default: nil
      }
    if let value = text.flatMap(declaration.value(of:)) { return value }
    collector.add(pointer, declaration.expected.demanded)
    return nil
  }
}

extension AttributeValue {
  /// The order of whole numbers and of versions; other values have none.
  static func < (left: AttributeValue, right: AttributeValue) -> Bool {
    switch (left, right) {
    case (.integer(let left), .integer(let right)): left < right
    case (.version(let left), .version(let right)): left < right
    default: false
    }
  }

  var json: JSON {
    switch self {
    case .integer(let value): .count(value)
    case .flag(let flag): .bool(flag)
    case .text, .version, .locale: .string(written)
    }
  }
}

extension Predicate {
  /// The canonical form.
  public var json: JSON {
    switch self {
    case .all(let inner): ["all": .array(inner.map(\.json))]
    case .any(let inner): ["any": .array(inner.map(\.json))]
    case .not(let inner): ["not": inner.json]
    case .audience(let name): ["audience": .string(name)]
    case .attribute(let name, let comparison):
      .object(JSONObject([("attribute", .string(name)), comparison.member]))
    }
  }
}

extension Comparison {
  fileprivate var member: (String, JSON) {
    switch self {
    case .isIn(let values): ("in", .array(values.map(\.json)))
    case .isNotIn(let values): ("notIn", .array(values.map(\.json)))
    case .atLeast(let value): ("atLeast", value.json)
    case .below(let value): ("below", value.json)
    case .between(let least, let greatest): ("between", [least.json, greatest.json])
    case .matches(let prefix): ("matches", .string(prefix))
    }
  }
}
