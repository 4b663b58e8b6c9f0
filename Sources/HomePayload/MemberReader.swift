import JSON

/// Reads the members of an object on the wire. Members that it does not ask for are left alone: servers may be newer.
struct MemberReader {
  let pointer: String
  private let object: JSONObject

  init(_ json: JSON, _ pointer: String) throws(PayloadError) {
    guard let object = json.object else { throw PayloadError(pointer, "must be an object") }
    self.object = object
    self.pointer = pointer
  }

  var names: [String] { object.names }

  func value(_ name: String) -> JSON? { object[name] }

  func place(_ name: String) -> String {
    pointer + "/" + name.replacing("~", with: "~0").replacing("/", with: "~1")
  }

  func required<Value>(_ name: String, _ value: Value?) throws(PayloadError) -> Value {
    guard let value else { throw PayloadError(place(name), "is required") }
    return value
  }

  func string(_ name: String) throws(PayloadError) -> String? { try typed(name, "a string", \.string) }
  func bool(_ name: String) throws(PayloadError) -> Bool? { try typed(name, "true or false", \.bool) }
  func number(_ name: String) throws(PayloadError) -> JSONNumber? { try typed(name, "a number", \.number) }
  func int(_ name: String) throws(PayloadError) -> Int? { try typed(name, "a whole number", \.int) }
  func object(_ name: String) throws(PayloadError) -> JSONObject? { try typed(name, "an object", \.object) }
  func array(_ name: String) throws(PayloadError) -> [JSON] { try typed(name, "an array", \.array) ?? [] }

  /// A list of whole numbers that are no less than zero: positions.
  func positions(_ name: String) throws(PayloadError) -> [Int] {
    let all = try array(name)
    let positions = all.compactMap(\.int).filter { $0 >= 0 }
    guard positions.count == all.count else { throw PayloadError(place(name), "must be positions") }
    return positions
  }

  func position(_ name: String) throws(PayloadError) -> Int {
    let position = try required(name, try int(name))
    guard position >= 0 else { throw PayloadError(place(name), "must be a position") }
    return position
  }

  func strings(_ name: String) throws(PayloadError) -> [String] {
    let all = try array(name)
    let strings = all.compactMap(\.string)
    guard strings.count == all.count else { throw PayloadError(place(name), "must be strings") }
    return strings
  }

  private func typed<Value>(
    _ name: String, _ expected: String, _ value: (JSON) -> Value?
  ) throws(PayloadError) -> Value? {
    guard let json = object[name] else { return nil }
    guard let value = value(json) else { throw PayloadError(place(name), "must be \(expected)") }
    return value
  }
}
