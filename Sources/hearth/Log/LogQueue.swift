import Foundation
import Synchronization

/// The way of log lines to a descriptor: a bounded queue, and one thread that writes.
///
/// Whoever logs never waits and never fails, whatever the descriptor is: a pipe that nobody reads, a closed one, a file on
/// a full disk. A line that finds no room in the queue, or that cannot be written, is dropped and counted; the next line
/// that is written says how many there were.
final class LogQueue: Sendable {
  private struct State {
    var lines: [String] = []
    /// The bytes of all lines that are not written yet, those that the thread has taken included.
    var bytes = 0
    /// The lines dropped since the start.
    var dropped = 0
    /// Those of them that no written line has reported.
    var unreported = 0
  }

  private let descriptor: Int32
  private let bytesMax: Int
  private let state = Mutex(State())
  private let arrival = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - descriptor: Where to write; it stays the caller's.
  ///   - bytesMax: The bytes of lines that may wait, with 64 for each line beside its text.
  init(descriptor: Int32, bytesMax: Int) {
    self.descriptor = descriptor
    self.bytesMax = bytesMax
    Thread.detachNewThread { [self] in run() }
  }

  /// The lines dropped since the start.
  var dropped: Int { state.withLock { $0.dropped } }

  /// Queues a line, without its end, or drops it.
  func append(_ line: String) {
    let isQueued = state.withLock { state in
      guard state.bytes + Self.size(of: line) <= bytesMax else {
        state.dropped += 1
        state.unreported += 1
        return false
      }
      state.bytes += Self.size(of: line)
      state.lines.append(line)
      return true
    }
    if isQueued { arrival.signal() }
  }

  /// Waits until every line is written or dropped, for at most `seconds`.
  func flush(atMost seconds: Double) {
    let end = ContinuousClock.now + .seconds(seconds)
    while state.withLock({ $0.bytes > 0 }), ContinuousClock.now < end { Thread.sleep(forTimeInterval: 0.002) }
  }

  private static func size(of line: String) -> Int { line.utf8.count + 64 }

  /// Writes for as long as the process lives.
  private func run() {
    var isMidLine = false
    while true {
      arrival.wait()
      let lines = state.withLock { state in
        defer { state.lines = [] }
        return state.lines
      }
      for line in lines {
        let unreported = state.withLock { $0.unreported }
        let text = (isMidLine ? "\n" : "") + line + (unreported > 0 ? " dropped=\(unreported)" : "") + "\n"
        let result = DescriptorWriting.write(text, to: descriptor)
        isMidLine = result == .partly || isMidLine && result == .not
        state.withLock { state in
          state.bytes -= Self.size(of: line)
          if result == .wholly {
            state.unreported -= unreported
          } else {
            state.dropped += 1
            state.unreported += 1
          }
        }
      }
    }
  }
}
