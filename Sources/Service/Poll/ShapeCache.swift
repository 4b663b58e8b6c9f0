import HTTPServer
import Layout
import Publication

/// Finds what a request asks for by its bytes, so that a shape seen before is neither parsed nor decided again.
///
/// The shape is everything that the choice of a variant depends on: path, query and `Accept-Language`. A table of the
/// four-way set-associative kind: a full set gives up the one that was found longest ago, or nearly so.
struct ShapeCache {
  /// One shape, what it asks for, and what it is served.
  final class Entry {
    let hash: UInt64
    let page: String
    let resource: Resource
    let client: ClientAttributes
    var variant: ServedVariant
    /// Path, query and `Accept-Language`, one after the other.
    private let bytes: [UInt8]
    private let pathEnd: Int
    private let queryEnd: Int

    init(
      _ request: borrowing Request, hash: UInt64, page: String, resource: Resource, client: ClientAttributes,
      variant: ServedVariant
    ) {
      self.hash = hash
      pathEnd = request.path.count
      queryEnd = pathEnd + request.query.count
      bytes = request.path.array + request.query.array + request.value(.acceptLanguage).array
      self.page = page
      self.resource = resource
      self.client = client
      self.variant = variant
    }

    fileprivate func matches(_ request: borrowing Request) -> Bool {
      Self.equal(request.path, bytes, 0..<pathEnd) && Self.equal(request.query, bytes, pathEnd..<queryEnd)
        && Self.equal(request.value(.acceptLanguage), bytes, queryEnd..<bytes.count)
    }

    private static func equal(_ sent: borrowing Span<UInt8>, _ kept: [UInt8], _ place: Range<Int>) -> Bool {
      let kept = kept.span
      let part = kept.extracting(place)
      return sent.equals(part)
    }
  }

  /// The hash beside the entry: those of other shapes are passed without a look at them.
  private struct Slot {
    var hash: UInt64 = 0
    var entry: Entry?
  }

  private static let ways = 4
  private var slots: [Slot]
  private let mask: Int

  /// A cache of so many shapes, rounded up to a power of two.
  init(capacity: Int) {
    let size = max(Self.ways, capacity.nextPowerOfTwo)
    slots = Array(repeating: Slot(), count: size)
    mask = (size - 1) & ~(Self.ways - 1)
  }

  static func hash(_ request: borrowing Request) -> UInt64 {
    var hash = ByteHash()
    hash.combine(request.path)
    hash.combine(request.query)
    hash.combine(request.value(.acceptLanguage))
    return hash.value
  }

  /// The entry of a request's shape.
  mutating func find(_ request: borrowing Request, hash: UInt64) -> Entry? {
    let first = Int(truncatingIfNeeded: hash) & mask
    for slot in first..<first + Self.ways where slots[slot].hash == hash {
      guard let entry = slots[slot].entry, entry.matches(request) else { continue }
      if slot > first { slots.swapAt(slot, slot - 1) }
      return entry
    }
    return nil
  }

  mutating func insert(_ entry: Entry) {
    let first = Int(truncatingIfNeeded: entry.hash) & mask
    for slot in (first + 1..<first + Self.ways).reversed() { slots[slot] = slots[slot - 1] }
    slots[first] = Slot(hash: entry.hash, entry: entry)
  }

  mutating func removeAll() {
    for index in slots.indices where slots[index].entry != nil { slots[index] = Slot() }
  }
}

extension Int {
  /// The least power of two that is not less.
  fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
