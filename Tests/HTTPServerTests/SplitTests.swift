import Testing

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
    let length = try? reader.parser.parse(upload.head.span, into: head)
    #expect(length == upload.head.count)
    events.append(.request(describe(upload.head.span, body: upload.body)))
  }

  private func describe(_ bytes: Span<UInt8>, body: [UInt8]) -> String {
    let fields = head.fields.map { "\(bytes.bytes($0.name).string)=\(bytes.bytes($0.value).string)" }
    let query = head.query.map { bytes.bytes($0).string } ?? "-"
    return "\(bytes.bytes(head.methodToken).string) \(bytes.bytes(head.path).string) \(query) \(head.minorVersion) "
      + "\(head.keepsAlive) \(head.framing) \(fields) \(String(decoding: body, as: UTF8.self))"
  }

  static func events(_ parts: [ArraySlice<UInt8>]) -> [Event] {
    var feed = Feed()
    for part in parts { feed.bring(part) }
    return feed.events
  }
}

@Suite struct SplitTests {
  @Test(arguments: RequestTable.all)
  func `the events are the same wherever the input is split`(_ line: RequestCase) {
    let input = line.input
    let whole = Feed.events([input[...]])
    for split in stride(from: 0, through: input.count, by: max(1, input.count / 512)) {
      let parts = Feed.events([input[..<split], input[split...]])
      #expect(parts == whole, "split at \(split)")
    }
  }

  @Test(arguments: RequestTable.all.filter { $0.input.count < 2_000 })
  func `the events are the same octet by octet`(_ line: RequestCase) {
    let octets = Feed.events(line.input.indices.map { line.input[$0...$0] })
    #expect(octets == Feed.events([line.input[...]]))
  }

  /// Random changes of the table's lines: cut, doubled, swapped and spliced, with octets that HTTP cares for.
  @Test(arguments: 0..<8)
  func `any input and any split have the same events`(_ seed: UInt64) {
    var random = SplitMix(state: seed)
    let lines = RequestTable.all.filter { $0.input.count < 400 }.map(\.input)
    for _ in 0..<400 {
      let input = random.mutated(lines)
      let whole = Feed.events([input[...]])
      var parts: [ArraySlice<UInt8>] = []
      var rest = input[...]
      while !rest.isEmpty {
        let count = Int.random(in: 1...max(1, min(rest.count, 40)), using: &random)
        parts.append(rest.prefix(count))
        rest = rest.dropFirst(count)
      }
      #expect(Feed.events(parts) == whole, "\(String(decoding: input, as: UTF8.self).debugDescription)")
    }
  }
}

/// Repeatable randomness.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return word ^ (word >> 31)
  }

  mutating func mutated(_ lines: [[UInt8]]) -> [UInt8] {
    var input = (lines.randomElement(using: &self) ?? []) + (lines.randomElement(using: &self) ?? [])
    let octets = Array("\r\n\r\n :;,\t\0%?#/0aF".utf8) + [0x7F, 0x80, 0xFF]
    for _ in 0..<Int.random(in: 0...4, using: &self) where !input.isEmpty {
      let place = Int.random(in: 0..<input.count, using: &self)
      switch Int.random(in: 0..<3, using: &self) {
      case 0: input.remove(at: place)
      case 1: input.insert(octets.randomElement(using: &self) ?? 0, at: place)
      default: input[place] = octets.randomElement(using: &self) ?? 0
      }
    }
    return input
  }
}
