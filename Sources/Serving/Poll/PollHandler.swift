import Compression
import Dispatch
package import HTTPServer
import JSON
import Layout
import Logging
import Threads

/// Answers polls on one loop. A shape seen before goes from its bytes to ready bytes: no lock, no allocation.
package final class PollHandler: PollAnswering {
  /// The lineup that is served: the newest one, since each request looks for a newer one first.
  private(set) var lineup: Lineup
  private var pageList: ServedPageList
  private var shapes: ShapeCache
  /// Where the shapes begin that may hold what is sent by an earlier lineup.
  private var renewedUpTo = 0
  /// How often variants had been given up when the shapes let go of them last.
  private var givenUpCount: UInt64 = 0
  /// The polls of this loop that wait for a change, or for what another thread makes.
  var waiting: [ExchangeID: OpenPoll] = [:]
  let assembler: Assembler
  let settings: PollSettings
  private let attributes: [String: AttributeDeclaration]
  /// The lists of languages that clients sent lately, shared by clients that send the same.
  private var languages: Set<[LanguageRange]> = []
  private static let languagesMax = 64
  private let assets: AssetHandler
  private let previews: PreviewAnswers
  private let age: ServedAge

  package var polls: PollHandler { self }

  package init(
    assembler: Assembler, assets: AssetHandler, previews: PreviewAnswers, age: ServedAge, settings: PollSettings
  ) {
    self.assembler = assembler
    self.assets = assets
    self.previews = previews
    self.age = age
    self.settings = settings
    attributes = assembler.publisher.settings.context.attributes
    lineup = assembler.publisher.live.lineup
    pageList = ServedPageList(lineup.pages, settings)
    shapes = ShapeCache(capacity: settings.shapesMax, bytesMax: settings.shapeBytesMax)
  }

  /// Serves the newest lineup from now on, and wakes the clients that wait for its news. Shapes follow when next
  /// requested, or by ``renewShapes(on:)``.
  func takeNewest(on loop: EventLoop) {
    let before = lineup
    let newest = before.newest
    guard newest !== before else { return }
    lineup = newest
    renewedUpTo = 0
    if newest.pages != before.pages { pageList = ServedPageList(newest.pages, settings) }
    loop.wake(waiting.filter { !newest.serves($0.value.page, as: before) }.keys)
  }

  /// Has some of the shapes go on to the newest lineup, so that nothing is kept of those before it.
  ///
  /// - Returns: Whether there are more.
  func renewShapes(on loop: EventLoop) -> Bool {
    let (over, next) = shapes.renew(from: renewedUpTo, by: lineup, at: loop.now)
    renewedUpTo = next
    if !over.isEmpty { Self.free(over) }
    return next < shapes.size
  }

  /// Lets go of variants that were given up to make room.
  func releaseGivenUp() {
    let count = assembler.publisher.givenUpCount
    guard count != givenUpCount else { return }
    givenUpCount = count
    Self.free(shapes.release { $0.variant == nil })
  }

  /// Has another thread free what may be many variants.
  private static func free(_ garbage: some Sendable) {
    DispatchQueue.global(qos: .utility).async {
      giveWayToLoops()
      withExtendedLifetime(garbage) {}
    }
  }

  package func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    if lineup.isOver { takeNewest(on: loop) }
    guard request.method == .get || request.method == .head else { return otherMethod(request) }
    if settings.clientKey != nil, let refusal = refusalWithoutKey(request) { return refusal }
    if request.has(.ageMax), let refusal = age.refusal(of: request) { return .refusal(refusal) }
    let hash = ShapeCache.hash(request)
    // Fields sent twice are joined when they are read; such a shape is rare and not kept.
    if !request.isRepeated(.acceptLanguage), let entry = shapes.find(request, hash: hash) {
      if entry.lineup != lineup.number { entry.renew(by: lineup, at: loop.now) }
      // Most clients without a tag are about to get the same as the last one.
      if !request.has(.ifNoneMatch) { entry.lastResponse?.prefetchContent() }
      if let variant = entry.variant, variant.holds(at: loop.now) {
        variant.noteUse(at: loop.now)
        return answer(request, entry, variant, on: loop)
      }
      return answerKnownShape(request, entry, on: loop)
    }
    return answerNewShape(request, hash: hash, on: loop)
  }

  package func refusal(ofBodyOf request: borrowing Request, on loop: EventLoop) -> Response? {
    if let problem = problem(with: request) { return problem.response() }
    let page: String
    switch PollPath(request.path) {
    case .resource(let id, _), .items(let id, _): page = id
    default: return nil
    }
    guard lineup.number > 0, lineup.edition(of: page) == nil else { return nil }
    return Problem.unknownPage(page, known: lineup.pages).response()
  }

  package func refusal(_ failure: RequestFailure, on loop: EventLoop) -> Response {
    Problem(failure).response()
  }

  private func answer(
    _ request: borrowing Request, _ entry: ShapeCache.Entry, _ variant: ServedVariant, on loop: EventLoop
  ) -> Answer {
    var signatures: PageSignatures?
    if request.has(.acceptSignature), let signing = settings.signing, variant.isPage, request.wantsSignatures {
      signatures = entry.signatures(of: variant, signing, at: loop.now)
      if signatures == nil { return answer(request.exchange, open(request, entry, on: loop), variant, on: loop) }
    }
    if request.has(.ifNoneMatch) || request.has(.ifMatch) {
      let tag = variant.tag
      switch request.precondition(tag.octets.span) {
      case .notModified:
        if request.has(.prefer), request.wait ?? 0 > 0 {
          return answer(request.exchange, open(request, entry, holding: tag, on: loop), variant, on: loop)
        }
        return .ready(variant.notModified, with: signatures?.notModified)
      case .failed: return .refusal(.preconditionFailed(tag: tag.text))
      case .proceed:
        if request.takesChanges { return answer(request.exchange, open(request, entry, on: loop), variant, on: loop) }
      }
    }
    let codings = request.acceptedCodings
    if let coding = codings.preferred(), let response = entry.response(of: variant, in: coding) {
      return .ready(response, with: signatures?.page)
    }
    return send(variant.whole, codings, request.exchange, with: signatures, on: loop)
  }

  /// A poll that may have to wait for something.
  private func open(
    _ request: borrowing Request, _ entry: ShapeCache.Entry, holding tag: WeakTag? = nil, on loop: EventLoop
  ) -> OpenPoll {
    OpenPoll(request, page: entry.page, entry.resource, for: entry.client, settings, holding: tag, on: loop)
  }

  private func refusalWithoutKey(_ request: borrowing Request) -> Answer? {
    guard let key = settings.clientKey, PollPath(request.path)?.needsKey ?? true else { return nil }
    for index in 0..<request.fieldCount
    where request.fieldName(index).equalsIgnoringCase("hearth-client-key")
      && Secret.isSame(request.fieldValue(index), key.utf8.span)
    {
      return nil
    }
    return .refusal(.noClientKey)
  }

  private func otherMethod(_ request: borrowing Request) -> Answer {
    if let problem = problem(with: request) { return .refusal(problem) }
    return .response(Response(204, fields: [ResponseField("Allow", Problem.readMethods)]))
  }

  /// The problem with a request's path or method; `nil` if there is none.
  private func problem(with request: borrowing Request) -> Problem? {
    if request.isServerWide { return nil }
    if PollPath(request.path) == nil { return .nothing(at: request.path) }
    return switch request.method {
    case .get, .head, .options: nil
    default: .methodNotAllowed(Problem.readMethods)
    }
  }

  private func answerNewShape(_ request: borrowing Request, hash: UInt64, on loop: EventLoop) -> Answer {
    switch PollPath(request.path) {
    case nil: return .refusal(.nothing(at: request.path))
    case .healthz: return .response(.status("ok", 200))
    case .asset(let name): return assets.answer(request, name, on: loop)
    case .readyz: return ready(request)
    case .pages: return lineup.number > 0 ? pageList.answer(request) : .refusal(.starting)
    case .resource(let page, let resource):
      // Before anything is looked for: a page of which there is a draft alone can be shown, too.
      if let text = request.queryValues(PreviewAnswers.parameter).first {
        return previews.answer(request, text, page: page, resource, on: loop)
      }
      guard lineup.number > 0 else { return .refusal(.starting) }
      guard let edition = lineup.edition(of: page) else { return .refusal(missing(page)) }
      // Before anything is assembled or kept: names are the client's to choose.
      guard edition.plan.has(resource) else { return .refusal(.unknown(resource, edition, at: loop.now)) }
      var client: ClientAttributes
      do { client = try ClientAttributes(request, declared: attributes) } catch { return .refusal(error) }
      if languages.count >= Self.languagesMax { languages = [] }
      client.languages = languages.insert(client.languages).memberAfterInsert
      return answer(request, resource, of: edition, for: client, hash: hash, on: loop)
    case .items(let page, let section):
      guard lineup.number > 0 else { return .refusal(.starting) }
      guard let edition = lineup.edition(of: page) else { return .refusal(missing(page)) }
      let texts = request.queryValues("cursor")
      guard texts.count == 1, let text = texts.first else { return .refusal(.malformedCursor) }
      guard let cursor = ListCursor(text, page: page, section: section, by: edition.plan.kinds.linkKey) else {
        return .refusal(ListCursor.isOfEarlierForm(text) ? .listGone : .malformedCursor)
      }
      return answer(request, .items(cursor), of: edition, for: ClientAttributes(), hash: hash, on: loop)
    }
  }

  private func ready(_ request: borrowing Request) -> Answer {
    guard lineup.number > 0 else { return .response(.status("starting", 503)) }
    var refusal: Problem?
    request.query.forEachQueryPair { name, value in
      if name.equals("fresh") { refusal = refusal ?? age.refusal(ofFresh: value) }
    }
    return refusal.map(Answer.refusal) ?? .response(.status("ready", 200))
  }

  /// A shape that is remembered from now on.
  private func answer(
    _ request: borrowing Request, _ resource: Resource, of edition: Edition, for client: ClientAttributes, hash: UInt64,
    on loop: EventLoop
  ) -> Answer {
    answer(request, resource, of: edition, for: client, on: loop) { served in
      let entry = ShapeCache.Entry(
        request, hash: hash, page: edition.page, resource: resource, client: client, variant: served,
        lineup: lineup.number, budget: assembler.publisher.budget)
      if !request.isRepeated(.acceptLanguage) { shapes.insert(entry) }
      return entry
    }
  }

  /// A shape seen before whose variant is over: neither its path nor its client is read again.
  private func answerKnownShape(
    _ request: borrowing Request, _ entry: ShapeCache.Entry, on loop: EventLoop
  ) -> Answer {
    guard let edition = lineup.edition(of: entry.page) else { return .refusal(missing(entry.page)) }
    guard edition.plan.has(entry.resource) else { return .refusal(.unknown(entry.resource, edition, at: loop.now)) }
    return answer(request, entry.resource, of: edition, for: entry.client, on: loop) { served in
      entry.keep(served, by: lineup)
      return entry
    }
  }

  /// - Parameter keep: Keeps the variant for the next request of this shape.
  private func answer(
    _ request: borrowing Request, _ resource: Resource, of edition: Edition, for client: ClientAttributes,
    on loop: EventLoop, keep: (ServedVariant) -> ShapeCache.Entry
  ) -> Answer {
    let key = edition.key(of: resource, for: client)
    guard let variant = edition.variant(for: key, at: Instant(nanoseconds: loop.now)) else {
      let poll = OpenPoll(request, page: edition.page, resource, for: client, settings, on: loop)
      return answer(request.exchange, poll, of: edition, on: loop)
    }
    guard let served = sent(variant, of: edition, at: loop.now) else {
      return .refusal(notShown(variant, of: edition, at: loop.now))
    }
    served.noteUse(at: loop.now)
    return answer(request, keep(served), served, on: loop)
  }

  /// What is sent of a variant, `nil` when that has no document.
  func sent(_ variant: Variant, of edition: Edition, at now: Int64) -> ServedVariant? {
    ServedVariant.of(variant, edition, nextPublish: lineup.nextPublish(of: edition.page), settings, now: now)
  }

  /// The problem of a page without an edition: it is not published, or history was cut and a newer one was served.
  func missing(_ page: String) -> Problem {
    lineup.withheld.contains(page) ? .withheld(page) : .unknownPage(page, known: lineup.pages)
  }

  /// What a page has, but not for this client now: true for as long as the page without it is.
  func notShown(_ variant: Variant, of edition: Edition, at now: Int64) -> Problem {
    guard case .section = variant.key.resource, let moment = variant.moment else { return .notFound }
    let freshness = settings.freshness(of: variant, edition, nextPublish: lineup.nextPublish(of: edition.page))
    var problem = Problem(
      404, "section-not-shown", "The section is not in the page for this client now.",
      fields: [ResponseField("Vary", "Accept-Language"), .edition(edition.number), .moment(moment)])
    problem.cacheControl = "\(settings.caching.before)max-age=\(freshness.maxAge(at: now))"
    return problem
  }
}

