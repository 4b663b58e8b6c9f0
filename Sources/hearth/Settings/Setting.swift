import Foundation
import HTTPClient
import HTTPServer
import Serving
import Service

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
    /// An address of the web to put paths behind.
    case baseURL
    /// Where requests are sent.
    case outgoingURL
    case choice([String])
    /// Names and addresses without ports, separated by commas.
    case hosts
    /// Numeric addresses and ranges of them, separated by commas.
    case addresses
  }

  /// Where it is in `hearth.yaml`: `public.listen`.
  let key: String
  /// Where it is as well, for a setting that has others below it: a mapping has no value of its own.
  var nestedKey: String? { key == "database" ? "database.location" : nil }
  let form: Form
  /// As it would be written; empty for a setting that is off.
  let fallback: String
  let summary: String
  /// Whether its value is never shown.
  let isSecret: Bool
  private let put: @Sendable (inout ProcessSettings, String) -> Void

  /// A setting of what is at a path.
  ///
  /// - Parameter range: What a number, or a time in seconds, may be.
  init<Value: SettingValue>(
    _ key: String, _ path: any WritableKeyPath<ProcessSettings, Value> & Sendable, in range: ClosedRange<Int> = 0...0,
    _ summary: String, isSecret: Bool = false, form: Form? = nil
  ) {
    self.init(key, ProcessSettings()[keyPath: path], range, summary, isSecret, form) { $0[keyPath: path] = $1 }
  }

  /// A setting of both listeners.
  init<Value: SettingValue>(
    _ key: String, http path: any WritableKeyPath<Limits, Value> & Sendable, in range: ClosedRange<Int> = 0...0,
    _ summary: String
  ) {
    self.init(key, Limits()[keyPath: path], range, summary, false, nil) { settings, value in
      settings.server.publicLimits[keyPath: path] = value
      settings.server.adminLimits[keyPath: path] = value
    }
  }

  private init<Value: SettingValue>(
    _ key: String, _ fallback: Value, _ range: ClosedRange<Int>, _ summary: String, _ isSecret: Bool,
    _ form: Form?, put: @Sendable @escaping (inout ProcessSettings, Value) -> Void
  ) {
    self.key = key
    self.form = form ?? Value.form(in: range)
    self.fallback = fallback.written
    self.summary = summary
    self.isSecret = isSecret
    self.put = { settings, text in if let value = Value(written: text) { put(&settings, value) } }
  }

  /// Sets what a text says that ``problem(with:)`` finds nothing wrong with.
  func set(_ text: String, in settings: inout ProcessSettings) { put(&settings, text) }

  /// Whether it may be written as a list.
  var isList: Bool {
    switch form {
    case .hosts, .addresses: true
    default: false
    }
  }

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
    case .listener:
      return ServerSettings.Listener(written: text) == nil ? "must be HOST:PORT such as 127.0.0.1:8080 or [::1]:0" : nil
    case .integer(let range):
      return Int(text).map(range.contains) == true
        ? nil : "must be a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .seconds(let range):
      let isRight = Double(text).map { (Double(range.lowerBound)...Double(range.upperBound)).contains($0) } ?? false
      return isRight ? nil : "must be seconds from \(range.lowerBound) to \(range.upperBound)"
    case .flag: return Bool(text) == nil ? "must be true or false" : nil
    case .baseURL:
      return AssetSettings.isBaseURL(text)
        ? nil : "must be https://HOST, perhaps with a path, without a slash at its end"
    case .outgoingURL: return OutgoingURL(text) == nil ? "must be \(OutgoingURL.expected)" : nil
    case .hosts:
      return ([String](written: text) ?? []).allSatisfy(AdminSettings.isHost)
        ? nil : "must be names or addresses without a port, separated by commas"
    case .addresses:
      return AddressRanges(written: text) == nil
        ? "must be addresses and ranges such as 10.1.2.0/24, separated by commas" : nil
    case .choice(let choices): return choices.contains(text) ? nil : "must be \(choices.joined(separator: " or "))"
    }
  }
}
