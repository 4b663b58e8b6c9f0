import Foundation
import Layout
import Logging
import Synchronization

/// Writes each event as one line: time, level, label, message and what goes with it as `name=value`.
struct LogLine: LogHandler {
  private static let lock = Mutex<Void>(())

  let label: String
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
    var line = "\(Instant.now) \(event.level.rawValue) \(label) \(Self.quoted("\(event.message)", always: true))"
    for (name, value) in all.sorted(by: { $0.key < $1.key }) { line += " \(name)=\(Self.quoted("\(value)"))" }
    Self.lock.withLock { _ in FileHandle.standardError.write(Data((line + "\n").utf8)) }
  }

  /// A text that keeps to its line, whatever is in it.
  private static func quoted(_ text: String, always: Bool = false) -> String {
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 != 0x7F }
    if isPlain, !always { return text }
    var out = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": out += "\\" + String(scalar)
      case "\n": out += "\\n"
      case let scalar where scalar.properties.generalCategory == .control: out += "?"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out + "\""
  }
}
