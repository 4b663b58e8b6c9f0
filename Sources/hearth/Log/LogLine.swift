import Layout
import Logging

/// Writes each event as one line: time, level, label, message and what goes with it as `name=value`.
struct LogLine: LogHandler {
  let label: String
  var logLevel: Logger.Level
  var metadata: Logger.Metadata = [:]
  /// Where the lines go.
  let queue: LogQueue

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { _, own in own }
    var line = "\(Instant.now) \(event.level.rawValue) \(label) \("\(event.message)".quoted)"
    for (name, value) in all.sorted(by: { $0.key < $1.key }) { line += " \(name)=\("\(value)".quotedUnlessPlain)" }
    queue.append(line)
  }
}

extension String {
  /// In quotes, and on one line whatever is in it.
  fileprivate var quoted: String {
    "\"" + replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").escapingControls + "\""
  }

  /// As it is when it reads as one word.
  fileprivate var quotedUnlessPlain: String {
    let isPlain =
      !isEmpty
      && unicodeScalars.allSatisfy {
        !$0.isControlling && !$0.properties.isWhitespace && $0 != "\"" && $0 != "\\" && $0 != "="
      }
    return isPlain ? self : quoted
  }
}
