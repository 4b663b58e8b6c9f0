import Configuration
import Foundation
import JSON
import Layout
import Logging
import Service

/// The settings of a process, each with where it came from.
struct Settings: Sendable {
  /// A value as it is written, and who wrote it.
  struct Value: Sendable {
    var text: String
    var source: String
  }

  /// The configuration's folder.
  let folder: String
  private let values: [String: Value]
  /// The client attributes that the configuration declares.
  let attributes: [AttributeDeclaration]

  /// Reads the folder's `hearth.yaml`, the environment and the flags.
  ///
  /// - Parameter flags: Values by key.
  /// - Throws: ``Failure`` that names every unknown key and wrong value.
  init(
    folder: String? = nil, flags: [String: String] = [:],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    let folder = try folder ?? environment["HEARTH_CONFIG"] ?? ConfigurationFolder.find()
    self.folder = folder
    let path = folder + "/hearth.yaml"
    let file = try SettingsFile(path: path, isRequired: false)
    var problems = file.problems
    problems += Self.unknownVariables(environment).map { "\($0) is set, but there is no such setting" }
    let sources: [(name: String, provider: any ConfigProvider)] = [
      ("flag", InMemoryProvider(values: Self.table(flags))),
      ("environment", InMemoryProvider(values: Self.table(Self.variables(environment)))),
      (path, InMemoryProvider(values: Self.table(file.values))),
      ("default", InMemoryProvider(values: Self.table(Self.defaults))),
    ]
    let reader = ConfigReader(providers: sources.map(\.provider))
    var values: [String: Value] = [:]
    for setting in Setting.all {
      let key = ConfigKey(setting.key.split(separator: ".").map(String.init))
      let text = reader.string(forKey: key, default: setting.fallback)
      let source = sources.first {
        (try? $0.provider.value(forKey: AbsoluteConfigKey(key), type: .string).value) != nil
      }
      let value = Value(text: text, source: source?.name ?? "default")
      values[setting.key] = value
      if !(text.isEmpty && setting.fallback.isEmpty), let problem = setting.problem(with: text) {
        let place = value.source == "environment" ? setting.variable : "\(value.source): \(setting.key)"
        problems.append("\(place) \(problem)\(setting.isSecret ? "" : ", and is \"\(text)\"")")
      }
    }
    guard problems.isEmpty else { throw Failure(.configuration, problems.joined(separator: "\nhearth: ")) }
    self.values = values
    attributes = file.attributes
  }

  private static var defaults: [String: String] {
    Dictionary(Setting.all.map { ($0.key, $0.fallback) }, uniquingKeysWith: { first, _ in first })
  }

  private static func variables(_ environment: [String: String]) -> [String: String] {
    Dictionary(
      Setting.all.compactMap { setting in environment[setting.variable].map { (setting.key, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  private static func unknownVariables(_ environment: [String: String]) -> [String] {
    let known = Set(Setting.all.map(\.variable) + ["HEARTH_CONFIG"])
    return environment.keys.filter { $0.hasPrefix("HEARTH_") && !known.contains($0) }.sorted()
  }

  private static func table(_ values: [String: String]) -> [AbsoluteConfigKey: ConfigValue] {
    Dictionary(
      values.map { key, text in
        (AbsoluteConfigKey(key.split(separator: ".").map(String.init)), ConfigValue(.string(text), isSecret: false))
      }, uniquingKeysWith: { first, _ in first })
  }

  /// A value as it is written.
  func text(_ key: String) -> String { values[key]?.text ?? "" }

  /// A whole number; every value was checked when it was read.
  func int(_ key: String) -> Int { Int(text(key)) ?? 0 }

  func flag(_ key: String) -> Bool { Bool(text(key)) ?? false }

  /// A duration.
  func duration(_ key: String) -> Duration { .milliseconds(Int64(((Double(text(key)) ?? 0) * 1_000).rounded())) }

  /// An address.
  func listener(_ key: String) -> ServerSettings.Listener {
    let (host, port) = Setting.listener(text(key)) ?? ("127.0.0.1", 0)
    return ServerSettings.Listener(host: host, port: port)
  }

  /// Every setting with its value and source, a line each.
  var listing: String {
    let width = Setting.all.map(\.key.count).max() ?? 0
    let lines = Setting.all.map { setting -> String in
      let value = values[setting.key] ?? Value(text: "", source: "default")
      let text = value.text.isEmpty ? "\"\"" : setting.isSecret ? "(not shown)" : value.text
      return "\(setting.key.padding(toLength: width, withPad: " ", startingAt: 0))  \(text)  # \(value.source)"
    }
    let declared = attributes.map { "\(Setting.attributesKey).\($0.name)  \($0.expectation)  # \(folder)/hearth.yaml" }
    return (lines + declared).joined(separator: "\n")
  }
}

/// Where the configuration is when nobody says.
enum ConfigurationFolder {
  /// `config` in the working directory, else the nearest one above the binary.
  static func find() throws -> String {
    let executable = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    var candidates = ["config"]
    var folder = executable.deletingLastPathComponent()
    for _ in 0..<5 {
      candidates.append(folder.appendingPathComponent("config").path)
      folder.deleteLastPathComponent()
    }
    if let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0 + "/kinds.yaml") }) {
      return found
    }
    throw Failure(
      .configuration,
      "no config folder with a kinds.yaml in the working directory or above the binary; use --config DIR")
  }
}
