/// Takes the chunked framing off a body (RFC 9112 §7.1), bytes in, bytes out, wherever the input is split.
struct ChunkedDecoder {
  private enum Expected {
    case sizeFirst, size, chunkExtension, sizeLineFeed
    case data, dataReturn, dataLineFeed
    case trailerFirst, trailerName, trailerValue, trailerLineFeed, lastLineFeed
    case nothing
  }

  private let bodyBytesMax: Int
  private let overheadBytesMax: Int
  private var expected = Expected.sizeFirst
  private var extensions = ChunkExtensions()
  /// Octets of the current chunk still to come; never more than `bodyBytesMax` once its size is whole.
  private var remaining = 0
  /// Digits of the current chunk's size.
  private var digits = 0
  /// Octets that a client need not send: extensions, trailers, and zeros before a size that is long enough already.
  ///
  /// Sizes, and the line ends around the data, are none: each octet of data allows for one chunk, so that the limit of
  /// the body limits them too.
  private(set) var overhead = 0
  /// All octets read so far that are not data.
  private(set) var framing = 0
  /// The digits of the largest size that a machine holds.
  private static let digitsMax = 16

  init(bodyBytesMax: Int, overheadBytesMax: Int) {
    self.bodyBytesMax = bodyBytesMax
    self.overheadBytesMax = overheadBytesMax
  }

  /// Whether the last chunk and its trailers have been read.
  var isDone: Bool { expected == .nothing }

  /// Decodes from `position` on, and moves it past the end of this body. Trailers are checked and dropped: none
  /// has a meaning here (RFC 9112 §7.1.2).
  mutating func decode(
    _ input: Span<UInt8>, from position: inout Int, onto body: inout [UInt8]
  ) throws(RequestFailure) {
    while position < input.count, expected != .nothing {
      if expected == .data {
        takeData(input, from: &position, onto: &body)
      } else {
        let byte = input[position]
        if isOverhead(byte) {
          overhead += 1
          guard overhead <= overheadBytesMax else { throw .chunkOverheadTooLarge }
        }
        try takeFraming(byte, bodyBytes: body.count)
        framing += 1
        position += 1
      }
    }
  }

  /// Whether the next octet, being this, is more than a chunk needs.
  private func isOverhead(_ byte: UInt8) -> Bool {
    switch expected {
    case .size: ASCII.hexadecimal(byte) == nil ? byte != ASCII.carriageReturn : digits >= Self.digitsMax
    case .chunkExtension, .trailerName, .trailerValue, .trailerLineFeed: true
    case .trailerFirst: byte != ASCII.carriageReturn
    case .sizeFirst, .sizeLineFeed, .data, .dataReturn, .dataLineFeed, .lastLineFeed, .nothing: false
    }
  }

  private mutating func takeData(_ input: Span<UInt8>, from position: inout Int, onto body: inout [UInt8]) {
    let taken = min(remaining, input.count - position)
    body.append(input.extracting(position..<position + taken))
    position += taken
    remaining -= taken
    if remaining == 0 { expected = .dataReturn }
  }

  private mutating func takeFraming(_ byte: UInt8, bodyBytes: Int) throws(RequestFailure) {
    switch expected {
    case .sizeFirst:
      remaining = 0
      digits = 0
      try takeDigit(byte)
      expected = .size
    case .size where ASCII.hexadecimal(byte) != nil:
      try takeDigit(byte)
    case .size:
      guard remaining <= bodyBytesMax - min(bodyBytes, bodyBytesMax) else { throw .bodyTooLarge }
      extensions = ChunkExtensions()
      expected = .chunkExtension
      try takeExtension(byte)
    case .chunkExtension:
      try takeExtension(byte)
    case .sizeLineFeed:
      try require(byte, ASCII.lineFeed)
      expected = remaining == 0 ? .trailerFirst : .data
    case .dataReturn:
      try require(byte, ASCII.carriageReturn)
      expected = .dataLineFeed
    case .dataLineFeed:
      try require(byte, ASCII.lineFeed)
      expected = .sizeFirst
    case .lastLineFeed:
      try require(byte, ASCII.lineFeed)
      expected = .nothing
    case .trailerFirst, .trailerName, .trailerValue, .trailerLineFeed:
      try takeTrailer(byte)
    case .data, .nothing:
      break
    }
  }

  /// A size that no machine holds is no size; one that is only too large is known when it is whole.
  private mutating func takeDigit(_ byte: UInt8) throws(RequestFailure) {
    guard let digit = ASCII.hexadecimal(byte) else { throw .malformedChunk }
    let (sixteenths, overflow) = remaining.multipliedReportingOverflow(by: 16)
    let (size, carry) = sixteenths.addingReportingOverflow(Int(digit))
    guard !overflow, !carry else { throw .malformedChunk }
    remaining = size
    digits += 1
  }

  private mutating func takeExtension(_ byte: UInt8) throws(RequestFailure) {
    if try extensions.endsLine(byte) { expected = .sizeLineFeed }
  }

  private mutating func takeTrailer(_ byte: UInt8) throws(RequestFailure) {
    switch expected {
    case .trailerFirst where byte == ASCII.carriageReturn:
      expected = .lastLineFeed
    case .trailerName where byte == ASCII.colon:
      expected = .trailerValue
    case .trailerFirst, .trailerName:
      guard ASCII.isToken(byte) else { throw .malformedChunk }
      expected = .trailerName
    case .trailerValue where byte == ASCII.carriageReturn:
      expected = .trailerLineFeed
    case .trailerValue:
      // RFC 9110 §5.5: a lone LF or CR is what request smuggling is made of.
      guard ASCII.isText(byte) else { throw .malformedChunk }
    default:
      try require(byte, ASCII.lineFeed)
      expected = .trailerFirst
    }
  }

  private func require(_ byte: UInt8, _ wanted: UInt8) throws(RequestFailure) {
    guard byte == wanted else { throw .malformedChunk }
  }
}

extension [UInt8] {
  mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
  }
}
