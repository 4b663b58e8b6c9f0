public import Foundation

/// A program that is not ours: it is run, and what it prints is read.
public enum Peer {
  /// The machine does not have it.
  public struct Missing: Error, CustomStringConvertible {
    let program: String
    /// What is missing, and how it gets there.
    public var description: String { "\(program) is not installed; scripts/test installs it" }
  }

  /// Where a program is.
  public static func path(_ program: String) throws -> URL {
    let folders = ["/usr/bin", "/usr/sbin", "/usr/local/bin", "/bin", "/sbin"]
    let candidates = folders.map { URL(fileURLWithPath: $0).appending(path: program) }
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw Missing(program: program)
    }
    return found
  }

  /// Starts a program; what it prints can be read from the pipe.
  public static func start(_ program: String, _ arguments: [String], input: String? = nil) throws -> (Process, Pipe) {
    let process = Process()
    let output = Pipe()
    process.executableURL = try path(program)
    process.arguments = arguments
    process.standardOutput = output
    if let input {
      let pipe = Pipe()
      process.standardInput = pipe
      try process.run()
      pipe.fileHandleForWriting.write(Data(input.utf8))
      try pipe.fileHandleForWriting.close()
    } else {
      process.standardInput = FileHandle.nullDevice
      try process.run()
    }
    return (process, output)
  }

  /// Runs a program to its end: what it printed, and its exit status.
  public static func run(_ program: String, _ arguments: [String], input: String? = nil) throws -> (
    text: String, status: Int32
  ) {
    let (process, output) = try start(program, arguments, input: input)
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (text, process.terminationStatus)
  }
}
