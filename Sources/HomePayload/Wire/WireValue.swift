import JSON

/// What a member may be.
protocol WireValue {
  /// Appends the canonical bytes.
  func append(to bytes: inout [UInt8])
  /// Reads a value, `nil` for a form that a newer server may send and this version does not know.
  ///
  /// - Throws: ``PayloadError`` with the place below the value's own.
  static func read(_ json: JSON) throws(PayloadError) -> Self?
  /// Whether both are written the same.
  ///
  /// Swift's `==` takes canonically equivalent strings for equal: one `é` for two code points. Here whatever is written
  /// as other bytes is another value, so that a change of it is never lost (RFC 8259 §8.3).
  func isSame(as other: Self) -> Bool
  /// What a missing member means; `nil` when it must not be missing.
  static var absent: Self? { get }
  /// Whether there is nothing to say.
  var isAbsent: Bool { get }
}

extension WireValue {
  static var absent: Self? { nil }
  var isAbsent: Bool { false }
}

extension WireValue where Self: Equatable {
  func isSame(as other: Self) -> Bool { self == other }
}

/// A word of several; one that a newer server names is none.
extension WireValue where Self: RawRepresentable & Equatable, RawValue == String {
  func append(to bytes: inout [UInt8]) { rawValue.append(to: &bytes) }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    Self(rawValue: try json.require(json.string, "a string"))
  }
}

extension PayloadError {
  /// The error as seen from what has the member.
  func below(_ name: String) -> PayloadError {
    PayloadError(JSONPointer([name]).description + pointer, detail)
  }
}

extension JSON {
  /// What a value is that must be of one type.
  func require<Value>(_ value: Value?, _ expected: String) throws(PayloadError) -> Value {
    guard let value else { throw PayloadError("", "must be \(expected)") }
    return value
  }
}

extension String: WireValue {
  func append(to bytes: inout [UInt8]) { JSON.append(self, to: &bytes) }
  static func read(_ json: JSON) throws(PayloadError) -> String? { try json.require(json.string, "a string") }
  func isSame(as other: String) -> Bool { JSON.isSame(self, other) }
}

extension Bool: WireValue {
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: (self ? "true" : "false").utf8) }
  static func read(_ json: JSON) throws(PayloadError) -> Bool? { try json.require(json.bool, "true or false") }
}

extension Int: WireValue {
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: String(self).utf8) }
  static func read(_ json: JSON) throws(PayloadError) -> Int? { try json.require(json.int, "a whole number") }
}

extension JSONNumber: WireValue {
  func append(to bytes: inout [UInt8]) { bytes.append(contentsOf: text.utf8) }
  static func read(_ json: JSON) throws(PayloadError) -> JSONNumber? { try json.require(json.number, "a number") }
}

extension JSONObject: WireValue {
  static func read(_ json: JSON) throws(PayloadError) -> JSONObject? { try json.require(json.object, "an object") }
  static var absent: JSONObject? { JSONObject() }
  var isAbsent: Bool { isEmpty }
}

extension Optional: WireValue where Wrapped: WireValue {
  func append(to bytes: inout [UInt8]) { self?.append(to: &bytes) }
  static func read(_ json: JSON) throws(PayloadError) -> Wrapped?? { .some(try Wrapped.read(json)) }
  func isSame(as other: Wrapped?) -> Bool {
    guard let self, let other else { return isAbsent && other.isAbsent }
    return self.isSame(as: other)
  }
  static var absent: Wrapped?? { .some(nil) }
  var isAbsent: Bool { if case .none = self { true } else { false } }
}

extension Array: WireValue where Element: WireValue {
  func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "["))
    for (position, element) in enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      element.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
  static func read(_ json: JSON) throws(PayloadError) -> [Element]? {
    var all: [Element] = []
    for (position, json) in try json.require(json.array, "an array").enumerated() {
      do { if let element = try Element.read(json) { all.append(element) } } catch { throw error.below("\(position)") }
    }
    return all
  }
  func isSame(as other: [Element]) -> Bool { elementsEqual(other) { $0.isSame(as: $1) } }
  static var absent: [Element]? { [] }
  var isAbsent: Bool { isEmpty }
}

/// An object whose names are data, written in the order of their bytes.
extension Dictionary: WireValue where Key == String, Value: WireValue {
  func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    let sorted = sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    for (position, member) in sorted.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      member.key.append(to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      member.value.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
  static func read(_ json: JSON) throws(PayloadError) -> [String: Value]? {
    var all: [String: Value] = [:]
    for member in try json.require(json.object, "an object") {
      do { all[member.name] = try Value.read(member.value) } catch { throw error.below(member.name) }
    }
    return all
  }
  func isSame(as other: [String: Value]) -> Bool {
    count == other.count && allSatisfy { name, value in other[name].map { value.isSame(as: $0) } ?? false }
  }
  static var absent: [String: Value]? { [:] }
  var isAbsent: Bool { isEmpty }
}
