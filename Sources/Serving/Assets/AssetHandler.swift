package import HTTPServer
package import Layout
import Synchronization

/// Answers `/v1/assets/<name>` on either listener. A name is the hash of the bytes: they never change, and nobody can
/// guess a name.
package struct AssetHandler: Sendable {
  private let shelf: AssetShelf
  private let sending = SendingAssets()

  package init(shelf: AssetShelf) { self.shelf = shelf }

  /// Answers a request of the public listener. Nothing is read on its loop.
  func answer(_ request: borrowing Request, _ name: AssetName, on loop: EventLoop) -> Answer {
    let tag = Self.tag(name)
    let precondition = request.precondition(tag.utf8.span)
    if precondition == .notModified, shelf.size(of: name) != nil {
      return .response(Response(304, fields: Self.common(tag)))
    }
    if precondition == .proceed, request.acceptedCodings.preferred(among: .identity) == nil {
      return .refusal(.notAcceptable(.identity))
    }
    // A server may send all of it instead (RFC 9110 §14.2): what all share is one copy, and each part would be its own.
    let asked = ByteRange(request, tag: tag)
    let range = asked != nil && sending.takePart() ? asked : nil
    let isWhole = range == nil && precondition == .proceed
    if isWhole, let response = sending.responses[name] { return .ready(response) }
    let ticket = loop.ticket(for: request.exchange)
    let isTaken = shelf.read(name) { [sending, shelf] bytes in
      if range != nil { sending.leavePart() }
      if bytes == nil, shelf.size(of: name) != nil {
        ticket.complete(Problem.unreadable.response())
      } else if isWhole, let bytes {
        ticket.complete(sending.responses.value(of: name) { Self.ready(name, bytes) })
      } else {
        ticket.complete(Self.response(name, bytes, range, precondition))
      }
    }
    if isTaken { return .later }
    if range != nil { sending.leavePart() }
    return .refusal(.tooManyReads)
  }

  /// The whole picture for a request of the admin listener, whose console draws pages with their pictures.
  package func response(of name: AssetName, requestID: String) async -> Response {
    await withCheckedContinuation { continuation in
      let isTaken = shelf.read(name) { bytes in
        continuation.resume(returning: Self.response(name, bytes, nil, .proceed))
      }
      if !isTaken { continuation.resume(returning: Problem.tooManyReads.response(requestID: requestID)) }
    }
  }

  private static func tag(_ name: AssetName) -> String { "\"\(name.hash)\"" }

  private static func ready(_ name: AssetName, _ bytes: [UInt8]) -> ReadyResponse {
    let type = ResponseField("Content-Type", name.format.mediaType)
    return ReadyResponse(200, fields: [type] + common(tag(name)), body: bytes)
  }

  private static func response(
    _ name: AssetName, _ bytes: [UInt8]?, _ range: ByteRange?, _ precondition: Precondition
  ) -> Response {
    guard let bytes else { return Problem.unknownAsset.response() }
    let tag = tag(name)
    let common = common(tag)
    switch precondition {
    case .notModified: return Response(304, fields: common)
    case .failed: return Problem.preconditionFailed(tag: tag).response()
    case .proceed: break
    }
    let type = [ResponseField("Content-Type", name.format.mediaType)]
    guard let range else { return Response(200, fields: type + common, body: bytes) }
    guard let places = range.places(of: bytes.count) else {
      var response = Problem.rangeNotSatisfiable.response()
      response.fields.append(ResponseField("Content-Range", "bytes */\(bytes.count)"))
      return response
    }
    let part = ResponseField("Content-Range", "bytes \(places.lowerBound)-\(places.upperBound - 1)/\(bytes.count)")
    return Response(206, fields: type + common + [part], body: places == 0..<bytes.count ? bytes : Array(bytes[places]))
  }

  private static func common(_ tag: String) -> [ResponseField] {
    [
      ResponseField("ETag", tag), ResponseField("Cache-Control", "public, max-age=31536000, immutable"),
      ResponseField("Accept-Ranges", "bytes"),
    ] + protections
  }

  /// Browsers must not guess another type from a picture's bytes; any page may show it.
  private static let protections = [
    ResponseField("X-Content-Type-Options", "nosniff"),
    ResponseField("Content-Security-Policy", "default-src 'none'; sandbox"),
    ResponseField("Cross-Origin-Resource-Policy", "cross-origin"),
  ]
}

/// The pictures that are on their way to clients: all who get the same one share its bytes, which are kept for as long
/// as somebody gets them.
final class SendingAssets: Sendable {
  /// The most parts of pictures that may be waited for at once.
  static let partsMax = 16
  let responses = SharedValues<AssetName, ReadyResponse>()
  private let parts = Mutex(0)

  /// Whether there is room to wait for one more part; each is left in the end.
  func takePart() -> Bool {
    parts.withLock { parts in
      guard parts < Self.partsMax else { return false }
      parts += 1
      return true
    }
  }

  func leavePart() { parts.withLock { $0 -= 1 } }
}

/// One range of bytes that a client asks for (RFC 9110 §14.1.2).
struct ByteRange: Sendable, Hashable {
  private let first: Int?
  private let last: Int?

  /// `nil` when a request asks for none, for several, or in a way that is not to be understood: then all of it is sent.
  init?(_ request: borrowing Request, tag: String) {
    var range: String?
    var condition: String?
    for index in 0..<request.fieldCount {
      if request.fieldName(index).equalsIgnoringCase("range") {
        guard range == nil else { return nil }
        range = request.fieldValue(index).string
      } else if request.fieldName(index).equalsIgnoringCase("if-range") {
        condition = request.fieldValue(index).string
      }
    }
    guard let range, request.method == .get, condition.map({ $0 == tag }) ?? true else { return nil }
    self.init(range)
  }

  init?(_ text: String) {
    let parts = text.split(separator: "=", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
    let ends = parts[1].split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    func number(_ text: Substring) -> Int? {
      !text.isEmpty && text.utf8.count <= 15 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
    guard ends.count == 2, ends.allSatisfy({ $0.isEmpty || number($0) != nil }) else { return nil }
    first = number(ends[0])
    last = number(ends[1])
    switch (first, last) {
    case (nil, nil): return nil
    case (let first?, let last?) where last < first: return nil
    default: break
    }
  }

  /// The range within `count` bytes; `nil` if it lies beyond them.
  func places(of count: Int) -> Range<Int>? {
    guard let first else {
      guard let last, last > 0, count > 0 else { return nil }
      return max(count - last, 0)..<count
    }
    guard first < count else { return nil }
    return first..<min((last ?? count) + (last == nil ? 0 : 1), count)
  }
}

extension Problem {
  fileprivate static let unknownAsset = Problem(404, "unknown-asset", "There is no picture of this name.")
  fileprivate static let unreadable = Problem(
    503, "database-unavailable", "The picture cannot be read at the moment.",
    fields: [ResponseField("Retry-After", "5")])
  fileprivate static let tooManyReads = Problem(
    503, "overloaded", "Too many pictures are being read.", fields: [ResponseField("Retry-After", "1")])
  fileprivate static let rangeNotSatisfiable = Problem(
    416, "range-not-satisfiable", "The range begins behind the end of the picture.")
}
