import Foundation
import HomePayload
import Testing

@testable import Polling

@Suite struct StatesTests {
  /// The states after the first, which is what there is to show at once.
  private static func states(of client: PageClient, _ count: Int) async -> [PageState] {
    var states: [PageState] = []
    for await state in client.states {
      states.append(state)
      if states.count == count { break }
    }
    return states
  }

  @Test func `states follow one another, and failures between them are reported`() async throws {
    let answers: [Scripted] = [
      .whole(Sample.first), .notModified, .notModified, Scripted(status: 503, fields: [("Retry-After", "0")]),
      .changes(Sample.first, Sample.second), .whole(Sample.third),
    ]
    try await withServer(answers) { client, script in
      let states = await Self.states(of: client, 5)
      #expect(
        states.map(\.update) == [
          nil, .between(nil, Sample.first), nil, .between(Sample.first, Sample.second),
          .between(Sample.second, Sample.third),
        ])
      #expect(states.map(\.page) == [nil, Sample.first, Sample.first, Sample.second, Sample.third])
      #expect(states[0].standing == .noData)
      if case .stale(let since?) = states[2].standing { #expect(since <= Date()) } else { Issue.record("\(states[2])") }
      #expect([1, 3, 4].allSatisfy { states[$0].standing == .upToDate && states[$0].failure == nil })
      #expect(states[2].failure == .refused(Refusal(status: 503, retryAfter: 0)))
      #expect(states[2].retryIn == 0)
      #expect(script.asked.count == 6)
    }
  }

  @Test func `the server is asked to hold a poll once there is a page`() async throws {
    let answers: [Scripted] = [.whole(Sample.first, maxAge: 600), .silence]
    try await withServer(answers, settings: { $0.wait = 50 }) { client, script in
      let polling = Task { await Self.states(of: client, .max).count }
      await eventually { script.asked.count == 2 }
      #expect(script.asked.map(\.preference) == ["", "wait=50"])
      polling.cancel()
      #expect(await polling.value == 2)
    }
  }

  @Test func `a server that does not hold polls is asked when its answer is stale`() async throws {
    let answer = Scripted(status: 304, fields: [("Cache-Control", "public, max-age=600")])
    try await withServer([answer, answer], holding: Sample.first, settings: { $0.wait = 50 }) { client, script in
      let polling = Task { await Self.states(of: client, 3) }
      await eventually { await client.due - client.now() > 500 }
      #expect(script.asked.map(\.preference) == ["", "wait=50"])
      polling.cancel()
      #expect(await polling.value.map(\.standing) == [.cached, .upToDate])
    }
  }

  @Test func `a poll that the server holds ends when the app asks anew, or when its task is cancelled`() async throws {
    let answers: [Scripted] = [.notModified, .silence, .changes(Sample.first, Sample.second), .silence]
    try await withServer(answers, holding: Sample.first, settings: { $0.wait = 50 }) { client, script in
      let polling = Task { await Self.states(of: client, .max).compactMap(\.update) }
      await eventually { script.asked.count == 2 }
      await client.refresh()
      await eventually { script.asked.count == 4 }
      polling.cancel()
      #expect(await polling.value.map(\.page) == [Sample.second])
      #expect(script.asked.map(\.preference) == ["", "wait=50", "", "wait=50"])
      #expect(script.asked.map(\.held) == [Sample.first.tag, Sample.first.tag, Sample.first.tag, Sample.second.tag])
    }
  }

  @Test func `an app in the background asks nothing, and asks at once when it comes back`() async throws {
    let answers: [Scripted] = [
      .whole(Sample.first, maxAge: 600), .changes(Sample.first, Sample.second), .silence, .silence,
    ]
    try await withServer(answers, settings: { $0.wait = 50 }) { client, script in
      await client.enterBackground()
      let polling = Task { await Self.states(of: client, .max).compactMap(\.update) }
      await eventually { await client.interruption != nil }
      #expect(script.asked.isEmpty)
      await client.enterForeground()
      await eventually { script.asked.count == 3 }
      await client.enterBackground()
      await eventually { await client.interruption != nil }
      await client.enterForeground()
      await eventually { script.asked.count == 4 }
      polling.cancel()
      #expect(await polling.value.map(\.page) == [Sample.first, Sample.second])
      #expect(script.asked.map(\.preference) == ["", "wait=50", "wait=50", ""])
    }
  }

