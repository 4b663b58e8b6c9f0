import Foundation
import HomePayload
import Synchronization
import Testing

@testable import Polling

/// How often a client asks at most, whatever calls it.
@Suite struct FloorTests {
  private static let pauseMin = 0.1
  /// Ten requests, as a busy machine may note them: one may be noted late, and all that follow in time.
  private static let tenMin = 9 * pauseMin / 2

  /// A client whose requests are noted with their times.
  private static func client(
    change: (inout PageClientSettings) -> Void = { _ in }, answer: @escaping @Sendable (Int) -> TransportAnswer
  ) throws -> (PageClient, Times) {
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    settings.timing.pauseMin = pauseMin
    settings.timing.spread = 0
    change(&settings)
    let times = Times()
    return (PageClient(settings, transport: { _ in answer(times.note()) }), times)
  }

  private static func page(_ number: Int) -> TransportAnswer {
    let page = [Sample.first, Sample.second, Sample.third][number % 3]
    return TransportAnswer(
      status: 200, fields: ["Hearth-Revision": "1.\(number)", "Cache-Control": "max-age=600"],
      body: page.canonicalBytes)
  }

  @Test func `whatever calls it, a client asks no more often than it may`() async throws {
    let (client, times) = try Self.client(answer: Self.page)
    let polling = Task { for await _ in client.states {} }
    let callers = [
      Task { while !Task.isCancelled { await client.refresh(); await Task.yield() } },
      Task { while !Task.isCancelled { await client.enterForeground(); await Task.yield() } },
      Task { while !Task.isCancelled { _ = try? await client.poll() } },
    ]
    await eventually { times.all.count >= 10 }
    for task in callers { task.cancel() }
    polling.cancel()
    _ = await polling.value
    #expect(times.ofTen >= Self.tenMin)
  }

  @Test func `a page that changes at each poll is asked for no more often by a client that waits`() async throws {
    let (client, times) = try Self.client(change: { $0.wait = 50 }, answer: Self.page)
    let polling = Task { for await _ in client.states {} }
    await eventually { times.all.count >= 10 }
    polling.cancel()
    _ = await polling.value
    #expect(times.ofTen >= Self.tenMin)
  }

  @Test func `a server that asks to be left alone is, whatever calls the client`() async throws {
    let (client, times) = try Self.client { number in
      number == 1
        ? TransportAnswer(status: 429, fields: ["Retry-After": "3600"], body: []) : Self.page(number)
    }
    let clock = Mutex(TimeInterval(1_000))
    await client.use { clock.withLock { $0 } }
    var states = client.states.makeAsyncIterator()
    _ = await states.next()
    let refused = await states.next()
    #expect(refused?.failure == .refused(Refusal(status: 429, retryAfter: 3_600)))
    clock.withLock { $0 += 600 }
    for _ in 0..<50 {
      await client.refresh()
      await client.enterForeground()
      await #expect(throws: ClientError.refused(Refusal(status: 429, retryAfter: 3_000))) { try await client.poll() }
    }
    #expect(await client.due >= 4_600)
    #expect(times.all.count == 1)
    clock.withLock { $0 += 3_000 }
    let update = try await client.poll()
    #expect(update?.page == Self.pageShown(2))
    #expect(times.all.count == 2)
  }

  private static func pageShown(_ number: Int) -> Page { [Sample.first, Sample.second, Sample.third][number % 3] }
}

/// When requests were made, in seconds: a moment after the client has looked at its clock.
private final class Times: Sendable {
  private let times = Mutex<[TimeInterval]>([])

  var all: [TimeInterval] { times.withLock { $0 } }
  /// From the first to the tenth.
  var ofTen: TimeInterval { all.count < 10 ? 0 : all[9] - all[0] }

  /// Notes one, and says which it is, from 1.
  func note() -> Int {
    times.withLock {
      $0.append(ProcessInfo.processInfo.systemUptime)
      return $0.count
    }
  }
}

extension PageClient {
  fileprivate func use(now: @escaping @Sendable () -> TimeInterval) { self.now = now }
}
