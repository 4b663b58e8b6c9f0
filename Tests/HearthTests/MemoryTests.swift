import Foundation
import Testing

/// What a stranger can make grow is bounded, and the bound counts every byte.
@Suite struct MemoryTests {
  @Test func `with a budget of 16 MiB every trick of a stranger leaves the memory within its bound`() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "python3", Documents.root.path + "/scripts/hoard", "300", "--full", "--hearth", try Workshop.program().path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(text)")
  }
}
