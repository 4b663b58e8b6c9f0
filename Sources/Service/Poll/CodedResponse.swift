import HTTPServer
import Layout
import Publication
import Synchronization

/// One answer in every content coding: the heads, each made when the first client asks for it, and the body that they
/// share.
final class CodedResponse: Sendable {
  /// What a client is sent.
  enum Choice {
    case ready(ReadyResponse)
    /// It takes nothing but `br`, and that is not made.
    case unmade
    /// It forbids every coding.
    case none
  }

  let body: CodedBody
  let gzip: ReadyResponse
  /// When its edition was made ready.
  private let madeAt: Instant
  private let fields: VariantFields
  private let freshness: Freshness
  private let brotliResponse = AtomicLazyReference<ReadyResponse>()
  private let identityResponse = AtomicLazyReference<ReadyResponse>()
  private let kept: ByteCounter

  init(_ status: Status, _ body: CodedBody, _ fields: VariantFields, madeAt: Instant, freshness: Freshness) {
    self.body = body
    self.fields = fields
    self.madeAt = madeAt
    self.freshness = freshness
    gzip = ReadyResponse(status, fields: fields.all(.gzip), body: body.gzip, freshness: freshness)
    kept = ByteCounter(Self.ownBytes + gzip.headBytes, in: body.budget)
  }

  /// What the object takes beside its responses, about.
  private static let ownBytes = 384

  /// The bytes that are kept for it beside the body's.
  var bytes: Int { kept.bytes }

  /// The response in the coding that a client prefers. Where that is `br` and not made yet, it is asked for, and what the
  /// client prefers next stands in for it.
  func choice(_ codings: AcceptedCodings, _ queue: BrotliQueue) -> Choice {
    switch codings.preferred {
    case .gzip: return .ready(gzip)
    case .identity: return .ready(identity)
    case nil: return .none
    case .brotli:
      if let brotli { return .ready(brotli) }
      guard let other = codings.preferredWithoutBrotli else { return .unmade }
      queue.ask(for: body, madeAt: madeAt)
      return .ready(other == .identity ? identity : gzip)
    }
  }

  /// Has `br` made for a client that takes nothing else.
  ///
  /// - Returns: Whether there is room for it; `finish` is not called otherwise.
  func makeBrotli(_ queue: BrotliQueue, then finish: @escaping @Sendable (ReadyResponse) -> Void) -> Bool {
    queue.ask(for: body, madeAt: madeAt) { finish(self.brotli ?? self.gzip) }
  }

  /// `nil` until the body has it.
  private var brotli: ReadyResponse? {
    if let made = brotliResponse.load() { return made }
    guard let bytes = body.brotli else { return nil }
    return keep(.brotli, bytes, bytesKept: 0, in: brotliResponse)
  }

  /// Without a content coding, unpacked when the first client asks for it.
  private var identity: ReadyResponse {
    if let made = identityResponse.load() { return made }
    return keep(.identity, body.identity, bytesKept: body.identitySize, in: identityResponse)
  }

  private func keep(
    _ coding: ContentCoding, _ bytes: [UInt8], bytesKept: Int, in place: borrowing AtomicLazyReference<ReadyResponse>
  ) -> ReadyResponse {
    let made = ReadyResponse(gzip.status, fields: fields.all(coding), body: bytes, freshness: freshness)
    let first = place.storeIfNil(made)
    if first === made { kept.add(made.headBytes + bytesKept) }
    return first
  }
}

extension PollHandler {
  /// Sends a response in the coding that the client prefers.
  func send(
    _ response: CodedResponse, _ codings: AcceptedCodings, _ exchange: ExchangeID, on loop: EventLoop
  ) -> Answer {
    let queue = assembler.publisher.brotli
    switch response.choice(codings, queue) {
    case .ready(let ready): return .ready(ready)
    case .none: return refuse(.notAcceptable)
    case .unmade:
      let ticket = loop.ticket(for: exchange)
      return response.makeBrotli(queue) { ticket.complete($0) } ? .later : refuse(.overloaded)
    }
  }
}

extension Ticket {
  /// Sends a response in the coding that the client prefers.
  func complete(_ response: CodedResponse, _ codings: AcceptedCodings, _ queue: BrotliQueue) {
    switch response.choice(codings, queue) {
    case .ready(let ready): complete(ready)
    case .none: complete(.notAcceptable)
    case .unmade:
      if !response.makeBrotli(queue, then: { complete($0) }) { complete(.overloaded) }
    }
  }

  func complete(_ problem: Problem) { complete(problem.response(requestID: RequestID.random())) }
}
