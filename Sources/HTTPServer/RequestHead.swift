/// What the parser found in the bytes of one head: places, never copies. Each loop has one and refills it for each
/// request, so parsing allocates nothing.
final class RequestHead {
  /// A run of bytes by its place from the start of the head.
  struct Place {
    var start: UInt32 = 0
    var end: UInt32 = 0

    @inline(__always)
    init(_ start: Int, _ end: Int) {
      self.start = UInt32(truncatingIfNeeded: start)
      self.end = UInt32(truncatingIfNeeded: end)
    }
  }

  struct Field {
    var name: Place
    var value: Place
    var known: KnownField?
  }

  /// How the end of the body is known (RFC 9112 §6.3).
  enum Framing: Equatable {
    case none
    case length(Int)
    case chunked
  }

  var method: Method = .other
  var methodToken = Place(0, 0)
  /// The target's path as it was sent; `/` for an absolute target without one.
  var path = Place(0, 0)
  var query: Place?
  /// The authority of an absolute target, which outweighs Host (RFC 9112 §3.2.2).
  var authority: Place?
  /// OPTIONS for the server as a whole: `*`, or an absolute target with neither path nor query.
  var isServerWide = false
  var minorVersion: UInt8 = 1
  var fields: [Field] = []
  var framing: Framing = .none
  var keepsAlive = true
  var expectsContinue = false
  /// Of each known field, one more than the index of its first occurrence; 0 when absent.
  private var firsts = InlineArray<24, UInt16>(repeating: 0)
  private var repeats: UInt32 = 0

  init(fieldsMax: Int) {
    fields.reserveCapacity(fieldsMax)
  }

  func reset() {
    fields.removeAll(keepingCapacity: true)
    method = .other
    firsts = InlineArray(repeating: 0)
    repeats = 0
    query = nil
    isServerWide = false
    authority = nil
    framing = .none
    keepsAlive = true
    expectsContinue = false
  }

  func append(_ field: Field) {
    fields.append(field)
    guard let known = field.known else { return }
    let index = Int(known.rawValue)
    if firsts[index] == 0 {
      firsts[index] = UInt16(clamping: fields.count)
    } else {
      repeats |= 1 << UInt32(known.rawValue)
    }
  }

  @inline(__always)
  func has(_ known: KnownField) -> Bool {
    firsts[Int(known.rawValue)] != 0
  }

  func isRepeated(_ known: KnownField) -> Bool {
    repeats & (1 << UInt32(known.rawValue)) != 0
  }

  @inline(__always)
  func first(_ known: KnownField) -> Place? {
    let position = Int(firsts[Int(known.rawValue)])
    return position == 0 ? nil : fields[position - 1].value
  }
}

extension Span<UInt8> {
  /// The bytes at `place`, which the parser made from this very head; a place that is not inside is empty.
  @inline(__always)
  @_lifetime(copy self)
  func bytes(_ place: RequestHead.Place) -> Span<UInt8> {
    let end = Swift.min(Int(place.end), count)
    let start = Swift.min(Int(place.start), end)
    return extracting(start..<end)
  }
}
