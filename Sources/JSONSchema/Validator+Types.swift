import JSON

extension Validator {
  mutating func check(_ object: JSONObject, by node: SchemaNode, at pointer: JSONPointer) {
    for name in node.required where object[name] == nil {
      fail(.required, node, pointer.appending(name), "is required")
    }
    for member in object {
      let place = pointer.appending(member.name)
      if let names = node.propertyNames { validate(.string(member.name), by: names, at: place) }
      if let property = node.properties[member.name] {
        validate(member.value, by: property, at: place)
      } else if let additional = node.additionalProperties {
        checkAdditional(member.value, by: additional, of: node, at: place)
      }
    }
    if let least = node.minProperties, object.count < least {
      fail(.minProperties, node, pointer, "must have at least \(least) members, has \(object.count)")
    }
    if let most = node.maxProperties, object.count > most {
      fail(.maxProperties, node, pointer, "must have at most \(most) members, has \(object.count)")
    }
  }

  private mutating func checkAdditional(_ value: JSON, by place: Int, of node: SchemaNode, at pointer: JSONPointer) {
    guard schema.nodes[place].verdict == false else { return validate(value, by: place, at: pointer) }
    let known = node.properties.keys.sorted().joined(separator: ", ")
    fail(.additionalProperties, node, pointer, "is not a member known here: \(known.isEmpty ? "none is" : known)")
  }

  mutating func check(_ elements: [JSON], by node: SchemaNode, at pointer: JSONPointer) {
    for (index, element) in elements.enumerated() {
      if index < node.prefixItems.count {
        validate(element, by: node.prefixItems[index], at: pointer.appending(index))
      } else if let items = node.items {
        validate(element, by: items, at: pointer.appending(index))
      }
    }
    if let least = node.minItems, elements.count < least {
      fail(.minItems, node, pointer, "must have at least \(least) elements, has \(elements.count)")
    }
    if let most = node.maxItems, elements.count > most {
      fail(.maxItems, node, pointer, "must have at most \(most) elements, has \(elements.count)")
    }
    if node.uniqueItems {
      var seen = Set<JSON>()
      for (index, element) in elements.enumerated() where !seen.insert(element).inserted {
        fail(.uniqueItems, node, pointer.appending(index), "is there a second time")
      }
    }
  }

  mutating func check(_ number: JSONNumber, by node: SchemaNode, at pointer: JSONPointer) {
    if let least = node.minimum, number < least {
      fail(.minimum, node, pointer, "must be at least \(least), is \(number)")
    }
    if let most = node.maximum, number > most {
      fail(.maximum, node, pointer, "must be at most \(most), is \(number)")
    }
    if let bound = node.exclusiveMinimum, number <= bound {
      fail(.exclusiveMinimum, node, pointer, "must be above \(bound), is \(number)")
    }
    if let bound = node.exclusiveMaximum, number >= bound {
      fail(.exclusiveMaximum, node, pointer, "must be below \(bound), is \(number)")
    }
    if let divisor = node.multipleOf, !number.isMultiple(of: divisor) {
      fail(.multipleOf, node, pointer, "must be a multiple of \(divisor), is \(number)")
    }
  }

  /// Lengths count Unicode code points (JSON Schema Validation §6.3).
  mutating func check(_ string: String, by node: SchemaNode, at pointer: JSONPointer) {
    if node.minLength != nil || node.maxLength != nil {
      let length = string.unicodeScalars.count
      if let least = node.minLength, length < least {
        fail(.minLength, node, pointer, "must have at least \(least) characters, has \(length)")
      }
      if let most = node.maxLength, length > most {
        fail(.maxLength, node, pointer, "must have at most \(most) characters, has \(length)")
      }
    }
    if let pattern = node.pattern, !pattern.matches(string) {
      fail(.pattern, node, pointer, "must match the pattern \(pattern.text)")
    }
    if let format = node.format, !format.holds(string) {
      fail(.format, node, pointer, "must be \(format.expectation)")
    }
  }
}
