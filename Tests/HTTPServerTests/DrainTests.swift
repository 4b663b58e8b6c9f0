import Foundation
import Glibc
import Logging
import Synchronization
import Testing

@testable import HTTPServer

@Suite struct DrainTests {
  private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

  @Test func `what is in flight is finished, and said to be the last`() async throws {
    try await withServer { server, observed in
      let later = try RawClient(port: server.port)
      let parked = try RawClient(port: server.port)
      let idle = try RawClient(port: server.port)
      let started = try RawClient(port: server.port)
      idle.send(Self.get("/"))
      #expect(try idle.readResponse()?["Connection"] == nil)
      later.send(Self.get("/later?x"))
      parked.send(Self.get("/parked"))
      started.send("GET /started HTTP/1.1\r\n")
      await eventually { observed.ticketCount == 1 && observed.parkedCount == 1 && server.connectionCount == 4 }
      async let drained: Void = server.drain(grace: .seconds(30), idle: .seconds(5))
      let ofParked = try parked.readResponse()
      #expect(ofParked?.text == "first timeOver")
      #expect(ofParked?["Connection"] == "close")
      #expect(observed.completeAll())
      #expect(try later.readResponse()?["Connection"] == "close")
      started.send("Host: a\r\n\r\n")
      let ofStarted = try started.readResponse()
      #expect(ofStarted?.text == "GET a /started ")
      #expect(ofStarted?["Connection"] == "close")
      // A request that was on its way when the server began to drain.
      idle.send(Self.get("/on-its-way"))
      #expect(try idle.readResponse()?["Connection"] == "close")
      for client in [later, parked, idle, started] { #expect(try client.readToEnd().isEmpty) }
      await drained
      #expect(server.connectionCount == 0)
      #expect(throws: RawClient.ClientError.self) { try RawClient(port: server.port) }
    }
  }

  @Test func `drains of cancelled tasks leave the processors to what is in flight`() async throws {
    try await withServer { server, observed in
      let later = try RawClient(port: server.port)
      later.send(Self.get("/later?x"))
      await eventually { observed.ticketCount == 1 }
      // As many as there are threads for tasks: if one of them did not sleep, nobody would complete the answer.
      let drains = (0..<2 * ProcessInfo.processInfo.activeProcessorCount).map { _ in
        Task { await server.drain(grace: .seconds(10)) }
      }
      for drain in drains { drain.cancel() }
      await eventually { (try? RawClient(port: server.port)) == nil }
      #expect(observed.completeAll())
      #expect(try later.readResponse()?["Connection"] == "close")
      for drain in drains { await drain.value }
    }
  }

  @Test func `what does not end in its grace is cut`() async throws {
    try await withServer { server, observed in
      let later = try RawClient(port: server.port)
      later.send(Self.get("/later"))
      await eventually { observed.ticketCount == 1 }
      await server.drain(grace: .zero)
      #expect(try later.readToEnd().isEmpty)
    }
  }

  @Test func `a successor takes over under load, and no request fails`() async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let observed = Observed()
    let sockets = try ListeningSockets(host: "127.0.0.1", port: 0, count: 2)
    let first = try Server(sockets: sockets, loops: 2, logger: logger) { _ in TestHandler(observed: observed) }
    let path = NSTemporaryDirectory() + "hearth-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (done, continuation) = AsyncStream<Void>.makeStream()
    let handover = try Handover(path: path, sockets: ["public": sockets], logger: logger) { continuation.finish() }

    let load = Load()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask { try await load.run(first.port, keepAlive: worker % 2 == 0) }
      }
      await eventually { load.count > 200 }
      let received = try #require(try Handover.take(path: path))
      let adopted = try #require(received.sockets["public"])
      #expect(adopted.descriptors.count == 2)
      // More loops than there are sockets: some share.
      let second = try Server(sockets: adopted, loops: 3, logger: logger) { _ in TestHandler(observed: observed) }
      #expect(second.port == first.port)
      #expect(received.loaded())
      #expect(received.ready())
      for await _ in done {}
      await first.drain(grace: .seconds(10))
      let before = load.count
      await eventually { load.count > before + 200 }
      load.isOver.store(true, ordering: .relaxed)
      try await group.waitForAll()
      handover.end()
      await second.drain(grace: .zero)
    }
  }

  @Test func `a successor that gives up leaves its predecessor in charge`() async throws {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let path = NSTemporaryDirectory() + "hearth-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: path) }
    #expect(try Handover.take(path: path) == nil)
    try await withServer { server, observed in
      let sockets = try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)
      let other = try Server(sockets: sockets, loops: 1, logger: logger) { _ in TestHandler(observed: observed) }
      let calls = Atomic<Int>(0)
      let settled = Mutex<[Bool]>([])
      let handover = try Handover(
        path: path, sockets: ["public": sockets], logger: logger,
        settle: { settles in settled.withLock { $0.append(settles) } },
        whenDone: { calls.add(1, ordering: .sequentiallyConsistent) })
      var received = try Handover.take(path: path)
      received?.giveUp()
      received = try Handover.take(path: path)
      #expect(received?.loaded() == true)
      // What is served changes no more once the successor has been answered, and again when it gives up.
      #expect(settled.withLock { $0 } == [true])
      received?.giveUp()
      received = try Handover.take(path: path)
      await eventually { settled.withLock { $0 } == [true, false] }
      #expect(calls.load(ordering: .sequentiallyConsistent) == 0)
      #expect(received?.loaded() == true)
      #expect(received?.ready() == true)
      await eventually { calls.load(ordering: .sequentiallyConsistent) == 1 }
      // It has given its place away, and turns down whoever asks.
      #expect(try Handover.take(path: path) == nil)
      handover.end()
      await other.drain(grace: .zero)
      _ = server
    }
  }

  @Test func `a successor may load for long, and one that is then late is told so, as its predecessor goes on`()
    async throws
  {
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let path = NSTemporaryDirectory() + "hearth-\(UUID().uuidString.prefix(8))"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let sockets = try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)
    defer { for descriptor in sockets.descriptors { close(descriptor) } }
    let settled = Mutex<[Bool]>([])
    let isDone = Atomic(false)
    let handover = try Handover(
      path: path, sockets: ["public": sockets], logger: logger, patienceMilliseconds: 20,
      settle: { settles in settled.withLock { $0.append(settles) } },
      whenDone: { isDone.store(true, ordering: .sequentiallyConsistent) })
    let received = try #require(try Handover.take(path: path))
    // Ten times its patience: the time itself is what is tested.
    try await Task.sleep(for: .milliseconds(200))
    #expect(received.loaded())
    await eventually { settled.withLock { $0 } == [true, false] }
    #expect(!received.ready())
    #expect(isDone.load(ordering: .sequentiallyConsistent) == false)
    for descriptor in received.sockets.values.flatMap(\.descriptors) { close(descriptor) }
    handover.end()
  }

  @Test func `the sockets of systemd are found by their names`() throws {
    #expect(ListeningSockets.fromSystemd([:]).isEmpty)
    #expect(ListeningSockets.fromSystemd(["LISTEN_PID": "1", "LISTEN_FDS": "1"]).isEmpty)
    let mine = "\(ProcessInfo.processInfo.processIdentifier)"
    #expect(ListeningSockets.fromSystemd(["LISTEN_PID": mine, "LISTEN_FDS": "many"]).isEmpty)
    let sockets = try (0..<4).map { _ in try ListeningSockets(host: "127.0.0.1", port: 0, count: 1) }
    // Where systemd passes them: one after the other.
    let first: Int32 = 700
    for (index, socket) in sockets.enumerated() {
      #expect(dup2(socket.descriptors[0], first + Int32(index)) == first + Int32(index))
    }
    defer { for descriptor in sockets.flatMap(\.descriptors) + (first..<first + 4) { close(descriptor) } }
    var environment = ["LISTEN_PID": mine, "LISTEN_FDS": "4", "LISTEN_FDNAMES": "public:admin:public"]
    let named = ListeningSockets.fromSystemd(environment, from: first)
    #expect(
      named.mapValues(\.descriptors) == ["public": [first, first + 2], "admin": [first + 1], "unknown": [first + 3]])
    #expect(named["admin"]?.port == sockets[1].port)
    #expect(named["public"]?.port == sockets[0].port)
    environment["LISTEN_FDNAMES"] = nil
    #expect(ListeningSockets.fromSystemd(environment, from: first)["unknown"]?.descriptors.count == 4)
    environment["LISTEN_PID"] = "1"
    #expect(ListeningSockets.fromSystemd(environment, from: first).isEmpty)
  }
}

