/// The keywords that a schema may hold (JSON Schema 2020-12, and `x-localized` of our own).
public enum Keyword: String, CaseIterable, Sendable {
  case schema = "$schema"
  case comment = "$comment"
  case defs = "$defs"
  case ref = "$ref"
  case type, properties, required, additionalProperties, items, prefixItems
  case enumeration = "enum"
  case const
  case minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf
  case minLength, maxLength, pattern, format
  case minItems, maxItems, uniqueItems
  case minProperties, maxProperties, propertyNames
  case anyOf, oneOf, allOf, not
  case title, description
  case defaultValue = "default"
  case localized = "x-localized"
}
