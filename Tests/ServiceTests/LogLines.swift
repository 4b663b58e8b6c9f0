import Logging
import Synchronization

/// What a logger of a test was told, a line each: the level, the message, and the metadata by their names.
final class LogLines: Sendable {
  private let lines = Mutex<[String]>([])

  /// A logger whose lines come here.
  var logger: Logger {
    var logger = Logger(label: "test") { [self] _ in Handler(lines: self) }
    logger.logLevel = .notice
    return logger
  }

  /// The lines with a text.
  func with(_ text: String) -> [String] { lines.withLock { $0.filter { $0.contains(text) } } }

  private struct Handler: LogHandler {
    let lines: LogLines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.notice

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
      get { metadata[key] }
      set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
      let all = metadata.merging(event.metadata ?? [:]) { _, own in own }.sorted { $0.key < $1.key }
      let line = "\(event.level) \(event.message)" + all.map { " \($0.key)=\($0.value)" }.joined()
      lines.lines.withLock { $0.append(line) }
    }
  }
}
