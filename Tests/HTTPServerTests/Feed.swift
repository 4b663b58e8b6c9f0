@testable import HTTPServer

/// The reading half of a connection, fed without a socket.
struct Feed {
  enum Event: Equatable, CustomStringConvertible {
    case request(String)
    case failure(RequestFailure)

    var description: String {
      switch self {
      case .request(let text): text
      case .failure(let failure): "\(failure)"
      }
    }
  }

  private let reader: RequestReader
  private let head: RequestHead
  private var upload: RequestReader.Upload?
  private var saved: [UInt8] = []
  private(set) var events: [Event] = []
  private var hasFailed = false

  init(limits: Limits = testLimits) {
    reader = RequestReader(limits: limits)
    head = RequestHead(fieldsMax: limits.fieldsMax)
  }

  /// Reads on as a loop does: what is left over is put before what comes next.
  mutating func bring(_ bytes: some Sequence<UInt8>) {
    saved += bytes
    var position = 0
    let input = saved
    do throws(RequestFailure) {
      while position < input.count, !hasFailed {
        let start = position
        // Empty lines are passed without a word.
        let event = try reader.next(input.span, from: &position, head: head, upload: &upload)
        if event == .incomplete { break }
        if event == .request { note(input.span.extracting(start..<position)) }
      }
    } catch {
      events.append(.failure(error))
      hasFailed = true
    }
    saved = Array(input[position...])
  }

  private mutating func note(_ bytes: Span<UInt8>) {
    guard let upload = self.upload.take() else {
      events.append(.request(describe(bytes, body: [])))
      return
    }
    // A head that was right is right again, and as long.
    guard let length = try? reader.parser.parse(upload.head.span, into: head), length == upload.head.count else {
      events.append(.failure(.malformedRequestLine))
      return
    }
    events.append(.request(describe(upload.head.span, body: upload.body)))
  }

  private func describe(_ bytes: Span<UInt8>, body: [UInt8]) -> String {
    let fields = head.fields.map { "\(bytes.bytes($0.name).string)=\(bytes.bytes($0.value).string)" }
    let query = head.query.map { bytes.bytes($0).string } ?? "-"
    return "\(bytes.bytes(head.methodToken).string) \(bytes.bytes(head.path).string) \(query) \(head.minorVersion) "
      + "\(head.keepsAlive) \(head.framing) \(fields) \(String(decoding: body, as: UTF8.self))"
  }

  static func events(_ parts: [ArraySlice<UInt8>], limits: Limits = testLimits) -> [Event] {
    var feed = Feed(limits: limits)
    for part in parts { feed.bring(part) }
    return feed.events
  }
}

/// Limits small enough to be reached.
var testLimits: Limits {
  var limits = Limits()
  limits.bodyBytesMax = 1_000
  limits.chunkOverheadBytesMax = 200
  return limits
}
