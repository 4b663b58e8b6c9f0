import HTTPServer
import Layout
import Synchronization

/// One answer in every content coding: the heads are its edition's and the bytes its body's, so that it has little of its
/// own.
final class CodedResponse: Sendable {
  let gzip: ReadyResponse
  private let brotliResponse = AtomicLazyReference<ReadyResponse>()
  private let identityResponse = AtomicLazyReference<ReadyResponse>()
  let body: CodedBody
  private let heads: CodedHeads
  /// When its edition was made ready.
  private let madeAt: Instant
  private let charge: ByteCharge

  /// - Parameter headBytes: The bytes of the heads if they belong to this answer alone, not to an edition.
  init(
    _ heads: CodedHeads, _ body: CodedBody, _ tag: WeakTag, _ freshness: Freshness, madeAt: Instant, headBytes: Int = 0
  ) {
    self.body = body
    self.heads = heads
    self.madeAt = madeAt
    gzip = ReadyResponse(heads.head(.gzip), tag: tag, body: body.gzip, freshness: freshness)
    charge = ByteCharge(Self.ownBytes + headBytes, in: body.budget)
  }

  /// What the object takes with its three responses, about; the bytes are the body's.
  static let ownBytes = 448

  /// Makes what clients were sent of the response whose place this one takes, in their codings, so that no loop has to.
  func prepare(after former: CodedResponse, _ queue: BrotliQueue) {
    if former.identityResponse.load() != nil { _ = identity }
    guard brotli == nil, former.body.brotli != nil else { return }
    queue.prepare(body, madeAt: madeAt) { [weak self] in _ = self?.brotli }
  }

  /// The response in a coding; `nil` where that is `br` and not made yet.
  func made(in coding: ContentCoding) -> ReadyResponse? {
    switch coding {
    case .brotli: brotli
    case .gzip: gzip
    case .identity: identity
    }
  }

  /// Has `br` made, unless too many wait.
  func requestBrotli(_ queue: BrotliQueue) { queue.ask(for: body, madeAt: madeAt) }

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
    return brotliResponse.storeIfNil(response(.brotli, bytes))
  }

  /// Without a content coding.
  private var identity: ReadyResponse {
    identityResponse.load() ?? identityResponse.storeIfNil(response(.identity, body.identity))
  }

  private func response(_ coding: ContentCoding, _ bytes: [UInt8]) -> ReadyResponse {
    ReadyResponse(heads.head(coding), tag: gzip.tag, body: bytes, freshness: gzip.freshness)
  }
}

extension PollHandler {
  /// Sends a response in the coding that the client prefers. If that is `br` and not made yet, it is requested, and the
  /// client's next choice stands in for it.
  func send(
    _ response: CodedResponse, _ codings: AcceptedCodings, _ exchange: ExchangeID,
    with signatures: PageSignatures? = nil, on loop: EventLoop
  ) -> Answer {
    let queue = assembler.publisher.brotli
    guard let preferred = codings.preferred() else { return .refusal(.notAcceptable(.all)) }
    if let ready = response.made(in: preferred) { return .ready(ready, with: signatures?.page) }
    if let other = codings.preferred(among: [.gzip, .identity]), let ready = response.made(in: other) {
      response.requestBrotli(queue)
      return .ready(ready, with: signatures?.page)
    }
    let ticket = loop.ticket(for: exchange)
    return response.makeBrotli(queue) { ticket.complete($0, with: signatures?.page) }
      ? .later : .refusal(.brotliOverloaded)
  }
}
