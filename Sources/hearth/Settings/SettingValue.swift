import Foundation
import HTTPClient
import Logging
import Service

/// A value that can be set, and how it is written.
protocol SettingValue: Sendable {
  /// The value of a text that its form allows; `nil` for any other.
  init?(written: String)
  /// As it is written.
  var written: String { get }
  /// What may be written.
  static func form(in range: ClosedRange<Int>) -> Setting.Form
}

extension String: SettingValue {
  init?(written: String) { self = written }
  var written: String { self }
  static func form(in _: ClosedRange<Int>) -> Setting.Form { .text }
}

extension Int: SettingValue {
  init?(written: String) { self.init(written) }
  var written: String { description }
  static func form(in range: ClosedRange<Int>) -> Setting.Form { .integer(range) }
}

extension Bool: SettingValue {
  init?(written: String) { self.init(written) }
  var written: String { description }
  static func form(in _: ClosedRange<Int>) -> Setting.Form { .flag }
}

/// Seconds, with at most three decimals.
extension Duration: SettingValue {
  init?(written: String) {
    guard let seconds = Double(written), seconds.magnitude < 1e12 else { return nil }
    self = .milliseconds(Int64((seconds * 1_000).rounded()))
  }
  var written: String {
    let seconds = self / .seconds(1)
    return seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
  }
  static func form(in range: ClosedRange<Int>) -> Setting.Form { .seconds(range) }
}

extension ServerSettings.Listener: SettingValue {
  /// A numeric host, IPv6 in brackets, and a port.
  init?(written: String) {
    guard let colon = written.lastIndex(of: ":"), let port = UInt16(written[written.index(after: colon)...]) else {
      return nil
    }
    var host = String(written[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    if host == "localhost" { host = "127.0.0.1" }
    guard !host.isEmpty, !host.contains(" ") else { return nil }
    self.init(host: host, port: port)
  }
  var written: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
  static func form(in _: ClosedRange<Int>) -> Setting.Form { .listener }
}

/// Hosts, separated by commas.
extension [String]: SettingValue {
  init?(written: String) {
    self = written.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
  }
  var written: String { joined(separator: ", ") }
  static func form(in _: ClosedRange<Int>) -> Setting.Form { .hosts }
}

/// Ranges of addresses, separated by commas.
extension AddressRanges: SettingValue {
  init?(written: String) { self.init([String](written: written) ?? []) }
  var written: String { description }
  static func form(in _: ClosedRange<Int>) -> Setting.Form { .addresses }
}

extension OutgoingURL: SettingValue {
  init?(written: String) { self.init(written) }
  var written: String { text }
  static func form(in _: ClosedRange<Int>) -> Setting.Form { .outgoingURL }
}

extension Logger.Level: SettingValue {
  init?(written: String) { self.init(rawValue: written) }
  var written: String { rawValue }
  static func form(in _: ClosedRange<Int>) -> Setting.Form { .choice(allCases.map(\.rawValue)) }
}

/// What may be off: a text that is empty, a number that is 0.
extension Optional: SettingValue where Wrapped: SettingValue {
  init?(written: String) {
    guard written != Self.off else {
      self = Optional.none
      return
    }
    guard let value = Wrapped(written: written) else { return nil }
    self = .some(value)
  }
  var written: String { self?.written ?? Self.off }
  static func form(in range: ClosedRange<Int>) -> Setting.Form { Wrapped.form(in: range) }

  private static var off: String {
    if case .integer = form(in: 0...0) { "0" } else { "" }
  }
}
