import JSON

extension Validator {
  mutating func check(_ object: JSONObject, by node: CompiledNode, at pointer: JSONPointer) {
    for name in node.keywords.required where object[name] == nil {
      fail(.required, node, place(pointer, name), "is required")
    }
    for member in object {
      let place = place(pointer, member.name)
      if let names = node.keywords.propertyNames { validate(.string(member.name), by: names, at: place) }
      if let property = node.keywords.properties[ExactString(member.name)] {
        validate(member.value, by: property, at: place)
      } else if let additional = node.keywords.additionalProperties {
        checkAdditional(member.value, by: additional, of: node, at: place)
      }
    }
    checkCount(
      object.count, "members", .minProperties, node.keywords.minProperties, .maxProperties, node.keywords.maxProperties,
      by: node, at: pointer)
  }

  private mutating func checkAdditional(_ value: JSON, by place: Int, of node: CompiledNode, at pointer: JSONPointer) {
    guard schema.nodes[place].keywords.verdict == false else { return validate(value, by: place, at: pointer) }
    var known: [String] { node.keywords.properties.keys.sorted().map(\.string) }
    var list: String { known.isEmpty ? "none" : known.joined(separator: ", ") }
    fail(
      .additionalProperties, node, pointer, "is not a known member; known here: \(list)",
      ["known": .array(known.map { .string($0) })])
  }

  mutating func check(_ elements: [JSON], by node: CompiledNode, at pointer: JSONPointer) {
    for (index, element) in elements.enumerated() {
      if index < node.keywords.prefixItems.count {
        validate(element, by: node.keywords.prefixItems[index], at: place(pointer, index))
      } else if let items = node.keywords.items {
        validate(element, by: items, at: place(pointer, index))
      }
    }
    checkCount(
      elements.count, "elements", .minItems, node.keywords.minItems, .maxItems, node.keywords.maxItems, by: node,
      at: pointer)
    if node.keywords.uniqueItems {
      var seen = Set<JSON>()
      for (index, element) in elements.enumerated() where !seen.insert(element).inserted {
        fail(.uniqueItems, node, place(pointer, index), "appears twice")
      }
    }
  }

  mutating func check(_ number: JSONNumber, by node: CompiledNode, at pointer: JSONPointer) {
    if let least = node.keywords.minimum, number < least {
      fail(
        .minimum, node, pointer, "must be at least \(least), is \(number)",
        ["least": .number(least), "value": .number(number)])
    }
    if let most = node.keywords.maximum, number > most {
      fail(
        .maximum, node, pointer, "must be at most \(most), is \(number)",
        ["most": .number(most), "value": .number(number)])
    }
    if let bound = node.keywords.exclusiveMinimum, number <= bound {
      fail(
        .exclusiveMinimum, node, pointer, "must be above \(bound), is \(number)",
        ["bound": .number(bound), "value": .number(number)])
    }
    if let bound = node.keywords.exclusiveMaximum, number >= bound {
      fail(
        .exclusiveMaximum, node, pointer, "must be below \(bound), is \(number)",
        ["bound": .number(bound), "value": .number(number)])
    }
    if let divisor = node.keywords.multipleOf, !number.isMultiple(of: divisor) {
      fail(
        .multipleOf, node, pointer, "must be a multiple of \(divisor), is \(number)",
        ["divisor": .number(divisor), "value": .number(number)])
    }
  }

  /// Lengths count Unicode code points (JSON Schema Validation §6.3).
  mutating func check(_ string: String, by node: CompiledNode, at pointer: JSONPointer) {
    if node.keywords.minLength != nil || node.keywords.maxLength != nil {
      checkCount(
        string.unicodeScalars.count, "characters", .minLength, node.keywords.minLength, .maxLength,
        node.keywords.maxLength, by: node, at: pointer)
    }
    if let pattern = node.keywords.pattern, !pattern.matches(string) {
      fail(.pattern, node, pointer, "must match the pattern \(pattern.text)", ["pattern": .string(pattern.text)])
    }
    if let format = node.keywords.format, !format.holds(string) {
      fail(.format, node, pointer, "must be \(format.expectation)", ["format": .string(format.rawValue)])
    }
  }
  /// How many of something there are.
  private mutating func checkCount(
    _ count: Int, _ what: String, _ fewest: Keyword, _ least: Int?, _ mostOfAll: Keyword, _ most: Int?,
    by node: CompiledNode, at pointer: JSONPointer
  ) {
    if let least, count < least {
      fail(
        fewest, node, pointer, "must have at least \(least) \(what), has \(count)",
        ["least": .number(JSONNumber(least)), "count": .number(JSONNumber(count))])
    }
    if let most, count > most {
      fail(
        mostOfAll, node, pointer, "must have at most \(most) \(what), has \(count)",
        ["most": .number(JSONNumber(most)), "count": .number(JSONNumber(count))])
    }
  }
}
