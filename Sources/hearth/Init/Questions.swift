import ArgumentParser
import Foundation
import Glibc

/// What a person at a terminal is asked.
struct Questions {
  /// What is wrong with an answer, such as `must be yes or no`.
  struct Wrong: Error {
    let detail: String
    init(_ detail: String) { self.detail = detail }
  }

  /// Whether somebody is there to answer.
  private let isTerminal = isatty(STDIN_FILENO) == 1

  /// The value of an option; where it is not given, that of an answer, or of the default where nobody is there or nothing
  /// is typed. A wrong answer is asked for again.
  ///
  /// - Throws: `ValidationError` when the option is wrong, or the terminal's input ends.
  func answer<Value>(
    _ option: String?, _ name: String, _ question: String, default fallback: String,
    _ read: (String) throws(Wrong) -> Value
  ) throws -> Value {
    guard option == nil, isTerminal else {
      do { return try read(option ?? fallback) } catch { throw ValidationError("\(name) \(error.detail)") }
    }
    while true {
      // Not where the result goes.
      DescriptorWriting.write("\(question) [\(fallback)] ", to: STDERR_FILENO)
      guard let line = readLine() else { throw ValidationError("the input ended; nothing was changed") }
      let text = line.trimmingCharacters(in: .whitespaces)
      do { return try read(text.isEmpty ? fallback : text) } catch {
        DescriptorWriting.write("It \(error.detail).\n", to: STDERR_FILENO)
      }
    }
  }
}
