import HTTPServer
import JSON
import Layout
import Logging
import Publication

/// Answers polls on one loop. A shape seen before goes from its bytes to ready bytes: no lock, no allocation.
final class PollHandler: RequestHandler {
  private var editions: [String: Edition] = [:]
  private var pageList: [UInt8] = []
  private var isReady = false
  private var shapes: ShapeCache
  private let assembler: Assembler
  private let attributes: [String: AttributeDeclaration]

  init(assembler: Assembler, attributes: [String: AttributeDeclaration], shapesMax: Int) {
    self.assembler = assembler
    self.attributes = attributes
    shapes = ShapeCache(capacity: shapesMax)
  }

  /// Serves other editions from the next request on.
  func serve(_ live: [Edition]) {
    editions = Dictionary(live.map { ($0.page, $0) }, uniquingKeysWith: { _, last in last })
    pageList = JSON.object(["pages": .array(live.map { .string($0.page) })]).canonicalBytes
    shapes.removeAll()
    isReady = true
  }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    guard request.method == .get || request.method == .head else { return otherMethod(request) }
    let hash = ShapeCache.hash(request)
    if let entry = shapes.find(request, hash: hash), loop.now < entry.variant.until {
      return answer(request, entry.variant)
    }
    return answerNewShape(request, hash: hash, on: loop)
  }

  func refusal(_ failure: RequestFailure, on loop: EventLoop) -> Response {
    Problem(failure).response(requestID: RequestID.random())
  }

  private func answer(_ request: borrowing Request, _ variant: ServedVariant) -> Answer {
    if request.has(.ifNoneMatch) || request.has(.ifMatch) {
      let tag = variant.tag
      switch request.precondition(tag.span) {
      case .proceed: break
      case .notModified: return .ready(variant.notModified)
      case .failed: return refuse(.preconditionFailed(tag: String(decoding: tag, as: UTF8.self)))
      }
    }
    switch request.preferredCoding() {
    case .gzip: return .ready(variant.gzip)
    case .identity: return .ready(variant.identity)
    case nil: return refuse(.notAcceptable)
    }
  }

  private func refuse(_ problem: Problem) -> Answer { .response(problem.response(requestID: RequestID.random())) }

  private func otherMethod(_ request: borrowing Request) -> Answer {
    let allowed = "GET, HEAD, OPTIONS"
    if request.method == .options, request.isServerWide || PollPath(request.path) != nil {
      return .response(Response(204, fields: [ResponseField("Allow", allowed)]))
    }
    return refuse(PollPath(request.path) == nil ? .notFound : .methodNotAllowed(allowed))
  }

  private func answerNewShape(_ request: borrowing Request, hash: UInt64, on loop: EventLoop) -> Answer {
    switch PollPath(request.path) {
    case nil: return refuse(.notFound)
    case .healthz: return .response(.status("ok", 200))
    case .readyz: return .response(isReady ? .status("ready", 200) : .status("starting", 503))
    case .pages: return isReady ? .response(.json(pageList, cacheControl: "public, max-age=30")) : refuse(.starting)
    case .resource(let page, let resource):
      guard isReady else { return refuse(.starting) }
      guard let edition = editions[page] else { return refuse(.unknownPage(page, known: editions.keys.sorted())) }
      return answer(request, resource, of: edition, hash: hash, on: loop)
    }
  }

  private func answer(
    _ request: borrowing Request, _ resource: Resource, of edition: Edition, hash: UInt64, on loop: EventLoop
  ) -> Answer {
    let client: ClientAttributes
    do { client = try ClientAttributes(request, declared: attributes) } catch { return refuse(error) }
    let key = VariantKey(resource: resource, outcome: edition.plan.outcome(for: client))
    guard let variant = edition.variant(for: key, at: Instant(nanoseconds: loop.now)) else {
      return assemble(request, key, of: edition, client: client, on: loop)
    }
    guard let served = ServedVariant(variant, of: edition) else {
      return refuse(.absent(resource, edition))
    }
    // Fields sent twice are joined when they are read; such a shape is rare and not kept.
    if !request.isRepeated(.acceptLanguage) {
      shapes.insert(
        ShapeCache.Entry(
          hash: hash, path: request.path.array, query: request.query.array,
          language: request.value(.acceptLanguage).array, variant: served))
    }
    return answer(request, served)
  }

  /// A variant that nobody has asked for yet is assembled off the loop.
  private func assemble(
    _ request: borrowing Request, _ key: VariantKey, of edition: Edition, client: ClientAttributes, on loop: EventLoop
  ) -> Answer {
    guard assembler.hasRoom else { return refuse(.overloaded) }
    let coding = request.preferredCoding()
    let condition = ConditionalFields(request)
    let ticket = loop.ticket(for: request.exchange)
    assembler.assemble(key, of: edition, client: client) { variant in
      guard let coding else { return ticket.complete(Problem.notAcceptable.response(requestID: RequestID.random())) }
      ticket.complete(
        variant.response(coding, condition, of: edition)
          ?? Problem.absent(key.resource, edition).response(requestID: RequestID.random()))
    }
    return .later
  }
}

