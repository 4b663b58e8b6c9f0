import HomePayload
import Testing

@testable import HearthClient

@Suite struct UpdatesTests {
  @Test func `updates follow one another, and failures between them are reported`() async throws {
    let answers: [Scripted] = [
      .whole(Sample.first), .notModified, .notModified, Scripted(status: 503, fields: [("Retry-After", "0")]),
      .changes(Sample.first, Sample.second), .whole(Sample.third),
    ]
    try await withServer(answers) { client, script in
      var events: [PollEvent] = []
      for await event in client.updates {
        events.append(event)
        if events.count == 4 { break }
      }
      #expect(
        events == [
          .changed(.between(nil, Sample.first)),
          .failed(.refused(Refusal(status: 503, retryAfter: .zero)), retryIn: .zero),
          .changed(.between(Sample.first, Sample.second)), .changed(.between(Sample.second, Sample.third)),
        ])
      #expect(script.asked.count == 6)
    }
  }

  @Test func `the server is asked to hold a poll once there is a page`() async throws {
    let answers: [Scripted] = [.whole(Sample.first, maxAge: 600), .silence]
    try await withServer(answers, settings: { $0.wait = .seconds(50) }) { client, script in
      let polling = Task {
        var count = 0
        for await _ in client.updates { count += 1 }
        return count
      }
      await eventually { script.asked.count == 2 }
      #expect(script.asked.map(\.preference) == ["", "wait=50"])
      polling.cancel()
      #expect(await polling.value == 1)
    }
  }

  @Test func `a server that does not hold polls is asked when its answer is stale`() async throws {
    let answer = Scripted(status: 304, fields: [("Cache-Control", "public, max-age=600")])
    let change: (inout PageClientSettings) -> Void = { $0.wait = .seconds(50) }
    try await withServer([answer], holding: Sample.first, settings: change) { client, script in
      let polling = Task { await client.next() }
      await eventually { await client.due - .now > .seconds(500) }
      #expect(script.asked.map(\.preference) == ["wait=50"])
      polling.cancel()
      #expect(await polling.value == nil)
    }
  }

  @Test func `a poll that the server holds ends when the app asks anew, or when its task is cancelled`() async throws {
    let answers: [Scripted] = [.silence, .changes(Sample.first, Sample.second), .silence]
    let change: (inout PageClientSettings) -> Void = { $0.wait = .seconds(50) }
    try await withServer(answers, holding: Sample.first, settings: change) { client, script in
      let polling = Task {
        var pages: [String] = []
        for await event in client.updates {
          if case .changed(let update) = event { pages.append(update.page.version) }
        }
        return pages
      }
      await eventually { script.asked.count == 1 }
      await client.refresh()
      await eventually { script.asked.count == 3 }
      polling.cancel()
      #expect(await polling.value == [Sample.second.version])
      #expect(script.asked.map(\.preference) == ["wait=50", "", "wait=50"])
      #expect(script.asked.map(\.held) == [Sample.first.tag, Sample.first.tag, Sample.second.tag])
    }
  }

  @Test func `a page that is older, also past caches, is dropped, and that is said`() async throws {
    let answers: [Scripted] = [
      .whole(Sample.first).of("1.9"), .whole(Sample.second).of("1.8"), .whole(Sample.second).of("1.7"),
      .changes(Sample.first, Sample.third).of("1.10"),
    ]
    try await withServer(answers) { client, script in
      var events: [PollEvent] = []
      for await event in client.updates {
        events.append(event)
        let dropped = await client.dropped
        #expect(dropped?.description == (events.count == 2 ? "1.7" : nil))
        if events.count == 3 { break }
      }
      let older = try #require(PageRevision("1.7"))
      #expect(
        events == [
          .changed(.between(nil, Sample.first)), .dropped(older), .changed(.between(Sample.first, Sample.third)),
        ])
      #expect(script.asked.map(\.isPastCaches) == [false, false, true, false])
    }
  }

  @Test func `a poll that was overtaken by a later one changes nothing`() async throws {
    try await withServer([.silence, .whole(Sample.second)], holding: Sample.first) { client, script in
      let slow = Task { try await client.poll() }
      await eventually { script.asked.count == 1 }
      let update = try await client.poll()
      #expect(update?.page == Sample.second)
      slow.cancel()
      await #expect(throws: CancellationError.self) { try await slow.value }
      #expect(await client.page == Sample.second)
    }
  }
}

/// Waits until `condition` holds, giving way to others in between.
func eventually(_ condition: () async -> Bool) async {
  let end = ContinuousClock.now + .seconds(20)
  while ContinuousClock.now < end {
    if await condition() { return }
    await Task.yield()
  }
  Issue.record("the condition did not come about")
}
