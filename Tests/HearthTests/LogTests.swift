import Foundation
import Logging
import Testing

@testable import hearth

/// The log never harms: whatever standard error is, polls and operators are answered.
@Suite struct LogTests {
  @Test(arguments: [
    ("plain", "plain"), ("a\nb", "a\\nb"), ("bell\u{7}", "bell\\u{7}"), ("\u{1B}[2J", "\\u{1B}[2J"),
    ("\u{7F}", "\\u{7F}"), ("c1 \u{9B}31m", "c1 \\u{9B}31m"), ("\u{85}", "\\u{85}"),
    ("line\u{2028}paragraph\u{2029}", "line\\u{2028}paragraph\\u{2029}"),
    ("\u{202E}txt.exe", "\\u{202E}txt.exe"), ("\u{2066}a\u{2069}", "\\u{2066}a\\u{2069}"),
    ("\u{200F}\u{61C}\u{200B}\u{FEFF}", "\\u{200F}\\u{61C}\\u{200B}\\u{FEFF}"), ("\u{E0041}", "\\u{E0041}"),
    ("春天 Tết é", "春天 Tết é"),
  ])
  func `what a terminal would obey is written as its number`(text: String, escaped: String) {
    #expect(text.escapingControls == escaped)
  }

  @Test func `a value keeps to its line and its quotes`() throws {
    let pipe = Pipe()
    let queue = LogQueue(descriptor: pipe.fileHandleForWriting.fileDescriptor, bytesMax: 1_000_000)
    let values = ["one", "two words", "a\"b", "a\\b", "x=y", "", "\u{9B}", "a\u{2028}b", "em\u{2003}space"]
    for value in values {
      let line = LogLine(label: "test", logLevel: .info, queue: queue)
      line.log(
        event: .init(
          level: .info, message: "m", metadata: ["v": "\(value)"], source: "", file: "", function: "", line: 0))
    }
    queue.flush(atMost: 10)
    try pipe.fileHandleForWriting.close()
    let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n")
    let written = lines.compactMap { $0.split(separator: " v=", maxSplits: 1).last.map(String.init) }
    let expected = [
      "one", "\"two words\"", "\"a\\\"b\"", "\"a\\\\b\"", "\"x=y\"", "\"\"", "\"\\u{9B}\"", "\"a\\u{2028}b\"",
      "\"em\u{2003}space\"",
    ]
    #expect(written == expected)
  }

  @Test func `nobody waits for a pipe that is not read, and what was dropped is reported once it is`() async throws {
    let pipe = Pipe()
    let queue = LogQueue(descriptor: pipe.fileHandleForWriting.fileDescriptor, bytesMax: 10_000)
    // Far more than the pipe and the queue hold: each of these returns at once or this test never ends.
    for number in 0..<10_000 { queue.append("line \(number) " + String(repeating: "x", count: 100)) }
    let dropped = queue.dropped
    #expect(dropped > 8_000)
    let reading = pipe.fileHandleForReading
    let reader = Task.detached { String(decoding: reading.readDataToEndOfFile(), as: UTF8.self) }
    queue.flush(atMost: 10)
    queue.append("last")
    queue.flush(atMost: 10)
    try pipe.fileHandleForWriting.close()
    let lines = await reader.value.split(separator: "\n")
    #expect(lines.first?.hasPrefix("line 0 ") == true)
    #expect(lines.last == "last" || lines.last == "last dropped=\(dropped)")
    let reported = lines.compactMap { $0.split(separator: " dropped=").dropFirst().first.flatMap { Int($0) } }
    #expect(reported.reduce(0, +) == dropped)
    #expect(lines.count + dropped == 10_001)
  }

  @Test func `a line that cannot be written is counted, and the next that can says so`() throws {
    let full = unsafe open("/dev/full", O_WRONLY)
    let pipe = Pipe()
    let queue = LogQueue(descriptor: full, bytesMax: 10_000)
    for _ in 0..<5 { queue.append("lost") }
    queue.flush(atMost: 10)
    #expect(queue.dropped == 5)
    // The disk has room again.
    dup2(pipe.fileHandleForWriting.fileDescriptor, full)
    queue.append("kept")
    queue.append("and so on")
    queue.flush(atMost: 10)
    close(full)
    try pipe.fileHandleForWriting.close()
    let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(text == "kept dropped=5\nand so on\n")
  }

  enum StandardError: String, CaseIterable {
    case unread, closed, full
  }

  @Test(arguments: StandardError.allCases)
  func `polls and operators are answered whatever standard error is, and the metric counts what was dropped`(
    standardError: StandardError
  ) async throws {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    let small = ["HEARTH_LOG_BYTES_MAX": "4096"]
    let server =
      switch standardError {
      case .unread, .closed: try workshop.serve(environment: small)
      case .full: try await workshop.serve(redirected: "2> /dev/full", environment: small)
      }
    if standardError == .closed { try server.log?.fileHandleForReading.close() }
    // F_SETPIPE_SZ: one page, so that few lines fill it.
    if standardError == .unread, let log = server.log { _ = fcntl(log.fileHandleForReading.fileDescriptor, 1031, 4096) }
    for _ in 0..<300 {
      let answer = try await ask(server.admin, "/admin/v1/whoami", token: token)
      try #require(answer.status == 200)
      try #require(try await ask(server.polls, "/v1/home").status == 200)
    }
    #expect(try await server.metric("hearth_log_dropped_total") ?? 0 > 100)
    #expect(server.end() == 0)
  }

  @Test func `a token's name is listed as it is written, not obeyed`() throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let name = "a\u{1B}[2J\u{202E}b\nc\u{9B}"
    #expect(try workshop.run(["token", "create", "--name", name, "--role", "viewer"] + workshop.place).status == 0)
    let list = try workshop.run(["token", "list"] + workshop.place).output
    #expect(list.hasSuffix("  a\\u{1B}[2J\\u{202E}b\\nc\\u{9B}\n"), "\(list)")
  }

  @Test func `started without standard error, the server writes no line into its files`() async throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    let before = try Data(contentsOf: URL(filePath: workshop.database)).prefix(16)
    let server = try await workshop.serve(redirected: "0<&- 1>&- 2>&-")
    for _ in 0..<20 { #expect(try await ask(server.admin, "/status").status == 200) }
    #expect(server.end() == 0)
    #expect(try Data(contentsOf: URL(filePath: workshop.database)).prefix(16) == before)
    #expect(try workshop.run(["token", "list"] + workshop.place).status == 0)
  }
}
