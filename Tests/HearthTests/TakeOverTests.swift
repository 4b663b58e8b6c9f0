import Foundation
import HTTPServer
import Logging
import Synchronization
import Testing

/// `hearth serve --take-over`: one process serves a database, whatever happens between two.
@Suite struct TakeOverTests {
  @Test func `a successor serves at the same ports what its predecessor published, and that one ends with 0`()
    async throws
  {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    let first = try workshop.serve()
    let tag = try #require(try await ask(first.polls, "/v1/home").fields["etag"])
    let polls = first.polls
    async let waiting = ask(polls, "/v1/home", fields: ["If-None-Match": tag, "Prefer": "wait=60"])
    try await eventually { try await first.metric("hearth_http_waiting{listener=\"public\"}") == 1 }
    let second = try workshop.serve(["--take-over"])
    #expect((second.polls, second.admin) == (first.polls, first.admin))
    first.process.waitUntilExit()
    #expect(first.process.terminationStatus == 0)
    #expect(try await waiting.status == 304)
    // The right to serve has come with the ports.
    try await eventually { try workshop.run(workshop.serving).status == 74 }
    let published = try await ask(
      second.admin, "/admin/v1/pages/home/publish", method: "POST", token: token, body: "{}")
    #expect(published.status == 200, "\(published.text)")
    #expect(try await ask(second.polls, "/v1/home").fields["hearth-revision"] == "1.2")
    #expect(second.end() == 0)
  }

  @Test func `with nothing to take over it just serves`() async throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    let server = try workshop.serve(["--take-over"])
    #expect(try await ask(server.polls, "/v1/home").status == 200)
    #expect(server.end() == 0)
  }

  @Test func `of several successors that come at once, one is left`() async throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    let first = try workshop.serve()
    let successors = try (0..<3).map { _ in
      let process = try workshop.process(workshop.serving + ["--take-over"])
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
    let all = [first.process] + successors
    defer { for process in all where process.isRunning { process.terminate() } }
    try await eventually { all.count { $0.isRunning } == 1 && !first.process.isRunning }
    for process in all where !process.isRunning { #expect([0, 74].contains(process.terminationStatus)) }
    #expect(try await ask(first.polls, "/v1/home").status == 200)
    #expect(all.count { $0.isRunning } == 1)
  }

  @Test func `a successor that its predecessor does not wait for ends with 74, and the predecessor goes on`() throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    // It holds the right to serve, has no patience, and stops whoever would say that it is ready.
    let database = unsafe open(workshop.database, O_RDONLY)
    defer { close(database) }
    #expect(flock(database, LOCK_EX | LOCK_NB) == 0)
    let listeners = ["public", "admin"]
    let sockets = try Dictionary(
      uniqueKeysWithValues: listeners.map { ($0, try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)) })
    let settled = Mutex<[Bool]>([])
    let successor = try workshop.process(workshop.serving + ["--take-over"])
    let started = Mutex<Int32>(0)
    let handover = try Handover(
      path: workshop.database + ".handover", sockets: sockets,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, patienceMilliseconds: 1,
      settle: { settles in
        settled.withLock { $0.append(settles) }
        while started.withLock({ $0 }) == 0 { Thread.sleep(forTimeInterval: 0.001) }
        kill(started.withLock { $0 }, settles ? SIGSTOP : SIGCONT)
      }, whenDone: { Issue.record("it must go on") })
    let error = Pipe()
    successor.standardError = error
    try successor.run()
    started.withLock { $0 = successor.processIdentifier }
    let text = String(decoding: error.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    successor.waitUntilExit()
    #expect(successor.terminationStatus == 74, "\(text)")
    #expect(text.contains("has not handed over in time"), "\(text)")
    #expect(settled.withLock { $0 } == [true, false])
    handover.end()
    for socket in sockets.values.flatMap(\.descriptors) { close(socket) }
  }
}
