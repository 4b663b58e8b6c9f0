import HTTPServer
import Layout
import Storage
import Synchronization
import Threads

/// Answers polls by preview links, one at a time and behind the loops. That bounds the load that a link's bearer can
/// cause.
///
/// Strangers choose the texts, so the database is asked at most once a second for unknown ones. A known link is looked
/// up each time, so a revoked one shows nothing more.
package final class PreviewAnswers: Sendable {
  private struct State {
    var hashes: Set<String> = []
    /// How often a link was made here.
    var noted = 0
    var askedAt: ContinuousClock.Instant?
    var waiting = 0
  }

  /// Makes one answer at a time.
  private actor Maker {
    func make(_ work: @Sendable () -> Response) -> Response {
      giveWayToLoops()
      return work()
    }
  }

  private let publisher: Publisher
  private let settings: PreviewSettings
  private let maker = Maker()
  private let state = Mutex(State())

  package init(publisher: Publisher, settings: PreviewSettings) {
    self.publisher = publisher
    self.settings = settings
  }

  private var store: Store { publisher.store }
  private var attributes: [String: AttributeDeclaration] { publisher.settings.context.attributes }

  /// The query parameter that has a link's text.
  package static let parameter: StaticString = "preview"

  /// Answers by a link's text. Nothing is read on the loop.
  func answer(
    _ request: borrowing Request, _ text: String, page: String, _ resource: Resource, on loop: EventLoop
  ) -> Answer {
    let device: ClientAttributes
    do throws(Problem) { device = try ClientAttributes(request, declared: attributes) } catch {
      return .refusal(error)
    }
    guard PreviewLink.isText(text) else { return .refusal(.unknownPreview) }
    guard let coding = request.acceptedCodings.preferred() else { return .refusal(.notAcceptable(.all)) }
    let isTaken = state.withLock { state in
      guard state.waiting < settings.waitingMax else { return false }
      state.waiting += 1
      return true
    }
    guard isTaken else { return .refusal(.tooManyPreviews) }
    let wants = PollWants(request)
    let ticket = loop.ticket(for: request.exchange)
    Task { [self] in
      ticket.complete(await response(PreviewLink.hash(of: text), page, resource, device, wants, coding))
      state.withLock { $0.waiting -= 1 }
    }
    return .later
  }

  /// Makes a new link known at once.
  package func note(_ text: String) {
    let hash = PreviewLink.hash(of: text)
    state.withLock { state in
      state.noted += 1
      state.hashes.insert(hash)
    }
  }

  private func response(
    _ hash: String, _ page: String, _ resource: Resource, _ device: ClientAttributes, _ wants: PollWants,
    _ coding: ContentCoding
  ) async -> Response {
    do {
      guard try await mayBe(hash), let link = try await store.previewLink(hash: hash), link.page == page else {
        throw Problem.unknownPreview
      }
      let definition = try await definition(of: link)
      let client = client(of: link, on: device)
      let at = link.at ?? publisher.clock()
      return await maker.make { [publisher] in
        let variant = publisher.preview(definition, resource, for: client, at: at)
        return Self.response(variant, wants, coding)
      }
    } catch StoreError.database(let failure) {
      return Problem(failure).response()
    } catch { return Problem.unknownPreview.response() }
  }

  private static func response(_ variant: Variant, _ wants: PollWants, _ coding: ContentCoding) -> Response {
    guard let body = variant.body else { return Problem.unknownPreview.response() }
    let tag = WeakTag(variant.version)
    let fields = [
      ResponseField("Cache-Control", "private, no-store"), ResponseField("ETag", tag.text),
      ResponseField("Vary", "Accept-Encoding, Accept-Language"),
    ]
    switch wants.precondition(tag) {
    case .failed: return Problem.preconditionFailed(tag: tag.text).response()
    case .notModified: return Response(304, fields: fields)
    case .proceed: break
    }
    let type = [ResponseField("Content-Type", "application/json")]
    return Response(200, fields: type + fields, body: body.identity).coded(coding)
  }

  private func mayBe(_ hash: String) async throws -> Bool {
    let now = ContinuousClock.now
    let (isKnown, mayAsk) = state.withLock { state in
      if state.hashes.contains(hash) { return (true, false) }
      if let askedAt = state.askedAt, now - askedAt < .seconds(1) { return (false, false) }
      state.askedAt = now
      return (false, true)
    }
    guard mayAsk else { return isKnown }
    let noted = state.withLock { $0.noted }
    let hashes = try await store.previewHashes()
    // A link that was made while these were read may be missing among them.
    state.withLock { state in if state.noted == noted { state.hashes = hashes } else { state.hashes.formUnion(hashes) }
    }
    return hashes.contains(hash)
  }

  private func definition(of link: PreviewLink) async throws -> PageDefinition {
    if link.revision == "draft" { return try await store.draft(link.page).definition }
    let number = link.revision == "live" ? try await store.draft(link.page).live : Int(link.revision)
    guard let number else { throw Problem.unknownPreview }
    var definition = try await store.revisionDefinition(link.page, number).definition
    // As a rollback to it would be: what is withheld now stays so.
    definition.withheld = try await store.withheldKinds().map(\.withholding)
    return definition
  }

  /// What the link was made for, and of the device what the link leaves open.
  private func client(of link: PreviewLink, on device: ClientAttributes) -> ClientAttributes {
    var client = device
    for (name, text) in link.client {
      if let value = attributes[name]?.value(of: text) { client.take(value, of: name) }
    }
    return client
  }
}

extension Problem {
  fileprivate static let unknownPreview = Problem(
    404, "unknown-preview", "There is no such preview link for this, or it is over.")
  fileprivate static let tooManyPreviews = Problem(
    503, "overloaded", "Too many previews are being made.", fields: [ResponseField("Retry-After", "1")])
}
