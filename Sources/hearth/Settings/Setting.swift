import Foundation

/// One setting: its key in `hearth.yaml`, its default, and what may be written.
struct Setting: Sendable {
  /// What may be written.
  enum Form: Sendable {
    case text
    case listener
    case integer(ClosedRange<Int>)
    /// Seconds, as a number with at most three decimals.
    case seconds(ClosedRange<Int>)
    case flag
    case choice([String])
  }

  /// Where it is in `hearth.yaml`: `public.listen`.
  let key: String
  let form: Form
  /// As it would be written; empty for a setting that is off.
  let fallback: String
  let summary: String
  /// Whether its value is never shown.
  var isSecret = false

  /// The environment's name for it: `HEARTH_PUBLIC_LISTEN`.
  var variable: String {
    var name = "HEARTH_"
    for character in key {
      if character == "." {
        name += "_"
      } else {
        if character.isUppercase { name += "_" }
        name += character.uppercased()
      }
    }
    return name
  }

  /// What is wrong with a value, `nil` when nothing is.
  func problem(with text: String) -> String? {
    switch form {
    case .text: return nil
    case .listener: return Self.listener(text) == nil ? "must be HOST:PORT such as 127.0.0.1:8080 or [::1]:0" : nil
    case .integer(let range):
      return Int(text).map(range.contains) == true
        ? nil : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .seconds(let range):
      let isRight = Double(text).map { (Double(range.lowerBound)...Double(range.upperBound)).contains($0) } ?? false
      return isRight ? nil : "must be seconds from \(range.lowerBound) to \(range.upperBound)"
    case .flag: return Bool(text) == nil ? "must be true or false" : nil
    case .choice(let choices): return choices.contains(text) ? nil : "must be \(choices.joined(separator: " or "))"
    }
  }

  /// A numeric host, IPv6 in brackets, and a port.
  static func listener(_ text: String) -> (host: String, port: UInt16)? {
    guard let colon = text.lastIndex(of: ":"), let port = UInt16(text[text.index(after: colon)...]) else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host == "localhost" { host = "127.0.0.1" }
    guard !host.isEmpty, !host.contains(" ") else { return nil }
    return (host, port)
  }
}
