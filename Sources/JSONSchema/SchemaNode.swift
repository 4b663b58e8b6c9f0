import JSON

/// One schema object or boolean, its subschemas named by their places in the list of nodes.
struct SchemaNode: Sendable {
  var pointer: JSONPointer
  /// A boolean schema's answer.
  var verdict: Bool?
  var reference: Int?
  var types: [ValueType]?
  var enumeration: [JSON]?
  var constant: JSON?

  var properties: [ExactString: Int] = [:]
  var required: [String] = []
  var additionalProperties: Int?
  var propertyNames: Int?
  var minProperties: Int?
  var maxProperties: Int?

  var prefixItems: [Int] = []
  var items: Int?
  var minItems: Int?
  var maxItems: Int?
  var uniqueItems = false

  var minimum: JSONNumber?
  var maximum: JSONNumber?
  var exclusiveMinimum: JSONNumber?
  var exclusiveMaximum: JSONNumber?
  var multipleOf: JSONNumber?

  var minLength: Int?
  var maxLength: Int?
  var pattern: Pattern?
  var format: Format?

  var allOf: [Int] = []
  var anyOf: [Int] = []
  var oneOf: [Int] = []
  var not: Int?

  var isLocalized = false

  /// The types that each of its keywords but `type`, `$ref` and `allOf` is about, a group for each kind of keyword; `nil` when
  /// one is about values of any type.
  var subjects: [Set<ValueType>]? {
    let isOfAnyType =
      verdict != nil || enumeration != nil || constant != nil || !anyOf.isEmpty || !oneOf.isEmpty || not != nil
      || isLocalized
    if isOfAnyType { return nil }
    var subjects: [Set<ValueType>] = []
    if [minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf].contains(where: { $0 != nil }) {
      subjects.append([.number, .integer])
    }
    if minLength != nil || maxLength != nil || pattern != nil || format != nil { subjects.append([.string]) }
    if !prefixItems.isEmpty || items != nil || minItems != nil || maxItems != nil || uniqueItems {
      subjects.append([.array])
    }
    let isOfMembers =
      !properties.isEmpty || !required.isEmpty || additionalProperties != nil || propertyNames != nil
      || minProperties != nil || maxProperties != nil
    if isOfMembers { subjects.append([.object]) }
    return subjects
  }

  /// The subschemas that apply to the same value.
  var inPlace: [Int] { allOf + anyOf + oneOf + [not, reference].compactMap { $0 } }
}

/// A node that is compiled: its keywords are read where they are, never copied.
final class CompiledNode: Sendable {
  let keywords: SchemaNode

  init(_ keywords: SchemaNode) { self.keywords = keywords }
}

/// The types of JSON Schema.
enum ValueType: String, CaseIterable, Sendable {
  case null, boolean, object, array, number, string, integer

  func holds(_ value: JSON) -> Bool {
    switch (self, value) {
    case (.null, .null), (.boolean, .bool), (.object, .object), (.array, .array), (.number, .number),
      (.string, .string):
      true
    case (.integer, .number(let number)): number.isInteger
    default: false
    }
  }
}