/// The conditions of a request whose answer comes later.
struct ConditionalFields: Sendable {
  private let ifNoneMatch: [UInt8]?
  private let ifMatch: [UInt8]?

  init(_ request: borrowing Request) {
    ifNoneMatch = request.joinedValue(.ifNoneMatch)
    ifMatch = request.joinedValue(.ifMatch)
  }

  /// RFC 9110 §13.2.2, for a resource with a weak tag.
  func evaluate(_ tag: String) -> Precondition {
    let tag = Array(tag.utf8)
    if let ifMatch, !EntityTags.list(ifMatch.span, contains: tag.span, weakly: false) { return .failed }
    if let ifNoneMatch, EntityTags.list(ifNoneMatch.span, contains: tag.span, weakly: true) { return .notModified }
    return .proceed
  }
}

extension Variant {
  /// The response of a first use; `nil` when there is no document.
  fileprivate func response(_ coding: ContentCoding, _ condition: ConditionalFields, of edition: Edition) -> Response? {
    guard let gzip else { return nil }
    let headers = VariantHeaders(self, of: edition)
    let age = headers.freshness.maxAge(at: Instant.now.nanoseconds)
    let cache = ResponseField("Cache-Control", "public, max-age=\(age), stale-if-error=86400")
    switch condition.evaluate(headers.tag) {
    case .failed: return Problem.preconditionFailed(tag: headers.tag).response(requestID: RequestID.random())
    case .notModified: return Response(304, fields: headers.validators + [cache])
    case .proceed:
      return Response(
        200, fields: headers.fields(coding: coding) + [cache], body: coding == .gzip ? gzip : identity ?? [])
    }
  }
}

extension Response {
  static func json(_ body: [UInt8], _ status: Status = 200, cacheControl: String = "no-store") -> Response {
    Response(
      status,
      fields: [ResponseField("Content-Type", "application/json"), ResponseField("Cache-Control", cacheControl)],
      body: body)
  }

  fileprivate static func status(_ word: String, _ status: Status) -> Response {
    .json(JSON.object(["status": .string(word)]).canonicalBytes, status)
  }
}

extension Problem {
  fileprivate static let starting = Problem(
    503, "starting", "The server has not loaded its pages yet.", fields: [ResponseField("Retry-After", "1")])
  fileprivate static let overloaded = Problem(
    503, "overloaded", "Too many new variants are being assembled.", fields: [ResponseField("Retry-After", "1")])
  fileprivate static let notAcceptable = Problem(
    406, "not-acceptable", "Accept-Encoding forbids both gzip and identity; allow one of them.")

  fileprivate static func preconditionFailed(tag: String) -> Problem {
    Problem(412, "precondition-failed", "If-Match names no current entity tag.", fields: [ResponseField("ETag", tag)])
  }

  fileprivate static func unknownPage(_ page: String, known: [String]) -> Problem {
    Problem(
      404, "unknown-page",
      "There is no published page \"\(page)\"; published are \(known.isEmpty ? "none" : known.joined(separator: ", "))."
    )
  }

  fileprivate static func absent(_ resource: Resource, _ edition: Edition) -> Problem {
    guard case .section(let section) = resource else { return .notFound }
    let known = edition.plan.definition.sections.map(\.id)
    if known.contains(section) {
      return Problem(404, "section-not-shown", "The section \"\(section)\" is not in the page for this client now.")
    }
    return Problem(
      404, "unknown-section",
      "There is no section \"\(section)\" on \(edition.page); there are \(known.joined(separator: ", ")).")
  }
}
