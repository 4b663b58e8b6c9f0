import JSON

/// Something that is written as canonical JSON: its members in a fixed order, absent ones left out.
protocol CanonicallyEncoded {
  func append(to bytes: inout [UInt8])
}

/// Writes one object's members in the order they are given.
struct ObjectEncoder {
  private var isEmpty = true

  /// Opens the object.
  init(_ bytes: inout [UInt8]) { bytes.append(UInt8(ascii: "{")) }

  /// Closes the object.
  func close(_ bytes: inout [UInt8]) { bytes.append(UInt8(ascii: "}")) }

  /// Writes a name; the value must follow.
  mutating func name(_ name: StaticString, _ bytes: inout [UInt8]) {
    bytes.append(contentsOf: (isEmpty ? "\"" : ",\"").utf8)
    isEmpty = false
    bytes.append(contentsOf: name.description.utf8)
    bytes.append(contentsOf: "\":".utf8)
  }

  mutating func string(_ name: StaticString, _ value: String?, _ bytes: inout [UInt8]) {
    guard let value else { return }
    self.name(name, &bytes)
    JSON.append(value, to: &bytes)
  }

  mutating func number(_ name: StaticString, _ value: JSONNumber?, _ bytes: inout [UInt8]) {
    guard let value else { return }
    self.name(name, &bytes)
    bytes.append(contentsOf: value.text.utf8)
  }

  /// Writes a member whose name is data.
  mutating func int(_ name: String, _ value: Int, _ bytes: inout [UInt8]) {
    if !isEmpty { bytes.append(UInt8(ascii: ",")) }
    isEmpty = false
    JSON.append(name, to: &bytes)
    bytes.append(contentsOf: ":\(value)".utf8)
  }

  mutating func int(_ name: StaticString, _ value: Int, _ bytes: inout [UInt8]) {
    self.name(name, &bytes)
    bytes.append(contentsOf: String(value).utf8)
  }

  mutating func bool(_ name: StaticString, _ value: Bool?, _ bytes: inout [UInt8]) {
    guard let value else { return }
    self.name(name, &bytes)
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  mutating func object(_ name: StaticString, _ value: JSONObject?, _ bytes: inout [UInt8]) {
    guard let value else { return }
    self.name(name, &bytes)
    value.append(to: &bytes)
  }

  mutating func value(_ name: StaticString, _ value: (some CanonicallyEncoded)?, _ bytes: inout [UInt8]) {
    guard let value else { return }
    self.name(name, &bytes)
    value.append(to: &bytes)
  }

  /// Writes a list.
  mutating func list(_ name: StaticString, _ values: [some CanonicallyEncoded], _ bytes: inout [UInt8]) {
    self.name(name, &bytes)
    bytes.append(UInt8(ascii: "["))
    for (position, value) in values.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      value.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "]"))
  }
}
