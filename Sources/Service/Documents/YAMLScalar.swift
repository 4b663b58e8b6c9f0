import JSON

/// Reads scalars as the core schema of YAML 1.2.2 §10.3 has them, or refuses them by name: JSON has no infinity.
enum YAMLScalar {
  /// Why a scalar cannot be read.
  struct Refusal: Error { var detail: String }

  static let prefix = "tag:yaml.org,2002:"

  /// The value of a scalar.
  ///
  /// - Parameters:
  ///   - isPlain: Whether it stands without quotes: then its form decides what it is.
  ///   - tag: The tag in full, `nil` without one.
  static func value(of text: String, isPlain: Bool, tag: String?) throws(Refusal) -> JSON {
    switch tag {
    case nil: return isPlain ? try resolved(text) : .string(text)
    case "!", prefix + "str": return .string(text)
    case prefix + "null": if isNull(text) { return .null }
    case prefix + "bool": if let flag = flag(text) { return .bool(flag) }
    case prefix + "int": if let spelling = whole(text) { return .number(try number(spelling, text)) }
    case prefix + "float":
      if let spelling = decimal(text) { return .number(try number(spelling, text)) }
      if isBeyondNumbers(text) { throw noNumber(text) }
    case let tag?: throw Refusal(detail: unknown(tag))
    }
    throw Refusal(detail: "\"\(text)\" is not what its tag !!\(tag?.dropFirst(prefix.count) ?? "") says")
  }

  /// Why a tag is refused.
  static func unknown(_ tag: String) -> String {
    let name = tag.hasPrefix(prefix) ? "!!" + tag.dropFirst(prefix.count) : tag
    return
      "the tag \(name) is not one of !!str, !!int, !!float, !!bool, !!null, !!seq and !!map, or does not fit its value"
  }

  private static func resolved(_ text: String) throws(Refusal) -> JSON {
    if isNull(text) { return .null }
    if let flag = flag(text) { return .bool(flag) }
    if let spelling = whole(text) ?? decimal(text) { return .number(try number(spelling, text)) }
    if isBeyondNumbers(text) { throw noNumber(text) }
    return .string(text)
  }

  private static func isNull(_ text: String) -> Bool { ["", "~", "null", "Null", "NULL"].contains(text) }

  private static func flag(_ text: String) -> Bool? {
    switch text {
    case "true", "True", "TRUE": true
    case "false", "False", "FALSE": false
    default: nil
    }
  }

  private static func isBeyondNumbers(_ text: String) -> Bool {
    let unsigned = text.first == "-" || text.first == "+" ? text.dropFirst() : text[...]
    return [".inf", ".Inf", ".INF"].contains(unsigned) || [".nan", ".NaN", ".NAN"].contains(text)
  }

  private static func noNumber(_ text: String) -> Refusal {
    Refusal(detail: "\(text) is no number in JSON; put it in quotes if it is text")
  }

  private static func number(_ spelling: String, _ text: String) throws(Refusal) -> JSONNumber {
    do {
      if case .number(let number) = try JSON.parse(spelling) { return number }
    } catch { throw Refusal(detail: "\(error.detail): \(text.prefix(50)); put it in quotes if it is text") }
    throw noNumber(text)
  }

  /// A whole number as JSON spells it: `0x1F`, `0o17`, `+7`, `007`.
  private static func whole(_ text: String) -> String? {
    let digits = text.utf8
    for (prefix, radix) in [("0x", 16), ("0o", 8)] where text.hasPrefix(prefix) {
      let rest = text.dropFirst(2)
      guard let first = rest.utf8.first, first != UInt8(ascii: "+"), first != UInt8(ascii: "-") else { return nil }
      if let value = UInt128(rest, radix: radix) { return String(value) }
      // Too many for 128 bits, and so for 38 digits.
      let isNumber = rest.allSatisfy { $0.hexDigitValue.map { $0 < radix } ?? false && $0.isASCII }
      return isNumber ? String(repeating: "9", count: JSONNumber.significantDigitsMax + 1) : nil
    }
    let unsigned =
      digits.first.map { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "+") } == true ? digits.dropFirst() : digits[...]
    guard !unsigned.isEmpty, unsigned.allSatisfy(isDigit) else { return nil }
    return decimal(text)
  }

  /// A number as JSON spells it: `1.`, `.5`, `+1e3`, `007`.
  private static func decimal(_ text: String) -> String? {
    var rest = text.utf8[...]
    func take(_ bytes: [UInt8]) -> Bool {
      guard let first = rest.first, bytes.contains(first) else { return false }
      rest.removeFirst()
      return true
    }
    func digits() -> Substring.UTF8View {
      let digits = rest.prefix(while: isDigit)
      rest = rest.dropFirst(digits.count)
      return digits
    }
    let isNegative = rest.first == UInt8(ascii: "-")
    _ = take(Array("+-".utf8))
    let integer = digits()
    var fraction: Substring.UTF8View?
    if take(Array(".".utf8)) { fraction = digits() }
    guard !integer.isEmpty || fraction?.isEmpty == false else { return nil }
    var exponent = ""
    if take(Array("eE".utf8)) {
      exponent = rest.first == UInt8(ascii: "-") ? "e-" : "e"
      _ = take(Array("+-".utf8))
      let power = digits()
      guard !power.isEmpty else { return nil }
      exponent += String(Substring(power))
    }
    guard rest.isEmpty else { return nil }
    let significant = integer.drop { $0 == UInt8(ascii: "0") }
    let whole = significant.isEmpty ? "0" : String(Substring(significant))
    let part = fraction.flatMap { $0.isEmpty ? nil : "." + String(Substring($0)) } ?? ""
    return (isNegative ? "-" : "") + whole + part + exponent
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