@Suite struct SeveralAddressesTests {
  @Test func `every loop takes connections to every address`() throws {
    let four = try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)
    let six = try ListeningSockets(host: "::1", port: 0, count: 3)
    let sockets = ListeningSockets(adopting: four.descriptors + six.descriptors)
    #expect(sockets.addresses.map(\.description) == ["127.0.0.1:\(four.port)", "[::1]:\(six.port)"])
    let dealt = try sockets.spread(over: 2)
    for loop in dealt { #expect(Set(ListeningSockets(adopting: loop).addresses) == Set(sockets.addresses)) }
    // Each socket has somebody who waits on it.
    #expect(Set(dealt.joined()).isSuperset(of: sockets.descriptors))
    for descriptor in Set(dealt.joined()).union(sockets.descriptors) { close(descriptor) }
  }
}

/// Clients that must not see a request fail.
final class Load: Sendable {
  let served = Atomic<Int>(0)
  let isOver = Atomic<Bool>(false)

  var count: Int { served.load(ordering: .relaxed) }

  /// Requests one after the other, on one connection as long as it lasts or on one each.
  func run(_ port: UInt16, keepAlive: Bool) async throws {
    var client: RawClient?
    while !isOver.load(ordering: .relaxed) {
      let current = try client ?? RawClient(port: port)
      current.send("GET / HTTP/1.1\r\nHost: a\r\n\(keepAlive ? "" : "Connection: close\r\n")\r\n")
      let response = try #require(try current.readResponse())
      #expect(response.status == 200)
      served.add(1, ordering: .relaxed)
      client = response["Connection"] == "close" ? nil : current
      await Task.yield()
    }
  }
}