extension Edition {
  /// What tells the variant that a client gets from others.
  func key(of resource: Resource, for client: ClientAttributes) -> VariantKey {
    if case .items(let cursor) = resource { return Publisher.partKey(cursor) }
    return VariantKey(resource: resource, outcome: plan.outcome(for: client))
  }
}

extension PagePlan {
  /// Whether there may be such a thing on the page for anybody.
  func has(_ resource: Resource) -> Bool {
    guard case .section(let id) = resource else { return true }
    return sectionIDs.contains(id)
  }
}

extension Response {
  package static func json(_ body: [UInt8], _ status: Status = 200) -> Response {
    Response(
      status, fields: [ResponseField("Content-Type", "application/json"), ResponseField("Cache-Control", "no-store")],
      body: body)
  }

  /// This answer in a coding, made for one client: with little effort.
  package func coded(_ coding: ContentCoding) -> Response {
    guard let name = coding.name else { return self }
    var coded = self
    coded.fields.append(ResponseField("Content-Encoding", name))
    coded.body = coding == .brotli ? Brotli.compressQuickly(body) : Gzip.compress(body, level: 6)
    return coded
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
  static let malformedCursor = Problem(
    400, "malformed-cursor", "The query must have one 'cursor' as the page's 'more' gave it; ask for the page again.")
  static let listGone = Problem(
    410, "list-gone", "The list that the cursor is of is no longer kept; ask for the page again.")
  static let listUnavailable = Problem(
    503, "database-unavailable", "The list is of an earlier revision, and the database cannot be read now.",
    fields: [ResponseField("Retry-After", "5")])
  package static let undecodable = Problem(400, "malformed-target", "The path or query cannot be decoded.")
  static let overloaded = Problem(
    503, "overloaded", "Too many new variants are being assembled.", fields: [ResponseField("Retry-After", "1")])
  static let brotliOverloaded = Problem(
    503, "overloaded", "Too many answers wait to be made as br, and Accept-Encoding takes nothing else.",
    fields: [ResponseField("Retry-After", "1")])
  static let noClientKey = Problem(
    401, "client-key-required", "Send the key that this server asks for as Hearth-Client-Key.",
    fields: [ResponseField("WWW-Authenticate", "Hearth-Client-Key")])
  /// None of the codings that an answer has is one that the client takes.
  package static func notAcceptable(_ codings: ContentCodings) -> Problem {
    let there = codings == .all ? "as br, gzip and without a coding" : "without a coding"
    return Problem(
      406, "not-acceptable", "This answer comes \(there), and Accept-Encoding takes none of that; name one of them.")
  }

  package static func preconditionFailed(tag: String?) -> Problem {
    Problem(
      412, "precondition-failed", "If-Match does not name the current entity tag.",
      fields: tag.map { [ResponseField("ETag", $0)] } ?? [])
  }

  static func withheld(_ page: String) -> Problem {
    Problem(
      503, "page-withheld",
      "The page \"\(page)\" was served in a newer state than this server can get now: its database is away, or has lost it.",
      fields: [ResponseField("Retry-After", "30")])
  }

  static func unknownPage(_ page: String, known: [String]) -> Problem {
    Problem(
      404, "unknown-page",
      "There is no published page \"\(page)\"; published are \(known.isEmpty ? "none" : known.joined(separator: ", "))."
    )
  }

  /// What a page does not have for anybody.
  static func unknown(_ resource: Resource, _ edition: Edition, at now: Int64) -> Problem {
    guard case .section(let section) = resource else { return .notFound }
    // The others are not named: some of them may be for other clients, or for another time.
    return Problem(
      404, "unknown-section",
      "There is no section \"\(section)\" on \(edition.page); the page's sort-rule names those that there are.",
      fields: [.edition(edition.number), .moment(edition.presentPlan.moment(at: Instant(nanoseconds: now)))])
  }
}
