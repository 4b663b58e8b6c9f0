import JSON

/// Reads one keyword's value into a node, as the metaschema would have it.
struct KeywordReader {
  var compiler: SchemaCompiler
  let keyword: Keyword
  let value: JSON
  /// Where the schema stands that holds the keyword.
  let pointer: JSONPointer

  private var place: JSONPointer { pointer.appending(keyword.rawValue) }

  mutating func read(into node: inout SchemaNode) {
    switch keyword {
    case .schema, .comment, .title, .description: readAnnotation()
    case .defaultValue: break
    case .defs: _ = subschemas()
    case .ref: node.reference = reference()
    case .type: node.types = types()
    case .enumeration: node.enumeration = elements("values")
    case .const: node.constant = value
    case .properties: node.properties = subschemas()
    case .required: node.required = names()
    case .additionalProperties: node.additionalProperties = subschema()
    case .propertyNames: node.propertyNames = subschema()
    case .minProperties: node.minProperties = count()
    case .maxProperties: node.maxProperties = count()
    case .items: node.items = subschema()
    case .prefixItems: node.prefixItems = subschemaList()
    case .minItems: node.minItems = count()
    case .maxItems: node.maxItems = count()
    case .uniqueItems: node.uniqueItems = flag()
    case .minimum: node.minimum = number()
    case .maximum: node.maximum = number()
    case .exclusiveMinimum: node.exclusiveMinimum = number()
    case .exclusiveMaximum: node.exclusiveMaximum = number()
    case .multipleOf: node.multipleOf = positiveNumber()
    case .minLength: node.minLength = count()
    case .maxLength: node.maxLength = count()
    case .pattern: node.pattern = pattern()
    case .format: node.format = format()
    case .allOf: node.allOf = subschemaList()
    case .anyOf: node.anyOf = subschemaList()
    case .oneOf: node.oneOf = subschemaList()
    case .not: node.not = subschema()
    case .localized: node.isLocalized = flag()
    }
  }

  private mutating func refuse(_ detail: String) { compiler.refuse(place, keyword.rawValue, detail) }

  private mutating func wrong<Value>(_ expected: String, else fallback: Value) -> Value {
    refuse("'\(keyword.rawValue)' takes \(expected), not \(value.typeDescription)")
    return fallback
  }

  private mutating func readAnnotation() {
    guard let text = value.string else { return wrong("a string", else: ()) }
    if keyword == .schema, text != "https://json-schema.org/draft/2020-12/schema" {
      refuse("only https://json-schema.org/draft/2020-12/schema is understood")
    }
  }

  private mutating func flag() -> Bool { value.bool ?? wrong("true or false", else: false) }

  private mutating func number() -> JSONNumber? { value.number ?? wrong("a number", else: nil) }

  private mutating func positiveNumber() -> JSONNumber? {
    guard let number = number() else { return nil }
    if number > 0 { return number }
    refuse("'\(keyword.rawValue)' takes a number above 0")
    return nil
  }

  private mutating func count() -> Int? {
    guard let number = number() else { return nil }
    if number.isInteger, number >= 0 { return number.int ?? .max }
    refuse("'\(keyword.rawValue)' takes a whole number from 0")
    return nil
  }

  private mutating func elements(_ what: String) -> [JSON]? { value.array ?? wrong("an array of \(what)", else: nil) }

  private mutating func names() -> [String] {
    guard let elements = elements("names") else { return [] }
    let names = elements.compactMap(\.string)
    if names.count != elements.count || Set(names.map { ExactString($0) }).count != names.count {
      refuse("'\(keyword.rawValue)' takes an array of different strings")
    }
    return names
  }

  private mutating func types() -> [ValueType]? {
    let words = value.array ?? [value]
    let types = words.compactMap { $0.string.flatMap(ValueType.init(rawValue:)) }
    if types.count == words.count, !types.isEmpty, Set(types).count == types.count { return types }
    refuse("'type' takes one or several of \(ValueType.allCases.map(\.rawValue).joined(separator: ", "))")
    return nil
  }

  private mutating func subschema() -> Int { compiler.compile(place) }

  private mutating func subschemas() -> [ExactString: Int] {
    guard let object = value.object else { return wrong("an object of schemas", else: [:]) }
    var places: [ExactString: Int] = [:]
    for name in object.names { places[ExactString(name)] = compiler.compile(place.appending(name)) }
    return places
  }

  private mutating func subschemaList() -> [Int] {
    guard let elements = elements("schemas") else { return [] }
    if elements.isEmpty { refuse("'\(keyword.rawValue)' takes at least one schema") }
    var places: [Int] = []
    for index in elements.indices { places.append(compiler.compile(place.appending(index))) }
    return places
  }

  private mutating func reference() -> Int? {
    guard let text = value.string else { return wrong("a string", else: nil) }
    guard text.hasPrefix("#"), let fragment = text.dropFirst().removingPercentEncodingStrictly,
      let target = JSONPointer(text: fragment)
    else {
      refuse("'$ref' points into the same file, like \"#/$defs/image\"; \"\(text)\" does not")
      return nil
    }
    guard target.value(in: compiler.document) != nil else {
      refuse("there is nothing at \(text)")
      return nil
    }
    return compiler.compile(target)
  }

  private mutating func pattern() -> Pattern? {
    guard let text = value.string else { return wrong("a string", else: nil) }
    do { return try Pattern(text) } catch {
      refuse("\"\(text)\" is not a regular expression of ECMA-262: \(error.detail)")
      return nil
    }
  }

  private mutating func format() -> Format? {
    guard let text = value.string else { return wrong("a string", else: nil) }
    if let format = Format(rawValue: text) { return format }
    refuse("the format \"\(text)\" is not among \(Format.allCases.map(\.rawValue).joined(separator: ", "))")
    return nil
  }
}

extension Substring {
  /// The text with its percent-encoded octets decoded, `nil` when one is malformed or the result is not UTF-8.
  fileprivate var removingPercentEncodingStrictly: String? {
    var bytes: [UInt8] = []
    var rest = utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let decoded = UInt8(String(Substring(rest.prefix(2))), radix: 16), rest.count >= 2 else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}
