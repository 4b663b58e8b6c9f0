import Foundation
import Testing

@testable import Serving

/// The file of what was served is never half written, whatever ends the process or the machine.
@Suite struct TwoSlotFileTests {
  private func withFile(_ body: (TwoSlotFile) throws -> Void) throws {
    let folder = try RunningServer.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(TwoSlotFile(path: folder + "/served"))
  }

  @Test func `the newest text is read, of any size`() throws {
    try withFile { file in
      #expect(try file.read() == nil)
      for count in [0, 1, 10, 4_000, 4_096, 9_000, 3, 100_000, 50_000] {
        let text = String(repeating: "ü", count: count / 2) + "{}"
        try file.update { _ in text }
        #expect(try file.read() == text)
      }
    }
  }

  @Test func `an edit gets the text that another process wrote`() throws {
    try withFile { file in
      for number in 1...20 {
        try TwoSlotFile(path: file.path).update { text in "\((text.flatMap { Int($0) } ?? 0) + 1)" }
        #expect(try file.read() == "\(number)")
      }
    }
  }

  @Test func `those that write at once lose nothing of each other, also where a larger file takes the place of one`()
    throws
  {
    try withFile { file in
      let path = file.path
      DispatchQueue.concurrentPerform(iterations: 4) { writer in
        for number in 0..<25 {
          let line = String(repeating: "\(writer)", count: 300) + "\(number);"
          do { try TwoSlotFile(path: path).update { text in (text ?? "") + line } } catch { Issue.record(error) }
        }
      }
      let text = try file.read() ?? ""
      #expect(text.split(separator: ";").count == 100)
    }
  }

  @Test func `what was written by halves leaves the text before`() throws {
    try withFile { file in
      for text in ["first", "second", "third"] { try file.update { _ in text } }
      let whole = try Data(contentsOf: URL(fileURLWithPath: file.path))
      let newest = try #require(whole.range(of: Data("third".utf8)))
      let slot = newest.lowerBound < whole.count / 2 ? 0..<whole.count / 2 : whole.count / 2..<whole.count
      for end in slot.lowerBound..<newest.upperBound {
        var torn = whole
        torn.replaceSubrange(end..<newest.upperBound, with: Data(repeating: 0x20, count: newest.upperBound - end))
        try torn.write(to: URL(fileURLWithPath: file.path))
        #expect(try file.read() == "second")
      }
      try file.update { text in (text ?? "") + " and on" }
      #expect(try file.read() == "second and on")
    }
  }

  @Test(arguments: [("", 1), ("{}", 1), ("0 1 {}", 1), ("x", 9_000), ("x", 8_192)])
  func `what nobody wrote is refused, and replaced by the next text`(text: String, times: Int) throws {
    try withFile { file in
      try Data(String(repeating: text, count: times).utf8).write(to: URL(fileURLWithPath: file.path))
      #expect(throws: FileFailure.self) { try file.read() }
      try file.update { before in
        #expect(before == nil)
        return "new"
      }
      #expect(try file.read() == "new")
      let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
  }
}
