import Foundation
import HTTPServer
import Layout
import Storage

/// The settings of a process, each with where it came from.
struct Settings: Sendable {
  /// A value as it is written, and who wrote it.
  struct Value: Sendable {
    var text: String
    var source: String
  }

  /// The configuration's folder.
  let folder: String
  /// What the settings come to.
  let values: ProcessSettings
  private let written: [String: Value]
  /// The client attributes that the configuration declares.
  let attributes: [AttributeDeclaration]

  /// Reads the folder's `hearth.yaml`, the environment and the flags.
  ///
  /// - Parameters:
  ///   - needsFolder: Whether it is a failure that no folder is named and none is found.
  ///   - flags: Values by key.
  /// - Throws: ``Failure`` that names every unknown key and wrong value.
  init(
    folder: String? = nil, needsFolder: Bool = true, flags: [String: String] = [:],
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws {
    let folder = try folder ?? environment["HEARTH_CONFIG"] ?? ConfigurationFolder.find(isNeeded: needsFolder)
    self.folder = folder
    let path = folder + "/hearth.yaml"
    let file = try SettingsFile(path: path)
    var problems = file.problems
    problems += Self.unknownVariables(environment).map {
      "\($0) is set, but there is no such setting\(Setting.suggestion(for: $0, among: \.variable))"
    }
    // The first that has a value wins.
    let sources = [
      ("flag", flags), ("environment", Self.settings(of: environment)), (path, file.values.mapValues(\.text)),
    ]
    var values = ProcessSettings()
    var written: [String: Value] = [:]
    for setting in Setting.all {
      let given = sources.lazy.compactMap { name, texts in texts[setting.key].map { Value(text: $0, source: name) } }
        .first
      let value = given ?? Value(text: setting.fallback, source: "default")
      written[setting.key] = value
      if !(value.text.isEmpty && setting.fallback.isEmpty), let problem = setting.problem(with: value.text) {
        let place =
          switch value.source {
          case "environment": setting.variable
          case path: "\(file.values[setting.key]?.place ?? path): \(setting.key)"
          default: "\(value.source): \(setting.key)"
          }
        problems.append("\(place) \(problem)\(setting.isSecret ? "" : ", and is \"\(value.text)\"")")
      }
      setting.set(value.text, in: &values)
    }
    guard problems.isEmpty else { throw Failure(.configuration, problems.joined(separator: "\nhearth: ")) }
    self.values = values
    self.written = written
    attributes = file.attributes
  }

  /// What documents are read against.
  var context: DefinitionContext { DefinitionContext(attributes: attributes, limits: values.layout) }

  private static func unknownVariables(_ environment: [String: String]) -> [String] {
    // A token is no setting of a server; commands that ask one take it from there.
    let known = Set(Setting.all.map(\.variable) + ["HEARTH_CONFIG", "HEARTH_TOKEN"])
    return environment.keys.filter { $0.hasPrefix("HEARTH_") && !known.contains($0) }.sorted()
  }

  /// What an environment sets, by the settings' keys.
  private static func settings(of environment: [String: String]) -> [String: String] {
    Dictionary(
      Setting.all.compactMap { setting in environment[setting.variable].map { (setting.key, $0) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Every setting with its value and source, a line each.
  ///
  /// - Parameter listening: What the sockets that systemd has passed listen on, by the listeners' names: the settings do not
  ///   count then.
  func listing(listening: [String: [PeerAddress]]) -> String {
    let width = Setting.all.map(\.key.count).max() ?? 0
    let lines = Setting.all.map { setting -> String in
      let value = written[setting.key] ?? Value(text: "", source: "default")
      // A connection string may hold a password.
      let shown = setting.key == "database" ? "\(DatabaseLocation(value.text))" : value.text
      let text = shown.isEmpty ? "\"\"" : setting.isSecret ? "(not shown)" : shown
      let sockets = listening.first { setting.key == "\($0.key).listen" }?.value ?? []
      let key = setting.key.padding(toLength: width, withPad: " ", startingAt: 0)
      guard !sockets.isEmpty else { return "\(key)  \(text)  # \(value.source)" }
      let addresses = sockets.map(\.description).joined(separator: ",")
      return "\(key)  \(addresses)  # systemd, instead of \(text) (\(value.source))"
    }
    let declared = attributes.map { "\(Setting.attributesKey).\($0.name)  \($0.expectation)  # \(folder)/hearth.yaml" }
    return (lines + declared).joined(separator: "\n")
  }
}

/// Where the configuration is when nobody says.
enum ConfigurationFolder {
  /// Where an installed Hearth has it.
  static let installed = "/etc/hearth"

  /// `config` in the working directory, else the nearest one above the binary, else ``installed``.
  ///
  /// - Parameter isNeeded: Whether it is a failure that there is none; ``installed`` is the answer else.
  static func find(isNeeded: Bool) throws -> String {
    guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: $0 + "/kinds.yaml") }) else {
      guard isNeeded else { return installed }
      throw Failure(
        .configuration,
        "there is no kinds.yaml in ./config, in a config folder above the binary, or in \(installed); use --config DIR")
    }
    return found
  }

  /// Where it is looked for, in this order.
  static var candidates: [String] {
    // The kernel's name for the binary: its own may be a name on the PATH.
    let executable = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    var candidates = ["config"]
    var folder = executable.deletingLastPathComponent()
    for _ in 0..<5 {
      candidates.append(folder.appendingPathComponent("config").path)
      folder.deleteLastPathComponent()
    }
    return candidates + [installed]
  }
}
