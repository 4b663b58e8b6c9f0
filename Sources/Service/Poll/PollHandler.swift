import HTTPServer
import JSON
import Layout
import Logging
import Publication

/// Answers polls on one loop. A shape seen before goes from its bytes to ready bytes: no lock, no allocation.
final class PollHandler: RequestHandler {
  private(set) var editions: [String: Edition] = [:]
  /// `nil` until the first pages are there.
  private var pageList: ServedPageList?
  private var shapes: ShapeCache
  /// The clients that wait for a change, on this loop.
  var waiting: [ExchangeID: Waiting] = [:]
  let assembler: Assembler
  let settings: PollSettings
  private let attributes: [String: AttributeDeclaration]

  init(assembler: Assembler, attributes: [String: AttributeDeclaration], settings: PollSettings) {
    self.assembler = assembler
    self.attributes = attributes
    self.settings = settings
    shapes = ShapeCache(capacity: settings.shapesMax)
  }

  /// Serves other editions from the next request on, and wakes the clients that wait for them.
  func serve(_ live: [Edition], on loop: EventLoop) {
    let before = editions
    editions = Dictionary(live.map { ($0.page, $0) }, uniquingKeysWith: { _, last in last })
    pageList = ServedPageList.of(live.map(\.page), after: pageList, settings)
    shapes.removeAll()
    loop.wake(waiting.filter { editions[$0.value.shape.page] !== before[$0.value.shape.page] }.keys)
  }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    guard request.method == .get || request.method == .head else { return otherMethod(request) }
    if settings.clientKey != nil, let refusal = refusalWithoutKey(request) { return refusal }
    let hash = ShapeCache.hash(request)
    // Fields sent twice are joined when they are read; such a shape is rare and not kept.
    if !request.isRepeated(.acceptLanguage), let entry = shapes.find(request, hash: hash),
      loop.now < entry.variant.until
    {
      return answer(request, entry, on: loop)
    }
    return answerNewShape(request, hash: hash, on: loop)
  }

  func refusal(_ failure: RequestFailure, on loop: EventLoop) -> Response {
    Problem(failure).response(requestID: RequestID.random())
  }

  private func answer(_ request: borrowing Request, _ entry: ShapeCache.Entry, on loop: EventLoop) -> Answer {
    let variant = entry.variant
    if request.has(.ifNoneMatch) || request.has(.ifMatch) {
      let tag = variant.tag
      switch request.precondition(tag.span) {
      case .notModified: return request.has(.prefer) ? wait(request, entry, on: loop) : .ready(variant.notModified)
      case .failed: return refuse(.preconditionFailed(tag: String(decoding: tag, as: UTF8.self)))
      case .proceed:
        if request.takesChanges { return answer(request.exchange, PollWants(request), variant, on: loop) }
      }
    }
    switch request.preferredCoding() {
    case .gzip: return .ready(variant.gzip)
    case .identity: return .ready(variant.identity)
    case nil: return refuse(.notAcceptable)
    }
  }

  func refuse(_ problem: Problem) -> Answer { .response(problem.response(requestID: RequestID.random())) }

  private func refusalWithoutKey(_ request: borrowing Request) -> Answer? {
    guard let key = settings.clientKey, PollPath(request.path)?.needsKey ?? true else { return nil }
    for index in 0..<request.fieldCount
    where request.fieldName(index).equalsIgnoringCase("hearth-client-key")
      && Secret.isSame(request.fieldValue(index), key.utf8.span)
    {
      return nil
    }
    return refuse(.noClientKey)
  }

  private func otherMethod(_ request: borrowing Request) -> Answer {
    let allowed = "GET, HEAD, OPTIONS"
    if request.method == .options, request.isServerWide || PollPath(request.path) != nil {
      return .response(Response(204, fields: [ResponseField("Allow", allowed)]))
    }
    return refuse(PollPath(request.path) == nil ? .nothing(at: request.path) : .methodNotAllowed(allowed))
  }

  private func answerNewShape(_ request: borrowing Request, hash: UInt64, on loop: EventLoop) -> Answer {
    switch PollPath(request.path) {
    case nil: return refuse(.nothing(at: request.path))
    case .healthz: return .response(.status("ok", 200))
    case .readyz: return .response(pageList != nil ? .status("ready", 200) : .status("starting", 503))
    case .pages: return pageList?.answer(request) ?? refuse(.starting)
    case .resource(let page, let resource):
      guard pageList != nil else { return refuse(.starting) }
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
      return assemble(key, of: edition, for: client, request.exchange, PollWants(request), on: loop)
    }
    guard let served = ServedVariant.of(variant, edition, settings) else { return refuse(.absent(resource, edition)) }
    let entry = ShapeCache.Entry(
      request, hash: hash, page: edition.page, resource: resource, client: client, variant: served)
    if !request.isRepeated(.acceptLanguage) { shapes.insert(entry) }
    return answer(request, entry, on: loop)
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
  /// 404, or 400 where the path cannot be decoded.
  fileprivate static func nothing(at path: borrowing Span<UInt8>) -> Problem {
    path.pathSegments() == nil ? .undecodable : .notFound
  }

  fileprivate static let starting = Problem(
    503, "starting", "The server has not loaded its pages yet.", fields: [ResponseField("Retry-After", "1")])
  static let undecodable = Problem(400, "malformed-target", "The path or query cannot be decoded.")
  static let overloaded = Problem(
    503, "overloaded", "Too many new variants are being assembled.", fields: [ResponseField("Retry-After", "1")])
  static let noClientKey = Problem(
    401, "client-key-required", "Send the key that this server asks for as Hearth-Client-Key.",
    fields: [ResponseField("WWW-Authenticate", "Hearth-Client-Key")])
  static let notAcceptable = Problem(
    406, "not-acceptable", "Accept-Encoding forbids both gzip and identity; allow one of them.")

  static func preconditionFailed(tag: String?) -> Problem {
    Problem(
      412, "precondition-failed", "If-Match names no current entity tag.",
      fields: tag.map { [ResponseField("ETag", $0)] } ?? [])
  }

  static func unknownPage(_ page: String, known: [String]) -> Problem {
    Problem(
      404, "unknown-page",
      "There is no published page \"\(page)\"; published are \(known.isEmpty ? "none" : known.joined(separator: ", "))."
    )
  }

  static func absent(_ resource: Resource, _ edition: Edition) -> Problem {
    guard case .section(let section) = resource else { return .notFound }
    if edition.plan.definition.sections.contains(where: { $0.id == section }) {
      return Problem(404, "section-not-shown", "The section \"\(section)\" is not in the page for this client now.")
    }
    // The others are not named: some of them may be for other clients, or for another time.
    return Problem(
      404, "unknown-section",
      "There is no section \"\(section)\" on \(edition.page); the page's sort-rule names those that there are.")
  }
}
