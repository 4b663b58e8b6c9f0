import JSON
import Layout
import Storage
import Testing

@Suite struct OutboxTests {
  private static let settings = Webhook.Settings(
    name: "hook", url: "https://hook.example/", format: .standard, kinds: [.publish], pages: [], isOn: true)

  private func publish(_ store: Store) async throws {
    _ = try await store.publish("home", .draft, message: nil, if: .none, by: editor) { _ in ((), .array([])) }
  }

  @Test func `of a webhook that takes nothing the newest events wait, and the last that were given up are kept`()
    async throws
  {
    var writing = WriteSettings()
    writing.deliveriesWaitingMax = 2
    writing.deliveriesKept = 1
    try await withStore(writing: writing) { temporary in
      let store = temporary.store
      let hook = try await store.createWebhook(Self.settings, most: 1, by: editor).webhook.value
      for _ in 0..<5 { try await publish(store) }
      let deliveries = try await store.webhookDeliveries(of: hook.id, limit: 100)
      #expect(deliveries.map(\.edition.revision) == [5, 4, 3])
      #expect(deliveries.map(\.state) == [.waiting, .waiting, .givenUp])
      #expect(deliveries.last?.detail?.contains("webhooks.waitingMax") == true)
      #expect(try await store.nextWebhookDeliveries().map(\.delivery.edition.revision) == [4])
    }
  }

  @Test func `a publish that is refused leaves nothing in the outbox`() async throws {
    struct Refused: Error {}
    try await withStore { temporary in
      let store = temporary.store
      _ = try await store.createWebhook(Self.settings, most: 1, by: editor)
      await #expect(throws: Refused.self) {
        _ = try await store.publish("home", .draft, message: nil, if: .none, by: editor) {
          _ -> (ready: Void, problems: JSON) in throw Refused()
        }
      }
      #expect(try await store.nextWebhookDeliveries().isEmpty)
    }
  }

  @Test func `one process at a time sends, until it ends`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      #expect(try await store.holdsWebhookSender("one"))
      #expect(try await store.holdsWebhookSender("two") == false)
      #expect(try await store.holdsWebhookSender("one"))
      try await store.endWebhookSender("one")
      #expect(try await store.holdsWebhookSender("two"))
      #expect(try await store.holdsWebhookSender("one") == false)
    }
  }
}
