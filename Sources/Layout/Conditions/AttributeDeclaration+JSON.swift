public import JSON

extension AttributeDeclaration {
  /// Reads custom attributes: `{country: {type: text, values: [vn, cn]}, memberTier: {type: integer, minimum: 0, maximum: 9}}`.
  ///
  /// - Parameter pointer: Where they stand in their file.
  /// - Throws: ``InvalidDocument`` with every problem.
  public static func declarations(
    json: JSON, at pointer: JSONPointer = JSONPointer()
  ) throws(InvalidDocument) -> [AttributeDeclaration] {
    let collector = ProblemCollector()
    guard let object = json.object else {
      collector.add(pointer, .type("attributes by name", not: json, "object"))
      return try collector.finish(nil)
    }
    let declarations = object.map { member in
      declaration(member.value, named: member.name, at: pointer.appending(member.name), collector)
    }
    return try collector.finish(declarations.compactMap { $0 })
  }

  private static func declaration(
    _ json: JSON, named name: String, at pointer: JSONPointer, _ collector: ProblemCollector
  ) -> AttributeDeclaration? {
    guard Slug.check(name, at: pointer, collector) else { return nil }
    guard name != "preview" else {
      collector.add(pointer, .reservedName, "is what preview links are sent as; choose another name")
      return nil
    }
    guard !builtIn.contains(where: { $0.name == name }) else {
      collector.add(pointer, .reservedName, "is built in; choose another name")
      return nil
    }
    guard var reader = ObjectReader(json, at: pointer, collector) else { return nil }
    let type = reader.requiredString("type")
    let kind: Kind?
    switch type {
    case "text":
      kind = .text(values: reader.strings("values"))
    case "integer":
      let bounds = -1_000_000_000...1_000_000_000
      let minimum = reader.int("minimum", in: bounds) ?? bounds.lowerBound
      let maximum = reader.int("maximum", in: bounds) ?? bounds.upperBound
      if minimum > maximum {
        collector.add(
          reader.place(of: "minimum"), .aboveMaximum, "must not be above maximum",
          ["least": .count(minimum), "most": .count(maximum)])
      }
      kind = minimum > maximum ? nil : .integer(minimum...maximum)
    case "version": kind = .version
    case "locale": kind = .locale
    case "flag": kind = .flag
    case nil: kind = nil
    default:
      collector.add(
        reader.place(of: "type"), .enum, "must be text, integer, version, locale or flag",
        ["allowed": ["text", "integer", "version", "locale", "flag"]])
      kind = nil
    }
    reader.refuseOthers()
    return kind.map { AttributeDeclaration(name: name, kind: $0) }
  }

  /// The declaration as a settings file writes it.
  public var json: JSON {
    switch kind {
    case .text(let values?): ["type": "text", "values": .array(values.map { .string($0) })]
    case .text: ["type": "text"]
    case .integer(let range):
      [
        "type": "integer", "minimum": .number(JSONNumber(range.lowerBound)),
        "maximum": .number(JSONNumber(range.upperBound)),
      ]
    case .version: ["type": "version"]
    case .locale: ["type": "locale"]
    case .flag: ["type": "flag"]
    }
  }
}
