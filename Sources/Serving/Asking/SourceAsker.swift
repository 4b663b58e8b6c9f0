import Foundation
package import HTTPClient
package import JSON
package import Layout
package import Logging
package import Storage
import Synchronization

/// Asks the endpoints of live sections for their content, and publishes what they answer, as a source's push does. Of several
/// processes on one database one asks, by a lease.
///
/// Each section is asked for by itself: at most one request of it runs, and none waits for another's.
package final class SourceAsker: Sendable {
  /// What an edition is checked with.
  package typealias Review = @Sendable (Candidate, Edition) throws -> JSON

  /// A section, and when it is asked for.
  private struct Entry {
    var section: AskedSection
    var due: ContinuousClock.Instant
    var isRunning = false
    /// What was made of the last answer; `nil` where that is not known.
    var last: Made?
  }

  /// An answer, and what draft and live page had once it was published: while they have that, an equal answer changes nothing.
  private struct Made {
    var validators: SourceAnswer.Validators
    /// The fingerprint of the bytes that came.
    var bytes: String
    var live: String
    var draft: String?
  }

  private struct State {
    var entries: [String: Entry] = [:]
    /// What was found in which editions.
    var seen: (names: [String], wanted: [AskedSection]) = ([], [])
    /// How many publishes are under way.
    var publishing = 0
    var isEnding = false
    /// Until when no other process asks; `nil` while another one does.
    var leaseEnd: ContinuousClock.Instant?
    /// When the row is looked at, or renewed, next.
    var lookAt = ContinuousClock.now
    /// When what came of it is written next.
    var tellAt = ContinuousClock.now
    var failure: String?
    var tries = 0

    /// The first sections, in the order of their keys.
    func asked(most: Int) -> ArraySlice<String> { entries.keys.sorted().prefix(most) }

    /// Those of some that are due.
    func due(_ asked: ArraySlice<String>, at now: ContinuousClock.Instant) -> [String] {
      asked.filter { key in entries[key].map { !$0.isRunning && $0.due <= now } ?? false }
    }
  }

  /// How often the end looks whether what is being published is published.
  private static let endInterval = Duration.milliseconds(50)
  /// How long what could not be published for the server's own reasons waits.
  private static let ownPause = Duration.seconds(2)

  private let publisher: Publisher
  private var store: Store { publisher.store }
  private let settings: SourceSettings
  private let request: SourceRequest?
  private let logger: Logger
  /// What tells this process from others.
  private let instance = UUID().uuidString
  private let state = Mutex(State())

  /// - Parameters:
  ///   - outgoing: What is set for all that leaves the machine.
  /// - Throws: ``HTTPClientFailure`` where it is to ask and there is no libcurl.
  package init(
    publisher: Publisher, settings: SourceSettings, outgoing: WebhookSettings, logger: Logger
  ) throws(HTTPClientFailure) {
    let program = "hearth/\(publisher.settings.version)"
    let client = try settings.isOn ? HTTPClient(outgoing.client, program: program, resolve: outgoing.resolve) : nil
    request = client.map { SourceRequest(client: $0, settings: settings, context: publisher.settings.context) }
    self.publisher = publisher
    self.settings = settings
    self.logger = logger
  }

  /// Whether this process asks.
  package var isOn: Bool { request != nil }

  /// Why an address cannot be asked, as far as that can be told without a look-up.
  package func refusal(of url: OutgoingURL) -> HTTPClientFailure? { request?.client.refusal(of: url) }

  /// The live sections that are to be asked for, in the order of pages, each with what came of it, as far as is known here.
  package var sections: [AskedSection] {
    let known = state.withLock { $0.entries.mapValues(\.section) }
    return wanted.map { section in known[section.key].flatMap { $0.asking == section.asking ? $0 : nil } ?? section }
  }

  private var wanted: [AskedSection] {
    let editions = publisher.live.lineup.inOrder
    let names = editions.map { "\($0.page) \($0.number)" }
    if let seen = state.withLock({ $0.seen.names == names ? $0.seen.wanted : nil }) { return seen }
    let wanted = editions.flatMap { edition in
      edition.plan.definition.sections.compactMap { section in
        section.settings.loading.asks.map { AskedSection(page: edition.page, section: section.id, asking: $0) }
      }
    }
    state.withLock { $0.seen = (names, wanted) }
    return wanted
  }

  /// Asks an endpoint for an editor, and changes nothing.
  ///
  /// - Throws: ``SourceFailure``.
  package func trial(of asking: Asking, for section: String) async throws(SourceFailure) -> SourceAnswer {
    guard let request else { throw SourceFailure("this server asks nothing: sources.on is off") }
    let mayTry = state.withLock { state in
      guard state.tries < settings.triesMax else { return false }
      state.tries += 1
      return true
    }
    guard mayTry else { throw SourceFailure("\(settings.triesMax) others are being tried; try again in a moment") }
    defer { state.withLock { $0.tries -= 1 } }
    return try await request.answer(of: asking, for: section)
  }

  /// Whether there is something to do by now.
  package var isDue: Bool {
    guard mayLook else { return false }
    let (wanted, now) = (wanted, ContinuousClock.now)
    return state.withLock { state in
      guard state.entries.count == wanted.count,
        wanted.allSatisfy({ state.entries[$0.key]?.section.asking == $0.asking })
      else { return true }
      guard !state.entries.isEmpty else { return false }
      let asks = state.leaseEnd.map { now < $0 } ?? false
      return state.lookAt.hasCome || (asks && !state.due(state.asked(most: settings.countMax), at: now).isEmpty)
    }
  }

  /// Asks for what is due.
  package func turn(check: @escaping ContentCheck, review: @escaping Review) async {
    do {
      try await look(check, review)
      note(failure: nil)
    } catch is CancellationError {
    } catch { note(failure: "\(error)") }
  }

  /// Asks for nothing any more; what is being published is published.
  package func end() async {
    state.withLock { $0.isEnding = true }
    while state.withLock({ $0.publishing > 0 }) { try? await Task.sleep(for: Self.endInterval) }
    guard state.withLock({ $0.leaseEnd != nil }), !store.isAway else { return }
    try? await store.endAsker(instance, states: states)
  }

  /// In other history, what would be published may be of revisions that count no more.
  private var mayLook: Bool {
    !store.isAway && !publisher.isUnconfirmed && publisher.historyCut == nil && !publisher.isSettled
  }

  private func note(failure: String?) {
    let isNew = state.withLock { state in
      defer { state.failure = failure }
      return failure != nil && state.failure != failure
    }
    if isNew, let failure { logger.error("endpoints are not asked", metadata: ["reason": "\(failure)"]) }
  }

  private func look(_ check: @escaping ContentCheck, _ review: @escaping Review) async throws {
    guard mayLook else { return }
    follow(wanted)
    guard state.withLock({ !$0.entries.isEmpty }), try await holdsLease(), let request else { return }
    for key in due() { begin(key, request, check, review) }
  }

  /// Takes up which sections are to be asked for now.
  private func follow(_ wanted: [AskedSection]) {
    let (now, instant) = (ContinuousClock.now, store.clock())
    state.withLock { state in
      let former = state.entries
      state.entries = Dictionary(
        wanted.map { section in
          if let entry = former[section.key], entry.section.asking == section.asking { return (section.key, entry) }
          var section = section
          section.state.since = instant
          return (section.key, Entry(section: section, due: now + settings.spread(section.asking)))
        }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// The states as they are kept.
  private var states: JSON {
    .object(JSONObject(state.withLock { $0.entries.mapValues(\.section.stateJSON) }))
  }

  /// Whether this process is the one that asks. Where another one is, what came of it is taken over.
  private func holdsLease() async throws -> Bool {
    let began = ContinuousClock.now
    let (end, mayLook) = state.withLock { ($0.leaseEnd, $0.lookAt.hasCome) }
    guard mayLook else { return end.map { began < $0 } ?? false }
    state.withLock { $0.lookAt = began + Duration.seconds(SourceSettings.lease) / 4 }
    if end == nil {
      let asker = try await store.asker()
      if let asker {
        state.withLock { state in
          for (key, entry) in state.entries where !entry.isRunning {
            state.entries[key]?.section = entry.section.taking(asker.states)
          }
        }
      }
      guard isOn else { return false }
      if store.isShared, let asker, asker.instance != instance, asker.until > store.clock() { return false }
    }
    let tells = state.withLock { state in
      guard end != nil, state.tellAt <= began else { return false }
      state.tellAt = began + SourceSettings.tellInterval
      return true
    }
    let isMine = try await store.holdsAsker(instance, for: SourceSettings.lease, states: tells ? states : nil)
    if isMine, end == nil { logger.info("this server asks endpoints") }
    state.withLock { state in
      if isMine, end == nil {
        for (key, entry) in state.entries { state.entries[key]?.due = .now + settings.spread(entry.section.asking) }
      }
      state.leaseEnd = isMine ? began + .seconds(SourceSettings.lease) : nil
      // Nobody waits for the row where no other machine has the database: it tells the next start.
      if isMine, !store.isShared { (state.leaseEnd, state.lookAt) = (began + .seconds(86_400), began + .seconds(60)) }
    }
    return isMine
  }

  /// The sections that are due, at most so many as may be asked for.
  private func due() -> [String] {
    let (now, most) = (ContinuousClock.now, settings.countMax)
    return state.withLock { state in
      let (asked, count) = (state.asked(most: most), state.entries.count)
      for key in Set(state.entries.keys).subtracting(asked) {
        state.entries[key]?.section.state.failure =
          "it is not asked for: \(count) sections are to be, and sources.countMax is \(most)"
      }
      return state.due(asked, at: now)
    }
  }

  private func begin(
    _ key: String, _ request: SourceRequest, _ check: @escaping ContentCheck, _ review: @escaping Review
  ) {
    let begun = state.withLock { state in
      state.entries[key]?.isRunning = true
      return state.entries[key]
    }
    guard let begun else { return }
    Task { [self] in
      let asked = begun.section
      do {
        let made = try await ask(asked, after: begun.last, request, check, review)
        settle(asked, made: made, failure: nil)
      } catch let failure as SourceFailure {
        settle(asked, made: nil, failure: failure.description)
      } catch let error where error is AnswerTooLate || error is HandingOver || error is CancellationError {
        logger.notice(
          "an endpoint's answer is dropped",
          metadata: ["page": "\(asked.page)", "section": "\(asked.section)", "reason": "\(error)"])
        if case .askerChanged? = error as? AnswerTooLate { state.withLock { ($0.leaseEnd, $0.lookAt) = (nil, .now) } }
        settle(asked, made: nil, failure: nil, isOver: true)
      } catch {
        settle(asked, made: nil, failure: SourceFailure("the answer could not be published: \(error)").description)
      }
    }
  }

  /// Notes what came of a request, unless something else is asked by now.
  ///
  /// - Parameter isOver: Whether nothing came of it, and nothing is wrong.
  private func settle(_ asked: AskedSection, made: Made?, failure: String?, isOver: Bool = false) {
    let now = store.clock()
    let isNew = state.withLock { state in
      guard var entry = state.entries[asked.key], entry.section.asking == asked.asking else { return false }
      entry.isRunning = false
      guard !isOver else {
        entry.due = .now + Self.ownPause
        state.entries[asked.key] = entry
        return false
      }
      let former = entry.section.state
      entry.section.state = AskedSection.State(
        since: former.since, answeredAt: failure == nil ? now : former.answeredAt, triedAt: now, failure: failure,
        failures: failure == nil ? 0 : former.failures + 1)
      if failure == nil { entry.last = made }
      entry.due = .now + settings.pause(asked.asking, failures: entry.section.state.failures)
      state.entries[asked.key] = entry
      let isNew = (former.failure == nil) != (failure == nil)
      if isNew || former.triedAt == nil { state.tellAt = .now }
      return isNew
    }
    guard isNew else { return }
    let metadata: Logger.Metadata = ["page": "\(asked.page)", "section": "\(asked.section)"]
    if let failure {
      logger.warning(
        "an endpoint's answer is not published; what is live stays",
        metadata: metadata.merging(["reason": "\(failure)"]) { first, _ in first })
    } else {
      logger.notice("an endpoint answers", metadata: metadata)
    }
  }

  /// Asks, and publishes what is new.
  private func ask(
    _ asked: AskedSection, after last: Made?, _ request: SourceRequest, _ check: @escaping ContentCheck,
    _ review: @escaping Review
  ) async throws -> Made? {
    // Before it is asked for: what changes meanwhile is not what an answer of 304 is about.
    let stands = try await present(asked)
    let isKept = last.map { $0.live == stands.live && $0.draft == stands.draft } ?? false
    let answer = try await request.answer(
      of: asked.asking, for: asked.section, validators: isKept ? last?.validators : nil)
    try begin()
    defer { state.withLock { $0.publishing -= 1 } }
    let isSame = answer.content == nil || answer.fingerprint == last?.bytes
    if let last, isKept, isSame, !isConfirmationDue(asked) { return last }
    let content = try answer.content ?? liveContent(asked, as: stands.live)
    let scope = PublishScope.content(
      section: asked.section, .replace(content), asked: AskedBy(asked.asking, by: instance))
    let published = try await publisher.publish(
      asked.page, scope, if: .none, by: Actor(name: "endpoint of \(asked.page)/\(asked.section)"), check: check,
      review: review)
    let now = try await present(asked)
    guard now.edition == published.revision.edition, published.content == nil || published.content?.tag == now.draft
    else { return nil }
    return Made(
      validators: answer.validators, bytes: answer.content == nil ? last?.bytes ?? "" : answer.fingerprint,
      live: now.live, draft: now.draft)
  }

  /// The live content, unless it is another by now.
  private func liveContent(_ asked: AskedSection, as fingerprint: String) throws -> SectionContent {
    guard let live = liveSection(asked), live.fingerprint == fingerprint else { throw AnswerTooLate.sectionChanged }
    return live.section.content
  }

  /// Notes that something is about to be published.
  ///
  /// - Throws: `CancellationError` where the process is about to end.
  private func begin() throws {
    let mayPublish = state.withLock { state in
      if !state.isEnding { state.publishing += 1 }
      return !state.isEnding
    }
    guard mayPublish else { throw CancellationError() }
  }

  /// What live page and draft have of a section.
  private func present(_ asked: AskedSection) async throws -> (edition: EditionNumber, live: String, draft: String?) {
    guard let found = liveSection(asked) else { throw AnswerTooLate.sectionChanged }
    var draft: String?
    do { draft = try await store.section(asked.page, asked.section).contentTag } catch StoreError.notFound {}
    return (found.edition.number, found.fingerprint, draft)
  }

  private func liveSection(
    _ asked: AskedSection
  ) -> (edition: Edition, section: SectionDefinition, fingerprint: String)? {
    guard let edition = publisher.live.lineup.edition(of: asked.page) else { return nil }
    let plan = edition.presentPlan
    guard let position = plan.definition.sections.firstIndex(where: { $0.id == asked.section }),
      plan.fingerprints.indices.contains(position)
    else { return nil }
    return (edition, plan.definition.sections[position], plan.fingerprints[position])
  }

  private func isConfirmationDue(_ asked: AskedSection) -> Bool {
    guard let live = liveSection(asked) else { return false }
    let confirmed = live.edition.presentPlan.definition.confirmed[asked.section]
    return Confirmation(of: live.section, confirmed: confirmed, at: store.clock()) != .none
  }
}

extension SourceSettings {
  /// How long the first request for a section waits.
  fileprivate func spread(_ asking: Asking) -> Duration {
    second * Double.random(in: 0...min(Double(asking.every) / 4, Self.spreadMax))
  }

  /// How long the next request waits after so many failures in a row: twice as long with each from the second on.
  fileprivate func pause(_ asking: Asking, failures: Int) -> Duration {
    let most = max(asking.every, Self.backOffMax)
    let seconds = min(asking.every << min(max(failures - 1, 0), 10), most)
    // Those that failed together are not asked together.
    return second * (Double(seconds) * (failures > 0 ? Double.random(in: 0.9...1.1) : 1))
  }
}
