import HTTPServer
import Layout
import Publication

/// Finds what a request asks for by its bytes, so that a shape seen before is neither parsed nor decided again.
///
/// The shape is everything that the choice of a variant depends on: path, query and `Accept-Language`. A table of the
/// four-way set-associative kind: a full set gives up the one that was found longest ago, or nearly so. A client can
/// make as many shapes as it likes, of any length, so that their bytes are bounded as well as their number.
struct ShapeCache {
  /// One shape, what it asks for, and what it is served.
  final class Entry {
    let hash: UInt64
    let page: String
    let resource: Resource
    let client: ClientAttributes
    /// `nil` once another lineup or a flip came, until the shape is asked for again.
    var variant: ServedVariant?
    /// Path, query and `Accept-Language`, one after the other.
    private let bytes: [UInt8]
    private let pathEnd: Int
    private let queryEnd: Int
    private let charge: ByteCharge
    /// The bytes that it takes in memory, about.
    let byteCount: Int

    init(
      _ request: borrowing Request, hash: UInt64, page: String, resource: Resource, client: ClientAttributes,
      variant: ServedVariant, budget: ByteBudget
    ) {
      self.hash = hash
      pathEnd = request.path.count
      queryEnd = pathEnd + request.query.count
      bytes = request.path.array + request.query.array + request.value(.acceptLanguage).array
      self.page = page
      self.resource = resource
      self.client = client
      self.variant = variant
      byteCount = Self.ownBytes + bytes.count + client.byteCount
      charge = ByteCharge(byteCount, in: budget)
    }

    private static let ownBytes = 256

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
  private let bytesMax: Int
  private var bytes = 0
  /// Where the next entry is given up when there are too many bytes.
  private var hand = 0

  /// A cache of so many shapes, rounded up to a power of two, that take no more than so many bytes.
  init(capacity: Int, bytesMax: Int) {
    let size = max(Self.ways, capacity.nextPowerOfTwo)
    slots = Array(repeating: Slot(), count: size)
    mask = (size - 1) & ~(Self.ways - 1)
    self.bytesMax = bytesMax
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

  /// Keeps an entry, unless it is so large that many others would have to go for it.
  mutating func insert(_ entry: Entry) {
    guard entry.byteCount <= bytesMax / 64 else { return }
    let first = Int(truncatingIfNeeded: entry.hash) & mask
    let last = first + Self.ways - 1
    giveUp(last)
    for slot in (first + 1...last).reversed() { slots[slot] = slots[slot - 1] }
    slots[first] = Slot()
    while bytes + entry.byteCount > bytesMax {
      giveUp(hand)
      hand = (hand + 1) % slots.count
    }
    slots[first] = Slot(hash: entry.hash, entry: entry)
    bytes += entry.byteCount
  }

  private mutating func giveUp(_ slot: Int) {
    guard let entry = slots[slot].entry else { return }
    bytes -= entry.byteCount
    slots[slot] = Slot()
  }

  /// Lets go of variants that are not to be served any more; their shapes stay known.
  ///
  /// - Returns: The variants. To free many takes longer than a loop has.
  func release(where isOver: (Entry, ServedVariant) -> Bool) -> [ServedVariant] {
    slots.compactMap { slot in
      guard let entry = slot.entry, let variant = entry.variant, isOver(entry, variant) else { return nil }
      entry.variant = nil
      return variant
    }
  }
}

extension Int {
  /// The least power of two that is not less.
  fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