  @Test func `an app that comes to the foreground while it asks goes on asking`() async throws {
    try await withServer([.silence, .silence]) { client, script in
      let polling = Task { for await _ in client.states {} }
      await eventually { script.asked.count == 1 }
      let flight = await client.flight
      for _ in 0..<50 {
        await client.enterForeground()
        await Task.yield()
      }
      #expect(await client.flight == flight)
      #expect(flight?.isCancelled == false)
      #expect(script.asked.count == 1)
      polling.cancel()
      await polling.value
    }
  }

  @Test func `a page that is older, also past caches, is dropped, and that is said`() async throws {
    let answers: [Scripted] = [
      .whole(Sample.first).of("1.9"), .whole(Sample.second).of("1.8"), .whole(Sample.second).of("1.7"),
      .changes(Sample.first, Sample.third).of("1.10"),
    ]
    try await withServer(answers) { client, script in
      let states = await Self.states(of: client, 4)
      let older = try #require(PageRevision("1.7"))
      #expect(states.map(\.failure) == [nil, nil, .dropped(older), nil])
      #expect(states.map(\.page) == [nil, Sample.first, Sample.first, Sample.third])
      #expect(script.asked.map(\.isPastCaches) == [false, false, true, false])
    }
  }

  @Test func `a poll that was overtaken by a later one changes nothing`() async throws {
    try await withServer([.silence, .whole(Sample.second)], holding: Sample.first) { client, script in
      let slow = Task { try await client.ask(waiting: 50) }
      await eventually { script.asked.count == 1 }
      let update = try await client.poll()
      #expect(update?.page == Sample.second)
      slow.cancel()
      await #expect(throws: CancellationError.self) { try await slow.value }
      #expect(await client.page == Sample.second)
    }
  }

  @Test func `polls at the same time share a request, which ends when the last of them is cancelled`() async throws {
    try await withServer([.silence, .whole(Sample.first)]) { client, script in
      let polls = (0..<5).map { _ in Task { try await client.poll() } }
      await eventually { await client.waiting.count == 5 && script.asked.count == 1 }
      // What is being asked answers a refresh as well.
      await client.refresh()
      for poll in polls {
        poll.cancel()
        await #expect(throws: CancellationError.self) { try await poll.value }
      }
      #expect(await client.flight == nil)
      let update = try await client.poll()
      #expect(update?.page == Sample.first)
      #expect(script.asked.count == 2)
    }
  }

  @Test func `whoever waits for a page gets it, in time, past failures, or not at all`() async throws {
    try await withServer([Scripted(status: 503), Scripted(status: 502), .whole(Sample.first)]) { client, script in
      let first = try await client.waitForPage(timeout: 20)
      #expect(first == Sample.first)
      let held = try await client.waitForPage(timeout: 0)
      #expect(held == Sample.first)
      #expect(script.asked.count == 3)
    }
    try await withServer([.silence, .silence]) { client, script in
      await #expect {
        try await client.waitForPage(timeout: 0.05)
      } throws: { error in
        if case .unreachable? = error as? ClientError { true } else { false }
      }
      let waiting = Task { try await client.waitForPage(timeout: 600) }
      await eventually { script.asked.count == 2 }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      // Nothing is asked any more.
      #expect(await client.flight == nil)
    }
  }

  @Test func `an answer that never ends is waited for no longer than is allowed`() async throws {
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    settings.timeout = 0.01
    let client = PageClient(settings) { _ in
      try await sleep(3_600)
      return TransportAnswer(status: 200, fields: [:], body: [])
    }
    await #expect(throws: ClientError.unreachable("nothing came within 0.01 s")) { try await client.poll() }
  }
}

/// Waits until `condition` holds, giving way to others in between.
func eventually(_ condition: () async -> Bool) async {
  let end = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < end {
    if await condition() { return }
    await Task.yield()
  }
  Issue.record("the condition did not come about")
}
