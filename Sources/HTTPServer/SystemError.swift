import Glibc

/// A call into the operating system that failed while the server was being set up.
public struct SystemError: Error, Sendable, CustomStringConvertible {
  /// What was tried, such as `bind 127.0.0.1:8080`.
  public let operation: String
  /// The `errno` number, such as `EADDRINUSE`.
  public let number: Int32

  /// The error of the call that has just failed.
  static func last(_ operation: String) -> SystemError {
    SystemError(operation: operation, number: errno)
  }

  /// The operation and the system's own words for the error.
  public var description: String {
    let words = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    return "\(operation): \(words)"
  }
}
