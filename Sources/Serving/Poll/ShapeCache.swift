import HTTPServer
import Layout

/// Finds what a request asks for by its bytes, so that a shape seen before is neither parsed nor decided again.
///
/// The shape is everything that the choice of a variant depends on: path, query and `Accept-Language`. A table of the
/// four-way set-associative kind: a full set gives up the one that was found longest ago, or nearly so. A client can
/// make as many shapes as it likes, of any length, so that their bytes are bounded as well as their number.
struct ShapeCache {
  /// One shape, what it asks for, and what it is served.
  final class Entry {
    // What a poll looks at comes first: of ten thousand shapes in turn none is in the caches.
    /// `nil` when it was given up, or another lineup came that it did not lead to, until the shape is asked for again.
    fileprivate(set) var variant: ServedVariant? {
      didSet {
        lastResponse = nil
        lastSignatures = nil
      }
    }
    /// The number of the lineup by which it is what is sent.
    private(set) var lineup: UInt64
    /// The response sent last, and its coding: a hit here spares the way through the variant's objects.
    private(set) var lastResponse: ReadyResponse?
    private var lastCoding = ContentCoding.identity
    /// The signatures of the variant that were sent last.
    private var lastSignatures: PageSignatures?
    /// Path, query and `Accept-Language`, one after the other.
    private let bytes: [UInt8]
    private let pathEnd: Int32
    private let queryEnd: Int32
    let hash: UInt64
    let page: String
    let resource: Resource
    let client: ClientAttributes
    private let charge: ByteCharge
    /// The bytes that it takes in memory, about.
    var byteCount: Int { charge.bytes }

    init(
      _ request: borrowing Request, hash: UInt64, page: String, resource: Resource, client: ClientAttributes,
      variant: ServedVariant, lineup: UInt64, budget: ByteBudget
    ) {
      self.hash = hash
      pathEnd = Int32(clamping: request.path.count)
      queryEnd = Int32(clamping: request.path.count + request.query.count)
      var bytes: [UInt8] = []
      bytes.reserveCapacity(request.path.count + request.query.count + request.value(.acceptLanguage).count)
      for part in [request.path.array, request.query.array, request.value(.acceptLanguage).array] { bytes += part }
      self.bytes = bytes
      self.page = page
      self.resource = resource
      self.client = client
      self.variant = variant
      self.lineup = lineup
      charge = ByteCharge(Self.ownBytes + bytes.count + client.byteCount, in: budget)
    }

    private static let ownBytes = 256

    /// Keeps what is sent by a lineup from now on.
    func keep(_ variant: ServedVariant?, by lineup: Lineup) {
      self.variant = variant
      self.lineup = lineup.number
    }

    /// The whole response in the coding that a client prefers; `nil` while that is not made.
    func response(of variant: ServedVariant, in coding: ContentCoding) -> ReadyResponse? {
      if let lastResponse, lastCoding == coding { return lastResponse }
      guard let response = variant.whole.made(in: coding) else { return nil }
      (lastResponse, lastCoding) = (response, coding)
      return response
    }

    /// The signatures to send with the variant; `nil` when they have to be made. A look, but when they are about to be
    /// renewed.
    func signatures(of variant: ServedVariant, _ signing: PageSigning, at now: Int64) -> PageSignatures? {
      let serial = signing.serial
      if let lastSignatures, lastSignatures.areNewest(serial: serial, at: now) { return lastSignatures }
      if let newer = variant.signatures(serial: serial, at: now) { lastSignatures = newer }
      return lastSignatures.flatMap { $0.count(serial: serial, at: now) ? $0 : nil }
    }

    /// Moves on to the successor, in a lineup, of what was sent last, if it is known. Takes no lock and makes nothing.
    func renew(by lineup: Lineup, at now: Int64) { keep(variant?.current(in: lineup, at: now), by: lineup) }

    fileprivate func matches(_ request: borrowing Request) -> Bool {
      let (pathEnd, queryEnd) = (Int(pathEnd), Int(queryEnd))
      return Self.equal(request.path, bytes, 0..<pathEnd) && Self.equal(request.query, bytes, pathEnd..<queryEnd)
        && Self.equal(request.value(.acceptLanguage), bytes, queryEnd..<bytes.count)
    }

    private static func equal(_ sent: borrowing Span<UInt8>, _ kept: [UInt8], _ place: Range<Int>) -> Bool {
      let kept = kept.span
      let part = kept.extracting(place)
      return sent.equals(part)
    }
  }

  /// The hash beside the entry, so entries of other shapes are skipped without reading them.
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

  /// How many places for shapes there are.
  var size: Int { slots.count }

  /// The most shapes that are renewed at once, in a quarter of a millisecond or so.
  private static let renewedMax = 1_024
  /// The most places that are looked at at once.
  private static let lookedAtMax = 4_096

  /// Moves shapes on to a lineup. Shapes without a variant in it yet stay known.
  ///
  /// - Parameter start: The place to begin at.
  /// - Returns: The released variants, since freeing many takes longer than a loop has, and the place to go on at.
  func renew(from start: Int, by lineup: Lineup, at now: Int64) -> (over: [ServedVariant], next: Int) {
    var over: [ServedVariant] = []
    var renewed = 0
    let end = max(start, min(size, start + Self.lookedAtMax))
    for slot in start..<end {
      guard let entry = slots[slot].entry, entry.lineup != lineup.number, let former = entry.variant else { continue }
      if renewed == Self.renewedMax { return (over, slot) }
      renewed += 1
      entry.renew(by: lineup, at: now)
      if entry.variant !== former { over.append(former) }
    }
    return (over, end)
  }

  /// Lets go of variants that are not to be served any more; their shapes stay known.
  ///
  /// - Returns: The variants. To free many takes longer than a loop has.
  func release(where isOver: (ServedVariant) -> Bool) -> [ServedVariant] {
    slots.compactMap { slot in
      guard let entry = slot.entry, let variant = entry.variant, isOver(variant) else { return nil }
      entry.variant = nil
      return variant
    }
  }
}

extension Int {
  /// The least power of two that is not less.
  fileprivate var nextPowerOfTwo: Int { self <= 1 ? 1 : 1 << (Int.bitWidth - (self - 1).leadingZeroBitCount) }
}
