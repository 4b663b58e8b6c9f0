import Foundation

/// A JSON value (RFC 8259) whose objects are kept in canonical member order and whose numbers keep their value.
public enum JSON: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, exact.
  case number(JSONNumber)
  /// A string.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object.
  case object(JSONObject)
}

extension JSON {
  /// Whether two values are the same: numbers by value, strings by their code points, unlike Swift's own `==`, which
  /// takes canonically equivalent strings for equal (RFC 8259 §8.3).
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): isSame(left, right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Hashes what ``==(_:_:)`` compares.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): hasher.combine(value)
    case .number(let number): hasher.combine(number)
    case .string(let string): hasher.combine(ExactString(string))
    case .array(let elements): hasher.combine(elements)
    case .object(let object): hasher.combine(object)
    }
  }

  /// Whether two strings have the same code points.
  package static func isSame(_ left: String, _ right: String) -> Bool {
    let left = left.utf8
    let right = right.utf8
    guard left.count == right.count else { return false }
    let answer = unsafe left.withContiguousStorageIfAvailable { left in
      unsafe right.withContiguousStorageIfAvailable { right -> Bool in
        guard let start = left.baseAddress, let other = right.baseAddress else { return left.isEmpty }
        return unsafe memcmp(start, other, left.count) == 0
      }
    }
    return (answer ?? nil) ?? left.elementsEqual(right)
  }
}

extension JSON {
  /// The Boolean, when it is one.
  public var bool: Bool? {
    guard case .bool(let value) = self else { return nil }
    return value
  }

  /// The number, when it is one.
  public var number: JSONNumber? {
    guard case .number(let value) = self else { return nil }
    return value
  }

  /// The whole number, when it is one and fits.
  public var int: Int? { number?.int }

  /// The string, when it is one.
  public var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The elements, when it is an array.
  public var array: [JSON]? {
    guard case .array(let value) = self else { return nil }
    return value
  }

  /// The members, when it is an object.
  public var object: JSONObject? {
    guard case .object(let value) = self else { return nil }
    return value
  }

  /// The value of a member, when it is an object that has it.
  public subscript(name: String) -> JSON? { object?[name] }

  /// What the value is, in a word for messages: `a string`.
  public var typeDescription: String {
    switch self {
    case .null: "null"
    case .bool: "a boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// A whole number.
  public init(integerLiteral value: Int) { self = .number(JSONNumber(value)) }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object; the last of equal names wins.
  public init(dictionaryLiteral elements: (String, JSON)...) { self = .object(JSONObject(elements)) }
}
