import Foundation
package import HTTPClient
import JSON
import Layout
package import Logging
import Storage
import Synchronization

/// Sends what waits for webhooks, each event once every node serves its edition, those of one page in their order. Of several
/// processes on one database one sends, by a lease.
package final class WebhookSender: BackgroundService {
  /// The events of one page for one webhook, which follow each other.
  private struct Line: Hashable {
    var webhook: Int
    var page: String

    init(_ delivery: WebhookDelivery) { (webhook, page) = (delivery.webhook, delivery.page) }
  }

  private struct State {
    /// What is being sent.
    var running: Set<Line> = []
    /// Until when no other process sends.
    var leaseEnd = ContinuousClock.now
    /// Before that it is not asked again whether another one does.
    var askAgain = ContinuousClock.now
    /// The changes that the last look knew of; `nil` before one.
    var looked: ChangeCount?
    /// When a delivery may be tried that may not be yet.
    var nextAt: Instant?
    /// When it is looked again although nothing has changed: another process that sends may be gone, or what came of a try
    /// may not have been written.
    var lookAt: ContinuousClock.Instant?
    var failure: String?
  }

  /// How often it is looked whether there is something to send although nothing has changed.
  private static let lookInterval = Duration.seconds(5)
  /// The same while something is being sent, or waits for nodes.
  private static let busyInterval = Duration.milliseconds(50)
  /// How long what could not be written down waits before it is sent again.
  private static let unwrittenPause = Duration.seconds(5)
  /// What of the lease is kept back for a request that was begun, and for clocks that run apart.
  private static let leaseReserve = Duration.seconds(12)

  private let publisher: Publisher
  private var store: Store { publisher.store }
  private let nodes: NodeList
  private let client: HTTPClient
  private let settings: WebhookSettings
  private let logger: Logger
  private let instance = UUID().uuidString
  private let state = Mutex(State())
  package let wake = Wake()

  /// - Throws: ``HTTPClientFailure`` where there is no libcurl.
  package init(
    publisher: Publisher, nodes: NodeList, settings: WebhookSettings, logger: Logger
  ) throws(HTTPClientFailure) {
    let program = "hearth/\(publisher.settings.version)"
    client = try HTTPClient(settings.client, program: program, resolve: settings.resolve)
    self.publisher = publisher
    self.nodes = nodes
    self.settings = settings
    self.logger = logger
  }

  /// Why an address cannot be a webhook's, as far as that can be told without a look-up.
  package func refusal(of url: OutgoingURL) -> HTTPClientFailure? { client.refusal(of: url) }

  package var isDue: Bool {
    guard mayLook else { return false }
    let (looked, nextAt, lookAt) = state.withLock { ($0.looked, $0.nextAt, $0.lookAt) }
    return looked != publisher.changes || lookAt?.hasCome ?? false
      || nextAt.map { $0 <= store.clock() } ?? false
  }

  /// Sends what can be sent, and stays while something is being sent, or waits for nodes.
  package func turn() async {
    while !Task.isCancelled {
      do {
        let isBusy = try await look()
        note(failure: nil)
        guard isBusy else { return }
      } catch is CancellationError {
        return
      } catch { return note(failure: "\(error)") }
      try? await Task.sleep(for: Self.busyInterval)
    }
  }

  /// Ends what it has begun.
  package func end() async {
    while !state.withLock({ $0.running.isEmpty }) { try? await Task.sleep(for: Self.busyInterval) }
    let isSender = state.withLock { $0.leaseEnd > .now }
    if isSender { try? await store.endWebhookSender(instance) }
  }

  /// In other history, what waits may be of revisions that count no more.
  private var mayLook: Bool { !store.isAway && publisher.historyCut == nil && !publisher.isSettled }

  private func note(failure: String?) {
    let isNew = state.withLock { state in
      defer { state.failure = failure }
      return failure != nil && state.failure != failure
    }
    if isNew, let failure { logger.error("webhooks are not sent", metadata: ["reason": "\(failure)"]) }
  }

  /// Begins to send what can be sent.
  ///
  /// - Returns: Whether there is soon something else to do.
  private func look() async throws -> Bool {
    guard mayLook else { return false }
    let now = store.clock()
    // Before the reading: what ends after it is still waiting in what was read.
    let (running, changes) = (state.withLock { $0.running }, publisher.changes)
    let waiting = try await store.nextWebhookDeliveries()
    let due = waiting.filter { due in due.delivery.nextAt <= now && !running.contains(Line(due.delivery)) }
    state.withLock { state in
      state.looked = changes
      state.nextAt = waiting.map(\.delivery.nextAt).filter { $0 > now }.min()
      // Of what is being sent, nobody may be able to write what came of it.
      let isWaiting = waiting.contains { $0.delivery.nextAt <= now }
      state.lookAt = store.isShared || isWaiting ? .now + Self.lookInterval : nil
    }
    guard !due.isEmpty else { return isSending }
    guard try await isSender() else { return false }
    if due.contains(where: { $0.delivery.tries == 0 }) { try? await nodes.refresh(until: .now + .seconds(1)) }
    var isHeld = false
    for each in due {
      if let ready = ready(each, at: now) { begin(ready) } else { isHeld = true }
    }
    return isHeld || isSending
  }

  private var isSending: Bool { state.withLock { !$0.running.isEmpty } }

  /// Whether this process is the one that sends, for as long as a request may take.
  private func isSender() async throws -> Bool {
    let began = ContinuousClock.now
    let (holds, mayAsk) = state.withLock { ($0.leaseEnd - began > settings.client.timeout, $0.askAgain.hasCome) }
    guard !holds else { return true }
    guard mayAsk else { return false }
    let isMine = try await store.holdsWebhookSender(instance)
    state.withLock { state in
      if isMine { state.leaseEnd = began + .seconds(Store.senderLease) - Self.leaseReserve }
      state.askAgain = began + (isMine ? .zero : Self.lookInterval)
    }
    return isMine
  }

  /// A delivery that may be sent now: every node serves its edition, or it has waited long enough for them. What it says of
  /// them in its first try stays. No node will ever serve what was deleted.
  private func ready(_ due: DueDelivery, at now: Instant) -> DueDelivery? {
    guard due.delivery.tries == 0, due.isPageLive else { return due }
    let serving = nodes.serving(due.delivery.page, due.delivery.edition)
    guard !serving.missing.isEmpty else { return due }
    let waited = Duration.seconds(now.secondsSinceEpoch - due.delivery.at.secondsSinceEpoch)
    guard waited >= settings.nodesWait else { return nil }
    var due = due
    due.delivery.nodes = serving.json
    return due
  }

  private func begin(_ due: DueDelivery) {
    let line = Line(due.delivery)
    let isBegun = state.withLock { state in
      guard state.running.count < settings.sendingMax,
        state.running.count(where: { $0.webhook == line.webhook }) < WebhookSettings.sendingOfOneMax
      else { return false }
      return state.running.insert(line).inserted
    }
    guard isBegun else { return }
    Task {
      await send(due)
      state.withLock { _ = $0.running.remove(line) }
    }
  }

  private func send(_ due: DueDelivery) async {
    let outcome = await answer(to: due)
    let delivery = due.delivery.tried(outcome, at: store.clock(), settings)
    // RFC 9110 §15.5.11: whoever answers so wants no more of it.
    let offReason = outcome.status == 410 ? "it answered 410 Gone" : nil
    if delivery.state == .givenUp || offReason != nil {
      logger.warning(
        "a webhook is told of a revision no more",
        metadata: [
          "webhook": "\(due.settings.name)", "page": "\(delivery.page)", "edition": "\(delivery.edition)",
          "reason": "\(delivery.detail ?? "")",
        ])
    }
    do { try await store.noteWebhookTry(delivery, switchingOff: offReason) } catch {
      // It is sent again then, by the same id, and not at once: nobody knows for how long nothing can be written.
      note(failure: "what came of a try cannot be written: \(error)")
      try? await Task.sleep(for: Self.unwrittenPause)
    }
  }

  private func answer(to due: DueDelivery) async -> (status: Int?, detail: String?) {
    guard let url = OutgoingURL(due.settings.url) else { return (nil, "its address must be \(OutgoingURL.expected)") }
    let message = WebhookMessage(due, at: store.clock())
    do throws(HTTPClientFailure) {
      let status = try await client.post(url, fields: message.fields, body: message.body)
      return (status, (200...299).contains(status) ? nil : "it answered \(status)")
    } catch { return (nil, error.description) }
  }
}

extension WebhookDelivery {
  /// As it is after a try.
  fileprivate func tried(
    _ outcome: (status: Int?, detail: String?), at now: Instant, _ settings: WebhookSettings
  ) -> WebhookDelivery {
    var delivery = self
    delivery.tries += 1
    (delivery.lastAt, delivery.status, delivery.detail) = (now, outcome.status, outcome.detail)
    guard outcome.detail != nil else {
      delivery.state = .delivered
      return delivery
    }
    let wait = min(settings.retryFirst * (1 << min(tries, 20)), WebhookSettings.retryMax)
    // Those that failed together are not tried together.
    let seconds = Int64((wait * Double.random(in: 0.9...1.1) / .seconds(1)).rounded())
    delivery.nextAt = now.adding(seconds: seconds)
    let end = at.adding(seconds: settings.retryFor.components.seconds)
    if delivery.nextAt > end { delivery.state = .givenUp }
    return delivery
  }
}
