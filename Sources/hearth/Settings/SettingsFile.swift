import Foundation
import JSON
import Layout
import Service

/// `hearth.yaml`: every problem names the file and the line.
struct SettingsFile {
  /// What is written for a setting, and where.
  struct Written: Sendable {
    var text: String
    /// The file and the line.
    var place: String
  }

  /// By the settings' keys.
  private(set) var values: [String: Written] = [:]
  private(set) var attributes: [AttributeDeclaration] = []
  private(set) var problems: [String] = []

  /// Reads the file, where there is one.
  init(path: String) throws {
    guard FileManager.default.fileExists(atPath: path) else { return }
    let document = try YAMLFile.read(path)
    guard document.json != .null else { return }
    guard let root = document.json.object else {
      problems = ["\(path): must be settings by name, such as public: {listen: 127.0.0.1:8080}"]
      return
    }
    func place(_ tokens: [String]) -> String {
      "\(path):\(document.line(of: JSONPointer(tokens)) ?? 1)"
    }
    var custom = JSONObject()
    flatten(root, prefix: [], place: place, attributes: &custom)
    let pointer = JSONPointer([Setting.attributesKey])
    do { attributes = try AttributeDeclaration.declarations(json: .object(custom), at: pointer) } catch {
      problems += error.problems.map { "\(place($0.pointer.tokens)): \($0.pointer) \($0.detail)" }
    }
  }

  private mutating func flatten(
    _ object: JSONObject, prefix: [String], place: ([String]) -> String, attributes: inout JSONObject
  ) {
    for member in object {
      let tokens = prefix + [member.name]
      let key = tokens.joined(separator: ".")
      if key == Setting.attributesKey, let declared = member.value.object {
        attributes = declared
      } else if let inner = member.value.object, Setting.all.contains(where: { $0.key.hasPrefix(key + ".") }) {
        flatten(inner, prefix: tokens, place: place, attributes: &attributes)
      } else if let setting = Setting.all.first(where: { $0.key == key || $0.nestedKey == key }) {
        note(member.value, of: setting, at: place(tokens))
      } else {
        problems.append("\(place(tokens)): there is no setting \(key)\(Setting.suggestion(for: key, among: \.key))")
      }
    }
  }

  private mutating func note(_ value: JSON, of setting: Setting, at place: String) {
    let text: String
    switch value {
    case .string(let string): text = string
    case .number(let number): text = number.text
    case .bool(let flag): text = String(flag)
    case .array(let elements) where setting.isList:
      text = elements.map { $0.string ?? $0.canonicalText }.joined(separator: ",")
    default: return problems.append("\(place): \(setting.key) must be one value")
    }
    if let other = values[setting.key] {
      return problems.append("\(place): \(setting.key) is set here and at \(other.place)")
    }
    values[setting.key] = Written(text: text, place: place)
  }
}

/// Reading YAML files with errors that a person can use.
enum YAMLFile {
  /// - Parameter code: How the process ends when there is no such file, or it is not YAML.
  static func read(_ path: String, _ code: Failure.Code = .configuration) throws -> YAMLDocument {
    try document(bytes(of: path, code), path, code)
  }

  static func bytes(of path: String, _ code: Failure.Code) throws -> [UInt8] {
    guard let data = FileManager.default.contents(atPath: path) else { throw Failure(code, "\(path) cannot be read") }
    return Array(data)
  }

  /// - Parameter path: Where the bytes are from.
  static func document(_ bytes: [UInt8], _ path: String, _ code: Failure.Code) throws -> YAMLDocument {
    do { return try YAMLDocument(bytes) } catch {
      throw Failure(code, "\(path)\(error.line.map { ":\($0)" } ?? ""): \(error.detail)")
    }
  }
}
